// SPDX-License-Identifier: Apache-2.0
#include "process/libc/waits/sockets.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

#include "process/libc/exports.hpp"
#include "process/libc/state/host_values.hpp"
#include "process/libc/waits/host_wait.hpp"

namespace rcce::libc {
namespace {

/// Flags with which receiving never waits.
constexpr int at_once = MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB;

bool waits(int fd) noexcept {
  const long flags = syscall(SYS_fcntl, fd, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

bool is_stream(int fd) noexcept {
  int type = 0;
  socklen_t length = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

/// A call that receives from, or waits for, one descriptor.
template <host::Symbol name, class Result, class... Arguments>
Result when_ready(const char* call, short events, bool waits, int fd, Arguments... arguments) {
  if (waits) await_descriptor(call, fd, events);
  return library_function<name, Result(int, Arguments...)>()(fd, arguments...);
}

/// The rest of a message that a stream takes in parts.
class Rest {
 public:
  explicit Rest(const msghdr& message)
      : header_(message), parts_(message.msg_iov, message.msg_iov + message.msg_iovlen) {
    header_.msg_iov = parts_.data();
  }
  [[nodiscard]] const msghdr& header() const noexcept { return header_; }
  /// Takes bytes off. Control data has gone with the first ones. False: nothing is left.
  bool take(std::size_t bytes) noexcept {
    header_.msg_control = nullptr;
    header_.msg_controllen = 0;
    while (header_.msg_iovlen > 0 && bytes >= header_.msg_iov->iov_len) {
      bytes -= header_.msg_iov->iov_len;
      ++header_.msg_iov;
      --header_.msg_iovlen;
    }
    if (header_.msg_iovlen == 0) return false;
    header_.msg_iov->iov_base = static_cast<char*>(header_.msg_iov->iov_base) + bytes;
    header_.msg_iov->iov_len -= bytes;
    return true;
  }

 private:
  msghdr header_;
  std::vector<iovec> parts_;
};

ssize_t send_message(const char* call, int fd, const msghdr& message, int flags) {
  auto* const real = library_function<"sendmsg", ssize_t(int, const msghdr*, int)>();
  if ((flags & MSG_DONTWAIT) != 0 || waiting_ue() == nullptr || !waits(fd)) return real(fd, &message, flags);
  Rest rest(message);
  ssize_t done = 0, sent = 0;
  const auto decided = [&] {
    sent = real(fd, &rest.header(), flags | MSG_DONTWAIT);
    return sent >= 0 || errno != EAGAIN;
  };
  do {
    if (!try_in_turn(call, fd, Bringer::ues, decided)) sent = real(fd, &rest.header(), flags);
    if (sent < 0) return done > 0 ? done : sent;
    done += sent;
  } while (rest.take(static_cast<std::size_t>(sent)));
  return done;
}

ssize_t receive(const char* call, int fd, void* buffer, std::size_t bytes, int flags, sockaddr* from,
                socklen_t* length) {
  const bool all = (flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0 && waiting_ue() != nullptr &&
      waits(fd) && is_stream(fd);
  if (all) flags &= ~MSG_WAITALL;
  std::size_t done = 0;
  for (;;) {
    const ssize_t got =
        when_ready<"recvfrom", ssize_t>(call, POLLIN, (flags & at_once) == 0, fd,
                                        static_cast<char*>(buffer) + done, bytes - done, flags, from, length);
    if (got > 0) done += static_cast<std::size_t>(got);
    if (got <= 0 || !all || done == bytes) return done > 0 ? static_cast<ssize_t>(done) : got;
  }
}

} // namespace

ssize_t send_in_turn(const char* call, int fd, const void* text, std::size_t bytes) {
  iovec part{const_cast<void*>(text), bytes};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return send_message(call, fd, message, 0);
}

} // namespace rcce::libc

using namespace rcce;
using namespace rcce::libc;

extern "C" {

ssize_t recv(int fd, void* buffer, size_t bytes, int flags) {
  return receive("recv()", fd, buffer, bytes, flags, nullptr, nullptr);
}
ssize_t recvfrom(int fd, void* buffer, size_t bytes, int flags, struct sockaddr* from, socklen_t* length) {
  return receive("recvfrom()", fd, buffer, bytes, flags, from, length);
}
ssize_t recvmsg(int fd, struct msghdr* message, int flags) {
  return when_ready<"recvmsg", ssize_t>("recvmsg()", POLLIN, (flags & at_once) == 0, fd, message, flags);
}
ssize_t sendto(int fd, const void* buffer, size_t bytes, int flags, const struct sockaddr* to,
               socklen_t length) {
  iovec part{const_cast<void*>(buffer), bytes};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = length;
  if (to != nullptr) note_met("sockets");
  return send_message(to == nullptr ? "send()" : "sendto()", fd, message, flags);
}
ssize_t send(int fd, const void* buffer, size_t bytes, int flags) {
  return sendto(fd, buffer, bytes, flags, nullptr, 0);
}
ssize_t sendmsg(int fd, const struct msghdr* message, int flags) {
  if (message == nullptr) // refused by the system
    return library_function<"sendmsg", ssize_t(int, const msghdr*, int)>()(fd, message, flags);
  if (message->msg_name != nullptr) note_met("sockets");
  return send_message("sendmsg()", fd, *message, flags);
}

int accept(int fd, struct sockaddr* address, socklen_t* length) {
  return when_ready<"accept", int>("accept()", POLLIN, true, fd, address, length);
}
int accept4(int fd, struct sockaddr* address, socklen_t* length, int flags) {
  return when_ready<"accept4", int>("accept()", POLLIN, true, fd, address, length, flags);
}

int connect(int fd, const struct sockaddr* address, socklen_t length) {
  note_met("sockets");
  auto* const real = library_function<"connect", int(int, const sockaddr*, socklen_t)>();
  int result = -1;
  const auto decided = [&] {
    const long flags = syscall(SYS_fcntl, fd, F_GETFL);
    syscall(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    result = real(fd, address, length);
    const int error = errno;
    syscall(SYS_fcntl, fd, F_SETFL, flags);
    errno = error;
    return result == 0 || (error != EINPROGRESS && error != EALREADY && error != EAGAIN);
  };
  if (waits(fd) && try_in_turn("connect()", fd, Bringer::ues, decided)) return result;
  return real(fd, address, length); // goes on with one that is in progress
}

} // extern "C"
