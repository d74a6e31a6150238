// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/usage.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "mesh_sim/observe/statistics.hpp"

namespace mesh {
namespace {

constexpr StatisticKind waiting{"core.waiting", "us",
                                "asleep, until a flag, a lock or a counter has the awaited value"},
    computing{"core.computing", "us", "in its own code and the code of calls: the rest of its time"},
    copying{"core.copying", "us", "in copies of lines to and from message-passing buffers"},
    putting{"core.putting", "us", "part of core.copying: copies to buffers"},
    getting{"core.getting", "us", "part of core.copying: copies from buffers"},
    idle{"core.idle", "us", "before its start, and after its end until the last core ends"},
    accessing{"core.accessing", "us",
              "in single accesses to flags, locks, counters and parts of lines, without waiting"},
    sent{"core.messages_sent", "1", "messages sent; a message to all counts once"},
    bytes_sent{"core.bytes_sent", "bytes", "data of the messages sent"},
    received{"core.messages_received", "1", "messages received"},
    bytes_received{"core.bytes_received", "bytes", "data of the messages received"},
    copy_hops{"core.copy_hops", "1",
              "links between the core and the buffer of a copy, on average of its copies"},
    access_hops{"core.access_hops", "1", "the same of single accesses to flags and locks"},
    call_time{"call.time", "us", "in calls of this function by all cores, with the calls that these make"},
    call_count{"call.count", "1", "calls that have returned"};

} // namespace

Usage::Usage(int cores, const std::function<int(int, int)>& distance)
    : times_(static_cast<std::size_t>(cores)), library_times_(times_.size()) {
  distances_.reserve(times_.size() * times_.size());
  for (int from = 0; from < cores; ++from)
    for (int to = 0; to < cores; ++to) distances_.push_back(static_cast<std::uint16_t>(distance(from, to)));
  for (std::size_t from = 0; from < times_.size(); ++from)
    times_[from].to = std::span(distances_).subspan(from * times_.size(), times_.size());
}

void Usage::report(Statistics& to, std::span<const std::string> call_names,
                   std::span<const Life> lives) const {
  Picoseconds end = 0;
  for (const Life& life : lives) end = std::max(end, life.end);
  for (std::size_t id = 0; id < times_.size(); ++id) {
    const LibraryTimes& one = library_times_[id];
    const Life life = id < lives.size() ? lives[id] : Life{};
    const AccessTimes& times = times_[id];
    const Picoseconds copies = times.putting + times.getting,
                      accesses = times.accessing - times.waiting_in_access,
                      busy = copies + accesses + times.waiting;
    if (busy == 0 && life.end == 0) continue;
    const Labels labels{{"core", fmt::format("{}", id)}};
    add(to, waiting, labels, microseconds(times.waiting));
    add(to, computing, labels, microseconds(std::max<Picoseconds>(life.end - life.begin - busy, 0)));
    add(to, copying, labels, microseconds(copies));
    add(to, putting, labels, microseconds(times.putting));
    add(to, getting, labels, microseconds(times.getting));
    add(to, accessing, labels, microseconds(accesses));
    add(to, idle, labels, microseconds(end - life.end + life.begin));
    add(to, sent, labels, static_cast<double>(one.sent));
    add(to, bytes_sent, labels, static_cast<double>(one.bytes_sent));
    add(to, received, labels, static_cast<double>(one.received));
    add(to, bytes_received, labels, static_cast<double>(one.bytes_received));
  }
  for (std::size_t kind = 0; kind < call_names.size(); ++kind) {
    LibraryTimes::CallTotals all;
    for (const LibraryTimes& core : library_times_) {
      if (kind >= core.calls.size()) continue;
      all.count += core.calls[kind].count;
      all.unfinished += core.calls[kind].unfinished;
      all.time += core.calls[kind].time;
    }
    if (all.count + all.unfinished == 0) continue;
    const Labels labels{{"function", call_names[kind]}};
    add(to, call_time, labels, microseconds(all.time));
    add(to, call_count, labels, static_cast<double>(all.count));
    if (all.unfinished > 0) add(to, call_unfinished, labels, static_cast<double>(all.unfinished));
  }
}

void Usage::report_distances(Statistics& to) const {
  for (std::size_t id = 0; id < times_.size(); ++id) {
    const AccessTimes& one = times_[id];
    if (one.copies.accesses + one.singles.accesses == 0) continue;
    const Labels labels{{"core", fmt::format("{}", id)}};
    add(to, copy_hops, labels, one.copies.mean());
    add(to, access_hops, labels, one.singles.mean());
  }
}

} // namespace mesh
