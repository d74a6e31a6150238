// SPDX-License-Identifier: Apache-2.0
#include "lab/own_files.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <tuple>

#include <dlfcn.h>

#include <fmt/format.h>

// The functions below are asked for by name; a file of the user's defines them.
#include "algorithms/in_memory/own.hpp"
#include "algorithms/on_cards/own.hpp"
#include "lab/compiled_programs.hpp"
#include "lab/program.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/environment.hpp"

namespace lab {
namespace {

namespace fs = std::filesystem;
namespace in_memory = algorithms::in_memory;
namespace on_cards = algorithms::on_cards;

constexpr const char* page = "algorithms/WRITE_YOUR_OWN.md";

std::string whose(const std::string& file) {
  return fmt::format("--with '{}'", file);
}

std::vector<std::string> compiler_words(const std::string& file) {
  const char* const asked = std::getenv(rcce::environment::host_compiler.name);
  const std::string compiler =
      asked != nullptr && *asked != '\0' ? asked : std::string(rcce::environment::host_compiler.standard);
  const fs::path prefix = command_path("").parent_path();
  return {compiler,
          "-std=c++20",
          "-O2",
          "-g",
          "-fPIC",
          "-shared",
          "-fvisibility=hidden",
          "-ffp-contract=off", // the same sums on every host
          "-DROCKCREEK_OWN_FILE",
          "-I" + (prefix / "../include").lexically_normal().string(),
          file};
}

template <class Rows>
const Rows& rows_in(const std::string& file, const fs::path& library, const char* function) {
  using Ask = const Rows* (*)();
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto ask = handle == nullptr ? nullptr : reinterpret_cast<Ask>(dlsym(handle, function));
  if (ask != nullptr) return *ask();
  // Kept before anything is allocated, which resets what dlerror() has to say.
  std::array<char, 4096> why{};
  std::strncpy(why.data(), dlerror(), why.size() - 1);
  throw mesh::UserError(fmt::format("{}: {}", whose(file), why.data()));
}

template <class Row>
std::size_t add(const std::string& file, const std::vector<Row>& rows, std::span<const Row> known) {
  for (const Row& row : rows) {
    if (algorithms::find_row(known, row.name) != nullptr)
      throw mesh::UserError(
          fmt::format("{}: there is a '{}' already; give the row a name of its own", whose(file), row.name));
    algorithms::own_rows<Row>.push_back(row);
  }
  return rows.size();
}

std::size_t add_in_memory(const std::string& file, const fs::path& library) {
  using algorithms::memory::Host, algorithms::memory::Simulated;
  const auto& rows = rows_in<in_memory::OwnRows>(file, library, in_memory::own_rows_function);
  const auto both = [&]<template <class> class Row>(const auto& simulated, const auto& host) {
    (void)add(file, std::get<std::vector<Row<Host>>>(rows), host);
    return add(file, std::get<std::vector<Row<Simulated>>>(rows), simulated);
  };
  return both.template operator()<in_memory::BarrierRow>(in_memory::barriers<Simulated>(),
                                                         in_memory::barriers<Host>()) +
      both.template operator()<in_memory::JoinRow>(in_memory::joins<Simulated>(), in_memory::joins<Host>()) +
      both.template operator()<in_memory::ReductionRow>(in_memory::reductions<Simulated>(),
                                                        in_memory::reductions<Host>()) +
      both.template operator()<in_memory::BroadcastRow>(in_memory::broadcasts<Simulated>(),
                                                        in_memory::broadcasts<Host>()) +
      both.template operator()<in_memory::ExchangeRow>(in_memory::exchanges<Simulated>(),
                                                       in_memory::exchanges<Host>());
}

} // namespace

const char* name(World world) {
  return world == World::messages ? "messages" : world == World::memory ? "shared memory" : "network cards";
}

World world_of(const std::string& file) {
  if (!fs::is_regular_file(file))
    throw mesh::UserError(
        fmt::format("{}: there is no such file; give a C or C++ source with a row ({})", whose(file), page));
  const std::string text = text_of_file(file);
  const auto includes = [&text](const char* header) { return text.find(header) != std::string::npos; };
  if (includes("algorithms/in_memory/own.hpp")) return World::memory;
  if (includes("algorithms/on_cards/own.hpp")) return World::cards;
  return World::messages;
}

std::vector<std::string> files_for(World world, const std::vector<std::string>& files) {
  std::vector<std::string> all;
  std::ranges::copy_if(files, std::back_inserter(all),
                       [world](const std::string& file) { return world_of(file) == world; });
  return all;
}

void load_own_files(const std::vector<std::string>& files) {
  static std::set<std::string> loaded;
  for (const std::string& file : files) {
    const World world = world_of(file);
    if (world == World::messages || !loaded.insert(file).second) continue;
    const fs::path library =
        compile(compiler_words(file), fmt::format("own-{}.so", loaded.size()), whose(file));
    const std::size_t rows = world == World::memory
        ? add_in_memory(file, library)
        : add(file, rows_in<on_cards::OwnRows>(file, library, on_cards::own_rows_function),
              on_cards::reductions);
    if (rows == 0)
      throw mesh::UserError(fmt::format("{}: there is no algorithm in it; add one by {} ({})", whose(file),
                                        world == World::memory ? "ROCKCREEK_IN_MEMORY" : "ROCKCREEK_ON_CARDS",
                                        page));
  }
}

} // namespace lab
