// Broadcast and reductions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "api/call.hpp"
#include "api/communication.hpp"
#include "api/diagnostics.hpp"
#include "api/flags.hpp"
#include "api/messages.hpp"
#include "check/checker.hpp"

#include <fmt/format.h>

namespace rcce::api {
namespace {

constexpr int op_base = 23232323, type_base = 63636363; // RCCE_SUM, RCCE_INT; the others follow in this order
enum class Op : std::uint8_t { sum, min, max, prod };
constexpr int op_count = 4, type_count = 4;

/// Integers wrap round, as the chip's do.
template <class T>
T combined(Op op, T x, T y) {
  using Wrapping =
      typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  const auto a = static_cast<Wrapping>(x), b = static_cast<Wrapping>(y);
  switch (op) {
  case Op::sum:
    return static_cast<T>(a + b);
  case Op::min:
    return x < y ? x : y; // the incoming y where the comparison is false, so also beside a NaN
  case Op::max:
    return x > y ? x : y;
  case Op::prod:
    return static_cast<T>(a * b);
  }
  return x;
}

/// out[i] = out[i] op in[i], stored in the element type after every step; buffers have any alignment.
template <class T>
void combine_elements(char* out, const char* in, std::size_t count, Op op) {
  for (std::size_t i = 0; i < count; ++i, out += sizeof(T), in += sizeof(T)) {
    T x, y;
    std::memcpy(&x, out, sizeof x);
    std::memcpy(&y, in, sizeof y);
    x = combined(op, x, y);
    std::memcpy(out, &x, sizeof x);
  }
}

struct Type {
  std::size_t bytes;
  void (*combine)(char*, const char*, std::size_t, Op);
};
constexpr Type types[type_count] = {
    {sizeof(int), combine_elements<int>},
    {sizeof(long), combine_elements<long>},
    {sizeof(float), combine_elements<float>},
    {sizeof(double), combine_elements<double>},
};

constexpr const char* op_names[op_count] = {"RCCE_SUM", "RCCE_MIN", "RCCE_MAX", "RCCE_PROD"};
constexpr const char* type_names[type_count] = {"RCCE_INT", "RCCE_LONG", "RCCE_FLOAT", "RCCE_DOUBLE"};

Error check(int type, int op) {
  if (op < op_base || op >= op_base + op_count) return Error::illegal_op;
  if (type < type_base || type >= type_base + type_count) return Error::illegal_type;
  return Error::none;
}

int not_in_this_interface(Library& library, const char* text) {
  std::printf("%s\n", text);
  return error_return(library, *library.image.debug_comm, 1);
}

constexpr const char* reductions_text = "Reduction only implemented for non-gory API";

/// Both reductions: gather at the root in ascending rank, through the root's own input buffer, which is lost.
int reduce_to_root(Library& library, char* in, char* out, int count, int type, int op, int root, bool to_all,
                   Communicator comm) {
  const int print = *library.image.debug_comm;
  if (const Error error = check(type, op); error != Error::none) return error_return(library, print, error);
  if (count < 0) misuse(library, "negative number of elements " + std::to_string(count));
  const Type& element = types[type - type_base];
  const auto elements = static_cast<std::size_t>(count);
  const std::size_t bytes = elements * element.bytes;

  if (library.ue.checker != nullptr)
    tell_collective(library, comm, library.ue.activity.call,
                    fmt::format("{}, {} times {}, {}", to_all ? "" : fmt::format(", root {}", root), count,
                                type_names[type - type_base], op_names[op - op_base]));
  if (comm.my_rank() != root) {
    if (const int error = send(library, in, bytes, comm.member(root)))
      return error_return(library, print, error);
    if (!to_all) return 0;
    return error_return(library, print, receive(library, out, bytes, comm.member(root)));
  }
  if (bytes > 0) {
    std::memmove(out, in, bytes);
    library.core.touch(in, bytes, false);
    library.core.touch(out, bytes, true);
  }
  for (int i = 0; i < comm.size(); ++i) {
    if (i == root) continue;
    if (const int error = receive(library, in, bytes, comm.member(i)))
      return error_return(library, print, error);
    element.combine(out, in, elements, static_cast<Op>(op - op_base));
    library.charge(library.costs.element * static_cast<Cycles>(elements));
    library.core.touch(out, bytes, true);
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
  check::Checker* const checker = library.ue.checker;
  if (checker == nullptr || !library.started || comm.address() == nullptr) return;
  if (comm.initialized() != comm_magic) return;
  const FlagWord gather = word_of(library, comm.gather());
  std::string key = fmt::format("{}/{}", gather.offset, gather.mask);
  for (int i = 0; i < comm.size(); ++i) key += fmt::format(",{}", comm.member(i));
  checker->enters_collective(library.ue, key, static_cast<std::size_t>(comm.size()), {kind, parameters});
}

int broadcast(Library& library, char* buffer, std::size_t bytes, int root, Communicator comm) {
  const int print = *library.image.debug_comm;
  if (library.gory()) {
    std::printf("Collectives only implemented for simplified API\n");
    return 1;
  }
  if (root < 0 || root >= comm.size()) return error_return(library, print, Error::id);
  if (library.ue.checker != nullptr)
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

} // namespace rcce::api
