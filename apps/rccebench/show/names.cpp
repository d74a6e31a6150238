// SPDX-License-Identifier: Apache-2.0
#include "show/names.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/in_memory/lock/locks.hpp"
#include "algorithms/memory/simulated.hpp"
#include "lab.hpp"
#include "lab/cards.hpp"
#include "lab/memory.hpp"
#include "lab/messages.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/capability.hpp"

namespace rccebench::show {
namespace {

namespace in_memory = algorithms::in_memory;
using algorithms::memory::Simulated;

/// The names that a wrong one may have meant: the nearest, else those of the operation that it names.
std::vector<std::string> meant_by(const std::string& word, const std::vector<std::string>& known) {
  const auto slash = word.find('/');
  const auto compared = [&](const std::string& name) {
    return std::string_view(name).substr(slash == std::string::npos ? name.find('/') + 1 : 0);
  };
  std::vector<std::string_view> views;
  for (const std::string& name : known) views.push_back(compared(name));
  const std::string_view near = mesh::nearest(word, views);
  std::vector<std::string> found;
  for (const std::string& name : known)
    if (near.empty() ? slash != std::string::npos && name.starts_with(word.substr(0, slash + 1))
                     : compared(name) == near)
      found.push_back(name);
  return found;
}

/// "'a', 'b' or 'c'"
std::string written(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 < names.size() ? ", " : " or ", names[i]);
  return text;
}

} // namespace

std::vector<std::string> names(const std::vector<std::string>& files) {
  std::vector<std::string> all;
  for (const World where : {World::messages, World::memory, World::cards})
    for (const std::string& name : names_in(where, files))
      if (!has(all, name)) all.push_back(name);
  return all;
}

std::vector<std::string> names_in(World where, const std::vector<std::string>& files) {
  std::vector<std::string> all;
  const auto add = [&](const auto& rows) {
    for (const auto& row : rows) all.emplace_back(row.name);
  };
  const auto own = lab::files_for(where, files);
  switch (where) {
  case World::messages:
    add(Messages::with(own, Generation::rcce20)->rows());
    break;
  case World::memory:
    add(lab::Memory::with(own)->rows());
    add(in_memory::locks<Simulated>());
    break;
  case World::cards:
    for (const char* const operation : {"reduce", "bcast"})
      for (const Row* row : lab::Cards::with(own)->rows_of(operation))
        all.push_back(row->name); // others have their rounds
    break;
  }
  return all;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

World where_of_machine(const std::string& machine) {
  const auto config = lab::open_machine(machine).config;
  return config.offers(mesh::Capability::cards)          ? World::cards
      : config.offers(mesh::Capability::coherent_memory) ? World::memory
                                                         : World::messages;
}

std::string full_name(const std::string& word, const std::vector<std::string>& known,
                      const std::string& machine) {
  if (has(known, word)) return word;
  std::vector<std::string> meant;
  for (const std::string& name : known)
    if (name.ends_with("/" + word)) meant.push_back(name);
  if (meant.size() == 1) return meant.front();
  if (!meant.empty())
    throw mesh::UserError(
        fmt::format("'{}' is ambiguous: {}; write one of these", word, fmt::join(meant, ", ")));
  const std::vector<std::string> near = meant_by(word, known);
  throw mesh::UserError(fmt::format("there is no algorithm '{}'{}; {}", word,
                                    machine.empty() ? "" : fmt::format(" for machine '{}'", machine),
                                    near.empty() ? "rccebench show --help lists all"
                                                 : fmt::format("did you mean {}?", written(near))));
}

} // namespace rccebench::show
