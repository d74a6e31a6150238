// SPDX-License-Identifier: Apache-2.0
// Where this installation's parts are, relative to the wrapper's own executable: the build tree and an
// installed tree are laid out alike, and either may be moved as a whole.
#pragma once

#include <string>

namespace rcce::compiler {

struct Installation {
  std::string headers; ///< RCCE.h and its kin
  std::string include; ///< root of <module>/ headers; the image part reads rcce_emu/image.h from there
  std::string image;   ///< sources that every program is linked with
  std::string ircce_headers, ircce_image; ///< the same of iRCCE
  std::string libraries;                  ///< librcce.so and the stub archives
  std::string own_names;      ///< version script: what a program keeps to itself; empty where it was not made
  std::string root;           ///< stands in for the root of an RCCE distribution (RCCEROOT)
  std::string pass;           ///< the plugin that makes waiting loops yield; empty where it was not built
  std::string observing_pass; ///< the plugin of --observe, likewise
  std::string counting_pass;  ///< the plugin by which programs count their cycles, likewise
  std::string memory_pass;    ///< the plugin of --memory, likewise

  /// From /proc/self/exe. Throws std::runtime_error that names the missing part.
  static Installation find();
};

} // namespace rcce::compiler
