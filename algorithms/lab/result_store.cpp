// SPDX-License-Identifier: Apache-2.0
#include "lab/result_store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

#include "lab/identity.hpp"
#include "lab/sweep.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "rcce_emu/version.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t disk_block_bytes = 4096; ///< of usual file systems: what a small file takes at least

fs::path journal_of(const std::string& file) {
  return file + ".part";
}

std::optional<std::string> contents_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

Json head_of(const StoreOptions& options) {
  return {{"command", options.command},
          {"release", rcce::version},
          {"model_revision", rcce::model_revision},
          {"shard", fmt::format("{}/{}", options.shard.number, options.shard.of)}};
}

void read_head(const Json& head, StoredResults& to) {
  to.command = head.at("command").get<std::vector<std::string>>();
  to.model_revision = head.at("model_revision").get<int>();
}

/// Lines that a kill has cut off are left out: their points are computed again.
void read_journal(const std::string& text, StoredResults& to) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(at),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    at = end + 1;
    if (!line.is_object()) continue;
    if (line.contains("command") && line.contains("model_revision"))
      read_head(line, to);
    else if (line.size() == 1)
      to.results[line.begin().key()] = line.begin().value();
  }
}

void read_document(const std::string& file, const std::string& text, StoredResults& to) {
  try {
    const Json sweep = Json::parse(text).at("sweep");
    read_head(sweep, to);
    for (const auto& [key, result] : sweep.at("results").items()) to.results[key] = result;
  } catch (const Json::exception& error) {
    throw mesh::UserError(fmt::format("'{}': holds no results of a sweep ({}); such files are written by "
                                      "--shard with --format json -o FILE, and by --resume FILE",
                                      file, error.what()));
  }
}

/// Threads of one process and processes of one folder may write the same entry at once.
void write_entry(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  mesh::write_output("--cache", file.string(), text);
}

void warn(const std::string& what) {
  std::fprintf(stderr, "rccebench: %s\n", what.c_str());
}

} // namespace

StoredResults read_results(const std::string& file) {
  StoredResults all;
  const auto document = contents_of(file), journal = contents_of(journal_of(file));
  if (!document && !journal) throw mesh::UserError(fmt::format("'{}': there is no such file", file));
  if (document && !document->empty()) read_document(file, *document, all);
  try {
    if (journal) read_journal(*journal, all);
  } catch (const Json::exception& error) {
    throw mesh::UserError(
        fmt::format("'{}' is damaged ({}); remove it", journal_of(file).string(), error.what()));
  }
  return all;
}

/// Of a command that has failed: its results stay, for --resume.
ResultStore::~ResultStore() {
  if (journal_ >= 0 && results_.empty()) ::unlink(journal_of(options_.file).c_str());
}

void ResultStore::open(StoreOptions options) {
  options_ = std::move(options);
  if (!options_.file.empty()) {
    std::error_code none;
    const fs::path file = options_.file;
    if (fs::exists(file, none) && !fs::is_regular_file(file, none))
      throw mesh::UserError(fmt::format(
          "'{}' is not a regular file; name a file, beside which results can be kept", options_.file));
    open_journal();
  }
  open_ = true;
}

void ResultStore::open(std::map<std::string, Json> results, bool computes) {
  results_ = std::move(results);
  computes_ = computes;
  open_ = true;
}

void ResultStore::open_journal() {
  const std::string name = journal_of(options_.file).string();
  journal_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal_ < 0) mesh::throw_unwritten("results in", name, errno);
  if (flock(journal_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw mesh::UserError(
        fmt::format("'{}': another run is writing it; wait for that run, or name another file", name));
  if (options_.resumes)
    read_own_file();
  else if (ftruncate(journal_, 0) != 0)
    mesh::throw_unwritten("results in", name, errno);
  // A line that a kill has cut off ends here.
  if (const int error = mesh::write_whole(journal_, "\n" + head_of(options_).dump() + "\n"); error != 0)
    mesh::throw_unwritten("results in", name, error);
}

void ResultStore::read_own_file() {
  StoredResults there = read_results(options_.file); // the journal is there, if empty
  if (!there.results.empty() && there.model_revision != rcce::model_revision)
    throw mesh::UserError(fmt::format("--resume '{}': its results are of model revision {}, and this is {}; "
                                      "name another file to compute all anew",
                                      options_.file, there.model_revision, rcce::model_revision));
  results_ = std::move(there.results);
}

std::vector<std::size_t> ResultStore::look_up(const std::vector<std::string>& keys,
                                              const std::function<void(std::size_t, const Json&)>& accept,
                                              bool derived) {
  const std::set<std::string> sorted(keys.begin(), keys.end());
  std::map<std::string_view, bool> own;
  for (const std::string& key : sorted)
    if (!key.empty()) own[key] = dealt_++ % options_.shard.of == options_.shard.number - 1;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string& key = keys[i];
    if (key.empty()) {
      missing.push_back(i);
      continue;
    }
    if (!own.at(key)) {
      left_out_.insert(key);
      continue;
    }
    const auto known = results_.find(key);
    const Json result = known != results_.end() ? known->second : cached(key);
    try {
      if (!result.is_null()) {
        accept(i, result);
        results_[key] = result;
        continue;
      }
    } catch (const Json::exception& error) {
      warn(fmt::format("the stored result of {} is damaged, and is computed again: {}", key, error.what()));
    }
    if (computes_ || derived)
      missing.push_back(i);
    else
      left_out_.insert(key);
  }
  return missing;
}

