// SPDX-License-Identifier: Apache-2.0
#include "show/picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "mesh_sim/parts/topology.hpp"
#include "show/forms.hpp"

namespace rccebench::show {
namespace {

// In units of the picture, which browsers take as pixels.
constexpr double radius = 10, between_ranks = 26, tile_height = 34, tile_gap = 16, margin = 14, caption = 40;
constexpr double widest = 1200;

/// Length of a vector. Not std::hypot(), whose symbol of 2021 (glibc 2.35) older systems lack.
double norm(double x, double y) {
  return std::sqrt(x * x + y * y);
}

double tile_width(int cores) {
  return cores * between_ranks + 8;
}

} // namespace

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text) switch (c) {
    case '&':
      all += "&amp;";
      break;
    case '<':
      all += "&lt;";
      break;
    case '>':
      all += "&gt;";
      break;
    case '"':
      all += "&quot;";
      break;
    default:
      all += c;
    }
  return all;
}

Picture::Picture(const Recording& recording) : recording_(recording) {
  if (recording.mesh)
    place_on_mesh();
  else
    place_on_circle();
}

void Picture::place_on_mesh() {
  const mesh::Topology& mesh = *recording_.mesh;
  const double wide = tile_width(mesh.cores_per_tile());
  const auto corner = [&](int x, int y) {
    return Point{margin + x * (wide + tile_gap), caption + (mesh.rows() - 1 - y) * (tile_height + tile_gap)};
  };
  for (int y = 0; y < mesh.rows(); ++y)
    for (int x = 0; x < mesh.columns(); ++x) tiles_.push_back(corner(x, y));
  for (const RankPlace& place : recording_.places) {
    const Point tile = corner(place.x, place.y);
    const int in_tile = place.core % mesh.cores_per_tile();
    at_.push_back({tile.x + 4 + (in_tile + 0.5) * between_ranks, tile.y + tile_height / 2});
  }
  width_ = 2 * margin + mesh.columns() * (wide + tile_gap) - tile_gap;
  height_ = caption + mesh.rows() * (tile_height + tile_gap);
}

/// Clockwise, rank 0 at the top.
void Picture::place_on_circle() {
  const double around = std::max(70.0, recording_.ranks() * between_ranks / 6.283);
  for (int rank = 0; rank < recording_.ranks(); ++rank) {
    const double angle = 6.283185307 * rank / recording_.ranks();
    at_.push_back({margin + radius + around * (1 + std::sin(angle)),
                   caption + radius + around * (1 - std::cos(angle))});
  }
  width_ = 2 * (margin + radius + around);
  height_ = caption + margin + 2 * (radius + around);
}

std::string Picture::Course::path() const {
  std::string text = fmt::format("M{:.1f} {:.1f}", begin.x, begin.y);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (i > 0) text += fmt::format("L{:.1f} {:.1f}", curves[i].from.x, curves[i].from.y);
    text += fmt::format("Q{:.1f} {:.1f} {:.1f} {:.1f}", curves[i].control.x, curves[i].control.y,
                        curves[i].to.x, curves[i].to.y);
  }
  return text;
}

double Picture::room(const Course& course, const mesh::RoundEdge& edge) const {
  constexpr int steps = 16;
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](Point a, Point b) { // at the straight line from a to b
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    for (int rank = 0; rank < recording_.ranks(); ++rank) {
      if (rank == edge.from || rank == edge.to) continue;
      const Point at = at_[static_cast<std::size_t>(rank)];
      const double along =
          square == 0 ? 0 : std::clamp(((at.x - a.x) * dx + (at.y - a.y) * dy) / square, 0.0, 1.0);
      least = std::min(least, norm(a.x + along * dx - at.x, a.y + along * dy - at.y));
    }
  };
  Point last = course.begin;
  for (const Curve& curve : course.curves) {
    look(last, curve.from);
    last = curve.from;
    for (int step = 1; step <= steps; ++step) {
      const double t = static_cast<double>(step) / steps, s = 1 - t;
      const Point next{s * s * curve.from.x + 2 * s * t * curve.control.x + t * t * curve.to.x,
                       s * s * curve.from.y + 2 * s * t * curve.control.y + t * t * curve.to.y};
      look(last, next);
      last = next;
    }
  }
  return least - radius;
}

