// SPDX-License-Identifier: Apache-2.0
#include "present/sparklines.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mesh_sim/terminal.hpp"

namespace rccebench {

std::string Sparklines::text(bool utf8, bool colours) const {
  double least = 1e300, most = 0;
  std::size_t longest = 0, width = 0;
  for (const auto& [name, values] : lines) {
    longest = std::max(longest, values.size());
    width = std::max(width, name.size());
    for (const double value : values)
      if (value > 0) least = std::min(least, value), most = std::max(most, value);
  }
  if (longest < 2 || most <= 0) return {};
  const auto& glyphs = mesh::glyphs(utf8);
  std::string all = fmt::format("# over {}: {} is {:.2f} {}, {} is {:.2f}, by the logarithm", over, glyphs[1],
                                least, unit, glyphs[8], most);
  for (const auto& [name, values] : lines) {
    std::string line;
    for (const double value : values) {
      const double part = most > least ? std::log(value / least) / std::log(most / least) : 1;
      line += value > 0 ? glyphs[1 + static_cast<std::size_t>(std::lround(7 * std::clamp(part, 0.0, 1.0)))]
                        : glyphs[0];
    }
    all += fmt::format("\n  {:<{}}  {}", name, width, mesh::coloured(line, mesh::Colour::cyan, colours));
  }
  return all;
}

} // namespace rccebench