void ResultStore::add(const std::string& key, Json result) {
  if (key.empty()) return;
  if (journal_ >= 0) {
    const std::string line = Json{{key, result}}.dump() + '\n';
    if (const int error = mesh::write_whole(journal_, line); error != 0)
      mesh::throw_unwritten("results in", journal_of(options_.file).string(), error);
  }
  if (!options_.cache.empty()) add_to_cache(key, result);
  results_[key] = std::move(result);
}

void ResultStore::close(nlohmann::ordered_json report) {
  shrink_cache();
  if (journal_ < 0) return;
  if (report.is_null())
    report["title"] = fmt::format("rccebench {} {}", options_.command.front(), rcce::version_text);
  std::string text = report.dump(2, ' ', false, Json::error_handler_t::replace);
  text.erase(text.find_last_of('}'));
  text.erase(text.find_last_not_of(" \n") + 1);
  std::string head = head_of(options_).dump();
  head.pop_back();
  text += fmt::format(",\n  \"sweep\": {},\"results\": {{", head);
  const char* separator = "\n    ";
  for (const auto& [key, result] : results_) {
    text += fmt::format("{}{}: {}", separator, Json(key).dump(), result.dump());
    separator = ",\n    ";
  }
  text += "\n  }}\n}\n";
  mesh::write_output("results in", options_.file, text);
  ::unlink(journal_of(options_.file).c_str());
  ::close(std::exchange(journal_, -1));
}

// --- the cache: a file for each result, in folders by the beginning of its name

namespace {

fs::path entry_of(const std::string& cache, const std::string& key) {
  const std::string name = digest_of(key);
  return fs::path(cache) / name.substr(0, 2) / (name + ".json");
}

} // namespace

Json ResultStore::cached(const std::string& key) const {
  if (options_.cache.empty()) return nullptr;
  const fs::path file = entry_of(options_.cache, key);
  const auto text = contents_of(file);
  if (!text) return nullptr;
  const Json entry = Json::parse(*text, nullptr, false);
  if (!entry.is_object() || entry.value("key", Json()) != key || !entry.contains("result")) {
    warn(fmt::format("--cache: '{}' is damaged; its point is computed again", file.string()));
    return nullptr;
  }
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored); // what is used is kept longest
  return entry.at("result");
}

void ResultStore::add_to_cache(const std::string& key, const Json& result) {
  try {
    write_entry(entry_of(options_.cache, key), Json{{"key", key}, {"result", result}}.dump() + '\n');
    cache_grows_ = true;
  } catch (const std::exception& error) {
    warn(fmt::format("{}; the cache is left as it is", error.what()));
    options_.cache.clear();
  }
}

void ResultStore::shrink_cache() const {
  if (!cache_grows_ || options_.cache.empty()) return;
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path file;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code gone; // other processes shrink it too
  for (fs::recursive_directory_iterator at(options_.cache, gone), end; !gone && at != end;
       at.increment(gone)) {
    if (!at->is_regular_file(gone) || at->path().extension() != ".json") continue;
    const auto bytes = (at->file_size(gone) + disk_block_bytes - 1) / disk_block_bytes * disk_block_bytes;
    entries.push_back({at->last_write_time(gone), bytes, at->path()});
    total += bytes;
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& one : entries) {
    if (total <= options_.cache_bytes) break;
    fs::remove(one.file, gone);
    total -= one.bytes;
  }
}

ResultStore& result_store() {
  static ResultStore store;
  return store;
}

bool is_whole() {
  return interrupted_status() == 0 && result_store().left_out().empty();
}

void require_whole() {
  if (!is_whole()) throw Unfinished();
}

} // namespace lab
