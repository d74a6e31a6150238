// SPDX-License-Identifier: Apache-2.0
// Programs linked together with sources of the user's, in a folder that is gone when the process ends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/program.hpp"

namespace lab {

/// Runs a compiler, the first of these words, with the others and `-o`; where its output then lies. `name`
/// is that file's, `whose` begins the message of the mesh::UserError that a failure is, the compiler's words
/// in it. From one thread at a time.
[[nodiscard]] std::filesystem::path compile(std::vector<std::string> words, const std::string& name,
                                            const std::string& whose);

/// Runs the words with everything printed into `log`; the status, or 127 where it cannot be started.
[[nodiscard]] int run_into(const std::vector<std::string>& words, const std::filesystem::path& log);

/// All of it; empty where it cannot be read.
[[nodiscard]] std::string text_of_file(const std::filesystem::path& file);

/// For how many cores: the chip's, or `cores_of_small_buffers`.
enum class Size : std::uint8_t { chip, large };

/// Compiles the sources by the rccecc beside this command, and links them with `programs/collective.c`, like
/// the program of that size that is built with it. Throws mesh::UserError with the compiler's messages where
/// it fails. From one thread at a time.
[[nodiscard]] std::filesystem::path compile_with(const std::vector<std::string>& sources,
                                                 Generation generation, Size size);

/// The files that compile() has made so far, without those for larger meshes: these come from the same
/// sources, and may be made at any time.
[[nodiscard]] const std::vector<std::filesystem::path>& compiled_programs();

/// To be called where the process ends without destructors; otherwise it happens by itself.
void remove_compiled_programs() noexcept;

} // namespace lab
