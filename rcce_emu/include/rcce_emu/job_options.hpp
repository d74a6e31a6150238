// SPDX-License-Identifier: Apache-2.0
// The options of a job: program, machine, cores, recordings.
#pragma once

#include <string>
#include <vector>

#include "mesh_sim/machines/machines.hpp"
#include "rcce_emu/engine_options.hpp"
#include "rcce_emu/interference_options.hpp"
#include "rcce_emu/library_options.hpp"
#include "rcce_emu/output_options.hpp"
#include "rcce_emu/process_options.hpp"
#include "rcce_emu/record_options.hpp"

namespace rcce {

/// How a run was started, as text.
struct LaunchTexts {
  std::string command;            ///< the command line, for the report
  std::string clock;              ///< core clock in GHz that the program is told; empty: the machine's
  std::vector<std::string> cores; ///< as the host file writes them ("00"); empty: two digits each
};

struct JobOptions {
  std::string program;                ///< path of an image built by rccecc
  std::vector<std::string> arguments; ///< the program's own arguments
  /// Memory of the caller that the program shares: rockcreek_job_data() returns this pointer in every UE.
  /// Null: none.
  void* data = nullptr;
  std::vector<int>
      cores; ///< physical cores, one per UE, in host-file order; ranks follow ascending core number
  mesh::MachineDescription machine;
  EngineOptions engine;
  LibraryOptions library;
  ProcessOptions process;
  OutputOptions output;
  RecordOptions recording;
  InterferenceOptions interference;
  LaunchTexts launch;
  double timeout_seconds = 0; ///< host time; 0: none
};

} // namespace rcce
