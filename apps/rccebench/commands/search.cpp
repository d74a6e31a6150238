// SPDX-License-Identifier: Apache-2.0
// rccebench search: schedules of broadcasts and reductions by simulated annealing, with the simulator as
// judge.
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/schedules/check.hpp"
#include "command_line/collective_options.hpp"
#include "commands/search_moves.hpp"
#include "lab.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/temporary_folder.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

namespace fs = std::filesystem;
using algorithms::schedule::Clusters, algorithms::schedule::Owners, algorithms::schedule::Plan,
    algorithms::schedule::Pushes, algorithms::schedule::Sums;

/// Neighbours tried from one plan at a time, whatever --jobs says: so the search takes the same way on every
/// host.
constexpr int batch = 4;
/// After so many batches the search begins again, from the next best start.
constexpr int batches_of_chain = 40;
/// A worse plan is gone on with by exp(-its excess / temperature), the excess as a share of the time. From
/// the chain's first batch to its last the temperature falls geometrically.
constexpr double first_temperature = 0.01, last_temperature = 0.0005;

struct SearchOptions {
  CommonOptions common;
  std::string operation, against, schedule_file, payload = "moved";
  int cores = 48, bytes = 8192, tries = 0, minutes = 0, seed = 1;
  unsigned jobs = 0;
};

/// Files of the schedules that are tried; gone with it.
class Folder {
 public:
  [[nodiscard]] std::string write(std::size_t number, const std::string& text) const {
    const fs::path file = fs::path(folder_.path()) / fmt::format("{}.schedule", number);
    if (!(std::ofstream(file) << text))
      throw mesh::UserError(
          fmt::format("'{}' cannot be written; TMPDIR names another folder", file.string()));
    return file.string();
  }

 private:
  rcce::TemporaryFolder folder_{"rockcreek-search"};
};

struct Improvement {
  int tries;
  double us;
  std::string shape;
};

std::string shape_of(const Plan& plan) {
  if (plan.as<Pushes>()) return "tree of puts";
  if (const auto* sums = plan.as<Sums>())
    return sums->into_parent ? "tree of sums, put to parents" : "tree of sums, got from children";
  if (const auto* owners = plan.as<Owners>())
    return fmt::format("{}owners, groups of {}",
                       owners->shared == 1
                           ? ""
                           : fmt::format("{} cores each of {} ", owners->shared, plan.cores / owners->shared),
                       fmt::join(owners->sizes, ", "));
  const auto& clusters = *plan.as<Clusters>();
  const std::string hosts = clusters.hosts == 1 ? "a host" : fmt::format("{} hosts", clusters.hosts);
  const std::string looks = clusters.looks ? ", looks" : "";
  if (clusters.sizes.size() == 1) return fmt::format("one cluster, {}{}", hosts, looks);
  return fmt::format("{} clusters, {} each{}", clusters.sizes.size(), hosts, looks);
}

/// Rows by hand that schedules are compared with, by operation.
constexpr std::array rivals_by_hand{"tagged,staged_pull,clusters,oc_tree", "tagged,owners,grouped_owners",
                                    "tagged,owners,grouped_owners"};

algorithms::schedule::Operation operation_of(const std::string& name) {
  const auto* const found = std::ranges::find(algorithms::schedule::operation_names, name);
  if (found != algorithms::schedule::operation_names.end())
    return static_cast<algorithms::schedule::Operation>(found -
                                                        algorithms::schedule::operation_names.begin());
  throw mesh::UserError(fmt::format("'{}': schedules are searched for {}", name,
                                    fmt::join(algorithms::schedule::operation_names, ", ")));
}

class Search {
 public:
  Search(const SearchOptions& options, Point point) : options_(options), point_(std::move(point)) {
    const mesh::MeshShape shape = point_.machine->config.mesh();
    space_ = {point_.cores,
              {shape.columns, shape.cores_per_tile},
              shape.rows,
              point_.bytes,
              operation_of(options.operation)};
  }

