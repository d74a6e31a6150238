// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/allocation_log.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/library.hpp"
#include "process/run/report.hpp"

namespace rcce::protocol {
namespace {

using Kind = Allocation::Kind;

bool same_call(const Allocation& a, const Allocation& b) {
  return a.kind == b.kind && a.frees == b.frees && a.bytes == b.bytes && a.freed == b.freed;
}

/// Those that have not been given back.
std::vector<const Allocation*> held(const AllocationLog& log) {
  std::vector<const Allocation*> all;
  for (const Allocation& one : log.made) {
    if (one.frees)
      std::erase(all, &log.made[one.freed]);
    else
      all.push_back(&one);
  }
  return all;
}

/// The allocation that holds a place, or null.
const Allocation* find(const AllocationLog& log, std::size_t offset, std::uint32_t mask) {
  for (const Allocation* one : held(log)) {
    const bool flag = one->kind == Kind::flag;
    if (flag != (mask != 0)) continue;
    if (flag ? one->offset == offset && one->mask == mask
             : one->offset <= offset && offset < one->offset + one->bytes)
      return one;
  }
  return nullptr;
}

/// Number of the first call in which the two differ. Whoever has made fewer may be late, unless it has
/// entered a barrier that the other has entered after its call.
std::optional<std::size_t> first_difference(const AllocationLog& a, const AllocationLog& b) {
  if (a.closed || b.closed) return {};
  const std::size_t common = std::min(a.made.size(), b.made.size());
  for (std::size_t i = 0; i < common; ++i)
    if (!same_call(a.made[i], b.made[i])) return i;
  const bool more = a.made.size() > common;
  if (!more && b.made.size() == common) return {};
  const AllocationLog &longer = more ? a : b, &shorter = more ? b : a;
  return shorter.barriers > longer.made[common].barriers ? std::optional(common) : std::nullopt;
}

/// If `one`, of `own`, lies at another place in the buffer of `other`: the number of the call since which it
/// does.
std::optional<std::size_t> misplaced(const AllocationLog& own, const Allocation& one,
                                     const AllocationLog& other) {
  const auto differs = first_difference(own, other);
  if (!differs || static_cast<std::size_t>(&one - own.made.data()) < *differs) return {};
  // What one alone has used, or has given back meanwhile, harms nobody if it moves nothing.
  const auto turn = [&one](const std::vector<const Allocation*>& all, const Allocation* of) {
    return std::count_if(all.begin(), std::ranges::find(all, of),
                         [&one](const Allocation* before) { return before->kind == one.kind; });
  };
  const auto others = held(other);
  const auto twin = std::ranges::find_if(others, [&one](const Allocation* there) {
    return there->kind == one.kind && there->bytes == one.bytes && there->offset == one.offset &&
        there->mask == one.mask;
  });
  if (twin != others.end() && turn(held(own), &one) == turn(others, *twin)) return {};
  return differs;
}

const char* name_of(const Allocation& one) {
  constexpr std::array names = {"RCCE_malloc", "RCCE_flag_alloc", "RCCE_free", "RCCE_flag_free"};
  return names[(one.frees ? 2 : 0) + (one.kind == Kind::flag ? 1 : 0)];
}

std::string ordinal(std::size_t number) {
  const bool teen = number / 10 % 10 == 1;
  constexpr std::array endings = {"th", "st", "nd", "rd"};
  return fmt::format("{}{}", number, teen || number % 10 > 3 ? "th" : endings[number % 10]);
}

/// "2nd RCCE_malloc", of the call with that number.
std::string call_text(const AllocationLog& log, std::size_t call) {
  const std::string name = name_of(log.made[call]);
  const auto end = log.made.begin() + static_cast<std::ptrdiff_t>(call) + 1;
  return ordinal(static_cast<std::size_t>(
             std::count_if(log.made.begin(), end, [&](const auto& one) { return name == name_of(one); }))) +
      ' ' + name;
}

/// `like`: what the other UE has done there.
std::string side_text(const AllocationLog& log, std::size_t call, const Allocation& like) {
  if (call >= log.made.size()) return "none";
  const Allocation& one = log.made[call];
  if (one.kind != like.kind || one.frees != like.frees) return fmt::format("{} instead", name_of(one));
  if (one.frees) return fmt::format("that of its {}", call_text(log, one.freed));
  return one.kind == Kind::flag ? "one flag" : fmt::format("{} bytes", one.bytes);
}

std::string difference_text(const Library& a, const Library& b, std::size_t call) {
  const Library &low = a.rank() < b.rank() ? a : b, &high = a.rank() < b.rank() ? b : a;
  const AllocationLog& named = call < low.allocations.made.size() ? low.allocations : high.allocations;
  const Allocation& like = named.made[call];
  return fmt::format("the {}: rank {} {}, rank {} {}; all UEs must allocate alike", call_text(named, call),
                     low.rank(), side_text(low.allocations, call, like), high.rank(),
                     side_text(high.allocations, call, like));
}

const Library& library_at(const Library& library, int rank) {
  return library_of(library.ue.job->ue(rank));
}

void note(Library& library, Allocation one) {
  AllocationLog& log = library.allocations;
  if (library.all_allocations == nullptr || log.closed) return;
  one.barriers = log.barriers;
  AllocationLogs& all = *library.all_allocations;
  const std::lock_guard guard(all.mutex);
  log.closed = log.made.size() == AllocationLog::most;
  if (log.closed) return;
  log.made.push_back(one);
  if (log.made.size() > all.first.size())
    all.first.push_back(one);
  else if (!same_call(one, all.first[log.made.size() - 1]))
    all.differ = true;
}

/// A text about the flag that the UE waits for, or about a place of its own, that others lack. `anybody`: one
/// other with it is enough; otherwise nobody may have it.
std::string unlike_others(const Library& library, std::size_t offset, std::uint32_t mask, bool anybody) {
  const Allocation* const one = find(library.allocations, offset, mask);
  std::string text;
  for (int rank = 0; one != nullptr && rank < library.size(); ++rank) {
    if (rank == library.rank()) continue;
    const Library& other = library_at(library, rank);
    if (const auto call = misplaced(library.allocations, *one, other.allocations)) {
      if (text.empty()) text = difference_text(library, other, *call);
      if (anybody) break;
    } else if (!anybody) {
      return "";
    }
  }
  return text;
}

} // namespace

void note_allocation(Library& library, std::size_t offset, std::uint32_t mask, std::size_t bytes) {
  note(library,
       {.kind = bytes == 0 ? Kind::flag : Kind::memory,
        .mask = mask,
        .offset = static_cast<std::uint32_t>(offset),
        .bytes = static_cast<std::uint32_t>(bytes)});
}

void note_release(Library& library, std::size_t offset, std::uint32_t mask, Kind kind) {
  if (library.all_allocations == nullptr || library.allocations.closed) return;
  const Allocation* const one = find(library.allocations, offset, mask);
  if (one != nullptr && (kind == Kind::flag || one->offset == offset))
    note(library,
         {.kind = kind,
          .frees = true,
          .freed = static_cast<std::uint16_t>(one - library.allocations.made.data())});
}

void note_managed(Library& library) {
  if (library.all_allocations == nullptr) return;
  const std::lock_guard guard(library.all_allocations->mutex);
  library.allocations.closed = true;
}

void note_barrier(Library& library) {
  AllocationLog& log = library.allocations;
  const std::uint32_t number = log.barriers.load(std::memory_order_relaxed) + 1;
  log.barriers.store(number, std::memory_order_relaxed);
  if (log.made.size() == log.made_before || library.all_allocations == nullptr) return;
  AllocationLogs& all = *library.all_allocations;
  const std::lock_guard guard(all.mutex);
  AllocationLogs::Arrival& arrival = all.arrivals[number];
  if (arrival.ues++ == 0)
    arrival.made = log.made.size();
  else if (arrival.made != log.made.size())
    all.differ = true;
}

void note_barrier_over(Library& library) {
  AllocationLog& log = library.allocations;
  if (log.made.size() == log.made_before || library.all_allocations == nullptr) return;
  log.made_before = log.made.size();
  AllocationLogs& all = *library.all_allocations;
  const std::lock_guard guard(all.mutex);
  const auto arrival = all.arrivals.find(log.barriers);
  // A substitute of the barrier has allocated within it, at its first call.
  if (arrival == all.arrivals.end()) return;
  if (arrival->second.ues != library.size()) all.differ = true;
  if (++arrival->second.gone == arrival->second.ues) all.arrivals.erase(arrival);
}

void compare_allocations(Library& library, std::size_t offset, std::uint32_t mask, int id) {
  AllocationLogs& all = *library.all_allocations;
  std::string text;
  {
    const std::lock_guard guard(all.mutex);
    if (!all.told.empty()) return;
    if (id == library.rank()) {
      text = unlike_others(library, offset, mask, false);
    } else if (const Allocation* const one = find(library.allocations, offset, mask)) {
      const Library& other = library_at(library, id);
      if (const auto call = misplaced(library.allocations, *one, other.allocations))
        text = difference_text(library, other, *call);
    }
    all.told = text;
    if (text.empty()) return;
    all.differ = false; // what is told once need not be looked for
  }
  library.ue.job->note_mismatch();
  tell_user(library,
            fmt::format("{}at {}: {}", id == library.rank() ? "" : fmt::format("with rank {} ", id),
                        run::microseconds(library.core.now()), text));
}

std::string unlike_allocations(const Library& library) {
  if (library.all_allocations == nullptr) return "";
  AllocationLogs& all = *library.all_allocations;
  const std::lock_guard guard(all.mutex);
  if (!all.told.empty() || !library.awaited_flag) return all.told;
  return unlike_others(library, library.awaited_flag->offset, library.awaited_flag->mask, true);
}

} // namespace rcce::protocol
