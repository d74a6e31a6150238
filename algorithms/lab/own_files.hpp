// SPDX-License-Identifier: Apache-2.0
// Sources of the user's with algorithms of their own (--with). A file is for machines of one sort, which
// follows from the header that it includes: algorithms/in_memory/own.hpp for shared memory and this host,
// algorithms/on_cards/own.hpp for network cards, any other for messages.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lab {

enum class World : std::uint8_t { messages, memory, cards };

/// "shared memory"
[[nodiscard]] const char* name(World world);

/// Throws mesh::UserError where there is no such file.
[[nodiscard]] World world_of(const std::string& file);
/// Those of the files that are for such machines.
[[nodiscard]] std::vector<std::string> files_for(World world, const std::vector<std::string>& files);

/// Compiles the files for shared memory and for cards, each once in a process, and adds their rows to those
/// of the library. Throws mesh::UserError with the compiler's messages, or where a file has no row or one of
/// a name that there is already.
void load_own_files(const std::vector<std::string>& files);

/// The result of make(), called once in a process for these files, after their rows have been added.
template <class One, class Make>
[[nodiscard]] std::shared_ptr<const One> once_for(const std::vector<std::string>& files, Make make) {
  static std::map<std::vector<std::string>, std::shared_ptr<const One>> known;
  auto& entry = known[files];
  if (!entry) {
    load_own_files(files);
    entry.reset(make());
  }
  return entry;
}

} // namespace lab