/// A little bent, so that the two directions lie beside each other, and more where it would run through a
/// rank in between: the first of some courses that has room, else the one that has most.
std::string Picture::arrow(const mesh::RoundEdge& edge) const {
  constexpr double enough = 1.5;
  const Point from = at_[static_cast<std::size_t>(edge.from)], to = at_[static_cast<std::size_t>(edge.to)];
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(1.0, norm(dx, dy));
  const Point aside{-dy / length, dx / length};
  const auto beside = [](Point at, Point way, double far) {
    return Point{at.x + far * way.x, at.y + far * way.y};
  };
  const auto rim = [&](Point rank, Point towards) {
    const double x = towards.x - rank.x, y = towards.y - rank.y, far = std::max(1.0, norm(x, y));
    return Point{rank.x + x / far * radius, rank.y + y / far * radius};
  };
  std::vector<Course> courses;
  const auto bent = [&](double far) {
    const Point middle = beside({(from.x + to.x) / 2, (from.y + to.y) / 2}, aside, far);
    const Point begin = rim(from, middle);
    courses.push_back({begin, {{begin, middle, rim(to, middle)}}});
  };
  // By way of those points, with round corners.
  const auto cornered = [&](const std::vector<Point>& turns) {
    constexpr double round = 12;
    const Point begin = rim(from, turns.front()), end = rim(to, turns.back());
    Course course{begin, {}};
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const Point before = i == 0 ? begin : turns[i - 1], at = turns[i],
                  after = i + 1 < turns.size() ? turns[i + 1] : end;
      const auto near = [&](Point other, bool last) { // on the way to it
        const double far = std::max(1.0, norm(other.x - at.x, other.y - at.y));
        return beside(at, {(other.x - at.x) / far, (other.y - at.y) / far},
                      std::min(round, last ? far : far / 2));
      };
      course.curves.push_back({near(before, i == 0), at, near(after, i + 1 == turns.size())});
    }
    courses.push_back(std::move(course));
  };
  const double usual = std::min(18.0, 0.16 * length);
  for (const double far : {usual, -usual, 2 * usual, -2 * usual}) bent(far);
  for (const double far : {13.0, -13.0, 17.0, -17.0, 21.0, -21.0, 25.0, -25.0})
    cornered({beside(from, aside, far), beside(to, aside, far)});
  if (!tiles_.empty() && from.y != to.y) { // between rows of tiles and between the ranks of a tile
    const double gap = std::copysign((tile_height + tile_gap) / 2, to.y - from.y);
    const double out = from.y + gap, in = to.y - gap;
    cornered({{from.x, out}, {to.x, out}});
    for (const double x : {to.x - between_ranks / 2, to.x + between_ranks / 2})
      cornered({{from.x, out}, {x, out}, {x, in}, {to.x, in}});
  }
  const Course* best = &courses.front();
  for (const Course& course : courses) {
    if (room(course, edge) >= enough) return course.path();
    if (room(course, edge) > room(*best, edge)) best = &course;
  }
  return best->path();
}

nlohmann::ordered_json Picture::layout() const {
  const auto rounded = [](double length) { return std::round(10 * length) / 10; };
  nlohmann::ordered_json layout{{"width", rounded(width_)}, {"height", rounded(height_)}, {"radius", radius}};
  layout["tiles"] = nlohmann::ordered_json::array();
  layout["ranks"] = nlohmann::ordered_json::array();
  const int cores = recording_.mesh ? recording_.mesh->cores_per_tile() : 1;
  for (const Point& tile : tiles_)
    layout["tiles"].push_back({rounded(tile.x), rounded(tile.y), tile_width(cores), tile_height});
  for (const Point& rank : at_) layout["ranks"].push_back({rounded(rank.x), rounded(rank.y)});
  return layout;
}

