// SPDX-License-Identifier: Apache-2.0
// Stands between the process's standard streams and their users: text written by a UE goes to its job's
// output, text written by anybody else to the stream that was there before. `stdout` and `stderr` become
// unbuffered stdio streams of our own, std::cout, std::cerr and std::clog get stream buffers of our own.
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <streambuf>

#include "process/libc/state/standard_streams.hpp"
#include "process/libc/state/unbuffered.hpp"
#include "process/process.hpp"
#include "process/run/output.hpp"

namespace rcce::libc {
namespace {

FILE* original[3] = {};    // by descriptor
FILE* replacement[3] = {}; // 0: a stream at its end
std::once_flag installed;

/// The job's output for a UE's text; null outside any UE.
run::Output* output_of(Ue* ue) noexcept {
  return ue == nullptr || !ue->process ? nullptr : ue->process->c.output;
}

template <int fd>
ssize_t write_stream(void*, const char* text, std::size_t bytes) {
  Ue* ue = current_ue();
  if (run::Output* output = output_of(ue)) {
    const int error = output->write(*ue, fd, {text, bytes});
    if (error == 0) return static_cast<ssize_t>(bytes);
    errno = error;
    return 0; // what fopencookie() wants to see after an error
  }
  return static_cast<ssize_t>(std::fwrite(text, 1, bytes, original[fd]));
}

ssize_t read_nothing(void*, char*, std::size_t) {
  return 0;
}
ssize_t write_nothing(void*, const char*, std::size_t bytes) {
  return static_cast<ssize_t>(bytes);
}
int close_nothing(void*) {
  return 0;
}

/// Under std::cout, std::cerr and std::clog of the process, which libraries beside a program write to.
class OutputBuffer final : public Unbuffered<char> {
 public:
  OutputBuffer(int fd, std::streambuf* before) : fd_(fd), before_(before) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize bytes) override {
    Ue* ue = current_ue();
    if (output_of(ue) == nullptr) return before_->sputn(text, bytes);
    return write_text(*ue, fd_, {text, static_cast<std::size_t>(bytes)}) ? bytes : 0;
  }
  int sync() override { return output_of(current_ue()) == nullptr ? before_->pubsync() : 0; }

 private:
  int fd_;
  std::streambuf* before_;
};

FILE* open_stream(const char* mode, cookie_io_functions_t functions) {
  FILE* file = fopencookie(nullptr, mode, functions);
  if (file != nullptr) std::setvbuf(file, nullptr, _IONBF, 0);
  return file;
}

void install() {
  original[0] = stdin;
  original[1] = stdout;
  original[2] = stderr;
  replacement[0] = open_stream("r", {read_nothing, write_nothing, nullptr, close_nothing});
  replacement[1] = open_stream("w", {nullptr, write_stream<1>, nullptr, close_nothing});
  replacement[2] = open_stream("w", {nullptr, write_stream<2>, nullptr, close_nothing});
  if (replacement[1] != nullptr) stdout = replacement[1];
  if (replacement[2] != nullptr) stderr = replacement[2];
  // Never destroyed: std::cout may be used until the very end of the process.
  std::cout.rdbuf(new OutputBuffer(1, std::cout.rdbuf()));
  std::cerr.rdbuf(new OutputBuffer(2, std::cerr.rdbuf()));
  std::clog.rdbuf(new OutputBuffer(2, std::clog.rdbuf()));
}

} // namespace

void install_standard_streams() {
  std::call_once(installed, install);
}

void flush_process_streams() noexcept {
  for (const int fd : {1, 2})
    if (original[fd] != nullptr) std::fflush(original[fd]);
}

int standard_stream_number(FILE* file) noexcept {
  if (file == nullptr) return -1;
  for (const int fd : {0, 1, 2})
    if (file == replacement[fd] || file == original[fd]) return fd;
  return -1;
}

FILE* process_stream(int fd) noexcept {
  return original[fd];
}
FILE* empty_input() noexcept {
  return replacement[0];
}

bool write_text(Ue& ue, int fd, std::string_view text) {
  run::Output* output = output_of(&ue);
  if (output == nullptr || output->write(ue, fd, text) != 0) return false;
  // No lock is held here, unlike in stdio: see process/libc/streams/print.cpp.
  if (ue.process->c.lines_finished != 0) output->give_way(ue);
  return true;
}

bool reads_standard_input(const Ue* ue) noexcept {
  return ue == nullptr || ue->rank == 0;
}

} // namespace rcce::libc
