// SPDX-License-Identifier: Apache-2.0
// The environment variables that the project reads, in one table: their names stand nowhere else in C++
// but for those of terminals, which mesh_sim/terminal.hpp has.
#pragma once

#include <string_view>

namespace rcce::environment {

struct Variable {
  const char* name;
  std::string_view standard; ///< what counts where it is unset; empty: nothing
  std::string_view readers;
  std::string_view meaning;
};

inline constexpr Variable job_options{
    "ROCKCREEK_OPTIONS", "", "programs",
    "options of rccerun, a blank between two: rccerun hands its own on in it; set by hand they count for a "
    "program that is started without rccerun"};
inline constexpr Variable compute{"ROCKCREEK_COMPUTE", "blocks where every object counts, else none",
                                  "programs",
                                  "none or blocks: what --compute is where rccerun is not given that option"};
inline constexpr Variable ue_count{"RCCE_NUE", "1", "programs",
                                   "number of UEs of a program that is started by its name alone"};
inline constexpr Variable recording{"ROCKCREEK_RECORDING", "", "programs",
                                    "for the runs that rccerun --explore starts; not to be set by hand"};
inline constexpr Variable command{"ROCKCREEK_COMMAND", "", "programs",
                                  "rccerun's command line for the page of --report; not to be set by hand"};
inline constexpr Variable line_key{"ROCKCREEK_GRADE_KEY", "", "checkers of exercises",
                                   "what stands before their lines of results; rccebench grade sets it"};
inline constexpr Variable compiler_options{"RCCECC_OPTIONS", "", "rccecc, rccec++",
                                           "words that are read before those of the command line, a blank "
                                           "between two: --cc gcc --rcce 1.0"};
inline constexpr Variable temporary_folder{"TMPDIR", "/tmp", "rccecc, rccebench, apps/*.sh",
                                           "folder for temporary files"};
inline constexpr Variable search_path{"PATH", "", "rccerun, rccecc, rccebench",
                                      "folders in which programs, compilers and gnuplot are looked for"};
inline constexpr Variable library_path{"LD_LIBRARY_PATH", "", "programs",
                                       "folders in which the program's own shared libraries are looked for"};
inline constexpr Variable command_folder{"ROCKCREEK_BIN", "", "the Python module, apps/picture/make.sh",
                                         "folder of the commands; unset: they are looked for in PATH"};
inline constexpr Variable build_folder{"ROCKCREEK_BUILD", "build", "apps/package.sh",
                                       "folder that is built already, of which packages are made"};
inline constexpr Variable processes_apart{
    "ROCKCREEK_MPI_APART", "", "programs",
    "1: each process of --engine mpi takes the others for hosts of their own, for tests of the way between "
    "hosts"};
inline constexpr Variable open_mpi_rank{"OMPI_COMM_WORLD_RANK", "", "programs, rccebench --shard auto",
                                        "number of this process; Open MPI's launcher sets it"};
inline constexpr Variable open_mpi_size{"OMPI_COMM_WORLD_SIZE", "", "programs, rccebench --shard auto",
                                        "number of processes; Open MPI's launcher sets it"};
inline constexpr Variable pmi_rank{"PMI_RANK", "", "programs, rccebench --shard auto",
                                   "the same of MPICH's launcher and its relatives"};
inline constexpr Variable pmi_size{"PMI_SIZE", "", "programs, rccebench --shard auto", "see PMI_RANK"};
inline constexpr Variable slurm_rank{"SLURM_PROCID", "", "programs, rccebench --shard auto",
                                     "the same of srun"};
inline constexpr Variable slurm_size{
    "SLURM_STEP_NUM_TASKS", "", "programs, rccebench --shard auto",
    "the same of srun; a batch script, which runs once, has SLURM_PROCID but not this"};
inline constexpr Variable array_task{"SLURM_ARRAY_TASK_ID", "", "rccebench --shard auto",
                                     "number of the task in an array of Slurm"};
inline constexpr Variable array_tasks{"SLURM_ARRAY_TASK_COUNT", "", "rccebench --shard auto",
                                      "how many tasks the array has"};
inline constexpr Variable array_first{"SLURM_ARRAY_TASK_MIN", "1", "rccebench --shard auto",
                                      "number of its first task"};
inline constexpr Variable array_step{"SLURM_ARRAY_TASK_STEP", "1", "rccebench --shard auto",
                                     "what lies between the numbers of two tasks"};
inline constexpr Variable host_compiler{
    "CXX", "c++", "rccebench, apps/compare_mpi.sh, apps/compare_smpi.sh",
    "compiler of algorithms of one's own in shared memory and on network cards (--with), and of the "
    "programs that other libraries are measured with"};

inline constexpr Variable terminal{"TERM", "", "rccerun, rccebench",
                                   "kind of terminal; progress and colours are not for one that is dumb"};
inline constexpr Variable no_colours{"NO_COLOR", "", "rccerun, rccebench",
                                     "set to anything: no colours on terminals either"};
inline constexpr Variable all_of_locale{"LC_ALL", "", "rccerun, rccebench",
                                        "characters of the terminal: curves and the die are ASCII where it "
                                        "has no UTF-8; before LC_CTYPE and LANG"};
inline constexpr Variable characters{"LC_CTYPE", "", "rccerun, rccebench", "see LC_ALL"};
inline constexpr Variable language{"LANG", "", "rccerun, rccebench", "see LC_ALL"};
inline constexpr Variable cache_folder{"XDG_CACHE_HOME", "HOME's .cache", "apps/setup.sh",
                                       "folder below which the library of the reports' charts is kept"};
inline constexpr Variable home_folder{"HOME", "", "apps/setup.sh", "see XDG_CACHE_HOME"};

inline constexpr const Variable* all[] = {
    &job_options,      &compute,          &ue_count,      &recording,    &command,        &line_key,
    &compiler_options, &temporary_folder, &search_path,   &library_path, &command_folder, &build_folder,
    &processes_apart,  &open_mpi_rank,    &open_mpi_size, &pmi_rank,     &pmi_size,       &slurm_rank,
    &slurm_size,       &array_task,       &array_tasks,   &array_first,  &array_step,     &host_compiler,
    &terminal,         &no_colours,       &all_of_locale, &characters,   &language,       &cache_folder,
    &home_folder};

} // namespace rcce::environment
