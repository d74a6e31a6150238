// Predictions of the broadcasts that put and get: their rounds, run over the clocks of the ranks.
#include <algorithm>
#include <limits>
#include <vector>

#include "algorithms/bcast/oc_tree.hpp"
#include "algorithms/bcast/staged_pull.hpp"
#include "algorithms/distance_tree.hpp"
#include "algorithms/message.hpp"
#include "algorithms/table.hpp"
#include "model/costs.hpp"
#include "model/predictions.hpp"

namespace algorithms::model {
namespace {

double& at(std::vector<double>& clocks, int i) {
  return clocks[static_cast<std::size_t>(i)];
}

/// Time of a copy that a number of readers share the MPB with: no less than the port needs for all of them,
/// and somewhat more than alone, since they fall into step.
double shared(double alone, double lines, double readers, const Costs& costs) {
  return std::max(alone, lines * readers * costs.port_line) +
      lines * std::min(readers, 12.0) / 12 * costs.port_line;
}

constexpr double backoff_cycles = 1024; // core cycles; ircce_backoff_last in rcce_emu/src/api/costs.cpp

} // namespace

double predict_mcast(const Platform& platform, const Call& call) {
  const Costs costs(platform, Library::ircce);
  const Where where = costs.whole(call.bytes, Order::ascending);
  const auto chunk = std::max(1.0, static_cast<double>(platform.mpb_bytes / line_bytes) - 6);
  const double others = call.ues - 1;
  double time = 0;
  const auto one = [&](double lines) {
    double slowest = 0;
    for (int rank = 0; rank < call.ues; ++rank)
      if (rank != call.root) slowest = std::max(slowest, costs.get_lines(lines, rank, call.root, where));
    time += costs.piece + costs.put + costs.put_lines(lines, call.root, where) + others * costs.flag_write;
    const double read = costs.notice(call.root, call.ues - 1) + costs.piece + costs.flag_write + costs.get +
        shared(slowest, lines, others, costs);
    // The barrier behind each piece, on atomic counters: the last one counts and resets, the others look
    // after pauses that double while they wait, up to a limit.
    const double access = costs.counter_access(call.ues - 1);
    time += read + 2 * access + std::min(read / 2, backoff_cycles / platform.core_mhz);
  };
  auto whole = static_cast<double>(call.bytes / line_bytes);
  if (call.ues == 1) return 0;
  for (; whole > 0 && time <= call.at_most_us; whole -= chunk) one(std::min(whole, chunk));
  if (call.bytes % line_bytes != 0) one(1);
  return time;
}

double predict_oc_tree(const Platform& platform, const Call& call) {
  const Costs costs(platform, Library::ircce);
  const Algorithm& row = *find("bcast/oc_tree");
  const int ranks = call.ues, fan_out = call.fan_out > 0 ? call.fan_out : oc_tree::default_fan_out;
  const oc_tree::Shape shape(ranks, fan_out);
  const Cut cut{call.bytes, call.part_bytes != 0 ? call.part_bytes : row.part_bytes};
  const Where where = costs.whole(call.bytes, Order::ascending);
  const auto real = [&](int v) { return real_rank(v, call.root, ranks); };
  const auto width = static_cast<std::size_t>(ranks);
  std::vector<double> clock(width, 0), told(width, 0),
      got[2] = {std::vector<double>(width, 0), std::vector<double>(width, 0)};
  const auto over = [&] { return clock[0] > call.at_most_us; };
  for (int chunk = 0; chunk < cut.parts() && ranks > 1 && !over(); ++chunk) {
    const auto lines = static_cast<double>(lines_of(cut.length(chunk)));
    std::vector<double>& taken = got[chunk % 2];
    for (int v = 0; v < ranks; ++v) { // tellers and parents come before those whom they tell
      const oc_tree::Node& node = shape.node(v);
      double& now = at(clock, v);
      const auto tell = [&](bool siblings) {
        for (std::size_t i = 0; i < node.tells.size(); ++i)
          if (node.tells_sibling[i] == siblings) {
            now += costs.call + costs.flag_write;
            at(told, node.tells[i]) = now + costs.notice(real(v), real(node.tells[i]));
          }
      };
      if (v > 0) {
        now = std::max(now + costs.call + costs.poll, at(told, v));
        tell(true);
      }
      if (chunk >= 2)
        for (const int child : node.children)
          now =
              std::max(now + costs.call + costs.poll, at(taken, child) + costs.notice(real(child), real(v)));
      if (v == 0) {
        now += costs.call + costs.put + costs.put_lines(lines, real(0), where);
        tell(false);
        continue;
      }
      const auto readers = static_cast<double>(shape.node(node.parent).children.size());
      now += costs.call + costs.get +
          shared(costs.relay_lines(lines, real(v), real(node.parent)), lines, readers, costs);
      now += costs.call + costs.flag_write;
      at(taken, v) = now;
      tell(false);
      now += costs.call + costs.get + costs.get_lines(lines, real(v), real(v), where);
    }
  }
  const auto wait = [&](int v, double signal, int from) {
    at(clock, v) =
        std::max(at(clock, v) + costs.call + costs.poll, signal + costs.notice(real(from), real(v)));
  };
  for (int v = 0; v < ranks && ranks > 1; ++v)
    for (int chunk = std::max(0, cut.parts() - 2); chunk < cut.parts(); ++chunk)
      for (const int child : shape.node(v).children) wait(v, at(got[chunk % 2], child), child);
  for (int v = ranks - 1; v >= 0 && cut.parts() > 0; --v) { // those who were told come before their tellers
    const oc_tree::Node& node = shape.node(v);
    if (node.teller != node.parent) at(clock, v) += costs.call + costs.flag_write;
    for (std::size_t i = 0; i < node.tells.size(); ++i)
      if (node.tells_sibling[i]) wait(v, at(clock, node.tells[i]), node.tells[i]);
  }
  return *std::max_element(clock.begin(), clock.end());
}

double predict_staged_pull(const Platform& platform, const Call& call) {
  const Costs costs(platform, Library::ircce);
  const int ranks = call.ues;
  if (ranks == 1 || call.bytes == 0) return 0;
  const staged_pull::Mesh mesh{platform.columns, platform.cores_per_tile};
  const int count = staged_pull::stage_count(ranks, call.bytes, call.stages, mesh);
  const std::vector<int> stages =
      count == 1 ? std::vector<int>{call.root} : staged_pull::stages(ranks, count, mesh);
  const DistanceTree announcements = DistanceTree::fibonacci(ranks),
                     receipts = DistanceTree::two_levels(ranks);
  const std::size_t flags = announcements.distances().size() * staged_pull::slots +
      receipts.distances().size() * 2 +
      static_cast<std::size_t>(staged_pull::flagged_stages(ranks, call.stages)) + 2;
  const std::size_t flag_lines = platform.rcce_10
      ? flags + 2 * static_cast<std::size_t>(ranks) + 1
      : (flags + 2 * static_cast<std::size_t>(ranks) + 2) / line_bytes + 2;
  if (platform.mpb_bytes < (flag_lines + 2) * line_bytes) return std::numeric_limits<double>::infinity();
  const auto rounds = staged_pull::rounds(call.bytes, static_cast<int>(stages.size()),
                                          platform.mpb_bytes - flag_lines * line_bytes);
  const Where where = costs.whole(call.bytes, Order::descending);
  const auto readers = static_cast<double>(ranks - 1) / static_cast<double>(stages.size());
  const auto width = static_cast<std::size_t>(ranks);
  const double look = costs.call + costs.poll, tell = costs.call + costs.flag_write;
  const auto real = [&](int v) { return real_rank(v, call.root, ranks); };

  std::vector<double> clock(width, 0), told(width, 0),
      received[2] = {std::vector<double>(width, 0), std::vector<double>(width, 0)};
  std::vector<std::vector<int>> down(width), order(width);
  for (int v = 0; v < ranks; ++v) {
    down[static_cast<std::size_t>(v)] = announcements.down(v);
    order[static_cast<std::size_t>(v)] = staged_pull::receipts_of(v, announcements, receipts).order;
  }
  const auto announce = [&](int v) {
    for (const int index : down[static_cast<std::size_t>(v)]) {
      const int child = v + announcements.distances()[static_cast<std::size_t>(index)];
      at(told, child) = (at(clock, v) += tell) + costs.notice(real(v), real(child));
    }
  };
  const auto collect = [&](int v, int group) {
    std::vector<double>& reported = received[group % 2];
    for (const int index : order[static_cast<std::size_t>(v)]) {
      const int child = v + receipts.distances()[static_cast<std::size_t>(index)];
      at(clock, v) = std::max(at(clock, v) + look, at(reported, child) + costs.notice(real(child), real(v)));
    }
    if (v > 0) at(reported, v) = at(clock, v) += tell;
  };
  const auto read = [&](int v, const staged_pull::Round& round, std::size_t turn) {
    const std::size_t stage = (static_cast<std::size_t>(real(v) / 2) + turn) % stages.size();
    const std::size_t bytes = round.block(static_cast<int>(stage)).bytes;
    if (bytes == 0) return;
    const auto lines = static_cast<double>(lines_of(bytes));
    at(clock, v) += costs.call + costs.get +
        shared(costs.get_lines(lines, real(v), stages[stage], where), lines, readers, costs);
  };

  const int last_group = rounds.back().group;
  if (count > 1) // the stages report that they have entered
    at(clock, 0) = tell + costs.notice(stages.back(), call.root) + static_cast<double>(count - 1) * look;
  for (const staged_pull::Round& round : rounds) {
    if (at(clock, 0) > call.at_most_us) return at(clock, 0);
    if (round.opens_group && round.group >= 2) collect(0, round.group - 2);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
      if (const std::size_t bytes = round.block(static_cast<int>(stage)).bytes; bytes > 0)
        at(clock, 0) +=
            costs.call + costs.put + costs.put_lines(static_cast<double>(lines_of(bytes)), call.root, where);
    announce(0);
    for (int v = 1; v < ranks; ++v) {
      at(clock, v) = std::max(at(clock, v) + look, at(told, v));
      announce(v);
      read(v, round, 0);
    }
    if (round.opens_group && round.group > 0 && round.group < last_group)
      for (int v = ranks - 1; v > 0; --v)
        collect(v, round.group - 1); // those who report come before their leaders
    for (int v = 1; v < ranks; ++v)
      for (std::size_t turn = 1; turn < stages.size(); ++turn) read(v, round, turn);
  }
  for (int v = ranks - 1; v >= 0; --v) collect(v, last_group);
  double end = *std::max_element(clock.begin(), clock.end());
  if (count > 1)
    end = std::max(end,
                   at(clock, 0) + static_cast<double>(count) * tell + costs.notice(call.root, stages.back()));
  return end;
}

} // namespace algorithms::model
