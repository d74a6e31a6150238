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

/// Lower-case letters, digits and underscores, as names of algorithms on messages have. 'auto' is the choice
/// among all.
bool is_word(std::string_view text) {
  return !text.empty() && text != "auto" && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// The first word of a row's name is the operation that it is for.
template <class Row>
bool is_named(const Row& row) {
  const std::string_view operation = row.name.substr(0, row.name.find('/'));
  if (operation.size() == row.name.size() || !is_word(row.name.substr(operation.size() + 1))) return false;
  if constexpr (requires { row.operation; })
    return operation == algorithms::operations[row.operation].name;
  else if constexpr (requires { row.ending; })
    return operation == "reduce";
  else if constexpr (requires { row.result_for_all; })
    return operation == "reduce";
  else if constexpr (requires { row.summary; })
    return operation == "bcast";
  else
    return operation == "barrier" || operation == "join";
}

template <class Row>
std::size_t add(const std::string& file, const std::vector<Row>& rows, std::span<const Row> known) {
  for (const Row& row : rows) {
    if (!is_named(row))
      throw mesh::UserError(
          fmt::format("{}: a row is named '{}'; its name is the operation that it is for, a "
                      "slash and a word of lower-case letters, digits and underscores other than auto, as "
                      "'reduce/chain' ({})",
                      whose(file), row.name, page));
    if (algorithms::find_row(known, row.name) != nullptr)
      throw mesh::UserError(
          fmt::format("{}: there is a '{}' already; give the row a name of its own", whose(file), row.name));
    algorithms::own_rows<Row>.push_back(row);
  }
  return rows.size();
}

/// Those for one memory; how many there are.
template <class M>
std::size_t add_for(const std::string& file, const in_memory::OwnRows& rows) {
  return std::apply(
      [&](const auto& barriers, const auto& joins, const auto& reductions, const auto& broadcasts,
          const auto& exchanges) {
        return add(file, barriers, in_memory::barriers<M>()) + add(file, joins, in_memory::joins<M>()) +
            add(file, reductions, in_memory::reductions<M>()) +
            add(file, broadcasts, in_memory::broadcasts<M>()) +
            add(file, exchanges, in_memory::exchanges<M>());
      },
      std::get<in_memory::OwnRowsFor<M>>(rows));
}

std::size_t add_in_memory(const std::string& file, const fs::path& library) {
  const auto& rows = rows_in<in_memory::OwnRows>(file, library, in_memory::own_rows_function);
  (void)add_for<algorithms::memory::Host>(file, rows);
  (void)add_for<algorithms::explore::Memory>(file, rows);
  return add_for<algorithms::memory::Simulated>(file, rows);
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
