// SPDX-License-Identifier: Apache-2.0
// Running other programs: the compiler, once per step.
#pragma once

#include <string>
#include <vector>

namespace rcce::compiler {

using Words = std::vector<std::string>;

/// From now on SIGINT, SIGTERM and SIGHUP end the program that run() waits for, and the steps that follow are
/// not begun, so that temporary files can be removed.
void catch_signals();
/// The signal that has come, 0 for none.
[[nodiscard]] int caught_signal() noexcept;

inline void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// The words as one line that a shell would split into the same words again.
[[nodiscard]] std::string shell_line(const Words& words);

/// Runs the program found in PATH under words[0] and waits for it. Returns its exit status, 128 + n after
/// signal n, 127 if it could not be started (then a message has been written). Not started after a signal.
[[nodiscard]] int run(const Words& words);

/// run(), or only a line on stdout that shows the words.
[[nodiscard]] int step(const Words& words, bool only_show);

/// The same as run(), with what it writes to stdout as the result; stderr is dropped. Empty if it could not
/// be started.
[[nodiscard]] std::string output_of(const Words& words);

/// Full path of a program: as given if it holds a slash, else from PATH; empty if there is none.
[[nodiscard]] std::string find_program(const std::string& name);

} // namespace rcce::compiler
