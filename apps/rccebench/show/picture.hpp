// SPDX-License-Identifier: Apache-2.0
// Where ranks and edges of a recording are drawn, and the panel of one round in SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "show/recording.hpp"

namespace rccebench::show {

class Picture {
 public:
  explicit Picture(const Recording& recording);

  [[nodiscard]] double width() const { return width_; }   ///< width of a panel, in units of the picture
  [[nodiscard]] double height() const { return height_; } ///< its caption included
  /// A group with the panel's content, from (0,0) on.
  [[nodiscard]] std::string panel(int round) const;
  /// Style and arrow heads, once per document.
  [[nodiscard]] static std::string definitions();

  /// For pages that draw the rounds themselves: width, height, radius, tiles [x, y, width, height], ranks [x,
  /// y], in units of the picture.
  [[nodiscard]] nlohmann::ordered_json layout() const;
  /// The edge's arrow, as the attribute `d` of a path has it.
  [[nodiscard]] std::string arrow(const mesh::RoundEdge& edge) const;

 private:
  struct Point {
    double x, y;
  };
  struct Curve { ///< quadratic
    Point from, control, to;
  };
  /// The course of an arrow: curves, with straight lines between them.
  struct Course {
    Point begin;
    std::vector<Curve> curves;
    [[nodiscard]] std::string path() const;
  };
  /// Between the course and the circles of ranks at neither end; below 0: it runs through one.
  [[nodiscard]] double room(const Course& course, const mesh::RoundEdge& edge) const;
  void place_on_mesh();
  void place_on_circle();

  const Recording& recording_;
  double width_ = 0, height_ = 0;
  std::vector<Point> at_;    ///< by rank
  std::vector<Point> tiles_; ///< upper left corners
};

/// Text between tags.
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace rccebench::show
