// The panel of one round in SVG: ranks where they run, edges as arrows.
#pragma once

#include <string>
#include <vector>

#include "show/recording.hpp"

namespace rccebench::show {

class Picture {
 public:
  explicit Picture(const Recording& recording);

  [[nodiscard]] double width() const { return width_; }   ///< of a panel, in units of the picture
  [[nodiscard]] double height() const { return height_; } ///< its caption included
  /// A group with the panel's content, from (0,0) on.
  [[nodiscard]] std::string panel(int round) const;
  /// Style and arrow heads, once per document.
  [[nodiscard]] static std::string definitions();

 private:
  struct Point {
    double x, y;
  };
  void place_on_mesh();
  void place_on_circle();
  [[nodiscard]] std::string arrow(const mesh::RoundEdge& edge) const;

  const Recording& recording_;
  double width_ = 0, height_ = 0;
  std::vector<Point> at_;    ///< by rank
  std::vector<Point> tiles_; ///< upper left corners
};

/// Text between tags.
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace rccebench::show
