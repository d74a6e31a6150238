// SPDX-License-Identifier: Apache-2.0
#include "lab/check.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/backend.hpp"
#include "lab/identity.hpp"
#include "lab/random.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/machines/capability.hpp"

namespace lab {
namespace {

constexpr int most_all_late = 12, drawn_late = 3;
constexpr std::size_t calls_of_a_size = 3, calls_of_a_root = 2;
/// The size that each root has once: what is asked for, if it is longer than a line and as long as this at
/// most, else the one of that place, which is longer than a buffer of messages or a page.
constexpr std::int64_t most_of_each_root = 8192, least_of_each_root = 65;
constexpr std::size_t long_size = 4;

std::vector<int> late_ranks(int ranks, int root) {
  std::set<int> late;
  if (ranks <= most_all_late)
    for (int rank = 0; rank < ranks; ++rank) late.insert(rank);
  else {
    late = {0, ranks - 1, root, (root + 1) % ranks, (root + ranks - 1) % ranks};
    Random random(static_cast<std::uint64_t>(ranks), 0, 0);
    for (int i = 0; i < drawn_late; ++i) late.insert(static_cast<int>(random.uniform() * ranks));
  }
  return {late.begin(), late.end()};
}

std::string title_of(const CheckPlan& plan, const Operation& operation, std::size_t call,
                     std::int64_t bytes) {
  const lab_check_call& one = plan.calls[call];
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (operation.has_message) add(mesh::counted(bytes, "byte"));
  if (operation.has_root) add(fmt::format("root {}", one.root));
  if (one.late >= 0)
    add(fmt::format("rank {} {}", one.late, one.sends != 0 ? "is still sending a message" : "comes late"));
  if (one.nulls != 0) add("others than the root pass NULL");
  const std::size_t apart = plan.sizes.size();
  return fmt::format("{}{}",
                     call < apart
                         ? std::string("a first call")
                         : fmt::format("call {} of {} in a row", call - apart + 1, plan.calls.size() - apart),
                     text.empty() ? "" : fmt::format(" ({})", text));
}

} // namespace

bool takes_counted_calls(const Point& point) {
  const mesh::MachineDescription& machine = point.machine->config;
  return point.row().own_file &&
      (machine.offers(mesh::Capability::message_buffers) ||
       machine.offers(mesh::Capability::coherent_memory));
}

bool has_counted_calls(const Point& point) {
  return takes_counted_calls(point) && point.cores <= most_counted_ranks;
}

bool can_lack_ranks(const Point& point) {
  return point.row().own_file && point.machine->config.offers(mesh::Capability::message_buffers) &&
      point.operation().combines && (point.op == "min" || point.op == "max");
}

CheckPlan check_plan_in_memory(const Point& point) {
  constexpr std::int64_t line = 64, over_page = 4096 + line;
  std::vector<std::int64_t> sizes{0};
  if (point.operation().has_message) {
    sizes = {1, line, line + 1, over_page};
    if (point.row().own_file) {
      sizes.insert(sizes.begin(), std::min(point.bytes, most_checked_bytes));
      sizes.push_back(0);
    }
  }
  // The master of a join is always thread 0.
  const bool rotates = !point.algorithm.starts_with("reduce/") && point.row().operation != "join";
  return check_plan(point, std::move(sizes), rotates);
}

CheckPlan check_plan(const Point& point, std::vector<std::int64_t> sizes, bool rotates) {
  const bool has_root = point.operation().has_root && rotates;
  const int ranks = point.cores, root = point.operation().has_root ? point.root : 0;
  std::vector<int> roots{root};
  for (const int other : {(root + 1) % ranks, ranks - 1, ranks / 2, 0})
    if (has_root && std::ranges::find(roots, other) == roots.end()) roots.push_back(other);
  CheckPlan plan{.sizes = std::move(sizes), .calls = {}};
  const bool counted = point.row().own_file && ranks <= most_counted_ranks;
  // So short that nobody's block is empty: who has none has nothing to count.
  if (counted && point.operation().has_blocks)
    plan.sizes.push_back(ranks * static_cast<std::int64_t>(sizeof(double)));
  for (std::size_t size = 0; size < plan.sizes.size(); ++size)
    plan.calls.push_back(
        {.size = static_cast<std::int32_t>(size), .root = root, .late = -1, .sends = 0, .nulls = 0});
  std::vector<int> late{-1};
  for (const int rank : late_ranks(ranks, root)) late.push_back(rank);
  for (std::size_t call = 0; call < std::max(late.size(), calls_of_a_size * plan.sizes.size()); ++call)
    plan.calls.push_back({.size = static_cast<std::int32_t>(call / calls_of_a_size % plan.sizes.size()),
                          .root = roots[call / calls_of_a_root % roots.size()],
                          .late = late[call % late.size()],
                          .sends = 0,
                          .nulls = 0});
  if (!counted) return plan;
  // Here every rank is the root, and every rank comes late to a second call, not always to the same root.
  const auto size = static_cast<std::int32_t>(
      point.operation().has_blocks ? plan.sizes.size() - 1 : std::min<std::size_t>(1, plan.sizes.size() - 1));
  std::size_t call = plan.calls.size() - plan.sizes.size();
  const std::size_t turns = calls_of_a_root * static_cast<std::size_t>(ranks + 1);
  // A rank that is the root in its turn counts nothing then, and does so often enough all the same.
  const auto others = static_cast<std::size_t>(std::max(ranks - 1, 1));
  const std::size_t all = has_root ? (counted_calls * (others + 1) + others - 1) / others : counted_calls;
  const bool asked_is_long =
      plan.sizes.front() >= least_of_each_root && plan.sizes.front() <= most_of_each_root;
  const auto longer = has_root && plan.sizes.size() > long_size
      ? static_cast<std::int32_t>(asked_is_long ? 0 : long_size)
      : size;
  const std::size_t first_turn = call / calls_of_a_root;
  for (const std::size_t end = has_counted_calls(point) ? all : call + turns; call < end; ++call) {
    const int turn = static_cast<int>(call / calls_of_a_root);
    const bool is_long = call % calls_of_a_root == 1 &&
        static_cast<std::size_t>(turn) < first_turn + static_cast<std::size_t>(ranks);
    plan.calls.push_back({.size = is_long ? longer : size,
                          .root = has_root ? turn % ranks : root,
                          .late = call % 2 == 0 ? -1 : (ranks - 1 - turn % ranks + turn / ranks) % ranks,
                          .sends = 0,
                          .nulls = 0});
  }
  return plan;
}

std::string fault_in(const CheckPlan& plan, const Operation& operation, std::span<const lab_check_time> times,
                     int ranks, const std::string& ended) {
  const auto count = static_cast<std::size_t>(ranks);
  std::set<std::pair<std::int32_t, std::int32_t>> carried_out; // sizes and roots
  for (std::size_t call = 0; call < plan.calls.size(); ++call) {
    const auto of_call = times.subspan(call * count, count);
    const auto with = [&](int state) {
      std::vector<int> all;
      for (int rank = 0; rank < ranks; ++rank)
        if (of_call[static_cast<std::size_t>(rank)].state == state) all.push_back(rank);
      return all;
    };
    // Not every rank may have come to the call.
    const auto title = [&] {
      return title_of(plan, operation, call, std::ranges::max(of_call, {}, &lab_check_time::bytes).bytes);
    };
    for (int rank = 0; rank < ranks; ++rank)
      if (const std::int64_t wrong = of_call[static_cast<std::size_t>(rank)].of_message; wrong > 0)
        return fmt::format("{}: rank {} gets {} of that message; others write to the payload "
                           "area of rank {} while it is in no call of the algorithm",
                           title(), rank, mesh::counted(wrong, "wrong byte"), plan.calls[call].late);
    const std::vector<int> done = with(LAB_DONE), refused = with(LAB_REFUSED), in_call = with(LAB_IN_CALL);
    for (const int rank : done) {
      // The workers of a join go on; its master waits for them.
      if (operation.name == "join" && rank > 0) break;
      const lab_check_time& one = of_call[static_cast<std::size_t>(rank)];
      if (one.wrong > 0) {
        const Fault fault{.rank = rank, .wrong = one.wrong, .first = one.first, .of_operand = one.of_operand};
        const lab_check_call* const next = call + 1 < plan.calls.size() ? &plan.calls[call + 1] : nullptr;
        return fmt::format("{}: {}{}", title(), text_of(fault, operation, plan.calls[call].root),
                           next != nullptr && next->sends != 0
                               ? fmt::format("; behind it rank {} sends a message at once", next->late)
                               : "");
      }
      if (operation.has_message) continue;
      for (int other = 0; other < ranks; ++other) {
        const lab_check_time& late = of_call[static_cast<std::size_t>(other)];
        if (late.state == LAB_NOT_BEGUN || late.entered > one.left)
          return fmt::format("{}: rank {} leaves before rank {} has come", title(), rank, other);
      }
    }
    if (!in_call.empty())
      return fmt::format("{}: {}; in the call {} {}", title(), ended.empty() ? "it ended the program" : ended,
                         in_call.size() == 1 ? "is still rank" : "are still ranks", fmt::join(in_call, ", "));
    if (!refused.empty() && !done.empty())
      return fmt::format("{}: rank {} refuses it, rank {} does not", title(), refused.front(), done.front());
    const std::pair what(plan.calls[call].size, plan.calls[call].root);
    if (done.size() == count) carried_out.insert(what);
    if (refused.size() == count && carried_out.contains(what))
      return fmt::format("{}: it is refused, and an earlier one like it was carried out", title());
  }
  return ended;
}

Verdict checked(const Point& point) {
  // All but what the check does not depend on.
  Point like = point;
  if (!point.row().own_file) like.bytes = 0;
  like.spread = {};
  like.repetitions = 1;
  like.seed = 1;
  like.statistics = false;
  like.warm_up = point.backend->usual_warm_up(point);
  const auto identity = std::tuple(point.backend, point.machine, like.key());
  static std::mutex guard;
  static std::map<decltype(identity), std::shared_future<Verdict>> known;
  std::promise<Verdict> promise;
  std::shared_future<Verdict> verdict;
  bool own = false;
  {
    const std::lock_guard lock(guard);
    auto& entry = known[identity];
    own = !entry.valid();
    if (own) entry = promise.get_future().share();
    verdict = entry;
  }
  if (own) try {
      promise.set_value(point.backend->check(point));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  return verdict.get();
}

} // namespace lab