  void run() {
    std::vector<std::pair<double, Plan>> starts;
    for (const auto all = starts_of(space_); starts.size() < all.size() && !is_over();) {
      const auto from = static_cast<std::ptrdiff_t>(starts.size());
      const auto count = std::min<std::ptrdiff_t>(batch, static_cast<std::ptrdiff_t>(all.size()) - from);
      const std::vector<Plan> some(all.begin() + from, all.begin() + from + count);
      const auto times = judge(some);
      for (std::size_t i = 0; i < some.size(); ++i) starts.emplace_back(times[i], some[i]);
    }
    std::ranges::stable_sort(starts, {}, &std::pair<double, Plan>::first);
    // The best of each shape come first.
    std::set<std::size_t> shapes;
    std::ranges::stable_partition(starts, [&](const std::pair<double, Plan>& start) {
      const auto* const owners = start.second.as<Owners>();
      const auto* const clusters = start.second.as<Clusters>();
      return shapes.insert(owners ? owners->sizes.size() : clusters ? clusters->sizes.size() : 0).second;
    });
    // Two starts, then in turn the best plan that is known and the next start.
    std::size_t next = 0;
    for (int chain = 0; !is_over(); ++chain) {
      if (chain >= 2 && chain % 2 == 0) {
        anneal(best_plan_, best_us(), chain);
        continue;
      }
      const auto& [us, plan] = starts[next++ % starts.size()];
      anneal(plan, us, chain);
    }
  }

  [[nodiscard]] double best_us() const { return improvements_.empty() ? HUGE_VAL : improvements_.back().us; }
  [[nodiscard]] const std::vector<Improvement>& improvements() const { return improvements_; }
  [[nodiscard]] int tries() const { return tries_; }
  /// With a line by which it need not be checked again. Where tries have not moved their payload it is run
  /// once more, with every byte compared.
  [[nodiscard]] std::string best_text() const {
    auto schedule = algorithms::schedule::Builder::schedule_of(best_plan_);
    schedule.bytes = static_cast<std::size_t>(point_.bytes);
    if (const std::string fault = algorithms::schedule::Checker::fault_of(schedule); !fault.empty())
      throw std::logic_error("the best schedule is wrong: " + fault);
    const std::string text = to_checked_text(schedule);
    if (point_.moves_payload) return text;
    Point compared = point_;
    compared.moves_payload = true;
    compared.options["schedule"] = folder_.write(0, text);
    if (point_.backend->run(compared).wrong_bytes > 0)
      throw std::logic_error("the best schedule delivers wrong bytes");
    return text;
  }

 private:
  void anneal(Plan plan, double us, int chain) {
    for (int i = 0; i < batches_of_chain && !is_over(); ++i) {
      const double done = static_cast<double>(i) / batches_of_chain;
      const double temperature =
          first_temperature * exponential(natural_logarithm(last_temperature / first_temperature) * done);
      lab::Random random(static_cast<std::uint64_t>(options_.seed), static_cast<std::uint64_t>(chain),
                         static_cast<std::uint64_t>(i));
      std::vector<Plan> neighbours;
      for (int one = 0; one < batch; ++one) neighbours.push_back(neighbour_of(plan, space_, random));
      const auto times = judge(neighbours);
      const auto least = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
      const double worse = times[least] / us - 1;
      if (worse <= 0 || random.uniform() < exponential(std::max(-700.0, -worse / temperature)))
        plan = neighbours[least], us = times[least];
    }
  }

