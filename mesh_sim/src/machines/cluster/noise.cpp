// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/noise.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/natural_logarithm.hpp"
#include "mesh_sim/read_number.hpp"
#include "mesh_sim/text_file.hpp"
#include "split_mix.hpp"

namespace mesh::cluster {
namespace {

constexpr Picoseconds end_of_time = std::numeric_limits<Picoseconds>::max();
constexpr Picoseconds beginning_of_time = std::numeric_limits<Picoseconds>::min();
constexpr double picoseconds_per_second = 1e12, picoseconds_per_millisecond = 1e9;
/// Mean durations for which daemons have come when the first call does: some are running then.
constexpr Picoseconds before = 20;
/// Streams of one seed and node: for daemons, for the place in a trace, for late receives.
enum : std::uint64_t { daemon_stream, late_stream };

/// Which processor a daemon takes.
std::size_t processor_for(const std::vector<Picoseconds>& busy_until, Picoseconds start) {
  std::size_t best = busy_until.size() - 1;
  for (std::size_t i = busy_until.size(); i-- > 0 && busy_until[best] > start;)
    if (busy_until[i] <= start || busy_until[i] < busy_until[best]) best = i;
  return best;
}

} // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t first, std::uint64_t second)
    : state_(split_mix(split_mix(split_mix(seed) ^ first) ^ second)) {}

std::uint64_t RandomStream::next() {
  return split_mix(state_++);
}

double RandomStream::uniform() {
  return static_cast<double>((next() >> 11) + 1) * 0x1p-53;
}

Picoseconds RandomStream::exponential(double mean) {
  return static_cast<Picoseconds>(-mean * natural_logarithm(uniform()) + 0.5);
}

Daemons::Daemons(const Config& config, int nodes, std::uint64_t seed) : config_(config) {
  if (!config.trace && config.daemons <= 0) return;
  if (config.trace && config.trace->daemons.empty()) return;
  const int streams = config.co_scheduled ? 1 : nodes;
  Picoseconds longest = 0;
  if (config.trace)
    for (const Trace::Daemon& daemon : config.trace->daemons) longest = std::max(longest, daemon.duration);
  processors_.assign(
      static_cast<std::size_t>(nodes),
      std::vector<Picoseconds>(static_cast<std::size_t>(config.processors), beginning_of_time));
  for (int node = 0; node < streams; ++node) {
    Stream stream{RandomStream(seed, static_cast<std::uint64_t>(node), daemon_stream), 0, 0, 0, 0};
    if (config.trace) {
      // Begins at a place of its own, with what is running there.
      const auto& all = config.trace->daemons;
      const auto place =
          static_cast<Picoseconds>(stream.random.next() % static_cast<std::uint64_t>(config.trace->length));
      Picoseconds from = place - longest;
      stream.lap = -place;
      if (from < 0) {
        from = std::max<Picoseconds>(from + config.trace->length, 0);
        stream.lap -= config.trace->length;
      }
      stream.index = static_cast<std::size_t>(
          std::lower_bound(all.begin(), all.end(), from,
                           [](const auto& one, Picoseconds at) { return one.start < at; }) -
          all.begin());
    } else {
      stream.start = -before * picoseconds(config.daemon_ms * 1000);
    }
    streams_.push_back(std::move(stream));
    advance(streams_.back());
  }
  for (int node = 0; node < nodes; ++node) queue_.emplace(stream_of(node).start, node);
}

Daemons::Stream& Daemons::stream_of(int node) {
  return streams_[config_.co_scheduled ? 0 : static_cast<std::size_t>(node)];
}

void Daemons::advance(Stream& stream) {
  if (config_.trace) {
    const auto& trace = *config_.trace;
    if (stream.index == trace.daemons.size()) {
      stream.index = 0;
      stream.lap += trace.length;
    }
    const auto& daemon = trace.daemons[stream.index++];
    stream.start = stream.lap + daemon.start;
    stream.duration = daemon.duration;
    return;
  }
  const double mean = config_.daemon_ms * picoseconds_per_millisecond;
  stream.start += stream.random.exponential(picoseconds_per_second / config_.daemons);
  stream.duration = config_.durations == "constant" ? static_cast<Picoseconds>(mean + 0.5)
                                                    : stream.random.exponential(mean);
}

Picoseconds Daemons::next_start() const {
  return queue_.empty() ? end_of_time : queue_.top().first;
}

Outage Daemons::take() {
  const auto [start, node] = queue_.top();
  queue_.pop();
  Stream& stream = stream_of(node);
  const Picoseconds duration = stream.duration;
  auto& busy_until = processors_[static_cast<std::size_t>(node)];
  const std::size_t best = processor_for(busy_until, start);
  const Picoseconds begin = std::max(start, busy_until[best]);
  busy_until[best] = begin + duration;
  // Of a stream that all share, the last node has it go on.
  const bool last = !config_.co_scheduled || node + 1 == static_cast<int>(processors_.size());
  if (last) {
    advance(stream);
    if (config_.co_scheduled)
      for (int i = 0; i <= node; ++i) queue_.emplace(stream.start, i);
    else
      queue_.emplace(stream.start, node);
  }
  return {node, static_cast<int>(best), begin, begin + duration};
}

LateReceives::LateReceives(const Config& config, std::vector<int> receives, std::uint64_t seed)
    : config_(config), receives_(std::move(receives)) {
  if (config.late_chance <= 0) return;
  next_.assign(receives_.size(), -1);
  random_.reserve(receives_.size());
  for (std::size_t node = 0; node < receives_.size(); ++node) {
    random_.emplace_back(seed, node, late_stream);
    if (receives_[node] > 0) advance(static_cast<int>(node));
  }
}

void LateReceives::advance(int node) {
  const auto n = static_cast<std::size_t>(node);
  RandomStream& random = random_[n];
  // Failures before the next success of independent trials.
  const double gap = config_.late_chance >= 1
      ? 0
      : natural_logarithm(random.uniform()) / natural_logarithm(1 - config_.late_chance);
  if (gap > 1e15) return; // beyond any run
  next_[n] += 1 + static_cast<std::int64_t>(gap);
  queue_.push({next_[n] / receives_[n], node, next_[n] % receives_[n],
               random.exponential(config_.late * picoseconds_per_microsecond)});
}

std::int64_t LateReceives::next_iteration() const {
  return queue_.empty() ? std::numeric_limits<std::int64_t>::max() : queue_.top().iteration;
}

LateReceives::Late LateReceives::take() {
  const Late late = queue_.top();
  queue_.pop();
  advance(late.node);
  return late;
}

namespace {

/// The first word of what is left of a line, which it is taken out of.
std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of("\t "), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of("\t "));
  rest.remove_prefix(word.size());
  return word;
}

} // namespace

