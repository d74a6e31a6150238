// SPDX-License-Identifier: Apache-2.0
// The options of rccerun, and of a program that is started directly: rccerun hands its own options on in the
// environment variable ROCKCREEK_OPTIONS, so that scripts may stand between the two.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rcce_emu/job_options.hpp"
#include "watch/explore/explore_options.hpp"

namespace rcce {

/// Ends each word that rccerun leaves in ROCKCREEK_OPTIONS; no option holds it.
inline constexpr char option_separator = '\x1f';

struct LaunchOptions {
  JobOptions job; ///< all but program, cores and arguments

  bool overwrite = false;     ///< files that are there
  std::string memory_profile; ///< file; empty: none

  // for the launcher alone
  std::optional<int> ues;
  std::string host_file; ///< empty: the default
  bool clock_given = false;
  bool compute_given = false;
  std::optional<unsigned> generation; ///< expected generation of the program: 10 or 20
  bool help = false;
  bool version = false;
  bool print_machine = false;
  bool libraries = false; ///< for the program, which lists them instead of running
  std::optional<explore::ExploreOptions> explore;
  bool verbose = false; ///< show the command that is started
  std::string launcher; ///< launcher of the processes of --engine mpi; empty: the default
  std::string launcher_arguments;

  std::vector<std::string> unexplored; ///< the words taken, as written, but for --explore
  std::vector<std::string>
      forwarded;        ///< the words that concern the job, in a form that does not depend on the folder
  std::size_t used = 0; ///< words taken, up to the executable
};

/// Reads options up to the first word without a dash. Options take one dash or two, and their value in the
/// next word or behind "=". Throws mesh::UserError; that for an unknown option begins with the original's
/// words.
[[nodiscard]] LaunchOptions parse_job_options(std::span<const std::string> words);

/// The text of ROCKCREEK_OPTIONS for these words.
[[nodiscard]] std::string join_options(std::span<const std::string> words);

/// The words of ROCKCREEK_OPTIONS, as rccerun has joined them or, by hand, between blanks; none for a null
/// pointer.
[[nodiscard]] std::vector<std::string> split_options(const char* text);

/// The text of --help.
[[nodiscard]] std::string options_help();

/// The default of -clock: the cores' clock on this machine in GHz with three decimals ("0.533"); with
/// RCCE 1.0 it was "1.0".
[[nodiscard]] std::string default_clock(const mesh::MachineDescription& machine, unsigned generation);

} // namespace rcce