  /// Microseconds of each; what does not fit takes for ever. Plans make right schedules, and every byte is
  /// compared: the check is for the best one, when it is written.
  std::vector<double> judge(const std::vector<Plan>& plans) {
    std::vector<Point> points;
    std::vector<std::size_t> judged; // plans
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const auto schedule = algorithms::schedule::Builder::schedule_of(plans[i]);
      if (!fits(schedule)) continue;
      Point point = point_;
      point.options["schedule"] = folder_.write(i, to_checked_text(schedule));
      points.push_back(std::move(point));
      judged.push_back(i);
    }
    const auto results = measure_all(points, options_.jobs);
    std::vector<double> times(plans.size(), HUGE_VAL);
    for (std::size_t i = 0; i < judged.size(); ++i) {
      if (!results[i]) continue;
      const Plan& plan = plans[judged[i]];
      const double us = times[judged[i]] = results[i]->max_us;
      if (results[i]->wrong_bytes > 0)
        throw std::logic_error(
            fmt::format("a schedule of {} passes the check and delivers wrong bytes", shape_of(plan)));
      ++tries_;
      progress_.set(progress());
      if (us >= best_us()) continue;
      best_plan_ = plan;
      improvements_.push_back({tries_, us, shape_of(plan)});
    }
    return times;
  }

  [[nodiscard]] double minutes() const {
    return std::chrono::duration<double, std::ratio<60>>(std::chrono::steady_clock::now() - begin_).count();
  }
  [[nodiscard]] double progress() const {
    return options_.tries > 0 ? static_cast<double>(tries_) / options_.tries : minutes() / options_.minutes;
  }
  [[nodiscard]] bool is_over() const { return interrupted_status() != 0 || progress() >= 1; }

  const SearchOptions& options_;
  Point point_;
  SearchSpace space_;
  Folder folder_;
  mesh::Progress progress_{1};
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  Plan best_plan_;
  std::vector<Improvement> improvements_;
  int tries_ = 0;
};

Status run_search(SearchOptions& options) {
  const algorithms::schedule::Operation operation = operation_of(options.operation);
  const std::string against =
      options.against.empty() ? rivals_by_hand[static_cast<std::size_t>(operation)] : options.against;
  if ((options.tries > 0) == (options.minutes > 0))
    throw mesh::UserError("--tries or --minutes, one of them, says how long to search");
  if (!options.common.resume.empty() && mesh::same_file(options.common.resume, options.schedule_file))
    throw mesh::UserError(fmt::format(
        "--resume and --output '{}': both write to the same file; name two files", options.schedule_file));
  if (!options.common.shard.empty())
    throw mesh::UserError("--shard: each try of a search follows from those before; leave it out");
  const auto machine = std::make_shared<const Machine>(open_machine(options.common));
  mesh::check_offers(machine->config, mesh::Capability::message_buffers);
  const auto backend = backend_of(*machine);
  Point point{.machine = machine, .machine_name = machine->config.name(), .backend = backend};
  point.algorithm = options.operation + "/schedule";
  point.cores = options.cores;
  point.bytes = options.bytes;
  if (point.operation().combines && point.bytes % lab::element_bytes(point.type) != 0)
    throw mesh::UserError(
        fmt::format("--bytes {}: no whole number of elements; an element of type {} has {} bytes",
                    point.bytes, point.type, lab::element_bytes(point.type)));
  point.moves_payload = options.payload == "moved";
  point.warm_up = backend->usual_warm_up(point);
  if (const std::string why = backend->misfit(point); !why.empty()) throw mesh::UserError(why);

  std::vector<Point> rivals;
  for (const std::string& name :
       read_names(against, "--against", options.operation + "/", backend->names_of(options.operation))) {
    rivals.push_back(point);
    rivals.back().algorithm = name;
  }
  const auto measured = measure_all(rivals, options.jobs);
  std::size_t best_row = 0;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    if (!measured[i]) return interrupted_status();
    if (measured[i]->max_us < measured[best_row]->max_us) best_row = i;
  }
  const double row_us = measured[best_row]->max_us, limit_us = backend->limit(point).binding().us;

  Search search(options, point);
  search.run();
  if (search.improvements().empty()) return interrupted_status();
  const std::string row = rivals[best_row].algorithm;
  Report report;
  report.title = fmt::format("rccebench search {}", rcce::version_text);
  report.settings = {
      {"machine", machine->description()},
      {"point", fmt::format("{} of {} bytes on {} cores", options.operation, point.bytes, point.cores)},
      {"search", fmt::format("annealing, seed {}, {} tries", options.seed, search.tries())},
      {"best row", fmt::format("{}, {:.3f} us", row, row_us)},
      {"limit", fmt::format("{:.3f} us", limit_us)}};
  report.table.title = "the best schedule so far";
  report.table.columns = {
      {"Try", "", 0}, {"Time", "us", 3}, {"Of limit", "%", 1}, {"Ahead of row", "%", 1}, {"Shape", "", 0}};
  for (const Improvement& one : search.improvements())
    report.table.rows.push_back(
        {std::int64_t{one.tries}, one.us, limit_us / one.us * 100, (row_us / one.us - 1) * 100, one.shape});
  report.summary = {{"tries", search.tries()},
                    {"best_us", search.best_us()},
                    {"row", row},
                    {"row_us", row_us},
                    {"limit_us", limit_us}};
  if (interrupted_status() != 0)
    report.notes.push_back(fmt::format("# interrupted: the best of {} tries", search.tries()));
  if (!options.schedule_file.empty()) {
    write_out(fmt::format("# {} of {} bytes on {} cores, {}: {:.3f} us; {} {:.3f}, limit {:.3f}\n"
                          "# Found by rccebench search, seed {}, {} tries: {}. Model revision {}.\n{}",
                          options.operation, point.bytes, point.cores, machine->description(),
                          search.best_us(), row, row_us, limit_us, options.seed, search.tries(),
                          search.improvements().back().shape, rcce::model_revision, search.best_text()),
              options.schedule_file);
    report.notes.push_back(fmt::format("# {}: the best schedule", options.schedule_file));
  }
  write(report, options.common.format, "");
  return interrupted_status();
}

} // namespace

