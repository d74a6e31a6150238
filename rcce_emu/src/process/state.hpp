// SPDX-License-Identifier: Apache-2.0
// What the C library keeps once per process and programs expect once per core: part of a UE's Process.
//
// Kept per UE: errno, the variables that programs name (own_variables.hpp), getopt's place, the random
// generators, strtok's place, the table of hsearch, the results of localtime and its kind, the environment
// once it is changed, working directory, umask and locale once they are changed (process_state.hpp), the C++
// library's global locale and handlers of terminate() and of new, the mask of signals and handlers for those
// that the UE sends itself, what descriptors 0 to 2 lead to, standard input (rank 0 reads the launcher's, the
// others find it at its end), the C++ library's standard streams. Refused: changes of the process's limits,
// priority and root. Shared by all UEs and left so: descriptors from 3 on, handlers of asynchronous signals
// (SIGCHLD and the like), places in the databases of users, groups and hosts, results that a function of the
// C library keeps (tmpnam, crypt, ether_ntoa), the orientation of stdout and stderr.
#pragma once

#include <array>
#include <atomic>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <locale.h>
#include <locale>
#include <memory>
#include <new>
#include <optional>
#include <search.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mesh_sim/units.hpp"
#include "process/own_variables.hpp"
#include "process/process_state.hpp"

namespace rcce::run {
class Output;
}

namespace rcce::process {

/// A function to call at a UE's end, as the C++ ABI registers it (__cxa_atexit); `argument` is also what
/// on_exit() passes on.
struct ExitFunction {
  void (*call)(void* argument);
  void* argument;
  void (*call_with_status)(int status, void* argument) = nullptr; ///< on_exit(); null for the others
  const void* object = nullptr; ///< an address in the program or library that has registered it
};

/// State of the generators rand() and drand48(): glibc's own algorithms, so that a UE sees the sequence that
/// it would see as a process.
struct RandomState {
  RandomState();
  std::array<char, 128> words{}; ///< glibc's default size of the state, in bytes
  random_data data{};
  drand48_data drand48{};
};

/// The environment of a UE after its first change; until then it reads the process's.
struct Environment {
  /// "NAME=value", and a null pointer at the end. Those that setenv() made lie on the UE's heap, and stay:
  /// a program may hold what getenv() gave.
  std::vector<char*> entries;
};

/// The locales set by setlocale() and uselocale().
struct LocaleState {
  static constexpr std::size_t categories = 12;

  LocaleState() = default;
  ~LocaleState();
  LocaleState(const LocaleState&) = delete;
  LocaleState& operator=(const LocaleState&) = delete;

  std::array<std::string, categories> names; ///< as setlocale() tells them
  std::string all_names;                     ///< likewise, of LC_ALL
  locale_t own = nullptr;                    ///< made of the names; null where they are the process's
  locale_t chosen = LC_GLOBAL_LOCALE;        ///< by uselocale()
  lconv conventions{};                       ///< result of localeconv()
};

/// The C++ library's state of the process; null members if the UE has set nothing.
struct CxxState {
  std::locale* locale = nullptr; ///< the last one is never destroyed: its facets are the program's code
  void (*terminate)() = nullptr;
  std::new_handler make_room = nullptr;
};

/// The table of hsearch().
struct HashTable {
  HashTable() = default;
  ~HashTable();
  HashTable(const HashTable&) = delete;
  HashTable& operator=(const HashTable&) = delete;

