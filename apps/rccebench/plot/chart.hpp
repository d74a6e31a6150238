// SPDX-License-Identifier: Apache-2.0
// What is drawn of a command's JSON: which member is x, which y, and what tells the lines apart.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace rccebench::plot {

/// The end of the name of published points, behind the name of their line.
inline constexpr const char* published_behind = ", published";

struct Curve {
  struct Point {
    double x, y;
  };
  std::string name;
  std::vector<Point> points; ///< by x
  bool published = false;    ///< points without a line, over the line before whose name it has
};

struct Chart {
  std::string title, x_label, y_label;
  bool x_log = true, y_log = true; ///< as far as all values are positive
  bool joined = true;              ///< false: neighbours have nothing to do with each other
  std::vector<Curve> curves;
};

/// Members to take; empty: the usual ones.
struct Choice {
  std::string x, y;
  bool bandwidth = false;        ///< MiB/s in place of the time
  std::vector<std::string> only; ///< "MEMBER=VALUE,VALUE": of the rows those that have one of them
};

/// Member of the rows of several files: which one a row is from.
inline constexpr const char* file_key = "file";

/// Throws UserError for a document without rows that are objects.
void check_rows(const nlohmann::ordered_json& document, const std::string& file);
/// The chart of a document that a command has written with --format json. A line has the rows that are alike
/// in all that has to be told apart so that no two points of a line have one x; algorithms first. Rows
/// without a number there are left out. Published values make points of their own. Throws mesh::UserError,
/// which names `file`, for a document without rows, for members that it lacks and for too many lines.
[[nodiscard]] Chart chart_of(const nlohmann::ordered_json& document, const Choice& choice,
                             const std::string& file);

} // namespace rccebench::plot
