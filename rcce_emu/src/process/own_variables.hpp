// SPDX-License-Identifier: Apache-2.0
// Variables of the C and C++ libraries that programs read and write by name, one set per UE: a copy's
// references to them are led to its UE's set when it is loaded. The program's own libraries are led likewise;
// what a library of the system reads is still the process's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

namespace rcce::image {
class Image;
class ImageFile;
} // namespace rcce::image

namespace rcce::process {

/// Written by the functions that the runtime exports in the C library's place.
struct OwnVariables {
  int option_index = 1;        ///< optind
  int option_messages = 1;     ///< opterr
  int option_letter = '?';     ///< optopt
  int gamma_sign = 0;          ///< signgam
  char* option_word = nullptr; ///< optarg
  char** environment;          ///< environ; the process's until the UE changes it
  char* zone_names[2];         ///< tzname
  long zone_seconds = 0;       ///< timezone
  int zone_saves_daylight = 0; ///< daylight
  FILE* input;                 ///< stdin; the process's until the job says whose it is
  FILE *output, *error;        ///< stdout and stderr, likewise

  OwnVariables();
};

/// A word of the program that holds the address of one of a list of variables.
struct VariableReference {
  std::uint64_t place;  ///< virtual address in the image
  std::size_t variable; ///< index in the list
  std::uint64_t addend; ///< bytes behind its beginning
};

/// References of a program to variables of libraries that have one of these names.
[[nodiscard]] std::vector<VariableReference> references_to(std::span<const std::string_view> names,
                                                           const image::ImageFile& file);
/// Leads a copy's references to the variables at `addresses`, which have to outlive the copy's last use.
/// Before any of its code runs.
void lead(image::Image& image, const std::vector<VariableReference>& references,
          std::span<void* const> addresses);

/// The UE's variable of this name; null where it has none of its own.
[[nodiscard]] void* own_variable(std::string_view name, OwnVariables& own);

/// Both of them for OwnVariables.
[[nodiscard]] std::vector<VariableReference> variable_references(const image::ImageFile& file);
void lead_to_own(image::Image& image, const std::vector<VariableReference>& references, OwnVariables& own);

} // namespace rcce::process
