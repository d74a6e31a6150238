#include "engine/fabric.hpp"

#include <cstring>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/host_copy.hpp"

namespace rcce {

using mesh::in_one_line;

namespace {

using Byte = std::atomic_ref<std::uint8_t>;
using Word = std::atomic_ref<std::uint32_t>;
constexpr std::size_t word_bytes = 4;

std::uint8_t& byte_at(std::byte* place) noexcept {
  return *reinterpret_cast<std::uint8_t*>(place);
}
std::uint32_t& word_at(std::byte* place) noexcept {
  return *reinterpret_cast<std::uint32_t*>(place);
}

/// In words, so that a flag of 1.0, a word in a line that is written as a whole, is the same atomic object
/// for writer and reader.
bool in_words(const std::byte* place, std::size_t bytes) noexcept {
  return (reinterpret_cast<std::uintptr_t>(place) | bytes) % word_bytes == 0;
}

void store_atomically(std::byte* place, const void* data, std::size_t bytes) noexcept {
  const auto* from = static_cast<const std::byte*>(data);
  if (bytes == 1) {
    Byte(byte_at(place)).store(byte_at(const_cast<std::byte*>(from)));
    return;
  }
  if (in_words(place, bytes)) {
    // The first word last: a flag that stands before a tag in its line is seen after the tag.
    for (std::size_t i = bytes; i > 0;) {
      i -= word_bytes;
      std::uint32_t word = 0;
      std::memcpy(&word, from + i, word_bytes);
      Word(word_at(place + i)).store(word, i > 0 ? std::memory_order_release : std::memory_order_seq_cst);
    }
    return;
  }
  for (std::size_t i = 0; i < bytes; ++i)
    Byte(byte_at(place + i))
        .store(static_cast<std::uint8_t>(from[i]),
               i + 1 < bytes ? std::memory_order_release : std::memory_order_seq_cst);
}

void load_atomically(std::byte* place, void* data, std::size_t bytes) noexcept {
  auto* to = static_cast<std::byte*>(data);
  if (in_words(place, bytes)) {
    for (std::size_t i = 0; i < bytes; i += word_bytes) {
      const std::uint32_t word = Word(word_at(place + i)).load(std::memory_order_acquire);
      std::memcpy(to + i, &word, word_bytes);
    }
    return;
  }
  for (std::size_t i = 0; i < bytes; ++i)
    to[i] = static_cast<std::byte>(Byte(byte_at(place + i)).load(std::memory_order_acquire));
}

/// Orders all earlier stores of this thread before all later loads. std::atomic_thread_fence() is unknown to
/// the thread sanitizer.
void barrier() noexcept {
  thread_local std::atomic<int> own{0};
  own.exchange(1);
}

} // namespace

Fabric::Fabric(int cores, std::byte* mpbs, std::size_t mpb_bytes)
    : mpbs_(mpbs),
      mpb_bytes_(mpb_bytes),
      registers_(std::make_unique<Register[]>(static_cast<std::size_t>(cores))),
      counters_(2 * static_cast<std::size_t>(cores)),
      wishes_(static_cast<std::size_t>(cores)),
      waiting_(
          cores, [](void* self, int core) { return static_cast<Fabric*>(self)->met(core); }, this) {}

void Fabric::put(int target, std::size_t offset, const void* source, std::size_t bytes) {
  if (in_one_line(offset, bytes)) {
    alignas(mesh::line_bytes) std::byte line[mesh::line_bytes];
    std::memcpy(line, source, bytes);
    store(target, offset, line, bytes);
    return;
  }
  mesh::copy_bytes(mpb(target) + offset, static_cast<const std::byte*>(source), bytes);
  barrier();
  waiting_.written(target);
}

void Fabric::get(void* target, int source, std::size_t offset, std::size_t bytes) {
  if (in_one_line(offset, bytes)) {
    alignas(mesh::line_bytes) std::byte line[mesh::line_bytes];
    load(source, offset, line, bytes);
    std::memcpy(target, line, bytes);
    return;
  }
  mesh::copy_bytes(static_cast<std::byte*>(target), mpb(source) + offset, bytes);
}

void Fabric::store(int target, std::size_t offset, const void* data, std::size_t bytes) {
  store_atomically(mpb(target) + offset, data, bytes);
  waiting_.written(target);
}

void Fabric::load(int source, std::size_t offset, void* data, std::size_t bytes) {
  load_atomically(mpb(source) + offset, data, bytes);
}

void Fabric::update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  const Byte byte(byte_at(mpb(target) + offset));
  std::uint8_t old = byte.load(std::memory_order_relaxed);
  while (!byte.compare_exchange_weak(old, static_cast<std::uint8_t>((old & ~mask) | (value & mask)))) {
  }
  waiting_.written(target);
}

bool Fabric::holds(int target, const Look& look) const noexcept {
  std::uint32_t word = 0;
  load_atomically(mpbs_ + static_cast<std::size_t>(target) * mpb_bytes_ + look.offset, &word,
                  look.condition.bytes);
  return look.condition.holds(word);
}

std::size_t Fabric::first_met(int target, std::span<const Look> looks) const noexcept {
  std::size_t i = 0;
  while (i < looks.size() && !holds(target, looks[i])) ++i;
  return i;
}

bool Fabric::met(int core) const noexcept {
  const Wish& wish = wishes_[static_cast<std::size_t>(core)];
  if (wish.met != nullptr) return *wish.met;
  if (wish.counter != nullptr) return *wish.counter == wish.value;
  if (wish.on_lock) return registers_[static_cast<std::size_t>(wish.target)].taken == 0;
  return first_met(wish.target, wish.looks) < wish.looks.size();
}

bool Fabric::wait(int core, int target, std::span<const Look> looks) {
  wishes_[static_cast<std::size_t>(core)] = {.target = target, .looks = looks};
  return waiting_.wait(core, target);
}

bool Fabric::wait(int core, const std::atomic<bool>& met) {
  wishes_[static_cast<std::size_t>(core)] = {.target = core, .met = &met};
  return waiting_.wait(core, core);
}

bool Fabric::lock(int core, int register_of) {
  while (!lock_try(register_of)) {
    wishes_[static_cast<std::size_t>(core)] = {.target = register_of, .on_lock = true};
    if (!waiting_.wait(core, register_of)) return false;
  }
  return true;
}

void Fabric::unlock(int register_of) {
  registers_[static_cast<std::size_t>(register_of)].taken = 0;
  waiting_.written(register_of);
}

bool Fabric::wait_counter(int core, int number, std::uint32_t value) {
  wishes_[static_cast<std::size_t>(core)] = {.target = core, .counter = &counter(number), .value = value};
  return waiting_.wait(core, place_of_counter(number));
}

const std::atomic<std::uint32_t>& Fabric::counter(int number) const {
  if (number < 0 || static_cast<std::size_t>(number) >= counters_.size())
    throw mesh::UserError(
        fmt::format("atomic counter {} is out of range 0..{}", number, counters_.size() - 1));
  return counters_[static_cast<std::size_t>(number)];
}

} // namespace rcce
