// SPDX-License-Identifier: Apache-2.0
// What a source shows to be in vain: what has happened can be said in one line.
#pragma once

#include <string>

namespace rcce::compiler {

/// A program of RCCE's gory interface that is compiled without -DGORY gets warnings about functions that the
/// compiler does not know, and hangs later. The line, empty where the source calls nothing of that interface,
/// or chooses one itself. `object` is what was made of the source, empty where nothing was.
[[nodiscard]] std::string gory_hint(const std::string& source, const std::string& object);

/// An object that is linked in vain, and calls what iRCCE has only if it is built with AIR: the line, empty
/// where it calls nothing of it. `shown`: the name that the user knows it by.
[[nodiscard]] std::string air_hint(const std::string& object, const std::string& shown);

/// A source with directives of OpenMP that is compiled with -fopenmp or one of its kind; the line, empty
/// where it has none but those that give each thread its own variables, which each UE has anyway.
[[nodiscard]] std::string openmp_hint(const std::string& source);

} // namespace rcce::compiler
