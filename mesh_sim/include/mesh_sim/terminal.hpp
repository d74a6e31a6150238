// SPDX-License-Identifier: Apache-2.0
// What may be written to a terminal and to nothing else: colours, and lines that are written over.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace mesh {

/// Environment variables that say what a terminal is, and what it is to be spared.
inline constexpr const char *terminal_variable = "TERM", *colour_variable = "NO_COLOR";
/// Those that say in which characters it writes, the first that is set to anything counts.
inline constexpr std::array character_variables{"LC_ALL", "LC_CTYPE", "LANG"};

/// True if the descriptor is a terminal that can move its cursor.
[[nodiscard]] bool is_terminal(int fd) noexcept;
/// The same where the environment does not have NO_COLOR set to anything (https://no-color.org).
[[nodiscard]] bool takes_colours(int fd) noexcept;

/// True if text for the descriptor may be UTF-8: for all but terminals whose locale has other characters.
[[nodiscard]] bool takes_utf8(int fd) noexcept;

/// From nothing to everything in nine steps: blocks of rising height, or ASCII of rising darkness.
[[nodiscard]] const std::array<const char*, 9>& glyphs(bool utf8) noexcept;

enum class Colour : char { red = '1', green = '2', yellow = '3', blue = '4', cyan = '6', grey = '0' };

/// Text in a colour where `colours`, else as it is.
[[nodiscard]] std::string coloured(std::string_view text, Colour colour, bool colours);

} // namespace mesh
