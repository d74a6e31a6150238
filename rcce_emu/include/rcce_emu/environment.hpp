// SPDX-License-Identifier: Apache-2.0
// The environment variables that the project reads, in one table: their names stand nowhere else in C++
// but for those of terminals, which mesh_sim/terminal.hpp has.
#pragma once

#include <string_view>

namespace rcce::environment {

struct Variable {
  const char* name;
  std::string_view standard; ///< value if the variable is unset; empty: none
  std::string_view readers;
  std::string_view meaning;
};

inline constexpr Variable job_options{
    "ROCKCREEK_OPTIONS", "", "programs",
    "options of rccerun, separated by blanks. rccerun passes its options to the program in this variable; "
    "set it by hand for a program that is started without rccerun"};
inline constexpr Variable compute{"ROCKCREEK_COMPUTE", "blocks where every object counts, else none",
                                  "programs",
                                  "none or blocks: what --compute is where rccerun is not given that option"};
inline constexpr Variable plain_stores{
    "ROCKCREEK_PLAIN_STORES", "allowed", "programs, rccebench",
    "none: the programs write to message-passing buffers by calls alone. A wait that nobody has ended in "
    "time "
    "is then reported as a fault of the runtime. For tests of the runtime"};
inline constexpr Variable ue_count{"RCCE_NUE", "1", "programs",
                                   "number of UEs of a program that is started by itself, without rccerun"};
inline constexpr Variable recording{
    "ROCKCREEK_RECORDING", "", "programs",
    "set by rccerun --explore for the runs that it starts; do not set it by hand"};
inline constexpr Variable command{
    "ROCKCREEK_COMMAND", "", "programs",
    "command line that the page of --report shows; set by rccerun, do not set it by hand"};
inline constexpr Variable compiler_options{"RCCECC_OPTIONS", "", "rccecc, rccec++",
                                           "options that are read before those of the command line, "
                                           "separated by blanks, for example --cc gcc --rcce 1.0"};
inline constexpr Variable temporary_folder{"TMPDIR", "/tmp", "rccecc, rccebench, apps/*.sh",
                                           "folder for temporary files"};
inline constexpr Variable search_path{"PATH", "", "rccerun, rccecc, rccebench",
                                      "folders that are searched for programs, compilers and python3"};
inline constexpr Variable library_path{"LD_LIBRARY_PATH", "", "programs",
                                       "folders that are searched for the program's own shared libraries"};
inline constexpr Variable command_folder{"ROCKCREEK_BIN", "", "the Python module",
                                         "folder of the commands; if unset, PATH is searched"};
inline constexpr Variable build_folder{"ROCKCREEK_BUILD", "build", "apps/package.sh",
                                       "build folder from which packages are made"};
inline constexpr Variable handbook{
    "ROCKCREEK_HANDBOOK", "", "apps/package.sh",
    "--quick: the handbook without the long reproductions; built: the one that "
    "is in the build folder"};
inline constexpr Variable processes_apart{"ROCKCREEK_MPI_APART", "", "programs",
                                          "1: each process of --engine mpi acts as if it were alone on its "
                                          "host, for tests of communication between hosts"};
inline constexpr Variable open_mpi_rank{"OMPI_COMM_WORLD_RANK", "", "programs, rccebench --shard auto",
                                        "number of this process, set by Open MPI's launcher"};
inline constexpr Variable open_mpi_size{"OMPI_COMM_WORLD_SIZE", "", "programs, rccebench --shard auto",
                                        "number of processes, set by Open MPI's launcher"};
inline constexpr Variable pmi_rank{"PMI_RANK", "", "programs, rccebench --shard auto",
                                   "number of this process, set by MPICH's launcher and related ones"};
inline constexpr Variable pmi_size{"PMI_SIZE", "", "programs, rccebench --shard auto",
                                   "number of processes, set with PMI_RANK"};
inline constexpr Variable slurm_rank{"SLURM_PROCID", "", "programs, rccebench --shard auto",
                                     "the same of srun"};
inline constexpr Variable slurm_size{
    "SLURM_STEP_NUM_TASKS", "", "programs, rccebench --shard auto",
    "number of processes, set by srun; a batch script, which runs once, has SLURM_PROCID but not this"};
inline constexpr Variable array_task{"SLURM_ARRAY_TASK_ID", "", "rccebench --shard auto",
                                     "number of the task in an array of Slurm"};
inline constexpr Variable array_tasks{"SLURM_ARRAY_TASK_COUNT", "", "rccebench --shard auto",
                                      "number of tasks in the array"};
inline constexpr Variable array_first{"SLURM_ARRAY_TASK_MIN", "1", "rccebench --shard auto",
                                      "number of its first task"};
inline constexpr Variable array_step{"SLURM_ARRAY_TASK_STEP", "1", "rccebench --shard auto",
                                     "difference between the numbers of two tasks"};
inline constexpr Variable host_compiler{
    "CXX", "c++", "rccebench, apps/compare_mpi.sh, apps/compare_smpi.sh",
    "C++ compiler for your own algorithms in shared memory and on network cards (--with), and for the "
    "programs that measure other libraries"};

inline constexpr Variable terminal{
    "TERM", "", "rccerun, rccebench",
    "kind of terminal; if it is dumb, there are no progress lines and no colours"};
inline constexpr Variable no_colours{"NO_COLOR", "", "rccerun, rccebench",
                                     "if set to any value, there are no colours"};
inline constexpr Variable all_of_locale{"LC_ALL", "", "rccerun, rccebench",
                                        "character set of the terminal, read before LC_CTYPE and LANG; "
                                        "without UTF-8, curves and the die are ASCII"};
inline constexpr Variable characters{"LC_CTYPE", "", "rccerun, rccebench", "see LC_ALL"};
inline constexpr Variable language{"LANG", "", "rccerun, rccebench", "see LC_ALL"};
inline constexpr Variable cache_folder{
    "XDG_CACHE_HOME", "HOME's .cache", "apps/setup.sh",
    "folder below which apps/setup.sh keeps the chart library of the reports"};
inline constexpr Variable home_folder{"HOME", "", "apps/setup.sh", "see XDG_CACHE_HOME"};

inline constexpr const Variable* all[] = {
    &job_options,      &compute,          &plain_stores,  &ue_count,      &recording,      &command,
    &compiler_options, &temporary_folder, &search_path,   &library_path,  &command_folder, &build_folder,
    &handbook,         &processes_apart,  &open_mpi_rank, &open_mpi_size, &pmi_rank,       &pmi_size,
    &slurm_rank,       &slurm_size,       &array_task,    &array_tasks,   &array_first,    &array_step,
    &host_compiler,    &terminal,         &no_colours,    &all_of_locale, &characters,     &language,
    &cache_folder,     &home_folder};

} // namespace rcce::environment
