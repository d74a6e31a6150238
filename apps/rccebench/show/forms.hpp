// SPDX-License-Identifier: Apache-2.0
// The forms in which rounds are shown. Each is a whole document, the same bytes for the same recording.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "show/recording.hpp"

namespace rccebench::show {

/// How text draws a round.
enum class Drawing : std::uint8_t {
  suitable, ///< the mesh where there is one that fits 80 columns, else the tree where edges are one, else
            ///< lists
  mesh,
  tree, ///< one for all rounds: who had it from whom, or gave it to whom
  list,
};

/// Without `utf8` in ASCII. Throws mesh::UserError where the recording cannot be drawn so.
[[nodiscard]] std::string to_text(const Recording& recording, Drawing drawing, bool colours, bool utf8);

/// Members: title, algorithm, operation, machine, setting, place ("core", "thread", "node"), root and bytes
/// (null where there are none), parameters; mesh (columns, rows; null without), places (rank, core, x, y);
/// rounds (round, end_us, edges: from, to, data, bytes, begin_us, end_us; ranks, times from the operation's
/// beginning); of locks holds (rank, begin_us, end_us); end_us.
[[nodiscard]] nlohmann::ordered_json to_json(const Recording& recording);

/// One panel for each round.
[[nodiscard]] std::string to_svg(const Recording& recording);

/// An HTML report with the rounds as its figure, one at a time, and with the machine's parameters.
[[nodiscard]] std::string to_html(const Recording& recording);

/// "bcast/cube: 12 cores, root 0, 4096 bytes, part=256"
[[nodiscard]] std::string title_of(const Recording& recording);
/// The machine's name with its shape and clocks.
[[nodiscard]] std::string machine_of(const Recording& recording);

} // namespace rccebench::show
