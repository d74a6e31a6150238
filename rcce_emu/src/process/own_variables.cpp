#include "process/own_variables.hpp"

#include <array>
#include <ctime>
#include <string_view>
#include <unistd.h>

#include "image/image.hpp"

namespace rcce::process {

namespace {

struct Name {
  std::string_view name;
  std::size_t offset;
};

constexpr std::array names{
    Name{"optind", offsetof(OwnVariables, option_index)},
    Name{"opterr", offsetof(OwnVariables, option_messages)},
    Name{"optopt", offsetof(OwnVariables, option_letter)},
    Name{"optarg", offsetof(OwnVariables, option_word)},
    Name{"signgam", offsetof(OwnVariables, gamma_sign)},
    Name{"__signgam", offsetof(OwnVariables, gamma_sign)},
    Name{"environ", offsetof(OwnVariables, environment)},
    Name{"_environ", offsetof(OwnVariables, environment)},
    Name{"__environ", offsetof(OwnVariables, environment)},
    Name{"tzname", offsetof(OwnVariables, zone_names)},
    Name{"__tzname", offsetof(OwnVariables, zone_names)},
    Name{"timezone", offsetof(OwnVariables, zone_seconds)},
    Name{"__timezone", offsetof(OwnVariables, zone_seconds)},
    Name{"daylight", offsetof(OwnVariables, zone_saves_daylight)},
    Name{"__daylight", offsetof(OwnVariables, zone_saves_daylight)},
};

} // namespace

OwnVariables::OwnVariables() : environment(environ), zone_names{tzname[0], tzname[1]} {}

std::vector<VariableReference> variable_references(const image::ImageFile& file) {
  std::vector<VariableReference> found;
  for (const Elf64_Rela& relocation : file.relocations()) {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    if (type != R_X86_64_GLOB_DAT && type != R_X86_64_64) continue;
    const Elf64_Sym symbol = file.symbol(ELF64_R_SYM(relocation.r_info));
    if (symbol.st_shndx != SHN_UNDEF) continue; // the program's own variable of that name
    const std::string_view wanted = file.symbol_name(symbol);
    for (const Name& own : names)
      if (own.name == wanted)
        found.push_back(
            {relocation.r_offset,
             static_cast<std::ptrdiff_t>(own.offset) + (type == R_X86_64_64 ? relocation.r_addend : 0)});
  }
  return found;
}

void lead_to_own(image::Image& image, const std::vector<VariableReference>& references, OwnVariables& own) {
  std::vector<image::Image::Word> words;
  words.reserve(references.size());
  for (const VariableReference& reference : references)
    words.push_back({reference.place,
                     reinterpret_cast<std::uint64_t>(&own) + static_cast<std::uint64_t>(reference.variable)});
  image.write(words);
}

} // namespace rcce::process
