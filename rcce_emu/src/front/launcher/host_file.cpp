// SPDX-License-Identifier: Apache-2.0
#include "rcce_emu/host_file.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/text_file.hpp"

namespace rcce {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// At most `wanted` of them.
Hosts listed_hosts(std::string_view text, std::string_view name, std::size_t wanted, int cores) {
  Hosts hosts;
  std::map<int, int> line_of_core;
  for (int number = 1; !text.empty() && hosts.cores.size() < wanted; ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    const std::string_view word = trimmed(whole.substr(0, whole.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const auto fail = [&](const std::string& why) {
      throw mesh::UserError(fmt::format("hostfile '{}' line {}: {}", name, number, why));
    };
    int core = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), core);
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("core {} is out of range 0..{}", mesh::shown(word), cores - 1));
    if (error != std::errc() || rest != word.data() + word.size()) {
      fail(fmt::format("'{}' is no core number; each line holds one, 0..{}", mesh::shown(word), cores - 1));
    }
    if (core < 0 || core >= cores) fail(fmt::format("core {} is out of range 0..{}", word, cores - 1));
    const auto [earlier, fresh] = line_of_core.emplace(core, number);
    if (!fresh)
      fail(fmt::format("core {} is listed a second time, first in line {}; a core runs one UE", word,
                       earlier->second));
    hosts.cores.push_back(core);
    hosts.texts.emplace_back(word);
  }
  return hosts;
}

std::string text_of(const std::string& path) {
  if (auto text = mesh::read_text_file(path)) return *std::move(text);
  throw mesh::UserError(fmt::format("Error: Could not find or read hostfile '{}'", path));
}

} // namespace

Hosts read_hosts(std::string_view text, std::string_view name, int ues, int cores) {
  Hosts hosts = listed_hosts(text, name, static_cast<std::size_t>(ues), cores);
  if (hosts.cores.size() < static_cast<std::size_t>(ues)) {
    throw mesh::UserError(fmt::format(
        "Error: Number of UEs requested exceeds number of available UEs: {} asked for, {} listed in "
        "hostfile '{}'",
        ues, hosts.cores.size(), name));
  }
  return hosts;
}

Hosts read_host_file(const std::string& path, int ues, int cores) {
  return read_hosts(text_of(path), path, ues, cores);
}

Hosts read_all_hosts(const std::string& path, int cores) {
  return listed_hosts(text_of(path), path, static_cast<std::size_t>(cores), cores);
}

Hosts first_hosts(int ues) {
  Hosts hosts;
  for (int core = 0; core < ues; ++core) {
    hosts.cores.push_back(core);
    hosts.texts.push_back(fmt::format("{:02}", core));
  }
  return hosts;
}

} // namespace rcce
