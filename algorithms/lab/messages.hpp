// SPDX-License-Identifier: Apache-2.0
// Algorithms on messages and message buffers: a program of the library's, run on the simulated cores
// (apps/rccebench/programs/collective.c). It describes its table of algorithms by itself, so that an
// algorithm more is nothing that has to be known here.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lab/backend.hpp"
#include "lab/program.hpp"

namespace lab {

/// Limits of the programs for large meshes (apps/rccebench/CMakeLists.txt): the first number of cores is with
/// the chip's MPBs, the second with MPBs that hold two flags for each core.
inline constexpr std::int64_t cores_of_small_buffers = 2048, most_program_cores = 10000;
inline constexpr std::int64_t large_buffer_bytes = 32768;

/// One per process and set of files.
class Messages final : public Backend {
 public:
  /// As backend_of().
  [[nodiscard]] static std::shared_ptr<const Messages> with(const std::vector<std::string>& files,
                                                            Generation generation);
  [[nodiscard]] static std::shared_ptr<const Messages> standard() { return with({}, Generation::rcce20); }

  [[nodiscard]] std::string_view name() const override { return "messages"; }
  [[nodiscard]] bool takes_files_for(World world) const override { return world == World::messages; }
  /// An operation that finds its buffer read takes as long the first time as every other. A reduction has
  /// memory of its own, which is not in the caches the first time.
  [[nodiscard]] int usual_warm_up(const Point& point) const override;
  [[nodiscard]] double weight(const Point& point) const override;
  [[nodiscard]] std::string misfit(const Point& point) const override;
  [[nodiscard]] Result measure(const Point& point) const override { return measure(point, {}); }
  [[nodiscard]] Verdict check(const Point& point) const override;
  /// `watch` as rcce::RecordOptions has it.
  [[nodiscard]] Result
  measure(const Point& point,
          const std::function<std::vector<mesh::Observer*>(mesh::Observers&)>& watch) const;
  /// The same run with what it records: matrix, path and profile of the repetition of that number alone, from
  /// the common release until each rank is done.
  [[nodiscard]] Output recorded(const Point& point, const rcce::Records& records, int repetition) const;
  [[nodiscard]] std::string unrecorded(const Point& /*point*/, std::string_view /*option*/) const override {
    return {};
  }
  void record(const Point& point, const rcce::Records& records, int repetition) const override {
    write_recordings(recorded(point, records, repetition));
  }
  [[nodiscard]] Limit limit(const Point& point) const override { return limit_on_messages(point); }
  [[nodiscard]] nlohmann::ordered_json figures(const Point& point, int repetition) const override;
  [[nodiscard]] std::map<std::int64_t, Choice>
  automatic(const Point& like, const std::vector<std::int64_t>& sizes) const override;

 private:
  /// For a row of the user's whose sums are rounded: more repetitions, in which the ranks of an allreduce
  /// must get the same bits; so must all repetitions if the row claims a fixed order of operands.
  void compare_orders(const Point& what, Result& timing) const;
  /// For a row of the user's whose payload has not been moved: throws mesh::UserError if a short message
  /// takes another time without its payload.
  void compare_without_payload(const Point& what) const;
  Messages(const std::vector<std::string>& files, Generation generation);
  /// The program for so many cores. Throws mesh::UserError if files of the user's do not compile for as many,
  /// and for more than the chip's with RCCE 1.0.
  [[nodiscard]] Run program(const Machine& machine, Generation generation, int cores) const;
  [[nodiscard]] Run program(const Point& point) const;

  std::vector<std::string> files_;
  // Where there are files: of the one generation asked for, and for larger meshes once that is asked for.
  std::filesystem::path image_;
  mutable std::filesystem::path large_image_;
  mutable std::mutex large_mutex_;
};

/// The backend of a point on messages. Throws mesh::UserError, which names `what` as impossible, for others.
[[nodiscard]] const Messages& messages_of(const Point& point, const std::string& what);

} // namespace lab
