#include "mesh_sim/terminal.hpp"

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

std::string coloured(std::string_view text, Colour colour, bool colours) {
  if (!colours) return std::string(text);
  const char* const begin = colour == Colour::grey ? "\033[9" : "\033[3";
  return std::string(begin) + static_cast<char>(colour) + 'm' + std::string(text) + "\033[0m";
}

} // namespace mesh
