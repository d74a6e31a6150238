// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/fabric.hpp"

#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <map>
#include <mutex>
#include <new>
#include <sched.h>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/atomic_line.hpp"
#include "engine/host/clock.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/parts/host_copy.hpp"

namespace rcce::mpi {
namespace {

constexpr std::size_t page = 4096;

std::size_t whole(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Shows the same memory at a second place, which had memory of its own before. By its number: libraries
/// below some MPIs stand in front of mremap() and do not know this use of it.
void show_at(std::byte* place, std::byte* memory, std::size_t bytes) {
  if (bytes == 0) return;
  const long shown = syscall(SYS_mremap, memory, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (shown != reinterpret_cast<long>(place)) throw std::bad_alloc();
}

} // namespace

Text::Text(const char* text) noexcept {
  if (text != nullptr) std::strncpy(text_, text, most - 1);
}

bool Text::is(const char* text) const noexcept {
  return text == nullptr ? text_[0] == '\0' : std::strncmp(text_, text, most - 1) == 0;
}

const char* Text::here() const {
  if (text_[0] == '\0') return nullptr;
  static std::mutex mutex;
  static auto& known = *new std::set<std::string, std::less<>>; // outlives whoever asks
  const std::lock_guard guard(mutex);
  return known.emplace(text_).first->c_str();
}

Fabric::Fabric(Transport& transport, mesh::SccCosts& costs, std::vector<int> cores,
               const StepOutside& outside, std::size_t more_bytes)
    : transport_(transport),
      outside_(outside),
      cores_(std::move(cores)),
      ranks_(static_cast<std::size_t>(costs.topology().cores()), -1),
      one_host_(transport.one_host()),
      mpb_bytes_(costs.mpb_bytes()),
      counters_(costs.counters()) {
  for (std::size_t rank = 0; rank < cores_.size(); ++rank)
    ranks_[static_cast<std::size_t>(cores_[rank])] = static_cast<int>(rank);
  std::map<int, int> on_host; // by host: processes
  for (int rank = 0; rank < processes(); ++rank) {
    const int host = transport_.host_of(rank);
    here_.push_back(host == transport_.host_of(this->rank()) ? 1 : 0);
    inbox_of_.push_back(on_host[host]++);
  }
  const int inboxes =
      std::ranges::max_element(on_host, {}, [](const auto& host) { return host.second; })->second;
  const std::size_t mpbs = whole(ranks_.size() * mpb_bytes_, page);
  const std::size_t shared = whole(costs.shared_memory_bytes(), page);
  slots_at_ = mpbs + shared;
  counters_at_ = slots_at_ + cores_.size() * sizeof(Slot);
  more_at_ = whole(counters_at_ + static_cast<std::size_t>(counters_) * sizeof(std::uint32_t), alignof(Slot));
  inboxes_at_ = whole(more_at_ + more_bytes, alignof(Slot));
  memory_ = transport_.share(one_host() ? inboxes_at_
                                        : inboxes_at_ + static_cast<std::size_t>(inboxes) * inbox_bytes());
  if (!one_host()) writes_ = std::make_unique<Writes>(transport_, memory_, mpb_bytes_, cores_);
  show_at(costs.mpb(0), memory_.data(), mpbs);
  show_at(costs.shared_memory(), memory_.data() + mpbs, shared);
  slots_ = reinterpret_cast<Slot*>(memory_.data() + slots_at_);
  new (&own()) Slot;
  // Launchers bind processes to processors of their own.
  if (sched_getaffinity(0, sizeof own().processors, &own().processors) != 0) CPU_ZERO(&own().processors);
  transport_.barrier();
  cpu_set_t processors;
  CPU_ZERO(&processors);
  for (int rank = 0; rank < this->processes(); ++rank)
    if (is_here(rank)) CPU_OR(&processors, &processors, &slots_[rank].processors);
  crowded_ = std::ranges::count(here_, 1) > CPU_COUNT(&processors);
}

int Fabric::rank_with(int core) const {
  const int rank = rank_of(core);
  if (rank < 0)
    throw mesh::UserError(fmt::format("core {} has no UE, and with --engine mpi no buffer either", core));
  return rank;
}

void Fabric::write_there(int rank, std::size_t at, const void* from, std::size_t bytes) {
  const Outside outside(outside_);
  writes_->write(rank, at, from, bytes);
}

void Fabric::read_there(int rank, std::size_t at, void* to, std::size_t bytes) {
  const Outside outside(outside_);
  writes_->arrive_before_read(rank, at, bytes);
  transport_.get(to, rank, at, bytes);
}

void Fabric::before_flag_here(int rank) {
  if (one_host() || rank == this->rank()) return;
  const Outside outside(outside_);
  writes_->arrive(); // what the flag may tell of
  word_at(slot_place(rank, offsetof(Slot, set_by_neighbours))).fetch_add(1);
}

void Fabric::has_seen(std::optional<std::size_t> at) {
  if (one_host()) return;
  const std::uint32_t by_neighbours = word_at(slot_place(rank(), offsetof(Slot, set_by_neighbours))).load();
  if (by_neighbours != set_by_neighbours_) at.reset();
  set_by_neighbours_ = by_neighbours;
  writes_->copies().seen(at);
}

void Fabric::put(int core, std::size_t offset, const void* source, std::size_t bytes) {
  const std::size_t at = place(core, offset);
  const int rank = rank_with(core);
  if (!one_host()) {
    const Outside outside(outside_);
    const ByteRange range{offset, offset + bytes};
    if (rank == this->rank()) {
      writes_->fresh().written(range);
      // Others may look at a line, which may tell of what this process has put elsewhere.
      if (has_put_ && mesh::in_one_line(offset, bytes)) {
        writes_->arrive();
        has_put_ = false;
      }
    } else {
      writes_->copies().written(rank, range);
      has_put_ = true;
    }
  }
  if (mesh::in_one_line(offset, bytes)) return store(core, offset, source, bytes);
  if (!is_here(rank)) return write_there(rank, at, source, bytes);
  mesh::copy_cached(memory_.data() + at, static_cast<const std::byte*>(source), bytes);
  std::atomic_thread_fence(std::memory_order_release);
}

void Fabric::get(void* to, int core, std::size_t offset, std::size_t bytes) {
  const std::size_t at = place(core, offset);
  const int rank = rank_with(core);
  if (is_here(rank)) {
    if (mesh::in_one_line(offset, bytes)) return atomic_line::load(memory_.data() + at, to, bytes);
    return mesh::copy_cached(static_cast<std::byte*>(to), memory_.data() + at, bytes);
  }
  {
    const Outside outside(outside_);
    if (writes_->copies().take(rank, {offset, offset + bytes}, to)) return;
  }
  read_there(rank, at, to, bytes);
  has_seen();
}

void Fabric::store(int core, std::size_t offset, const void* data, std::size_t bytes) {
  const std::size_t at = place(core, offset);
  const int rank = rank_with(core);
  if (is_here(rank)) {
    before_flag_here(rank);
    return atomic_line::store(memory_.data() + at, data, bytes);
  }
  const Outside outside(outside_);
  writes_->copies().written(rank, {offset, offset + bytes});
  writes_->write_flag(rank, at, data, bytes);
}

void Fabric::load(int core, std::size_t offset, void* data, std::size_t bytes) {
  const std::size_t at = place(core, offset);
  const int rank = rank_with(core);
  if (is_here(rank))
    atomic_line::load(memory_.data() + at, data, bytes);
  else
    read_there(rank, at, data, bytes);
  has_seen(at);
}

void Fabric::update(int core, std::size_t offset, std::uint8_t mask, std::uint8_t value) {
  const std::size_t at = place(core, offset);
  const int rank = rank_with(core);
  if (is_here(rank)) {
    before_flag_here(rank);
    return atomic_line::update(memory_.data() + at, mask, value);
  }
  const Outside outside(outside_);
  writes_->copies().written(rank, {offset, offset + 1});
  writes_->update_flag(rank, at, mask, value);
}

std::uint32_t Fabric::word(int core, std::size_t offset, std::size_t bytes) {
  if (is_here(rank_with(core))) return atomic_line::flag(memory_.data() + place(core, offset), bytes);
  std::uint32_t word = 0; // little-endian, as the flags are
  read_there(rank_of(core), place(core, offset), &word, bytes);
  return word;
}

std::size_t Fabric::first_met(int core, std::span<const PollTarget> looks) {
  std::size_t i = 0;
  while (i < looks.size() && !looks[i].condition.holds(word(core, looks[i].offset, looks[i].condition.bytes)))
    ++i;
  if (i < looks.size()) has_seen(place(core, looks[i].offset));
  return i;
}

bool Fabric::lock_try(int core) {
  const int rank = rank_with(core);
  const std::size_t at = slot_place(rank, offsetof(Slot, taken));
  if (one_host() && word_at(at).load(std::memory_order_relaxed) != 0) return false;
  return compare_and_swap(rank, at, 0, 1) == 0;
}

void Fabric::unlock(int core) {
  const int rank = rank_with(core);
  exchange(rank, slot_place(rank, offsetof(Slot, taken)), 0);
}

Fabric::Counter Fabric::counter_place(int number) const {
  if (number < 0 || number >= counters_)
    throw mesh::UserError(fmt::format("atomic counter {} is out of range 0..{}", number, counters_ - 1));
  return {number % processes(), counters_at_ + static_cast<std::size_t>(number) * sizeof(std::uint32_t)};
}

std::uint32_t Fabric::counter_add(int number, std::uint32_t summand) {
  const auto [rank, at] = counter_place(number);
  return fetch_and_add(rank, at, summand);
}

std::uint32_t Fabric::counter_exchange(int number, std::uint32_t value) {
  const auto [rank, at] = counter_place(number);
  return exchange(rank, at, value);
}

std::uint32_t Fabric::counter(int number) {
  const auto [rank, at] = counter_place(number);
  return fetch(rank, at);
}

void Fabric::read(int rank, std::size_t at, void* to, std::size_t bytes) {
  if (!is_here(rank)) return read_there(rank, at, to, bytes);
  std::memcpy(to, memory_.data() + at, bytes);
}

void Fabric::write(int rank, std::size_t at, const void* from, std::size_t bytes) {
  if (!is_here(rank)) return write_there(rank, at, from, bytes);
  std::memcpy(memory_.data() + at, from, bytes);
  std::atomic_thread_fence(std::memory_order_release);
}

void Fabric::write_each(int rank, std::span<const std::size_t> at, const void* from, std::size_t bytes) {
  const Outside outside(outside_);
  for (const std::size_t one : at) writes_->add(rank, one, from, bytes);
}

template <class Access>
std::uint32_t Fabric::atomically(Access&& access) {
  const Outside outside(outside_);
  writes_->arrive();
  const std::uint32_t before = access();
  has_seen();
  return before;
}

std::uint32_t Fabric::compare_and_swap(int rank, std::size_t at, std::uint32_t expected,
                                       std::uint32_t wanted) {
  if (!one_host()) return atomically([&] { return transport_.compare_and_swap(rank, at, expected, wanted); });
  word_at(at).compare_exchange_strong(expected, wanted);
  return expected;
}

std::uint32_t Fabric::fetch_and_add(int rank, std::size_t at, std::uint32_t summand) {
  if (!one_host()) return atomically([&] { return transport_.fetch_and_add(rank, at, summand); });
  return word_at(at).fetch_add(summand);
}

std::uint32_t Fabric::exchange(int rank, std::size_t at, std::uint32_t value) {
  if (!one_host()) return atomically([&] { return transport_.exchange(rank, at, value); });
  return word_at(at).exchange(value);
}

std::uint32_t Fabric::fetch(int rank, std::size_t at) {
  if (!one_host()) return atomically([&] { return transport_.fetch(rank, at); });
  return word_at(at).load();
}

Slot Fabric::slot(int rank) {
  Slot copy;
  read(rank, slot_place(rank, 0), &copy, sizeof copy);
  return copy;
}

void Fabric::set_field(int rank, std::size_t field, std::uint32_t value) {
  const std::size_t at = slot_place(rank, field);
  if (is_here(rank)) return word_at(at).store(value);
  write_there(rank, at, &value, sizeof value);
}

void Fabric::tell_sent(int peer) {
  if (one_host()) return;
  const bool to_all = peer == Outgoing::to_all;
  if (!to_all && (peer < 0 || peer >= processes())) return;
  const std::size_t own_entry = static_cast<std::size_t>(rank()) * sizeof(Sent);
  const Outside outside(outside_);
  for (int to = to_all ? 0 : peer; to < (to_all ? processes() : peer + 1); ++to)
    if (!is_here(to)) writes_->add(to, inbox_place(to) + own_entry, &own().sent, sizeof(Sent));
}

void Fabric::set_stop(int rank, std::uint32_t value) {
  set_field(rank, offsetof(Slot, stop), value);
}

void Fabric::set_lock_holder(int rank, int holder) {
  set_field(rank, offsetof(Slot, lock_holder), static_cast<std::uint32_t>(holder));
}

std::uint32_t Fabric::stop() const noexcept {
  return word_at(slot_place(transport_.rank(), offsetof(Slot, stop))).load(std::memory_order_relaxed);
}

std::uint32_t Fabric::count_departure() {
  return fetch_and_add(0, slot_place(0, offsetof(Slot, departed)), 1);
}

/// If there are enough processors, polls on and sleeps after a millisecond. Otherwise gives the processor to
/// the others, and sleeps after a few times.
void Fabric::pause(unsigned looks) {
  // A pause takes longer than a cache line from another processor.
  constexpr unsigned without_pause = 200, eager = 20'000, yields = 100;
  if (!one_host() && (looks % 8 == 0 || crowded_) && progress()) return;
  if (!crowded_ && looks < without_pause) return;
  if (!crowded_ && looks < eager) return _mm_pause();
  if (crowded_ && looks < yields) {
    syscall(SYS_sched_yield);
    return;
  }
  host::sleep(50'000);
}

void Fabric::give_way() {
  while (progress()) {
  }
  if (crowded_) syscall(SYS_sched_yield);
}

bool Fabric::progress() {
  if (one_host()) return false;
  const Outside outside(outside_);
  writes_->leave();
  return transport_.progress();
}

void Fabric::settle() {
  if (one_host()) return;
  const Outside outside(outside_);
  writes_->arrive();
}

void Fabric::barrier() {
  settle();
  transport_.barrier();
}

std::vector<std::string> Fabric::gather(std::string own) {
  barrier();
  return transport_.gather(std::move(own));
}

} // namespace rcce::mpi
