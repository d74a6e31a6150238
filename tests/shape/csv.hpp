// SPDX-License-Identifier: Apache-2.0
// Reads the vector files: CSV with a header line and no quoting.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace csv {

class Table {
 public:
  class Row {
   public:
    Row(const Table& table, std::vector<std::string> fields) : table_(&table), fields_(std::move(fields)) {}
    [[nodiscard]] const std::string& text(const std::string& column) const {
      return fields_.at(table_->column(column));
    }
    [[nodiscard]] int number(const std::string& column) const { return std::stoi(text(column)); }

   private:
    const Table* table_;
    std::vector<std::string> fields_;
  };

  /// A file of tests/shape/vectors.
  explicit Table(const std::string& name) {
    std::ifstream file(std::string(ROCKCREEK_VECTORS) + "/" + name);
    if (!file) throw std::runtime_error("cannot read the vector file '" + name + "'");
    std::string line;
    std::getline(file, line);
    header_ = split(line);
    while (std::getline(file, line)) rows_.emplace_back(*this, split(line));
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  [[nodiscard]] auto begin() const { return rows_.begin(); }
  [[nodiscard]] auto end() const { return rows_.end(); }
  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto found = std::find(header_.begin(), header_.end(), name);
    if (found == header_.end()) throw std::runtime_error("there is no column '" + name + "'");
    return static_cast<std::size_t>(found - header_.begin());
  }

 private:
  static std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    if (line.ends_with(',')) fields.emplace_back();
    return fields;
  }

  std::vector<std::string> header_;
  std::vector<Row> rows_;
};

} // namespace csv
