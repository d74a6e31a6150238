// SPDX-License-Identifier: Apache-2.0
// Rows of CSV files: those that are installed beside rccebench, and measurements of the user's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rccebench {

/// Fields of one line of CSV; a field in double quotes may hold commas, and "" stands for one quote. Throws
/// mesh::UserError for a quote that is not closed.
[[nodiscard]] std::vector<std::string> fields_of(std::string_view line);

/// One row, by the names of its columns. Throws mesh::UserError "column 'NAME': ..." for what is wrong in it.
class Fields {
 public:
  Fields(const std::vector<std::string>& columns, std::vector<std::string> fields)
      : columns_(columns), fields_(std::move(fields)) {}

  /// The text of a column that the file must have.
  const std::string& operator()(std::string_view column) const;
  /// The same of a column that the file may lack: empty then.
  [[nodiscard]] std::string_view optional(std::string_view column) const;
  [[nodiscard]] double number(std::string_view column) const;
  /// A number above 0.
  [[nodiscard]] double positive(std::string_view column) const;
  /// A whole number from `least` to `most`; nothing where the field is empty or the column is missing.
  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view column, std::int64_t least,
                                                  std::int64_t most) const;
  /// One of these words, or nothing in a field that is empty or missing.
  void check_word(std::string_view column, std::span<const std::string_view> words) const;

 private:
  const std::vector<std::string>& columns_;
  std::vector<std::string> fields_;
};

/// The text of a file that holds a table. Throws mesh::UserError for one that cannot be read.
[[nodiscard]] std::string text_of_table(const std::filesystem::path& file);

/// A table of CSV, read once: the first line that is neither empty nor a comment ('#') names its columns.
class CsvTable {
 public:
  /// Throws mesh::UserError for a file that cannot be read, has no columns, or has two of one name.
  explicit CsvTable(const std::filesystem::path& file);
  /// The table in a text; messages name `file`.
  CsvTable(std::string file, std::string_view text);

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  [[nodiscard]] bool has(std::string_view column) const;
  /// Throws mesh::UserError, with the nearest name, for a column that is none of these.
  void check_columns(std::span<const std::string_view> known) const;
  /// Calls `read` for each row. Throws mesh::UserError "'FILE' line N: ..." for what `read` refuses
  /// (mesh::UserError), and for lines with too many or too few fields.
  void each(const std::function<void(const Fields&)>& read) const;

 private:
  struct Line {
    int number;
    std::string text;
  };
  std::string file_;
  std::vector<std::string> columns_;
  std::vector<Line> lines_; ///< below the columns
};

} // namespace rccebench
