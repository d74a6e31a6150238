// SPDX-License-Identifier: Apache-2.0
// rccebench merge: the files of all shards of a sweep as the file of one run. The command that they are of is
// run once more, and finds the results of all its points.
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/commands.hpp"
#include "lab.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench {
namespace {

constexpr std::size_t most_named = 20; ///< points in one list of messages

struct MergeOptions {
  std::vector<std::string> files;
  std::string file;
  bool fill = false;
};

void complain(const std::string& what) {
  std::fprintf(stderr, "rccebench merge: %s\n", what.c_str());
}

void complain_of(const std::vector<std::string>& points) {
  for (std::size_t i = 0; i < std::min(points.size(), most_named); ++i) complain(points[i]);
  if (points.size() > most_named) complain(fmt::format("... {} more", points.size() - most_named));
}

/// The point alone, without machine, programs and revision.
std::string point_in(const std::string& key) {
  return key.substr(0, key.find(" machine="));
}
std::string part_in(const std::string& key, const std::string& name) {
  const std::size_t at = key.find(" " + name + "=");
  return at == std::string::npos ? "" : key.substr(at, key.find(' ', at + 1) - at);
}

/// All results of files that belong together.
class Merged {
 public:
  explicit Merged(const std::vector<std::string>& files) {
    for (const std::string& file : files) add(file);
    complain_of(doubled_);
  }

  [[nodiscard]] bool fits() const { return fits_ && doubled_.empty(); }
  [[nodiscard]] const std::vector<std::string>& command() const { return command_; }
  /// Once.
  [[nodiscard]] std::map<std::string, nlohmann::json> take_results() { return std::move(results_); }

  /// Why a point has no result: "missing", or what there is in its place.
  [[nodiscard]] std::string why_missing(const std::string& key) const {
    const std::string point = point_in(key);
    const auto near = files_.lower_bound(point + " machine=");
    if (near == files_.end() || point_in(near->first) != point) return "missing";
    const bool machine = part_in(near->first, "machine") != part_in(key, "machine");
    return fmt::format("only there with {}, in '{}'",
                       machine ? "another machine" : "another build of rccebench or of --with", near->second);
  }

 private:
  void add(const std::string& file) {
    lab::StoredResults one = lab::read_results(file);
    if (one.command.empty()) {
      complain(fmt::format("'{}': is empty, so its shard has not ended; compute it again", file));
      fits_ = false;
      return;
    }
    if (one.model_revision != rcce::model_revision) {
      complain(fmt::format("'{}': is of model revision {}, and this rccebench has {}; merge it by that one",
                           file, one.model_revision, rcce::model_revision));
      fits_ = false;
      return;
    }
    if (command_.empty()) command_ = one.command, first_ = file;
    if (one.command != command_) {
      complain(fmt::format("'{}': is of another command, '{}'; '{}' is of '{}'", file,
                           fmt::join(one.command, " "), first_, fmt::join(command_, " ")));
      fits_ = false;
      return;
    }
    for (auto& [key, result] : one.results) {
      const auto [at, fresh] = files_.emplace(key, file);
      if (!fresh)
        doubled_.push_back(
            fmt::format("point {}: it is in '{}' and again in '{}'; leave one of the two files out",
                        point_in(key), at->second, file));
      results_[key] = std::move(result);
    }
  }

  bool fits_ = true;
  std::string first_;
  std::vector<std::string> command_, doubled_;
  std::map<std::string, nlohmann::json> results_;
  std::map<std::string, std::string> files_; ///< by the same keys
};

/// The command line of one run.
Status run_whole(std::vector<std::string> words, const MergeOptions& options) {
  // Commands that write nothing but JSON have no such option.
  if (words.front() != "points" && words.front() != "quantities") words.emplace_back("--format=json");
  if (!options.file.empty()) words.push_back("--output=" + options.file);
  words.insert(words.begin(), "rccebench");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  CommandLine line("rccebench", "", "");
  Status status = 0;
  add_commands(line, status);
  return line.parse(static_cast<int>(arguments.size()), arguments.data()).value_or(status);
}

Status run_merge(const MergeOptions& options) {
  Merged merged(options.files);
  if (!merged.fits()) return 1;
  lab::ResultStore& store = result_store();
  store.open(merged.take_results(), options.fill);
  try {
    return run_whole(merged.command(), options);
  } catch (const Unfinished&) {
    if (interrupted_status() != 0) throw;
  }
  std::vector<std::string> missing;
  for (const std::string& key : store.left_out())
    missing.push_back(fmt::format("point {}: {}", point_in(key), merged.why_missing(key)));
  complain_of(missing);
  complain(fmt::format("{} missing and nothing is written; give the files of all shards, or let "
                       "--fill compute what is missing",
                       mesh::counted(missing.size(), "point") + (missing.size() == 1 ? " is" : " are")));
  return 1;
}

} // namespace

void add_merge(CommandLine& line, Status& status) {
  auto options = std::make_shared<MergeOptions>();
  Command command = line.add_command(
      "merge", "joins the JSON files of all shards of a sweep into the file of a single run");
  command.words("files", options->files, "files of one command that --shard or --resume have written");
  command.option("-o,--output", options->file, "write to this file instead of standard output").writable();
  command.flag("--fill", options->fill, "compute the points that no file has");
  command.when_chosen([options, &status] {
    if (options->files.empty())
      throw mesh::UserError("merge: no file is named; name those of all shards, as part-*.json");
    status = run_merge(*options);
  });
}

} // namespace rccebench
