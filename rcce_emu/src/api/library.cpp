#include "api/library.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "api/call.hpp"
#include "api/communication.hpp"
#include "api/diagnostics.hpp"
#include "api/flags.hpp"
#include "api/mpb.hpp"
#include "api/power.hpp"
#include "api/shared_memory.hpp"
#include "job_state.hpp"

namespace rcce::api {
namespace {

int everybody(int, void*) {
  return 1;
}

/// The launcher's words in the argument vector: number of UEs, clock, core numbers.
struct LauncherWords {
  int ues;
  double clock_ghz;
  std::vector<int> cores; ///< as listed
};

LauncherWords take_launcher_words(Library& library, int* argc, char*** argv) {
  char** words = argv != nullptr ? *argv : nullptr;
  const auto missing = [&](const std::string& what) {
    misuse(library,
           what +
               "; the arguments have to be those that rccerun passes on: number of UEs, clock in GHz, core "
               "numbers, then the program's own");
  };
  if (argc == nullptr || words == nullptr) missing("no argument vector");
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
  const int skipped = result.ues + 2;
  words[skipped] = words[0];
  *argv = words + skipped;
  *argc -= skipped;
  return result;
}

/// One list for all UEs: with thousands of them a list each would fill the host.
void keep_cores(Library& library, std::vector<int> cores) {
  Shared& shared = library.shared();
  const std::lock_guard guard(shared.mutex);
  if (shared.cores.empty()) shared.cores = cores;
  if (cores == shared.cores) {
    library.cores = shared.cores;
  } else {
    library.own_cores = std::move(cores);
    library.cores = library.own_cores;
  }
}

void publish_mpbs(Library& library) {
  const ImageVariables& image = library.image;
  const std::size_t bytes = std::min<std::size_t>(library.engine.mpb_bytes(), image.mpb_bytes);
  *image.buff_size = static_cast<int>(bytes - library.mpb_start);
  for (std::size_t rank = 0; rank < library.cores.size(); ++rank) {
    image.comm_buffer[rank] =
        reinterpret_cast<MpbPointer>(library.engine.mpb(library.cores[rank]) + library.mpb_start);
  }
  *image.fool_write_combine_buffer = own_address(library, 0);
}

/// The flags that messages of the simplified interface use, for each partner.
int message_flags(Library& library) {
  const ImageVariables& image = library.image;
  for (std::size_t rank = 0; rank < library.cores.size(); ++rank) {
    for (void* flags : {image.sent_flag, image.ready_flag}) {
      if (const int error = flag_alloc(library, static_cast<std::byte*>(flags) + rank * image.flag_bytes))
        return error;
    }
  }
  return 0;
}

/// The UE will take part in nothing any more. The last one to come releases all that wait, doing what member
/// 0 does in a barrier: looks at every gather flag and writes every release flag.
bool count_left(Library& library, bool waits) {
  Shared& shared = library.shared();
  std::vector<Library*> waiting;
  {
    const std::lock_guard guard(shared.mutex);
    if (++shared.left < library.ue.job->size()) {
      if (waits) shared.in_finalize.push_back(&library);
      return false;
    }
    waiting.swap(shared.in_finalize);
  }
  const auto core_of = [](Library* other) { return other->core.id(); };
  std::ranges::sort(waiting, {}, core_of);
  for (Library* other : waiting) {
    (void)read_flag(library, word_of(*other, other->world().gather()), core_of(other));
  }
  for (Library* other : waiting) {
    set_flag(library, word_of(*other, other->world().release()), other->final_value, core_of(other));
  }
  return true;
}

} // namespace

Library::Library(Ue& of, const SoftwareCosts& all_costs)
    : ue(of),
      core(*of.core),
      engine(*of.engine),
      image(*of.image),
      costs(all_costs.of(image.generation)),
      scheme(FlagScheme::of(image.generation, image.smallflags != 0)),
      copy(all_costs.copy_of(image.generation)),
      mpb_start(image.generation >= 20 ? mesh::line_bytes : 0),
      flags(scheme.per_line) {}

std::unique_ptr<Library> make_library(Ue& ue, const JobOptions& options) {
  auto library = std::make_unique<Library>(ue, options.costs);
  if (options.compute == ComputeModel::host)
    library->host_compute =
        std::make_unique<HostCompute>(options.compute_scale, options.machine.global_clock_mhz * 1e6);
  return library;
}

int Library::core_of(int id) {
  if (!valid_rank(id)) {
    misuse(*this, "rank " + std::to_string(id) + " is out of range 0.." + std::to_string(size() - 1));
  }
  return cores[static_cast<std::size_t>(id)];
}

int Library::rank_of(int core_id) const {
  const auto place = std::ranges::lower_bound(cores, core_id);
  return place != cores.end() && *place == core_id ? static_cast<int>(place - cores.begin()) : -1;
}

Shared& Library::shared() {
  return ue.job->ue(0).library->own_shared;
}

int init(Library& library, int* argc, char*** argv) {
  if (library.started) misuse(library, "called a second time");
  const ImageVariables& image = library.image;
  LauncherWords words = take_launcher_words(library, argc, argv);
  *image.np = words.ues;
  *image.refclock_ghz = words.clock_ghz;
  *image.my_coreid = library.core.id();
  std::sort(words.cores.begin(), words.cores.end());
  std::copy(words.cores.begin(), words.cores.end(), image.coreid);
  const auto own = std::find(words.cores.rbegin(), words.cores.rend(), library.core.id());
  if (own == words.cores.rend()) return error_return(library, *image.debug_comm, Error::core_not_in_hostfile);
  *image.iam = static_cast<int>(words.cores.rend() - own) - 1;
  keep_cores(library, std::move(words.cores));

  publish_mpbs(library);
  const auto managed = static_cast<std::size_t>(library.mpb_bytes());
  manage_region(library, own_address(library, library.mpb_start), managed);
  shared_begin(library);

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
  if (read_flag(library, release, library.core.id()) == library.final_value) {
    set_flag(library, release, 1 - library.final_value, library.core.id());
  }
  library.core.schedule();
  if (!count_left(library, true)) {
    const Waiting waiting(library, "release", library.rank());
    wait_flag(library, release, library.final_value, library.core.id());
  }
  if (print != 0) std::printf("UE %d has cleared barrier\n", library.rank());
  std::fflush(stdout);
  return 0;
}

void leave(Ue& ue) {
  if (ue.library == nullptr || ue.library->left) return;
  ue.library->left = true;
  ue.core->schedule();
  count_left(*ue.library, false);
}

} // namespace rcce::api
