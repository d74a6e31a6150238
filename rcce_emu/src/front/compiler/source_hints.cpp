// SPDX-License-Identifier: Apache-2.0
#include "source_hints.hpp"

#include <cctype>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace rcce::compiler {
namespace {

constexpr std::string_view gory_functions[] = {"RCCE_flag_alloc", "RCCE_flag_write", "RCCE_wait_until",
                                               "RCCE_malloc",     "RCCE_put",        "RCCE_get"};

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// True if the text calls the function, or seems to.
bool calls(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_part_of_name(text[at - 1])) continue;
    const std::size_t next = text.find_first_not_of(" \t", at + name.size());
    if (next != std::string_view::npos && text[next] == '(') return true;
  }
  return false;
}

/// True if an object file names the function: its text ends and begins with a zero in the table of names.
bool names(std::string_view object, std::string_view name) {
  const char zero = '\0';
  return object.find(zero + std::string(name) + zero) != std::string_view::npos;
}

} // namespace

std::string gory_hint(const std::string& source, const std::string& object) {
  const std::string text = contents(source), compiled = object.empty() ? "" : contents(object);
  // Whoever includes the library's own header has these functions declared in either interface.
  for (const std::string_view knows : {"GORY", "RCCE_lib.h"})
    if (text.find(knows) != std::string::npos) return "";
  for (const std::string_view name : gory_functions)
    if (calls(text, name) && (compiled.empty() || names(compiled, name)))
      return std::string(program_invocation_short_name) + ": '" + source + "' calls " + std::string(name) +
          ", which belongs to RCCE's gory interface; compile it with -DGORY\n";
  return "";
}

std::string air_hint(const std::string& object, const std::string& shown) {
  const std::string compiled = contents(object);
  for (const char* const name :
       {"iRCCE_atomic_alloc", "iRCCE_atomic_inc", "iRCCE_atomic_read", "iRCCE_atomic_write"})
    if (names(compiled, name))
      return std::string(program_invocation_short_name) + ": '" + shown + "' calls " + name +
          ", which iRCCE has if it is built with AIR; link with -DAIR, besides a #define in the source\n";
  return "";
}

std::string openmp_hint(const std::string& source) {
  std::ifstream in(source);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::string first, second, third, fourth;
    words >> first >> second >> third >> fourth;
    if (first == "#") first += second, second = third, third = fourth;
    if (first != "#pragma" || second != "omp" || third.starts_with("threadprivate")) continue;
    return std::string(program_invocation_short_name) + ": '" + source + "' line " + std::to_string(number) +
        ": #pragma omp is not obeyed and -fopenmp left out: a unit of execution is one thread, as its core "
        "was; "
        "divide the work by RCCE_ue() and RCCE_num_ues()\n";
  }
  return "";
}

} // namespace rcce::compiler
