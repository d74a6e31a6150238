// SPDX-License-Identifier: Apache-2.0
// Broadcast and reductions.
#include <cstdio>
#include <cstring>

#include "library/protocol/combine.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/facts.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/messages.hpp"

#include <fmt/format.h>

namespace rcce::protocol {
namespace {

int not_in_this_interface(Library& library, const char* text) {
  std::printf("%s\n", text);
  return error_return(library, *library.image.debug_comm, 1);
}

constexpr const char* reductions_text = "Reduction only implemented for non-gory API";

/// Both reductions: gather at the root in ascending rank, through the root's own input buffer, which is lost.
int reduce_to_root(Library& library, char* in, char* out, int count, int type, int op, int root, bool to_all,
                   Communicator comm) {
  const int print = *library.image.debug_comm;
  if (const Error error = check_combination(op, type); error != Error::none)
    return error_return(library, print, error);
  const std::size_t elements = elements_of(library, count);
  const std::size_t bytes = elements * element_bytes(type);

  if (library.ue.facts != nullptr)
    tell_collective(library, comm, library.ue.activity.call,
                    fmt::format("{}, {} times {}, {}", to_all ? "" : fmt::format(", root {}", root), count,
                                type_name(type), operator_name(op)));
  if (comm.my_rank() != root) {
    if (const int error = send(library, in, bytes, comm.member(root)))
      return error_return(library, print, error);
    if (!to_all) return 0;
    return error_return(library, print, receive(library, out, bytes, comm.member(root)));
  }
  if (bytes > 0) {
    copy_privately(library, out, in, bytes, Copy::plain);
  }
  for (int i = 0; i < comm.size(); ++i) {
    if (i == root) continue;
    if (const int error = receive(library, in, bytes, comm.member(i)))
      return error_return(library, print, error);
    combine(library, op, type, out, in, elements);
  }
  for (int i = 0; to_all && i < comm.size(); ++i) {
    if (i == root) continue;
    if (const int error = send(library, out, bytes, comm.member(i)))
      return error_return(library, print, error);
  }
  return 0;
}

} // namespace

void tell_collective(Library& library, Communicator comm, const char* kind, const std::string& parameters) {
  if (library.ue.facts == nullptr || !library.started || comm.address() == nullptr) return;
  if (comm.initialized() != comm_magic) return;
  const FlagWord gather = word_of(library, comm.gather());
  std::string key = fmt::format("{}/{}", gather.offset, gather.mask);
  for (int i = 0; i < comm.size(); ++i) key += fmt::format(",{}", comm.member(i));
  tell_fact(library.ue, CollectiveFact{key, static_cast<std::size_t>(comm.size()), kind, parameters});
}

int broadcast(Library& library, char* buffer, std::size_t bytes, int root, Communicator comm) {
  const int print = *library.image.debug_comm;
  if (library.gory()) {
    std::printf("Collectives only implemented for simplified API\n");
    return 1;
  }
  if (root < 0 || root >= comm.size()) return error_return(library, print, Error::id);
  if (library.ue.facts != nullptr)
    tell_collective(library, comm, library.ue.activity.call, fmt::format(", root {}, {} bytes", root, bytes));
  if (comm.my_rank() != root) {
    return error_return(library, print, receive(library, buffer, bytes, comm.member(root)));
  }
  for (int i = 0; i < comm.size(); ++i) {
    if (i == root) continue;
    if (const int error = send(library, buffer, bytes, comm.member(i)))
      return error_return(library, print, error);
  }
  return 0;
}

int reduce(Library& library, char* in, char* out, int count, int type, int op, int root, Communicator comm) {
  if (root < 0 || root >= comm.size()) return error_return(library, *library.image.debug_comm, Error::id);
  if (library.gory()) return not_in_this_interface(library, reductions_text);
  return reduce_to_root(library, in, out, count, type, op, root, false, comm);
}

int allreduce(Library& library, char* in, char* out, int count, int type, int op, Communicator comm) {
  if (library.gory()) return not_in_this_interface(library, reductions_text);
  return reduce_to_root(library, in, out, count, type, op, 0, true, comm);
}

} // namespace rcce::protocol
