// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include <unistd.h>

namespace mesh {

bool is_terminal(int fd) noexcept {
  if (isatty(fd) != 1) return false;
  const char* const kind = std::getenv(terminal_variable);
  return kind == nullptr || std::string_view(kind) != "dumb";
}

bool takes_colours(int fd) noexcept {
  const char* const refused = std::getenv(colour_variable);
  return is_terminal(fd) && (refused == nullptr || *refused == '\0');
}

bool takes_utf8(int fd) noexcept {
  if (!is_terminal(fd)) return true;
  for (const char* const variable : character_variables) {
    const char* const value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string name(value);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    return name.find("UTF-8") != std::string::npos || name.find("UTF8") != std::string::npos;
  }
  return false;
}

const std::array<const char*, 9>& glyphs(bool utf8) noexcept {
  static constexpr std::array<const char*, 9> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
                                              ascii = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
  return utf8 ? blocks : ascii;
}

std::string coloured(std::string_view text, Colour colour, bool colours) {
  if (!colours) return std::string(text);
  const char* const begin = colour == Colour::grey ? "\033[9" : "\033[3";
  return std::string(begin) + static_cast<char>(colour) + 'm' + std::string(text) + "\033[0m";
}

} // namespace mesh