  hsearch_data data{};
};

/// Buffers of the streams that a UE has opened: blocks of its heap.
struct Files {
  Files() = default;
  ~Files();
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::unordered_map<std::FILE*, void*> buffers;
};

/// The state of dlopen() and its kind.
struct LinkerState {
  std::string error; ///< not yet told; empty: none
  std::string told;  ///< the text that dlerror() returned last
};

/// Position and findings of getopt(): its public variables live in the C library, this is the rest.
struct OptionScan {
  const char* cluster = nullptr; ///< rest of a word "-abc" that has been begun
  int first_nonoption = 1; ///< words [first_nonoption, last_nonoption) were passed over and stand behind
  int last_nonoption = 1;  ///< the options when these are done
  bool begun = false;
};

/// The destination of the text that a UE writes to descriptor 1 or 2.
struct OutputStream {
  std::string line; ///< not yet ended by a newline
  int target = 0;   ///< 1 or 2: the job's output; 0: `file`
  int file = -1;    ///< after freopen() or dup2(): a descriptor owned by this; -1: closed, text is dropped
};

/// The input behind descriptor 0 of a UE.
struct InputStream {
  bool given = true;           ///< true for the job's input: the launcher's for rank 0, otherwise nothing
  int file = -1;               ///< otherwise: a descriptor owned by this; -1: closed
  std::FILE* stream = nullptr; ///< that `stdin` was led to with it
};

/// A timer of a UE by the UE's clock, or by the host's.
struct Timer {
  Timer() = default;
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  int signal = 0;                   ///< 0: none comes, by SIGEV_NONE
  siginfo_t details{};              ///< details of the signal
  clockid_t clock = CLOCK_REALTIME; ///< clock of absolute times
  /// When it goes off; in the host's time 0: it is on. At a standstill other threads look.
  std::atomic<mesh::Picoseconds> at = INT64_MAX;
  mesh::Picoseconds period = 0; ///< 0: once
  bool waits = false;           ///< it has gone off, and its signal has not reached the UE
  int overruns = 0;             ///< signals that the last one stands for, besides itself
  std::optional<timer_t> host;  ///< in the host's time
};

/// All of a UE. A handler may look at them at any moment, therefore their places stay.
struct Timers {
  static constexpr std::size_t intervals = 3; ///< those of setitimer(), the first of them alarm()'s
  std::array<std::unique_ptr<Timer>, 64> all; ///< then those of timer_create(), by number
  std::size_t end = 0;                        ///< behind the last that there has been
};

/// Signals of a UE. Its mask is data: the thread, which other UEs share and which the runtime's own signals
/// have to reach, blocks nothing but what comes from outside (run/own_signals).
struct Signals {
  Signals() noexcept;

  static constexpr int highest = 64;
  /// Handlers for signals that the UE sends itself, causes by a fault or gets by its timers.
  std::array<struct sigaction, highest + 1> actions{};
  sigset_t blocked, pending;
  std::array<siginfo_t, highest + 1> waiting{}; ///< the pending ones, in the order in which they came
  std::size_t waiting_count = 0;
  stack_t stack{}; ///< that sigaltstack() has been told
  volatile unsigned handlers_run = 0;
};

/// Begins on a cache line of its own, which is all that a switch touches.
struct alignas(64) CLibrary {
  // --- in the C library's own variables while the UE runs, here while others do
  // -----------------------------------
  int saved_errno = 0;
  std::array<void*, 2> cxa_globals{};          ///< C++ exceptions in flight: __cxa_get_globals()
  std::unique_ptr<ProcessState> process_state; ///< null until it changes any

  // --- read by the functions that the runtime exports in the C library's place
  // ------------------------------------
  run::Output* output = nullptr;
  std::array<OutputStream, 2> stream{OutputStream{{}, 1, -1}, OutputStream{{}, 2, -1}};
  InputStream input;
  std::array<OutputStream, 2> kept{OutputStream{{}, 1, -1}, OutputStream{{}, 2, -1}}; ///< by those duplicates
  std::vector<std::pair<int, int>> kept_streams; ///< duplicates of descriptors 1 and 2, and which of them
  std::size_t lines_finished = 0;                ///< by text written since the UE last gave way for it
  std::vector<ExitFunction> at_exit;             ///< run in reverse order
  std::vector<ExitFunction>
      at_thread_exit; ///< destructors of thread_local objects; run before those of at_exit
  std::vector<ExitFunction> at_quick_exit;
  std::size_t destructors_run = 0;     ///< destructors of the image that have run, at the UE's end
  std::unique_ptr<RandomState> random; ///< made at the first use
  char* strtok_rest = nullptr;
  OwnVariables variables;
  /// Streams of the C++ library (libc/streams/own_streams); null if it names none.
  std::unique_ptr<std::byte[]> streams;
  bool allocates = false;              ///< libraries act for it (process/libc/state/malloc.hpp)
  std::unique_ptr<Files> files;        ///< null until it opens one
  bool alone = false;                  ///< its job has the process to itself, and UEs take turns
  std::unique_ptr<HashTable> table;    ///< null until hcreate()
  std::unique_ptr<LocaleState> locale; ///< null until the first call
  std::unique_ptr<CxxState> cxx;       ///< likewise
  std::vector<const char*> refused;    ///< functions of which the user has been told that they are refused
  OptionScan options;
  std::unique_ptr<LinkerState> linker;      ///< null until the first error
  std::tm broken_down_time{};               ///< result of localtime() and gmtime()
  std::array<char, 64> time_text{};         ///< result of asctime() and ctime()
  std::array<char, 64> error_text{};        ///< text for a number that is no error
  std::array<char, 64> signal_text{};       ///< text for a number that is no signal
  std::array<char, 16> address_text{};      ///< result of inet_ntoa()
  std::unique_ptr<Environment> environment; ///< its own environment; null until the first change
  std::unique_ptr<Signals> signals;         ///< null until the first handler or mask
  std::unique_ptr<Timers> alarm;            ///< its alarm and all other timers; null until the first is made
};

} // namespace rcce::process
