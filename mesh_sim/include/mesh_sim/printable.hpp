// SPDX-License-Identifier: Apache-2.0
// What commands print of what they were given, which may hold anything: sequences that act on a terminal, or
// a line that looks like another message.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace mesh {

/// The text with '?' for control characters, but for the ends of lines that are the text's own: not those of
/// one of `words`, or of what stands behind a '=' there.
template <class Words>
[[nodiscard]] std::string printable(std::string text, const Words& words) {
  const auto hide = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c; };
  for (const std::string_view word : words)
    for (const std::string_view given : {word, word.substr(std::min(word.find('=') + 1, word.size()))}) {
      if (given.find('\n') == std::string_view::npos) continue;
      for (std::size_t at = 0; (at = text.find(given, at)) != std::string::npos; at += given.size())
        std::transform(given.begin(), given.end(), text.begin() + static_cast<std::ptrdiff_t>(at), hide);
    }
  for (char& c : text)
    if (c != '\n') c = hide(c);
  return text;
}

} // namespace mesh
