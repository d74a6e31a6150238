// SPDX-License-Identifier: Apache-2.0
#include "core/table.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

// The linker makes these for a section whose name is an identifier; a program without such a section has
// none.
extern "C" {
extern const rockcreek_algorithm* const __start_rockcreek_rows[] __attribute__((weak));
extern const rockcreek_algorithm* const __stop_rockcreek_rows[] __attribute__((weak));
}

namespace algorithms {
namespace {

/// On no heap: the program's own blocks lie where they do without this library.
struct Table {
  std::array<const rockcreek_algorithm*, most_rows> rows{};
  std::size_t own = 0, used = 0;
  std::array<Faulty, most_rows> faulty{};
  std::size_t refused = 0;
};

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// True if a parameter's default is one of its values, or leaves the choice to the algorithm.
bool has_allowed_default(const rockcreek_parameter& parameter) {
  const long long value = parameter.default_value;
  if (value == 0) return true;
  if (parameter.words == nullptr) return value >= parameter.least && value <= parameter.most;
  const std::string_view words = parameter.words;
  return value > 0 && value <= std::count(words.begin(), words.end(), ' ');
}

/// Why a row's parameters cannot be used; null where they can.
const char* fault_of(const rockcreek_parameter& parameter) {
  if (!is_name(parameter.name)) return "its name is not of lower-case letters, digits and underscores";
  if (parameter.help == nullptr) return "it has no help";
  if (parameter.words == nullptr && parameter.least > parameter.most)
    return "no value is from its least to its most";
  if (!has_allowed_default(parameter))
    return "its default value is none of those allowed; 0 lets the algorithm choose";
  return nullptr;
}

constexpr unsigned known_needs = ROCKCREEK_NEEDS_MESH | ROCKCREEK_NEEDS_REGISTERS | ROCKCREEK_NEEDS_AIR |
    ROCKCREEK_NEEDS_TAGS | ROCKCREEK_USES_REQUESTS | ROCKCREEK_OWN_COPIES | ROCKCREEK_EXACT_RANKS |
    ROCKCREEK_READS_PAYLOAD | ROCKCREEK_FIXED_ORDER;

/// Why a row cannot be used; null where it can.
const char* fault_of(const Table& table, const rockcreek_algorithm& row) {
  if (row.name == nullptr) return "it has no name";
  if (row.operation < 0 || row.operation >= ROCKCREEK_OPERATIONS) return "its operation is unknown";
  const std::string_view name = row.name, operation = rockcreek_operations[row.operation].name;
  if (!name.starts_with(operation) || name.substr(operation.size(), 1) != "/" ||
      !is_name(name.substr(operation.size() + 1)))
    return "its name has to be its operation, a slash, and lower-case letters, digits and underscores";
  if (name.substr(operation.size() + 1) == "auto") return "'auto' is the choice among all algorithms";
  if (row.run == nullptr) return "it has no function `run`";
  if (row.summary == nullptr || row.source == nullptr) return "it has no summary or no source";
  if ((row.needs & ~known_needs) != 0) return "its needs have a bit that algorithm.h has no name for";
  static_assert(ROCKCREEK_MOST_PARAMETERS == 8);
  if (row.parameters[ROCKCREEK_MOST_PARAMETERS].name != nullptr) return "it has more than 8 parameters";
  for (std::size_t i = 0; i < table.used; ++i)
    if (name == table.rows[i]->name) return "there is another algorithm of that name";
  if (table.used == most_rows) return "there are too many";
  return nullptr;
}

void add(Table& table, const rockcreek_algorithm* row) {
  const auto known = table.rows.begin() + static_cast<std::ptrdiff_t>(table.used);
  if (std::find(table.rows.begin(), known, row) != known) return;
  const char* fault = fault_of(table, *row);
  for (const rockcreek_parameter& parameter : parameters_of(*row))
    if (fault == nullptr) fault = fault_of(parameter);
  if (fault == nullptr) {
    table.rows[table.used++] = row;
  } else if (table.refused < most_rows) {
    table.faulty[table.refused++] = {row, fault};
  }
}

const Table& table() {
  static const Table result = [] {
    Table all;
    for (const auto* row = rockcreek_own_rows; *row != nullptr; ++row) add(all, *row);
    all.own = all.used;
    for (const auto* row = __start_rockcreek_rows; row != __stop_rockcreek_rows; ++row) add(all, *row);
    return all;
  }();
  return result;
}

/// Edit distance: letters to insert, remove or replace.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
      diagonal = row[k];
      row[k] = std::min({row[k] + 1, row[k - 1] + 1, replaced});
    }
  }
  return row.back();
}

} // namespace

std::span<const rockcreek_algorithm* const> rows() {
  return {table().rows.data(), table().used};
}

const rockcreek_algorithm* find(std::string_view name) {
  for (const rockcreek_algorithm* row : rows())
    if (name == row->name) return row;
  return nullptr;
}

std::span<const rockcreek_parameter> parameters_of(const rockcreek_algorithm& row) {
  std::size_t count = 0;
  while (count < ROCKCREEK_MOST_PARAMETERS && row.parameters[count].name != nullptr) ++count;
  return {row.parameters, count};
}

bool is_foreign(const rockcreek_algorithm& row) {
  const auto own = rows().first(table().own);
  return std::find(own.begin(), own.end(), &row) == own.end();
}

std::span<const Faulty> faulty_rows() {
  return {table().faulty.data(), table().refused};
}

std::string Faulty::text() const {
  for (const rockcreek_parameter& parameter : parameters_of(*row))
    if (fault_of(parameter) == fault) return "parameter '" + std::string(parameter.name) + "': " + fault;
  return fault;
}

void Nearest::offer(std::string_view name) {
  const std::size_t found = distance(word_, name);
  if (found > 1 + word_.size() / 3 || (!best_.empty() && found >= distance_)) return;
  best_ = name;
  distance_ = found;
}

std::string Nearest::before(std::string next) const {
  if (best_.empty()) return "; " + next;
  next.front() = static_cast<char>(next.front() - 'a' + 'A');
  return ", did you mean '" + best_ + "'? " + next;
}

} // namespace algorithms
