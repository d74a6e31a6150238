// Variables of the C library that programs read and write by name, one set per UE: a copy's references to
// them are led to its UE's set when it is loaded. What a library beside the program reads is still the
// process's.
#pragma once

#include <cstddef>
#include <cstdint>
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

  OwnVariables();
};

/// A word of the program that holds the address of one of the variables.
struct VariableReference {
  std::uint64_t place;     ///< virtual address in the image
  std::ptrdiff_t variable; ///< bytes from the beginning of OwnVariables, addend included
};

[[nodiscard]] std::vector<VariableReference> variable_references(const image::ImageFile& file);

/// Leads a copy's references to `own`, which has to outlive the copy's last use. Before any of its code runs.
void lead_to_own(image::Image& image, const std::vector<VariableReference>& references, OwnVariables& own);

} // namespace rcce::process
