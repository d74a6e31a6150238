// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/combine.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/facts.hpp"
#include "mesh_sim/parts/own_accesses.hpp"
#include "rcce_emu/private_copy.hpp"
#include "watch/explore/interference.hpp"

namespace rcce::protocol {
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

const Type& type_at(int type) {
  return types[type - type_base];
}

using mesh::AccessStream;

AccessStream load(const void* address, std::int64_t step, std::uint32_t bytes) {
  return {static_cast<const std::byte*>(address), step, bytes, 0};
}
/// So many cycles before the next one.
AccessStream store(const void* address, std::int64_t step, std::uint32_t bytes, Cycles work) {
  return {static_cast<const std::byte*>(address), step, bytes, 1 | static_cast<std::uint32_t>(work) << 1};
}

/// Operands in shared memory are used past the machine. So --check mpb is told of that, and --explore says
/// that it does not see them.
void tell_shared(const Library& library, std::size_t rounds, std::initializer_list<AccessStream> streams) {
  explore::Interference* const interference = library.ue.job->interference();
  if ((interference == nullptr && library.ue.facts == nullptr) || library.ue.activity.call == nullptr) return;
  const std::byte* const shared = library.ue.engine->shared_memory();
  const std::size_t all = library.ue.engine->shared_memory_bytes();
  for (const AccessStream& stream : streams) {
    if (static_cast<std::size_t>(stream.address - shared) >= all) continue;
    if (interference != nullptr) interference->gives_away(fmt::format("{}()", library.ue.activity.call));
    const std::size_t bytes = rounds * stream.bytes;
    tell_fact(library.ue, PlainAccess{.address = stream.address, .bytes = bytes, .write = stream.writes()});
  }
}

/// Operands in message buffers are loaded, and stored to, line by line, before their bytes are touched.
void access_buffers(Library& library, std::size_t rounds, std::initializer_list<AccessStream> streams) {
  if (rounds > 0) tell_shared(library, rounds, streams);
  if (!library.charged) return;
  for (const AccessStream& stream : streams) rcce::access_buffers(library.ue, stream, rounds);
}

/// Cycles, and what the rounds of a loop take beyond hits in the first-level cache.
void charge_with_memory(Library& library, Cycles cycles, std::size_t rounds,
                        std::initializer_list<AccessStream> streams) {
  const Picoseconds before = library.core.now();
  library.charge(cycles);
  if (rounds == 0 || !library.charged) return;
  static thread_local mesh::KnownLines nobody_asks; // only a program that tells of its accesses looks there
  mesh::KnownLines& known = library.ue.known_lines != nullptr ? *library.ue.known_lines : nobody_asks;
  const Picoseconds memory = library.core.access(rounds, streams, known);
  if (memory > 0) library.core.spend_on_memory(library.core.now() - before, memory);
}

} // namespace

Error check_combination(int op, int type) {
  if (op < op_base || op >= op_base + op_count) return Error::illegal_op;
  if (type < type_base || type >= type_base + type_count) return Error::illegal_type;
  return Error::none;
}

std::size_t elements_of(const Library& library, int count) {
  if (count < 0) misuse(library, "negative number of elements " + std::to_string(count));
  return static_cast<std::size_t>(count);
}

std::size_t element_bytes(int type) {
  return type_at(type).bytes;
}

const char* type_name(int type) {
  return type_names[type - type_base];
}

const char* operator_name(int op) {
  return op_names[op - op_base];
}

void combine(Library& library, int op, int type, char* target, const char* source, std::size_t elements) {
  const auto bytes = static_cast<std::uint32_t>(type_at(type).bytes);
  access_buffers(library, elements,
                 {load(source, bytes, bytes), load(target, bytes, bytes), store(target, bytes, bytes, 0)});
  if (library.core.buffers().moves(elements * type_at(type).bytes))
    type_at(type).combine(target, source, elements, static_cast<Op>(op - op_base));
  charge_combining(library, target, source, elements, type_at(type).bytes);
}

void charge_combining(Library& library, const void* target, const void* source, std::size_t elements,
                      std::size_t element_bytes) {
  constexpr std::size_t longest = 8; // RCCE's own types: a longer one is several
  const Cycles element = library.costs.element *
      static_cast<Cycles>(std::max<std::size_t>(1, (element_bytes + longest - 1) / longest));
  const auto step = static_cast<std::int64_t>(element_bytes);
  const auto bytes = static_cast<std::uint32_t>(element_bytes);
  charge_with_memory(
      library, element * static_cast<Cycles>(elements), elements,
      {load(source, step, bytes), load(target, step, bytes), store(target, step, bytes, element)});
}

void copy_privately(Library& library, char* target, const char* source, std::size_t bytes, Copy how) {
  if (bytes == 0 || target == source) return;
  constexpr std::uint32_t word = private_copy_word;
  constexpr Cycles begin = private_copy_begin_cycles, each = private_copy_word_cycles;
  const std::size_t words = (bytes + word - 1) / word;
  access_buffers(library, words, {load(source, word, word), store(target, word, word, 0)});
  if (library.core.buffers().moves(bytes)) std::memmove(target, source, bytes);
  const AccessStream from = load(source, word, word), to = store(target, word, word, each);
  const Cycles cycles = begin + each * static_cast<Cycles>(words);
  if (how == Copy::plain)
    charge_with_memory(library, cycles, words, {from, to});
  else
    charge_with_memory(library, cycles, words, {from, load(target, word, word), to});
}

} // namespace rcce::protocol
