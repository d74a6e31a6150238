// SPDX-License-Identifier: Apache-2.0
#include "lab/backend.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include <malloc.h>

#include <fmt/format.h>

#include "lab/cards.hpp"
#include "lab/check.hpp"
#include "lab/host.hpp"
#include "lab/identity.hpp"
#include "lab/memory.hpp"
#include "lab/messages.hpp"
#include "lab/own_files.hpp"
#include "lab/sweep.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/progress.hpp"

namespace lab {

const Row& Backend::row(std::string_view name) const {
  for (const Row& one : rows_)
    if (one.name == name) return one;
  throw std::logic_error(fmt::format("'{}' is not in the table of algorithms", name));
}

std::vector<const Row*> Backend::rows_of(std::string_view operation) const {
  std::vector<const Row*> result;
  for (const Row& one : rows_)
    if (one.operation == operation) result.push_back(&one);
  return result;
}

std::vector<std::string_view> Backend::names_of(std::string_view operation) const {
  std::vector<std::string_view> names;
  for (const Row* one : rows_of(operation)) names.push_back(one->name);
  return names;
}

std::vector<std::int64_t> Backend::usual_ranks(const Machine& machine) const {
  const std::int64_t all = std::min(most_ranks(machine), chip_cores);
  const std::set<std::int64_t> counts{std::min<std::int64_t>(2, all), std::min<std::int64_t>(8, all), all};
  return {counts.begin(), counts.end()};
}

int Backend::usual_warm_up(const Point& /*point*/) const {
  return 1;
}

std::string Backend::misfit_of_payload(const Point& point) {
  if (point.moves_payload || point.machine->config.offers(mesh::Capability::message_buffers)) return {};
  return fmt::format("--payload none: machine '{}' has no message buffers; ask for it on a machine that has "
                     "(rcceinfo machines)",
                     point.machine_name);
}

std::string Backend::misfit(const Point& point) const {
  if (std::string why = misfit_of_payload(point); !why.empty()) return why;
  if (const int most = most_ranks(*point.machine); point.cores > most)
    return fmt::format("--cores {}: machine '{}' has {} cores", point.cores, point.machine_name, most);
  if (point.root >= point.cores)
    return fmt::format("--root {}: ranks are 0..{} on {} cores", point.root, point.cores - 1, point.cores);
  return {};
}

Result Backend::run(const Point& point) const {
  if (const std::string why = misfit(point); !why.empty()) throw mesh::UserError(why);
  const Verdict verdict = point.checks ? checked(point) : Verdict();
  if (!verdict.found.empty()) return refuted(verdict.found);
  Result result = measure(point);
  result.explored = verdict.explored;
  result.counted = verdict.counted;
  result.undelayed = verdict.undelayed;
  return result;
}

std::vector<Result> Backend::run_in_turns(std::span<const Point> points,
                                          const std::function<bool()>& goes_on) const {
  std::vector<Result> results;
  for (const Point& one : points) {
    if (!goes_on()) break;
    results.push_back(run(one));
  }
  return results;
}

std::map<std::int64_t, Choice> Backend::automatic(const Point& /*like*/,
                                                  const std::vector<std::int64_t>& /*sizes*/) const {
  return {};
}

std::string Backend::unrecorded(const Point& point, std::string_view option) const {
  if (option == "trace")
    return fmt::format("--trace: machine '{}' is not simulated; ask for it on a machine that is (rcceinfo "
                       "machines)",
                       point.machine_name);
  return fmt::format(
      "--{}: only algorithms on messages show it, and machine '{}' has no message buffers; ask "
      "for it on a machine that has (rcceinfo machines)",
      option, point.machine_name);
}

void Backend::record(const Point& point, const rcce::Records& records, int /*repetition*/) const {
  throw std::logic_error(
      fmt::format("{} records nothing, and {} recordings are asked for", point.machine_name, records.size()));
}

nlohmann::ordered_json Backend::figures(const Point& /*point*/, int /*repetition*/) const {
  return nlohmann::ordered_json::array();
}

namespace {

/// Keeps the memory of a point for the next one. malloc would give it back to the host, and the next point
/// would touch fresh pages: with threads of the host two thirds of all time.
void keep_pages() {
  constexpr int most = 1 << 28, largest_block = 1 << 25; // bytes; glibc takes no larger block
  static const bool kept =
      mallopt(M_TRIM_THRESHOLD, most) == 1 && mallopt(M_MMAP_THRESHOLD, largest_block) == 1;
  (void)kept;
}

} // namespace

std::shared_ptr<const Backend> backend_of(const Machine& machine, const std::vector<std::string>& files,
                                          Generation generation) {
  keep_pages();
  using mesh::Capability;
  if (machine.config.offers(Capability::message_buffers))
    return Messages::with(files_for(World::messages, files), generation);
  if (machine.config.offers(Capability::cards)) return Cards::with(files_for(World::cards, files));
  if (machine.config.offers(Capability::coherent_memory))
    return Memory::with(files_for(World::memory, files));
  return Host::with(files_for(World::memory, files));
}

std::vector<std::shared_ptr<const Backend>> backends() {
  return {Messages::standard(), Memory::with({}), Cards::with({})};
}

namespace {

/// Writes the output of the user's algorithms to standard error, in the order of the points.
void tell_printed(const std::vector<Point>& points, const std::vector<std::optional<Result>>& results) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (results[i] && !results[i]->printed.empty())
      std::fputs(fmt::format("# {} printed:\n{}", points[i].title(), results[i]->printed).c_str(), stderr);
}

} // namespace

std::vector<std::optional<Result>> measure_all(const std::vector<Point>& points, unsigned threads) {
  std::vector<std::size_t> simulated;
  std::map<std::tuple<const Machine*, int, std::int64_t>, std::vector<std::size_t>> alone;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].backend->takes_turns())
      alone[{points[i].machine.get(), points[i].cores, points[i].bytes}].push_back(i);
    else
      simulated.push_back(i);
  std::vector<std::optional<Result>> results(points.size());
  const auto shared =
      std::make_shared<const std::vector<Point>>(points); // for tasks that Ctrl-C leaves behind
  if (!alone.empty() && result_store().is_shard())
    throw mesh::UserError(
        "--shard: times of this host are compared with each other and cannot be shared out; "
        "leave 'host' out of the machines, or --shard");
  for (const Point& point : points)
    if (point.checks && point.row().own_file && point.backend->checks_alone()) (void)checked(point);
  const auto done = stored_sweep<Result, std::size_t>(
      simulated, threads, [&](std::size_t i) { return points[i].backend->weight(points[i]); },
      [shared](std::size_t i) { return (*shared)[i].backend->run((*shared)[i]); },
      [&](std::size_t i) { return stored_key(points[i]); });
  for (std::size_t i = 0; i < simulated.size(); ++i) results[simulated[i]] = done[i];
  mesh::Progress progress(static_cast<double>(alone.size()));
  for (const auto& [place, members] : alone) {
    std::vector<Point> compared;
    for (const std::size_t i : members) compared.push_back(points[i]);
    const auto goes_on = [] { return interrupted_status() == 0; };
    const auto measured = compared.front().backend->run_in_turns(compared, goes_on);
    if (!goes_on()) break;
    for (std::size_t i = 0; i < measured.size(); ++i) results[members[i]] = measured[i];
    progress.add(1);
  }
  tell_printed(points, results);
  return results;
}

} // namespace lab
