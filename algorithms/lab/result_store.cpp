// SPDX-License-Identifier: Apache-2.0
#include "lab/result_store.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "lab/identity.hpp"
#include "lab/json_text.hpp"
#include "lab/sweep.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/printable.hpp"
#include "mesh_sim/text_file.hpp"
#include "rcce_emu/version.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Block of usual file systems: the least space of a small file.
constexpr std::uintmax_t disk_block_bytes = 4096;

fs::path journal_of(const std::string& file) {
  return file + ".part";
}

/// The contents of the file of that name: a link is followed to a file that the user names, never to one of
/// our own. Nothing if there is none. Throws mesh::UserError if it is no regular file, or larger than any
/// file of results.
enum class Links : bool { followed, refused };
std::optional<std::string> contents_of(const fs::path& file, Links links) {
  const int fd =
      ::open(file.c_str(),
             O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::refused ? O_NOFOLLOW : 0));
  if (fd < 0 && errno != ELOOP) return std::nullopt;
  struct stat there {};
  const bool regular = fd >= 0 && fstat(fd, &there) == 0 && S_ISREG(there.st_mode);
  if (fd >= 0) ::close(fd);
  if (!regular)
    throw mesh::UserError(fmt::format(
        "'{}' is not a regular file; name a file, beside which results can be kept", file.string()));
  constexpr std::size_t largest_bytes = std::size_t{256} << 20;
  return mesh::read_text_file(file.string(), largest_bytes);
}

// What a result is stored with: a digest of its point and of itself, by which damage shows.
std::string digest_of_result(const std::string& key, const Json& result) {
  return digest_of(key + '\n' + result.dump());
}

Json sealed(const std::string& key, const Json& result) {
  return {{"hash", digest_of_result(key, result)}, {"result", result}};
}

/// Null where it is damaged.
Json unsealed(const std::string& key, const Json& stored) {
  const auto result = stored.is_object() ? stored.find("result") : stored.end();
  if (result == stored.end() || stored.value("hash", Json()) != digest_of_result(key, *result))
    return nullptr;
  return *result;
}

void warn(const std::string& what) {
  std::fprintf(stderr, "rccebench: %s\n", mesh::printable(what, std::array{std::string_view()}).c_str());
}

/// Keeps what is whole, and counts the rest.
class Unsealed {
 public:
  Unsealed(std::string file, StoredResults& to) : file_(std::move(file)), to_(to) {}
  void add(const std::string& key, const Json& stored) {
    if (Json result = unsealed(key, stored); !result.is_null())
      to_.results[key] = std::move(result);
    else if (damaged_++ == 0)
      first_ = key;
  }
  /// Those are missing from then on, and computed again where points are computed.
  void tell() const {
    if (damaged_ > 0)
      warn(fmt::format("'{}': {} damaged; they do not count; the first is of {}", file_,
                       damaged_ == 1 ? "1 result is" : fmt::format("{} results are", damaged_), first_));
  }

 private:
  std::string file_, first_;
  StoredResults& to_;
  std::size_t damaged_ = 0;
};

Json head_of(const StoreOptions& options) {
  return {{"command", options.command},
          {"release", rcce::version},
          {"model_revision", rcce::model_revision},
          {"shard", fmt::format("{}/{}", options.shard.number, options.shard.of)}};
}

void read_head(const Json& head, StoredResults& to) {
  to.command = head.at("command").get<std::vector<std::string>>();
  to.model_revision = head.at("model_revision").get<int>();
  if (to.command.empty()) (void)head.at("command").at(0); // throws
}

Json json_or_null(std::string_view text) {
  try {
    return read_json(text);
  } catch (const mesh::UserError&) {
    return nullptr;
  }
}

/// A line that a kill has cut off is left out in silence: its point is computed again.
void read_journal(const std::string& file, const std::string& text, StoredResults& to) {
  Unsealed results(file, to);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view written = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const Json line = json_or_null(written);
    if (!line.is_object()) continue;
    if (line.contains("command") && line.contains("model_revision"))
      read_head(line, to);
    else if (line.size() == 1)
      results.add(line.begin().key(), line.begin().value());
  }
  results.tell();
}

void read_document(const std::string& file, const std::string& text, StoredResults& to) {
  const auto refuse = [&](std::string_view why) {
    throw mesh::UserError(fmt::format("'{}': holds no results of a sweep: it {}; such files are written by "
                                      "--shard with --format json -o FILE, and by --resume FILE",
                                      file, why));
  };
  try {
    const Json document = read_json(text);
    if (!document.is_object() || !document.contains("sweep")) refuse("has no member \"sweep\"");
    const Json& sweep = document.at("sweep");
    read_head(sweep, to);
    Unsealed results(file, to);
    for (const auto& [key, stored] : sweep.at("results").items()) results.add(key, stored);
    results.tell();
  } catch (const Json::exception&) {
    refuse("is damaged at \"sweep\"");
  } catch (const mesh::UserError& error) {
    if (error.what()[0] == '\'') throw;
    refuse(error.what());
  }
}

