// SPDX-License-Identifier: Apache-2.0
#include "variant.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

#include "object_records.hpp"
#include "rcce_emu/instruction_costs.hpp"

namespace rcce::compiler {
namespace {

/// The value behind "key=" in a record; empty if it is not there.
std::string_view field(std::string_view record, std::string_view key) {
  std::size_t start = 0;
  while (start < record.size()) {
    const std::size_t end = std::min(record.find(' ', start), record.size());
    const std::string_view word = record.substr(start, end - start);
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
      return word.substr(key.size() + 1);
    start = end + 1;
  }
  return {};
}

std::string name_of(std::string_view key, std::string_view value) {
  if (key == "gory")
    return value == "1" ? "the gory interface (-DGORY)" : "the simplified interface (without -DGORY)";
  if (key == "smallflags")
    return value == "1" ? "single-bit flags (-DSINGLEBITFLAGS)" : "big flags (without -DSINGLEBITFLAGS)";
  if (key == "generation") return value == "10" ? "RCCE 1.0 (--rcce 1.0)" : "RCCE 2.0 (--rcce 2.0)";
  if (key == "rwth") return value == "1" ? "RWTH's RCCE (--rwth)" : "Intel's RCCE (without --rwth)";
  if (key == "ircce") return value == "10" ? "iRCCE 1.x (--ircce 1.x)" : "iRCCE 2.0 (--ircce 2.0)";
  return "RCCE_MAXNP=" + std::string(value);
}

/// The value all records agree on; empty if none has one.
std::string agreed(std::span<const ObjectRecord> records, std::string_view key) {
  const ObjectRecord* first = nullptr;
  for (const ObjectRecord& record : records) {
    const std::string_view value = field(record.text, key);
    if (value.empty()) continue;
    if (first == nullptr) first = &record;
    const std::string_view before = field(first->text, key);
    if (value == before) continue;
    throw std::runtime_error("'" + first->file + "' is compiled for " + name_of(key, before) + ", '" +
                             record.file + "' for " + name_of(key, value) +
                             ": one program takes one of them; compile all alike");
  }
  return first != nullptr ? std::string(field(first->text, key)) : std::string();
}

/// The generation that the objects agree on under `key`, if they say one; it has to be that of the link line
/// where this names one.
void take_generation(std::span<const ObjectRecord> records, std::string_view key, const char* option,
                     bool asked, unsigned& generation) {
  const std::string text = agreed(records, key);
  if (text.empty()) return;
  unsigned compiled = 0;
  std::from_chars(text.data(), text.data() + text.size(), compiled);
  if (asked && compiled != generation) {
    throw std::runtime_error("the objects are compiled for " + name_of(key, text) +
                             ", but linking asks for " + name_of(key, std::to_string(generation)) +
                             ": compile and link with the same " + option);
  }
  generation = compiled;
}

/// True if all objects say so. Members of an archive count only if they say anything.
bool all_observed(std::span<const LinkedFile> files, std::span<const ObjectRecord> records) {
  std::map<std::string, bool> objects;
  for (const LinkedFile& file : files)
    if (file.path.ends_with(".o")) objects[file.shown] = false;
  for (const ObjectRecord& record : records) objects[record.file] |= field(record.text, "observed") == "1";
  return !objects.empty() &&
      std::all_of(objects.begin(), objects.end(), [](const auto& object) { return object.second; });
}

/// Objects whose code counts its cycles by the present table, and those whose code does not.
void read_counts(std::span<const LinkedFile> files, Variant& variant) {
  const std::string table = std::to_string(costs::table_revision);
  variant.counted = false;
  variant.uncounted.clear();
  std::size_t named = 0, further = 0; // the program's own part has the names, and a file's name of it
  for (const LinkedFile& file : files) {
    for (const ObjectRecord& code : read_code(file.path)) {
      if (field(code.text, "table") == table) {
        variant.counted = true;
        continue;
      }
      constexpr std::size_t most_named = 3;
      if (named == most_named) {
        ++further;
        continue;
      }
      if (named++ > 0) variant.uncounted += ", ";
      variant.uncounted += file.shown + code.file;
    }
  }
  if (further > 0) variant.uncounted += " and " + std::to_string(further) + " more";
}

} // namespace

bool read_archive_name(std::string_view name, Variant& variant) {
  name = name.substr(name.rfind('/') + 1);
  if (name.starts_with("lib") && name.ends_with(".a")) {
    name.remove_prefix(3);
    name.remove_suffix(2);
  }
  if (!name.starts_with("RCCE_")) return false;
  name.remove_prefix(5);
  const auto take = [&name](std::string_view word) {
    if (!name.starts_with(word)) return false;
    name.remove_prefix(word.size());
    if (name.starts_with('_')) name.remove_prefix(1);
    return true;
  };
  Variant read = variant;
  if (take("smallflags")) {
    read.smallflags = true;
  } else if (!take("bigflags")) {
    return false;
  }
  if (take("gory")) {
    read.gory = true;
  } else if (!take("nongory")) {
    return false;
  }
  if (take("pwrmgmt")) {
    read.power = true;
  } else if (!take("nopwrmgmt")) {
    return false;
  }
  if (!name.empty()) return false;
  read.named = true;
  variant = read;
  return true;
}

std::string archive_name(const Variant& variant) {
  return std::string("libRCCE_") + (variant.smallflags ? "smallflags" : "bigflags") +
      (variant.gory ? "_gory" : "_nongory") + (variant.power ? "_pwrmgmt" : "_nopwrmgmt") + ".a";
}

void reconcile(std::span<const LinkedFile> files, bool generation_asked, bool ircce_asked, Variant& variant) {
  std::vector<ObjectRecord> records;
  for (const LinkedFile& file : files) {
    for (ObjectRecord& record : read_records(file.path)) {
      record.file = file.shown + record.file;
      records.push_back(std::move(record));
    }
  }
  variant.observed = std::any_of(records.begin(), records.end(), [](const ObjectRecord& record) {
    return field(record.text, "observed") == "1";
  });
  variant.all_observed = all_observed(files, records);
  variant.memory = std::any_of(records.begin(), records.end(), [](const ObjectRecord& record) {
    return field(record.text, "memory") == "1";
  });
  read_counts(files, variant);
  if (const std::string gory = agreed(records, "gory"); !gory.empty()) {
    // The archive's name alone does not decide: make ARCHIVE=... gives every program the same one.
    variant.gory = gory == "1";
  }
  // Before the generation, which it decides.
  if (const std::string rwth = agreed(records, "rwth"); !rwth.empty()) {
    if (variant.rwth && rwth == "0") {
      throw std::runtime_error("the objects are compiled for " + name_of("rwth", rwth) +
                               ", but linking asks for " + name_of("rwth", "1") +
                               ": compile and link with the same --rwth");
    }
    variant.rwth = rwth == "1";
  }
  take_generation(records, "generation", "--rcce", generation_asked, variant.generation);
  take_generation(records, "ircce", "--ircce", ircce_asked, variant.ircce);
  if (variant.generation == 10) {
    // RCCE_FLAG has one layout in both flag modes of 2.0, and two in 1.0: there the objects decide.
    if (const std::string flags = agreed(records, "smallflags"); !flags.empty())
      variant.smallflags = flags == "1";
  }
  if (const std::string text = agreed(records, "maxnp"); !text.empty()) variant.max_np = text;
}

} // namespace rcce::compiler
