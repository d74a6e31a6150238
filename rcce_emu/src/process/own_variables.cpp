// SPDX-License-Identifier: Apache-2.0
#include "process/own_variables.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <unistd.h>

#include "process/image/image.hpp"

namespace rcce::process {

namespace {

constexpr std::array<std::string_view, 18> names{
    "optind",    "opterr", "optopt",   "optarg",   "signgam",    "__signgam", "environ",    "_environ",
    "__environ", "tzname", "__tzname", "timezone", "__timezone", "daylight",  "__daylight", "stdin",
    "stdout",    "stderr"};

/// In the order of their names.
std::array<void*, names.size()> addresses(OwnVariables& own) {
  return {&own.option_index, &own.option_messages,     &own.option_letter,       &own.option_word,
          &own.gamma_sign,   &own.gamma_sign,          &own.environment,         &own.environment,
          &own.environment,  &own.zone_names,          &own.zone_names,          &own.zone_seconds,
          &own.zone_seconds, &own.zone_saves_daylight, &own.zone_saves_daylight, &own.input,
          &own.output,       &own.error};
}

} // namespace

OwnVariables::OwnVariables()
    : environment(environ), zone_names{tzname[0], tzname[1]}, input(stdin), output(stdout), error(stderr) {}

std::vector<VariableReference> references_to(std::span<const std::string_view> wanted,
                                             const image::ImageFile& file) {
  std::vector<VariableReference> found;
  for (const Elf64_Rela& relocation : file.relocations()) {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    if (type != R_X86_64_GLOB_DAT && type != R_X86_64_64) continue;
    const Elf64_Sym symbol = file.symbol(ELF64_R_SYM(relocation.r_info));
    if (symbol.st_shndx != SHN_UNDEF) continue; // the program's own variable of that name
    const auto name = std::ranges::find(wanted, file.symbol_name(symbol));
    if (name == wanted.end()) continue;
    const auto addend = type == R_X86_64_64 ? static_cast<std::uint64_t>(relocation.r_addend) : 0;
    found.push_back({relocation.r_offset, static_cast<std::size_t>(name - wanted.begin()), addend});
  }
  return found;
}

void lead(image::Image& image, const std::vector<VariableReference>& references,
          std::span<void* const> addresses) {
  std::vector<image::Image::Word> words;
  words.reserve(references.size());
  for (const VariableReference& reference : references)
    words.push_back(
        {reference.place, reinterpret_cast<std::uint64_t>(addresses[reference.variable]) + reference.addend});
  image.write(words);
}

void* own_variable(std::string_view name, OwnVariables& own) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : addresses(own)[static_cast<std::size_t>(found - names.begin())];
}

std::vector<VariableReference> variable_references(const image::ImageFile& file) {
  return references_to(names, file);
}

void lead_to_own(image::Image& image, const std::vector<VariableReference>& references, OwnVariables& own) {
  lead(image, references, addresses(own));
}

} // namespace rcce::process
