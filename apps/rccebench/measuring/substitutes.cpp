// SPDX-License-Identifier: Apache-2.0
#include "measuring/substitutes.hpp"

#include <map>

namespace rccebench::measuring {
namespace {

std::map<std::string, std::string>& substitutes() {
  static std::map<std::string, std::string> all;
  return all;
}

} // namespace

std::string machine_file(const std::string& preset) {
  const auto found = substitutes().find(preset);
  return found == substitutes().end() ? preset : found->second;
}

void substitute_machine(const std::string& preset, const std::string& file) {
  substitutes().erase(preset);
  if (!file.empty()) substitutes()[preset] = file;
}

} // namespace rccebench::measuring