Trace read_trace(const std::string& path) {
  const auto text = read_text_file(path);
  if (!text)
    throw UserError(fmt::format(
        "noise trace '{}' cannot be read; it is a file of lines 'start TAB duration' in ns, or 'on' or 'off'",
        path));
  Trace trace;
  Picoseconds period = 0, end = 0;
  std::string_view rest = *text;
  for (int line = 1; !rest.empty(); ++line) {
    const std::string_view whole = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(whole.size() + 1, rest.size()));
    if (whole.empty() || whole.front() == '#') continue;
    const auto wrong = [&](std::string_view what) {
      return UserError(fmt::format("noise trace '{}' line {}: '{}' {}", path, line, shown(whole), what));
    };
    constexpr std::int64_t most_ns = 1'000'000'000'000; // a quarter of an hour
    std::string_view words = whole;
    const std::string_view first = take_word(words), second = take_word(words);
    if (!take_word(words).empty()) throw wrong("has more than two words");
    std::int64_t start = 0, duration = 0;
    if (!read_number(second, duration) || duration < 0 || duration > most_ns ||
        (first != "period" && (!read_number(first, start) || start < 0 || start > most_ns)))
      throw wrong("is not 'start TAB duration', two whole numbers of ns from 0 to 10^12, nor 'period TAB "
                  "number'");
    if (first == "period") {
      if (period > 0 || duration == 0) throw wrong("is no period: one line gives it, above 0");
      period = duration * 1000;
      continue;
    }
    const Trace::Daemon daemon{start * 1000, duration * 1000};
    if (!trace.daemons.empty() && daemon.start < trace.daemons.back().start)
      throw wrong("begins before the line above; lines are in the order of their start");
    trace.daemons.push_back(daemon);
    end = std::max(end, daemon.start + daemon.duration);
  }
  if (trace.daemons.empty() || end == 0)
    throw UserError(
        fmt::format("noise trace '{}' has no daemon in it; 'off' is a machine without noise", path));
  if (period > 0 && period < end)
    throw UserError(
        fmt::format("noise trace '{}': its period of {} ns is over before its last daemon, which ends "
                    "at {} ns",
                    path, period / 1000, end / 1000));
  trace.length = period > 0 ? period : end;
  return trace;
}

void check_leaves_time(const Config& config, int processes) {
  // Of a processor's time: with less, a reduction takes longer than anybody waits.
  constexpr double least_share = 1e-3;
  if (!config.trace) {
    const double busy = config.daemons * config.daemon_ms / 1000;
    if (busy > static_cast<double>(config.processors) * (1 - least_share))
      throw UserError(
          fmt::format("machine '{}': noise.daemons {}/s of noise.daemon {} ms fill {} processors; choose "
                      "less of them",
                      config.name, config.daemons, config.daemon_ms, config.processors));
    return;
  }
  // A host works while all processors with processes are free. From the second lap on what is left over of
  // the one before comes in, too.
  constexpr int laps = 4;
  const Trace& trace = *config.trace;
  std::vector<Picoseconds> busy_until(static_cast<std::size_t>(config.processors), 0);
  std::vector<std::pair<Picoseconds, Picoseconds>> outages;
  for (int lap = 0; lap < laps; ++lap)
    for (const Trace::Daemon& daemon : trace.daemons) {
      const std::size_t one = processor_for(busy_until, lap * trace.length + daemon.start);
      const Picoseconds begin = std::max(lap * trace.length + daemon.start, busy_until[one]);
      busy_until[one] = begin + daemon.duration;
      if (static_cast<int>(one) < processes) outages.emplace_back(begin, busy_until[one]);
    }
  std::ranges::sort(outages);
  const Picoseconds all = (laps - 1) * trace.length;
  Picoseconds until = trace.length, free = 0; // of the laps behind the first
  for (const auto& [begin, end] : outages) {
    free += std::max<Picoseconds>(std::min(begin, laps * trace.length) - until, 0);
    until = std::max(until, end);
  }
  free += std::max<Picoseconds>(laps * trace.length - until, 0);
  if (static_cast<double>(free) < least_share * static_cast<double>(all))
    throw UserError(
        fmt::format("noise trace: its daemons fill the {} ns after which it begins again, and nothing "
                    "else would ever run on a node with {} processes; a line 'period TAB number' gives "
                    "a longer period",
                    trace.length / 1000, processes));
}

} // namespace mesh::cluster
