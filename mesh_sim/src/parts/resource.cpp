// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parts/resource.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mesh {

/// Forgets what nobody can meet. Where that is little it takes twice the room, so that this is seldom done.
void Resource::make_room() {
  const auto first = std::ranges::upper_bound(busy_at_, turn_->oldest, {}, &BusyInterval::to);
  busy_at_.erase(busy_at_.begin(), std::min(first, busy_at_.end() - 1));
  if (busy_at_.size() > busy_at_.capacity() / 4 * 3) busy_at_.reserve(2 * busy_at_.capacity());
}

/// Serves a packet that arrives before the last one accounted for has been served.
Resource::Served Resource::take_early(Picoseconds start, Picoseconds service) {
  find_room();
  Picoseconds begin = start;
  auto next = busy_at_.end(); // the first stretch that begins after this packet
  while (next != busy_at_.begin() && (next - 1)->from > begin) --next;
  if (next != busy_at_.begin()) begin = std::max(begin, (next - 1)->to);
  while (next != busy_at_.end() && next->from <= begin) begin = (next++)->to;
  Picoseconds wait = begin - start, end = begin + service;
  const auto pushed = next; // those from there on that this packet makes late
  std::uint32_t packets = 1;
  while (next != busy_at_.end() && end > next->from) {
    const Picoseconds late = end - next->from;
    wait += late * next->packets;
    packets += next->packets;
    end = (next++)->to + late;
  }
  if (pushed != next) next = busy_at_.erase(pushed, next);
  if (next != busy_at_.begin() && (next - 1)->to == begin) {
    (next - 1)->to = end;
    (next - 1)->packets += packets;
  } else {
    busy_at_.insert(next, {begin, end, packets});
  }
  return {wait, end};
}

/// The lines of a run that have acted, as far as somebody can still come before they have been served, take
/// their places in the list.
void Resource::list_acted(Passage& passage) {
  const LineRun& run = *passage.run;
  std::uint32_t line = run.acted;
  Picoseconds from = run.next + passage.late;
  while (line > passage.first && from - run.period + passage.service > turn_->oldest) {
    from -= run.period;
    --line;
  }
  for (; line < run.acted; ++line, from += run.period) {
    find_room();
    auto place = busy_at_.end();
    while (place != busy_at_.begin() && (place - 1)->from > from) --place;
    busy_at_.insert(place, {from, from + passage.service, 1});
  }
  passage.first = run.acted;
}

/// Serves a packet that others may meet.
Picoseconds Resource::serve_among(Picoseconds start, Picoseconds service) {
  Picoseconds wait = 0;
  if (passages_ == nullptr && shares_.round == 0) {
    const Served served = take_early(start, service);
    alone_from_ = std::max(alone_from_, served.until);
    return served.wait;
  }
  if (shares_.round != 0) {
    wait = std::max(expected_wait(shares_.used, service), crowd_wait(shares_ + wanted_));
    start += wait;
  }
  // The gap between what has been served, or will have been as of this turn, and the next line of a run.
  Picoseconds from = free_at(), until = INT64_MAX;
  for (const Passage* one = passages_; one != nullptr; one = one->next) {
    LineRun& run = *one->run;
    const std::uint32_t acted = run.come_to(turn_->at, turn_->core);
    const Picoseconds next = run.next + one->late;
    if (acted > one->first) from = std::max(from, next - run.period + one->service);
    until = std::min(until, next);
  }
  if (from > start || start + service > until)
    wait += meet(start, service, from > start);
  else
    append(start, service);
  alone_from_ = shares_.round != 0 ? INT64_MAX : free_at();
  alone_until_ = until;
  return wait;
}

/// Serves a packet that meets others: some that have acted, or lines that are still to act.
[[gnu::noinline]] Picoseconds Resource::meet(Picoseconds start, Picoseconds service, bool acted) {
  if (acted) // whom it meets has to be in the list
    for (Passage* one = passages_; one != nullptr; one = one->next) list_acted(*one);
  const auto [wait, until] = take(start, service);
  // Lines to come meet it, or those whom it has made late.
  for (const Passage* one = passages_; one != nullptr; one = one->next) {
    LineRun& run = *one->run;
    std::uint32_t line = run.acted;
    for (Picoseconds from = run.next + one->late; from < until && line < run.lines;
         from += run.period, ++line)
      if (from + one->service > start) run.cut(line, *turn_);
  }
  return wait;
}

void Resource::enter(Passage& passage) noexcept {
  passage.first = 0;
  passage.next = passages_;
  passage.link = &passages_;
  if (passages_ != nullptr) passages_->link = &passage.next;
  passages_ = &passage;
  alone_until_ = std::min(alone_until_, passage.run->begin + passage.late);
}

void Resource::leave(Passage& passage) {
  const LineRun& run = *passage.run;
  if (run.next - run.period + passage.late + passage.service > turn_->oldest) list_acted(passage);
  *passage.link = passage.next;
  if (passage.next != nullptr) passage.next->link = passage.link;
  find_alone();
}

std::uint32_t Resource::alone_among(const Passage& passage, std::uint32_t lines,
                                    std::vector<Met>& met) const {
  const LineRun& run = *passage.run;
  const Picoseconds begin = run.begin + passage.late;
  if (shares_.round != 0) return 0;
  for (auto one = busy_at_.end(); one != busy_at_.begin() && (one - 1)->to > begin;) {
    --one;
    const Picoseconds before = one->from - passage.service - begin;
    const Picoseconds line = before < 0 ? 0 : before / run.period + 1;
    if (line < lines && begin + line * run.period < one->to) lines = static_cast<std::uint32_t>(line);
  }
  for (const Passage* one = passages_; one != nullptr; one = one->next) {
    LineRun& other = *one->run;
    const std::uint32_t first = one->first;
    const LineRun::Asked asked{&run, begin - other.begin - one->late, passage.service, one->service, first};
    if (std::exchange(other.asked, asked) == asked) continue;
    const auto meeting =
        first_meeting({begin, run.period, passage.service, lines},
                      {other.at(first) + one->late, other.period, one->service, other.lines - first});
    if (!meeting) continue;
    const std::uint32_t line = meeting->other + first;
    const Picoseconds own_turn = run.at(meeting->one), turn = other.at(line);
    if (own_turn < turn || (own_turn == turn && run.core < other.core))
      met.push_back({&other, line, meeting->one});
    else
      lines = meeting->one;
  }
  return lines;
}

// A packet meets another with the probability that the resource is busy, and waits for half of it. Where it
// is busy most of the time a packet meets several, though not as many as if they came at random: a core has
// one line under way and comes back after a period of its own. The square root is what FIFO queues of 2 to 47
// such cores give, within a tenth.
Picoseconds Resource::expected_wait(std::int64_t used, Picoseconds service) noexcept {
  constexpr std::int64_t most = whole / 100 * 95; // from there on a crowd
  used = std::min(used, most);
  const Picoseconds wait = used * service >> (whole_bits + 1);
  if (used < whole / 16) return wait;
  return static_cast<Picoseconds>(static_cast<double>(wait) /
                                  std::sqrt(1 - static_cast<double>(used) / whole));
}

} // namespace mesh
