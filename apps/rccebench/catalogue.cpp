// SPDX-License-Identifier: Apache-2.0
#include "catalogue.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "compiled_programs.hpp"
#include "lists.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto& value = object.at(key);
  return value.is_null() ? "" : value.get<std::string>();
}

Parameter parameter_of(const nlohmann::json& object) {
  Parameter result;
  result.name = text_in(object, "name");
  result.unit = text_in(object, "unit");
  result.tried = text_in(object, "tried");
  result.help = text_in(object, "help");
  result.least = object.at("least");
  result.most = object.at("most");
  result.standard = object.at("standard");
  if (const std::string words = text_in(object, "words"); !words.empty()) result.words = cut(words, ' ');
  result.fixed = object.at("fixed");
  return result;
}

Algorithm algorithm_of(const nlohmann::json& object) {
  Algorithm result;
  result.name = text_in(object, "name");
  result.operation = text_in(object, "operation");
  result.summary = text_in(object, "summary");
  result.cost = text_in(object, "cost");
  result.source = text_in(object, "source");
  result.needs_mesh = object.at("needs_mesh");
  result.for_auto = !object.at("needs_registers") && !object.at("needs_air") && !object.at("own_file");
  for (const auto& one : object.at("parameters")) result.parameters.push_back(parameter_of(one));
  return result;
}

} // namespace

std::string Parameter::column() const {
  return unit.empty() ? name : name + "_" + unit;
}

std::string Parameter::option() const {
  std::string text = "--" + column();
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string Parameter::standard_text() const {
  if (!words.empty()) return words.at(static_cast<std::size_t>(standard));
  return standard < least ? "" : std::to_string(standard);
}

const Parameter* Algorithm::parameter(std::string_view wanted) const {
  for (const Parameter& one : parameters)
    if (one.name == wanted) return &one;
  return nullptr;
}

std::shared_ptr<const Catalogue> Catalogue::with(const std::vector<std::string>& files,
                                                 Generation generation) {
  static std::map<std::pair<std::vector<std::string>, Generation>, std::shared_ptr<const Catalogue>> known;
  auto& entry = known[{files, files.empty() ? Generation::rcce20 : generation}];
  if (!entry) entry.reset(new Catalogue(files, generation));
  return entry;
}

Catalogue::Catalogue(const std::vector<std::string>& files, Generation generation) : files_(files) {
  if (!files_.empty()) image_ = compile_with(files_, generation, Size::chip);
  const Machine chip = open_machine("scc");
  Run what = run(chip, generation, 1);
  what.arguments = {"--rows"};
  const Output output = rccebench::run(chip, what);
  const nlohmann::json table = nlohmann::json::parse(output.text);
  for (const auto& one : table.at("operations"))
    operations_.push_back({.name = text_in(one, "name"),
                           .until = text_in(one, "until"),
                           .right = text_in(one, "right"),
                           .wrong = text_in(one, "wrong"),
                           .has_message = one.at("has_message"),
                           .has_root = one.at("has_root"),
                           .combines = one.at("combines")});
  for (const auto& one : table.at("faulty"))
    throw mesh::UserError(fmt::format("--with '{}': algorithm '{}' cannot be used: {}",
                                      fmt::join(files_, "' '"), text_in(one, "name"), text_in(one, "fault")));
  std::size_t own = 0;
  for (const auto& one : table.at("algorithms")) {
    algorithms_.push_back(algorithm_of(one));
    own += one.at("own_file") ? 1 : 0;
  }
  if (own == 0 && !files_.empty())
    throw mesh::UserError(
        fmt::format("--with '{}': there is no algorithm in it; define one by ROCKCREEK_ALGORITHM "
                    "(algorithms/WRITE_YOUR_OWN.md)",
                    fmt::join(files_, "' '")));
}

const Operation& Catalogue::operation(std::string_view name) const {
  for (const Operation& one : operations_)
    if (one.name == name) return one;
  throw std::logic_error(fmt::format("there is no operation '{}'", name));
}

const Algorithm& Catalogue::algorithm(std::string_view name) const {
  for (const Algorithm& one : algorithms_)
    if (one.name == name) return one;
  throw std::logic_error(fmt::format("'{}' is not in the table of algorithms", name));
}

std::vector<const Algorithm*> Catalogue::algorithms_of(std::string_view operation) const {
  std::vector<const Algorithm*> result;
  for (const Algorithm& one : algorithms_)
    if (one.operation == operation) result.push_back(&one);
  return result;
}

std::vector<std::string_view> Catalogue::names_of(std::string_view operation) const {
  std::vector<std::string_view> names;
  for (const Algorithm* one : algorithms_of(operation)) names.push_back(one->name);
  return names;
}

Run Catalogue::run(const Machine& machine, Generation generation, int cores) const {
  Run what;
  what.generation = generation;
  what.cores = machine.first_cores(cores);
  if (cores > chip_cores && generation != Generation::rcce20)
    throw mesh::UserError(fmt::format(
        "--rcce 1.0: its flags take a line each and leave no buffer on {} cores; use --rcce 2.0", cores));
  what.program = cores > chip_cores ? "collective_large" : "collective";
  if (files_.empty()) return what;
  if (cores > chip_cores) {
    const std::lock_guard guard(large_mutex_);
    if (large_image_.empty()) large_image_ = compile_with(files_, Generation::rcce20, Size::large);
  }
  what.program = (cores > chip_cores ? large_image_ : image_).string();
  what.place = Place::compiled;
  return what;
}

} // namespace rccebench