std::string Picture::panel(int round) const {
  const auto edges = recording_.edges_of(round);
  std::set<int> gives, gets;
  for (const mesh::RoundEdge& edge : edges) {
    gives.insert(edge.from);
    gets.insert(edge.to);
  }
  std::string all =
      fmt::format("<text class=\"caption\" x=\"{:.1f}\" y=\"24\">round {}: {:.3f} us, {} edge{}</text>\n",
                  margin, round, us_of(recording_.end_of(round)), edges.size(), edges.size() == 1 ? "" : "s");
  const int cores = recording_.mesh ? recording_.mesh->cores_per_tile() : 1;
  for (const Point& tile : tiles_)
    all += fmt::format(
        "<rect class=\"tile\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\"/>\n",
        tile.x, tile.y, tile_width(cores), tile_height);
  for (int rank = 0; rank < recording_.ranks(); ++rank) {
    const Point at = at_[static_cast<std::size_t>(rank)];
    all += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.0f}\"/><text class=\"rank\" "
                       "x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                       gets.contains(rank)        ? "gets"
                           : gives.contains(rank) ? "gives"
                                                  : "idle",
                       at.x, at.y, radius, at.x, at.y + 3.5, rank);
  }
  for (const mesh::RoundEdge& edge : edges)
    all +=
        fmt::format("<path class=\"{}\" d=\"{}\"><title>{} to {}: {}, {:.3f} to {:.3f} us</title></path>\n",
                    edge.data ? "data" : "signal", arrow(edge), edge.from, edge.to,
                    edge.data ? fmt::format("{} bytes", edge.bytes) : std::string("signal"),
                    us_of(edge.begin), us_of(edge.end));
  return all;
}

std::string Picture::definitions() {
  return "<style>\n"
         "svg{background:#fff}text{font:10px "
         "sans-serif;fill:#222}.caption{font-size:13px;font-weight:bold}.rank{text-anchor:middle}\n"
         ".tile{fill:#f4f4f0;stroke:#bbb}.idle{fill:#fff;stroke:#999}.gives{fill:#ffe08a;stroke:#b8860b}"
         ".gets{fill:#b7e4c7;stroke:#2d6a4f}\n"
         ".data,.signal{fill:none;stroke:#1d4e89;stroke-width:1.8;marker-end:url(#data)}"
         ".signal{stroke:#c1440e;stroke-width:1.3;stroke-dasharray:4 3;marker-end:url(#signal)}\n"
         "</style>\n"
         "<defs><marker id=\"data\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
         "markerHeight=\"7\" "
         "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
         "fill=\"#1d4e89\"/></marker>"
         "<marker id=\"signal\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
         "markerHeight=\"7\" "
         "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
         "fill=\"#c1440e\"/></marker></defs>\n";
}

std::string to_svg(const Recording& recording) {
  const Picture picture(recording);
  const int rounds = std::max(1, recording.rounds());
  const int columns = std::clamp(static_cast<int>(widest / picture.width()), 1, rounds);
  const int rows = (rounds + columns - 1) / columns;
  const double wide = columns * picture.width(), high = 60 + rows * (picture.height() + margin);
  std::string all =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" "
                  "width=\"{:.0f}\" height=\"{:.0f}\">\n"
                  "<title>{}</title>\n{}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
                  "<text class=\"caption\" x=\"{:.0f}\" y=\"24\">{}</text>\n<text x=\"{:.0f}\" "
                  "y=\"42\">{}, done at {:.3f} us; "
                  "solid: data, dashed: a signal</text>\n",
                  wide, high, wide, high, escaped(title_of(recording)), Picture::definitions(), margin,
                  escaped(title_of(recording)), margin, escaped(machine_of(recording)), us_of(recording.end));
  for (int round = 1; round <= recording.rounds(); ++round) {
    const int place = round - 1;
    all +=
        fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", place % columns * picture.width(),
                    50 + place / columns * (picture.height() + margin), picture.panel(round));
  }
  return all + "</svg>\n";
}

} // namespace rccebench::show
