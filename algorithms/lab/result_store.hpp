// SPDX-License-Identifier: Apache-2.0
// Results of sweeps that outlive the process: in a file that a later run resumes from or that is merged with
// others, and in a cache. Also which points this process computes, where several share a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace lab {

/// One part of a sweep: of all points, sorted by key, the one at `number` and every `of`-th after it.
struct Shard {
  std::size_t number = 1, of = 1; ///< number is 1..of
};

/// The contents of a file of results.
struct StoredResults {
  std::vector<std::string> command; ///< words of the command that asked for them, without its outputs
  int model_revision = 0;
  std::map<std::string, nlohmann::json> results; ///< by the key of their point
};

/// Reads the JSON file and the file with ".part" behind its name, which a run that is under way or was killed
/// leaves. Throws mesh::UserError if neither is there, or the file holds no results.
[[nodiscard]] StoredResults read_results(const std::string& file);

/// Reports that rest on all points throw it where some have no result: the sweep has been interrupted, or is
/// one of several shards.
class Unfinished : public std::runtime_error {
 public:
  Unfinished() : Unfinished("interrupted before any result was complete; nothing is written") {}
  explicit Unfinished(const char* what) : runtime_error(what) {}
};

struct StoreOptions {
  std::vector<std::string> command; ///< as StoredResults has it
  Shard shard;
  std::string file;                     ///< that results are written to; empty: none
  bool resumes = false;                 ///< true if results in `file` are not computed again
  std::string cache;                    ///< folder; empty: none
  std::uintmax_t cache_bytes = 1 << 30; ///< the oldest entries go first
};

class ResultStore {
 public:
  ResultStore() = default;
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;
  ~ResultStore();

  /// Throws mesh::UserError where a file or folder cannot be used or its results are of another revision of
  /// the model.
  void open(StoreOptions options);
  /// Holds these results, and computes others only if `computes`.
  void open(std::map<std::string, nlohmann::json> results, bool computes);
  /// Otherwise nothing else of it has to be called.
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  [[nodiscard]] bool is_shard() const noexcept { return options_.shard.of > 1; }
  [[nodiscard]] bool computes() const noexcept { return computes_; }
  [[nodiscard]] const std::string& file() const noexcept { return options_.file; }

  /// Hands over the results that are there, by their place. `accept` throws nlohmann::json::exception for
  /// what is no result; such a point is computed again, with a warning. Returns the places that this process
  /// has to compute. An empty key is never stored. `derived`
  /// as stored_sweep() has it.
  std::vector<std::size_t> look_up(const std::vector<std::string>& keys,
                                   const std::function<void(std::size_t, const nlohmann::json&)>& accept,
                                   bool derived);
  /// Keeps it at once: a process that is killed afterwards has not lost it.
  void add(const std::string& key, nlohmann::json result);
  /// Points that have been asked for, and have no result because others compute them.
  [[nodiscard]] const std::set<std::string>& left_out() const noexcept { return left_out_; }

  /// Writes the file: the members of `report`, of which nothing is left but the title where it is null, then
  /// all results as the member "sweep". Nothing where there is no file. Also shrinks the cache. Throws
  /// mesh::UserError.
  void close(nlohmann::ordered_json report);

 private:
  void read_own_file();
  void open_journal();
  [[nodiscard]] nlohmann::json cached(const std::string& key) const;
  void add_to_cache(const std::string& key, const nlohmann::json& result);
  void shrink_cache() const;

  bool open_ = false, computes_ = true, cache_grows_ = false;
  StoreOptions options_;
  std::map<std::string, nlohmann::json> results_;
  std::set<std::string> left_out_;
  std::size_t dealt_ = 0; ///< points that have been given to one shard or another
  int journal_ = -1;      ///< descriptor of the file with ".part" behind its name
};

/// The one of this process.
[[nodiscard]] ResultStore& result_store();

/// True if every point asked for so far has its result: Ctrl-C has not come, and no points are left to
/// others.
[[nodiscard]] bool is_whole();
/// Throws Unfinished where it is not.
void require_whole();

} // namespace lab
