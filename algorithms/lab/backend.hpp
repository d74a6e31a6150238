// SPDX-License-Identifier: Apache-2.0
// What runs algorithms on one sort of machine: by messages, in shared memory, on network cards, on this host.
// Commands ask for rows and run points, and know none of these by name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/check.hpp"
#include "lab/limits.hpp"
#include "lab/own_files.hpp"
#include "lab/point.hpp"
#include "rcce_emu/record_options.hpp"

namespace lab {

class Backend {
 public:
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// The world of its algorithms: "messages", "shared memory", "host".
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The word for its ranks, for people.
  [[nodiscard]] virtual std::string_view ranks() const { return "cores"; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// Throws std::logic_error where there is none of that name.
  [[nodiscard]] const Row& row(std::string_view name) const;
  /// The rows of an operation, in the table's order.
  [[nodiscard]] std::vector<const Row*> rows_of(std::string_view operation) const;
  [[nodiscard]] std::vector<std::string_view> names_of(std::string_view operation) const;

  /// True if it runs rows of such files (own_files.hpp).
  [[nodiscard]] virtual bool takes_files_for(World world) const = 0;
  /// Ranks that a point can have on this machine at most.
  [[nodiscard]] virtual int most_ranks(const Machine& machine) const { return machine.config.cores(); }
  /// Ranks that sweeps take where nobody says how many.
  [[nodiscard]] virtual std::vector<std::int64_t> usual_ranks(const Machine& machine) const;
  /// Why the point cannot be run, and what would do; empty where it can be.
  [[nodiscard]] virtual std::string misfit(const Point& point) const;
  /// The point's options with those that are chosen for the machine.
  [[nodiscard]] virtual std::map<std::string, std::string> settled(const Point& point) const {
    return point.options;
  }
  /// Bytes of a message that sweeps take where nobody says how many; empty: what the command takes.
  [[nodiscard]] virtual std::string_view usual_sizes() const { return {}; }
  /// Repetitions before the timed ones and timed ones, where nobody says how many.
  [[nodiscard]] virtual int usual_warm_up(const Point& point) const;
  [[nodiscard]] virtual int usual_repetitions(const Point& /*point*/) const { return 1; }
  /// A guess of the host time, for the order of a sweep.
  [[nodiscard]] virtual double weight(const Point& point) const = 0;
  /// Checks the point's algorithm (check.hpp) and then times it, unless something is wrong with it. Throws
  /// mesh::UserError.
  [[nodiscard]] Result run(const Point& point) const;
  /// Without the check. Throws mesh::UserError.
  [[nodiscard]] virtual Result measure(const Point& point) const = 0;
  /// Makes the check of the point's algorithm, which checked() asks for; of Point::bytes only those of the
  /// user's depend.
  [[nodiscard]] virtual Verdict check(const Point& point) const = 0;
  /// True if checks of the user's algorithms have to be made while no other thread runs (isolated.hpp).
  [[nodiscard]] virtual bool checks_alone() const { return false; }
  /// True if points have to run alone, and points that are compared with each other in turns: run_in_turns().
  [[nodiscard]] virtual bool takes_turns() const { return false; }
  /// As run(). Fewer results where `goes_on` has said no.
  [[nodiscard]] virtual std::vector<Result> run_in_turns(std::span<const Point> points,
                                                         const std::function<bool()>& goes_on) const;

  /// The choice of `auto` on such a machine and number of ranks, by size; nothing for a size without a
  /// choice.
  [[nodiscard]] virtual std::map<std::int64_t, Choice>
  automatic(const Point& like, const std::vector<std::int64_t>& sizes) const;
  /// The time that no algorithm can undercut at the point; without terms if none is known.
  [[nodiscard]] virtual Limit limit(const Point& /*point*/) const { return {}; }
  /// Why the point cannot be recorded by that option of rccerun (rcce_emu/recordings.hpp), and what would do;
  /// empty where it can be.
  [[nodiscard]] virtual std::string unrecorded(const Point& point, std::string_view option) const;
  /// Runs the point once more with such recordings of that repetition, and writes them. Throws
  /// mesh::UserError, also where a file cannot be written.
  virtual void record(const Point& point, const rcce::Records& records, int repetition) const;
  /// The figures of an HTML report that show that repetition: die, each core's time, who sends data to whom.
  [[nodiscard]] virtual nlohmann::ordered_json figures(const Point& point, int repetition) const;

 protected:
  Backend() = default;
  /// The misfit() of a point whose payload is not moved, on a machine that needs it.
  [[nodiscard]] static std::string misfit_of_payload(const Point& point);
  std::vector<Row> rows_;
};

/// The back end of a machine. From `files`, C or C++ sources with rows, it takes those for such machines
/// (own_files.hpp) and compiles them at once, for that generation of RCCE. Throws mesh::UserError if one does
/// not compile or has no row. A second call for the same costs nothing.
[[nodiscard]] std::shared_ptr<const Backend> backend_of(const Machine& machine,
                                                        const std::vector<std::string>& files = {},
                                                        Generation generation = Generation::rcce20);

/// Those of simulated machines.
[[nodiscard]] std::vector<std::shared_ptr<const Backend>> backends();

/// Measures all, in the order asked for: simulations side by side, then what has to run alone; empty where
/// Ctrl-C came first, and in a shard for the points of the others (result_store.hpp).
[[nodiscard]] std::vector<std::optional<Result>> measure_all(const std::vector<Point>& points,
                                                             unsigned threads);

} // namespace lab