/// Threads of one process and processes of one folder may write the same entry at once.
void write_entry(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) mesh::throw_unwritten("--cache", file.string(), error.value());
  mesh::replace_output("--cache", file.string(), text);
}

} // namespace

StoredResults read_results(const std::string& file) {
  StoredResults all;
  const auto document = contents_of(file, Links::followed),
             journal = contents_of(journal_of(file), Links::refused);
  if (!document && !journal) throw mesh::UserError(fmt::format("'{}': there is no such file", file));
  if (document && !document->empty()) read_document(file, *document, all);
  try {
    if (journal) read_journal(journal_of(file).string(), *journal, all);
  } catch (const Json::exception&) {
    throw mesh::UserError(
        fmt::format("'{}' is damaged where it names its command; remove it", journal_of(file).string()));
  }
  return all;
}

/// Keeps the results of a command that has failed, for --resume.
ResultStore::~ResultStore() {
  if (journal_ >= 0 && results_.empty()) ::unlink(journal_of(options_.file).c_str());
}

void ResultStore::open(StoreOptions options) {
  options_ = std::move(options);
  if (!options_.file.empty()) {
    std::error_code none;
    const fs::path file = options_.file;
    const fs::file_status there = fs::symlink_status(file, none);
    if (fs::exists(there) && !fs::is_regular_file(there))
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
  journal_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (struct stat there{}; journal_ >= 0 && (fstat(journal_, &there) != 0 || !S_ISREG(there.st_mode))) {
    ::close(std::exchange(journal_, -1));
    errno = ELOOP;
  }
  if (journal_ < 0 && errno == ELOOP)
    throw mesh::UserError(
        fmt::format("'{}' is not a regular file; remove it, or name another file for the results", name));
  if (journal_ < 0) mesh::throw_unwritten("results in", name, errno);
  if (flock(journal_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(std::exchange(journal_, -1)); // it is the other run's: nobody here removes it
    throw mesh::UserError(
        fmt::format("'{}': another run is writing it; wait for that run, or name another file", name));
  }
  if (options_.resumes) try {
      read_own_file();
    } catch (...) {
      // What a killed run has left stays, if not for this run.
      if (struct stat there{}; fstat(journal_, &there) == 0 && there.st_size > 0)
        ::close(std::exchange(journal_, -1));
      throw;
    }
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
    } catch (const Json::exception&) {
      warn(fmt::format("the stored result of {} is damaged, and is computed again", key));
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
    const std::string line = Json{{key, sealed(key, result)}}.dump() + '\n';
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
    text += fmt::format("{}{}: {}", separator, Json(key).dump(), sealed(key, result).dump());
    separator = ",\n    ";
  }
  text += "\n  }}\n}\n";
  mesh::replace_output("results in", options_.file, text);
  ::unlink(journal_of(options_.file).c_str());
  ::close(std::exchange(journal_, -1));
}

// --- the cache: a file for each result, in folders by the beginning of its name

namespace {

fs::path entry_named(const std::string& cache, const std::string& name) {
  return fs::path(cache) / name.substr(0, 2) / (name + ".json");
}

fs::path entry_of(const std::string& cache, const std::string& key) {
  return entry_named(cache, digest_of(key));
}

/// False of the user's own files in that folder.
bool is_entry(const std::string& cache, const fs::path& file) {
  const std::string name = file.stem().string();
  return name.size() == digest_of("").size() && file == entry_named(cache, name);
}

} // namespace

Json ResultStore::cached(const std::string& key) const {
  if (options_.cache.empty()) return nullptr;
  const fs::path file = entry_of(options_.cache, key);
  Json result;
  try {
    const auto text = contents_of(file, Links::refused);
    if (!text) return nullptr;
    result = unsealed(key, json_or_null(*text));
  } catch (const mesh::UserError&) {
    result = nullptr; // no regular file
  }
  if (result.is_null()) {
    warn(fmt::format("--cache: '{}' is damaged; its point is computed again", file.string()));
    return nullptr;
  }
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored); // what is used is kept longest
  return result;
}

void ResultStore::add_to_cache(const std::string& key, const Json& result) {
  try {
    Json entry = sealed(key, result);
    entry["key"] = key; // for people
    write_entry(entry_of(options_.cache, key), entry.dump() + '\n');
    cache_grows_ = true;
  } catch (const mesh::UserError& error) {
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
    if (!at->is_regular_file(gone) || !is_entry(options_.cache, at->path())) continue;
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