void add_search(CommandLine& line, Status& status) {
  auto options = std::make_shared<SearchOptions>();
  Command command =
      line.add_command("search", "finds schedules of broadcasts and reductions, with the simulator as judge");
  command
      .option("operation", options->operation,
              fmt::format("what to find schedules of: {}",
                          fmt::join(algorithms::schedule::operation_names, ", ")))
      .required();
  command
      .option("--machine", options->common.machine,
              fmt::format("machine: {}, or a machine file",
                          fmt::join(mesh::machines_with(mesh::Capability::message_buffers), ", ")))
      .with_default_in_help();
  options->common.add_settings_to(command, CommonOptions::Values::one);
  command.option("--format", options->common.format, "table, csv, json, markdown or latex")
      .with_default_in_help();
  command.option("--cores", options->cores, "number of cores")
      .between(2, static_cast<int>(most_program_cores))
      .with_default_in_help();
  command.option("--bytes", options->bytes, "length of the message")
      .between(1, 1 << 30)
      .with_default_in_help();
  const Option tries =
      command.option("--tries", options->tries, "schedules to simulate at least").between(1, 1 << 30);
  command.option("--minutes", options->minutes, "host time to spend; the tries done in it are printed")
      .between(1, 1 << 20)
      .excludes(tries);
  command.option("--seed", options->seed, "of the search; with equal tries it finds the same")
      .between(0, 1000000)
      .with_default_in_help();
  command
      .option(
          "--payload", options->payload,
          "moved, or none: tries do not move their data, which finds the same schedules with less host time; "
          "the best one's data are compared at the end")
      .one_of({"moved", "none"})
      .with_default_in_help();
  command.option("--against", options->against, "algorithms to compare with (default: the best by hand)");
  options->common.add_sweep_to(command, &options->jobs);
  command.option("-o,--output", options->schedule_file, "file for the best schedule (default: none)")
      .writable();
  command.when_chosen([options, &status] { status = run_search(*options); });
}

} // namespace rccebench
