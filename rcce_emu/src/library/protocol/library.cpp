// SPDX-License-Identifier: Apache-2.0
#include "library/protocol/library.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "engine/ue/job_state.hpp"
#include "library/protocol/call.hpp"
#include "library/protocol/communication.hpp"
#include "library/protocol/diagnostics.hpp"
#include "library/protocol/flags.hpp"
#include "library/protocol/mpb.hpp"
#include "library/protocol/power.hpp"
#include "library/protocol/rendezvous.hpp"
#include "library/protocol/shared_memory.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/parts/own_accesses.hpp"
#include "process/process.hpp"
#include "rcce_emu/library_options.hpp"

namespace rcce::protocol {
namespace {

/// The launcher's words in the argument vector: number of UEs, clock, core numbers.
struct LauncherWords {
  int ues;
  double clock_ghz;
  std::vector<int> cores; ///< ascending
};

LauncherWords read_launcher_words(Library& library, char** words) {
  const auto missing = [&](const std::string& what) {
    misuse(library,
           what +
               "; the arguments have to be those that rccerun passes on: number of UEs, clock in GHz, core "
               "numbers, then the program's own");
  };
  if (words == nullptr) missing("no argument vector");
  for (int i = 0; i < 3; ++i) {
    if (words[i] == nullptr) missing("the argument vector ends after " + std::to_string(i) + " words");
  }
  LauncherWords result{std::atoi(words[1]), std::atof(words[2]), {}};
  if (result.ues < 0 || static_cast<unsigned>(result.ues) > library.image.max_np) {
    missing("'" + std::string(words[1]) +
            "' is no number of UEs from 1 to RCCE_MAXNP = " + std::to_string(library.image.max_np));
  }
  for (int i = 0; i < result.ues; ++i) {
    if (words[3 + i] == nullptr) missing("only " + std::to_string(i) + " core numbers");
    const int core = std::atoi(words[3 + i]);
    if (core < 0 || core >= library.engine.cores()) {
      missing("core " + std::to_string(core) + " is not on the machine");
    }
    result.cores.push_back(core);
  }
  std::sort(result.cores.begin(), result.cores.end());
  return result;
}

/// Are these the very words that the first UE has read?
bool are_known(Shared& shared, char** words) {
  const std::lock_guard guard(shared.mutex);
  const std::vector<char*>& known = shared.launcher_words;
  return !known.empty() && std::equal(known.begin(), known.end(), words);
}

MpbPointer managed_mpb(Library& library, int core) {
  return reinterpret_cast<MpbPointer>(library.engine.mpb(core) + library.mpb_start);
}

/// Sets the number of UEs, the clock and the tables by rank, and takes the launcher's words off the
/// arguments.
void place_ues(Library& library, int* argc, char*** argv) {
  const ImageVariables& image = library.image;
  char** words = argc != nullptr && argv != nullptr ? *argv : nullptr;
  Shared& shared = library.shared();
  if (words != nullptr && words[0] != nullptr && are_known(shared, words + 1)) {
    *image.np = shared.ues;
    *image.refclock_ghz = shared.clock_ghz;
  } else {
    LauncherWords found = read_launcher_words(library, words); // may end the UE: not under the lock
    *image.np = found.ues;
    *image.refclock_ghz = found.clock_ghz;
    const std::lock_guard guard(shared.mutex);
    if (shared.cores.empty()) {
      shared.launcher_words.assign(words + 1, words + 3 + found.ues);
      shared.ues = found.ues;
      shared.clock_ghz = found.clock_ghz;
      shared.cores = found.cores;
      for (const int core : shared.cores) shared.buffers.push_back(managed_mpb(library, core));
    }
    if (found.cores != shared.cores) library.own_cores = std::move(found.cores);
  }
  const bool own = !library.own_cores.empty();
  library.cores = own ? library.own_cores : shared.cores;
  if (own)
    std::ranges::copy(library.cores, image.coreid);
  else
    process::write_table(library.ue, {image.coreid, library.cores.size()},
                         [&](std::size_t rank) { return library.cores[rank]; });
  if (image.blind != 0) {
    // Nobody reads them.
  } else if (own) {
    for (std::size_t rank = 0; rank < library.cores.size(); ++rank)
      image.comm_buffer[rank] = managed_mpb(library, library.cores[rank]);
  } else {
    std::copy(shared.buffers.begin(), shared.buffers.end(), image.comm_buffer);
  }
  const int skipped = *image.np + 2;
  words[skipped] = words[0];
  *argv = words + skipped;
  *argc -= skipped;
}

void publish_own_mpb(Library& library) {
  const ImageVariables& image = library.image;
  const std::size_t bytes = std::min<std::size_t>(library.engine.mpb_bytes(), image.mpb_bytes);
  *image.buff_size = static_cast<int>(bytes - library.mpb_start);
  *image.fool_write_combine_buffer = own_address(library, 0);
}

/// The flags that messages of the simplified interface use, for each partner.
int message_flags(Library& library) {
  const ImageVariables& image = library.image;
  // Observers hear of every flag.
  if (image.blind != 0 && library.ue.facts == nullptr)
    return flag_alloc_row(library, 2 * library.cores.size(), library.message_flags);
  for (std::size_t rank = 0; rank < library.cores.size(); ++rank) {
    for (void* flags : {image.sent_flag, image.ready_flag}) {
      if (const int error = flag_alloc(library, static_cast<std::byte*>(flags) + rank * image.flag_bytes))
        return error;
    }
  }
  return 0;
}

/// Releases all others that wait in RCCE_finalize, doing what member 0 does in a barrier: looks at every
/// gather flag and writes every release flag.
void release_others(Library& library, std::vector<Departure> waiting) {
  std::erase_if(waiting, [&](const Departure& other) { return other.core == library.core_id; });
  std::ranges::sort(waiting, {}, &Departure::core);
  const auto word = [](const Departure::Flag& flag) { return FlagWord{flag.offset, flag.mask}; };
  for (const Departure& other : waiting) (void)read_flag(library, word(other.gather), other.core);
  for (const Departure& other : waiting) set_flag(library, word(other.release), other.value, other.core);
}

/// The UE will take part in nothing any more; `waits`: once all others have come that far. The last one to
/// come releases the others.
void count_left(Library& library, bool waits) {
  Departure own{.core = library.core_id, .waits = waits, .at = library.core.recent()};
  FlagWord release{};
  if (waits) {
    const FlagWord gather = word_of(library, library.world().gather());
    release = word_of(library, library.world().release());
    own.gather = {gather.offset, gather.mask};
    own.release = {release.offset, release.mask};
    own.value = library.final_value;
  }
  const WaitsFor waiting(library, "release", library.rank());
  const bool last = library.memory.depart(
      own, [&library](const std::vector<Departure>& others) { release_others(library, others); });
  if (waits && !last) wait_flag(library, release, library.final_value, library.core_id);
}

} // namespace

Library::Library(Ue& of, const SoftwareCosts& all_costs)
    : ue(of),
      core(*of.core),
      core_id(core.id()),
      engine(*of.engine),
      memory(engine.memory()),
      image(*of.image),
      software(all_costs),
      costs(all_costs.of(image.generation)),
      scheme(FlagScheme::of(image.generation, image.smallflags != 0)),
      copy(all_costs.copy_of(image.generation)),
      charged(!engine.wall_clock()),
      rendezvous(make_rendezvous(*this)),
      own_mpb(engine.mpb(core_id)),
      own_mpb_bytes(engine.mpb_bytes()),
      mpb_start(image.generation >= 20 ? mesh::line_bytes : 0),
      flags(scheme.per_line) {}

Library::~Library() = default;

std::unique_ptr<Library> make_library(Ue& ue, const LibraryOptions& options) {
  auto library = std::make_unique<Library>(ue, options.costs);
  library->free_barriers = options.free_barriers;
  ue.own_cycles = &ue.image->cycles;
  ue.own_code_counts = counts(options.compute) && library->charged;
  if (options.compute == ComputeModel::cache && library->charged) {
    ue.known_lines = std::make_unique<mesh::KnownLines>();
    ue.image->tells = 1;
  }
  ue.memory_per_million_cycles =
      options.compute == ComputeModel::blocks ? options.memory_per_million_cycles : 0;
  // Each part of an average would be cut to whole picoseconds: with one, what is told stays together.
  if (ue.observers != nullptr && ue.observers->want(mesh::EventMask::code) &&
      ue.memory_per_million_cycles == 0)
    ue.image->most_cycles = 0;
  ue.most_cycles = ue.image->most_cycles;
  if (options.compute == ComputeModel::host)
    library->host_compute =
        std::make_unique<HostCompute>(options.compute_scale, ue.engine->global_clock_mhz() * 1e6);
  return library;
}

void Library::refuse_rank(int id) const {
  misuse(*this, "rank " + std::to_string(id) + " is out of range 0.." + std::to_string(size() - 1));
}

int Library::rank_of(int core_of_rank) const {
  const auto place = std::ranges::lower_bound(cores, core_of_rank);
  return place != cores.end() && *place == core_of_rank ? static_cast<int>(place - cores.begin()) : -1;
}

std::vector<int> Library::members(void* communicator) const {
  const Communicator comm(image, communicator);
  std::vector<int> ranks;
  for (int i = 0; i < comm.size(); ++i) ranks.push_back(comm.member(i));
  std::ranges::sort(ranks);
  return ranks;
}

Shared& Library::shared() {
  return library_of(ue.job->ue(ue.job->ranks_here().front())).own_shared;
}

int init(Library& library, int* argc, char*** argv) {
  if (library.started) misuse(library, "called a second time");
  const ImageVariables& image = library.image;
  place_ues(library, argc, argv);
  *image.my_coreid = library.core_id;
  const auto after = std::ranges::upper_bound(library.cores, library.core_id);
  if (after == library.cores.begin() || *(after - 1) != library.core_id)
    return error_return(library, *image.debug_comm, Error::core_not_in_hostfile);
  *image.iam = static_cast<int>(after - library.cores.begin()) - 1;

  publish_own_mpb(library);
  const auto managed = static_cast<std::size_t>(library.mpb_bytes());
  manage_region(library, own_address(library, library.mpb_start), managed);
  shared_begin(library);

  if (library.ue.job->ranks_here().size() > 1) library.all_allocations = &library.shared().allocations;

  const int print = *image.debug_synch;
  if (const int error = comm_split(library, everybody, nullptr, library.world())) {
    return error_return(library, print, error);
  }
  library.started = true;
  if (image.power != 0) {
    if (const int error = power_begin(library)) return error;
  }
  if (!library.gory()) {
    if (const int error = message_flags(library)) return error_return(library, print, error);
  }
  if (library.substitutes) library.substitutes->begin(library);
  return 0;
}

int finalize(Library& library) {
  if (library.left) return 0;
  if (library.extension) library.extension->finalizing();
  library.left = true;
  const int print = *library.image.debug_synch;
  if (print != 0) std::printf("UE %d has checked into barrier\n", library.rank());
  library.charge(library.costs.barrier);
  const Communicator world = library.world();
  const FlagWord release = word_of(library, world.release());
  library.final_value = toggle_own(library, word_of(library, world.gather()));
  // The release flag of member 0 takes no part in ordinary barriers and may differ.
  if (read_flag(library, release, library.core_id) == library.final_value) {
    set_flag(library, release, 1 - library.final_value, library.core_id);
    wait_flag(library, release, 1 - library.final_value, library.core_id); // the store takes its time
  }
  library.core.schedule();
  library.ue.activity.group = world.address();
  count_left(library, true);
  if (print != 0) std::printf("UE %d has cleared barrier\n", library.rank());
  std::fflush(stdout);
  return 0;
}

void Library::leave() {
  if (left) return;
  left = true;
  core.schedule();
  count_left(*this, false);
}

} // namespace rcce::protocol
