// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/engine.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/host/clock.hpp"
#include "engine/mpi/core.hpp"
#include "engine/mpi/memory.hpp"
#include "engine/mpi/timestamps.hpp"
#include "engine/stamped_core.hpp"
#include "engine/threaded_engine.hpp"
#include "mesh_sim/errors.hpp"

namespace rcce {
namespace mpi {
namespace {

constexpr std::int64_t millisecond = 1'000'000;
/// A wait of that length is written down for others to see.
constexpr std::int64_t long_wait = 200 * millisecond;
/// Between two looks at all processes, and for how long nothing may change until that is a deadlock.
constexpr std::int64_t look_interval = 250 * millisecond, standstill = 1000 * millisecond;

/// Beside the runtime's own file.
std::string library_path() {
  Dl_info here{};
  dladdr(reinterpret_cast<const void*>(&make_mpi_engine), &here);
  const std::string own = here.dli_fname == nullptr ? "" : here.dli_fname;
  return own.substr(0, own.rfind('/') + 1) + "rockcreek/librcce_mpi.so";
}

[[noreturn]] void refuse_without_mpi(const std::string& path, const char* what) {
  throw mesh::UserError(fmt::format("--engine mpi: this build has no MPI ('{}' {}); "
                                    "sh apps/setup.sh --with-mpi installs one and builds again; or use "
                                    "--engine threads",
                                    path, what));
}

/// 'T': stopped; 'Z' and 'X': gone, as where there is none of that number: '-'. Anything else: it lives.
char state_of_process(pid_t process) noexcept {
  char text[512] = {};
  const std::string path = fmt::format("/proc/{}/stat", process);
  const long file = syscall(SYS_open, path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return kill(process, 0) != 0 && errno == ESRCH ? '-' : '?';
  const long bytes = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  const char* const name_end = bytes <= 0 ? nullptr : std::strrchr(text, ')'); // names may hold any other
  return name_end == nullptr ? '-' : name_end[2];
}
bool is_gone(char state) noexcept {
  return state == '-' || state == 'Z' || state == 'X';
}

Transport* start_mpi() {
  const std::string path = library_path();
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) refuse_without_mpi(path, dlerror());
  auto* const start = reinterpret_cast<Start*>(dlsym(library, start_name));
  if (start == nullptr) throw mesh::UserError(fmt::format("--engine mpi: {} has no {}", path, start_name));
  return start();
}

/// MPI of this process, which ends with it: only then has been written what others' ends might take away.
class StartedMpi {
 public:
  static Transport& begin() {
    of_process().transport_.reset(start_mpi());
    std::atexit(end);
    return *of_process().transport_;
  }
  /// The run has come to no good end here, and other hosts may be in the program's own code, where nothing
  /// reaches them.
  static void fail(int status) noexcept { of_process().failed_with_ = status; }
  /// From here until the run begins others may wait for this process in their preparations.
  static void prepares() noexcept { fail(not_begun); }
  static void run_begins() noexcept { fail(0); }
  /// The run has been ended early, on one host: not all processes may come to their ends by themselves.
  static void ended_early(std::span<Slot> slots, int rank) noexcept {
    of_process().slots_ = slots;
    of_process().rank_ = rank;
  }
  static void ended_with(int status) noexcept { of_process().status_ = status; }

 private:
  static constexpr int not_begun = 2; ///< status of wrong options and of what a host lacks

  static StartedMpi& of_process() {
    static StartedMpi* const started = new StartedMpi; // outlives the objects that end before it
    return *started;
  }
  static void end() {
    StartedMpi& started = of_process();
    if (started.failed_with_ != 0) started.transport_->abort(started.failed_with_);
    if (!started.slots_.empty()) started.await_others();
    started.transport_.reset();
  }

  /// Until all processes are here. Those whose run does not end have a second, then all are ended.
  void await_others() {
    constexpr std::int64_t patience = 1000 * millisecond;
    constexpr long nap_ns = 5'000'000;
    const auto at = [](std::uint32_t& word) { return std::atomic_ref(word).load(); };
    std::atomic_ref(slots_[static_cast<std::size_t>(rank_)].leaves).store(1);
    for (const std::int64_t begin = host::nanoseconds();;) {
      const bool late = host::nanoseconds() - begin > patience;
      std::string missing;
      bool all = true;
      int speaker = rank_;
      for (std::size_t rank = 0; rank < slots_.size(); ++rank) {
        Slot& slot = slots_[rank];
        if (at(slot.leaves) != 0) {
          speaker = std::min(speaker, static_cast<int>(rank));
          continue;
        }
        all = false;
        if (!late) continue;
        const char state = state_of_process(slot.process);
        if (state != 'T' && !is_gone(state) && at(slot.run_is_over) != 0) continue; // it writes results
        missing +=
            fmt::format("rccerun: rank {} (process {}) does not end with the others: {}; all are ended\n",
                        rank, slot.process,
                        state == 'T'         ? "it is stopped, as by signal 19 (SIGSTOP)"
                            : is_gone(state) ? "it was killed, as by signal 9 (SIGKILL)"
                                             : "it does not come out of a call of the host");
      }
      if (all) return;
      if (!missing.empty()) {
        if (speaker == rank_) std::fputs(missing.c_str(), stderr);
        if (speaker != rank_) host::sleep(300'000'000); // until it is told
        transport_->abort(status_);
      }
      host::sleep(nap_ns);
    }
  }

  std::unique_ptr<Transport> transport_;
  int failed_with_ = 0;
  std::span<Slot> slots_; ///< by rank; empty: the run has ended by itself
  int rank_ = 0, status_ = 0;
};

std::vector<int> sorted(std::vector<int> cores) {
  std::ranges::sort(cores);
  return cores;
}

/// Throws where the job has another number of processes than the program of UEs.
Transport& checked(Transport& transport, std::size_t ues) {
  if (static_cast<std::size_t>(transport.processes()) != ues)
    throw mesh::UserError(fmt::format(
        "--engine mpi: {} UEs on {} MPI processes; start as many processes as UEs (mpirun -np {}), by the "
        "launcher of the MPI that Rockcreek was built with",
        ues, transport.processes(), ues));
  StartedMpi::prepares();
  return transport;
}

/// The members that the base classes refer to, and which therefore are made before them.
struct Machine {
  Machine(const mesh::MachineDescription& machine, const EngineOptions& options,
          const std::vector<int>& cores, const StepOutside& outside)
      : costs(scc_machine(machine, "mpi"), options.shared_memory_bytes),
        dividers(static_cast<std::size_t>(costs.topology().tiles())),
        fabric(checked(StartedMpi::begin(), cores.size()), costs, sorted(cores), outside,
               options.time == TimeSource::simulated ? Timestamps::bytes(costs, cores.size()) : 0) {
    for (auto& divider : dividers) divider = static_cast<int>(costs.config().tile_divider);
  }
  mesh::SccCosts costs;
  std::vector<std::atomic<int>> dividers; ///< clock dividers of the tiles, in the host's time
  Fabric fabric;
};

class MpiEngine final : Machine, public ThreadedEngine, public Watch {
 public:
  MpiEngine(const mesh::MachineDescription& machine, const EngineOptions& options,
            const std::vector<int>& cores, const StepOutside& outside)
      : Machine(machine, options, cores, outside),
        ThreadedEngine(mpi_capabilities(options.time), Machine::costs, Machine::dividers,
                       options.stack_bytes),
        Watch(Machine::fabric),
        fabric_(Machine::fabric),
        own_core_(fabric_.core_of(fabric_.rank())) {
    if (options.time == TimeSource::simulated) {
      timestamps_ = std::make_unique<Timestamps>(fabric_, static_cast<Watch&>(*this), Machine::costs);
      memory_ = std::make_unique<StampedMemory>(fabric_, *this, *timestamps_);
    } else {
      memory_ = std::make_unique<MpiMemory>(fabric_);
    }
    const int all = ThreadedEngine::cores();
    cores_.reserve(static_cast<std::size_t>(all));
    for (int id = 0; id < all; ++id) {
      if (timestamps_ != nullptr)
        cores_.push_back(std::make_unique<StampedCore>(*timestamps_, Machine::costs, id));
      else
        cores_.push_back(std::make_unique<MpiCore>(fabric_, *this, Machine::costs, id, origin()));
    }
  }

  Core& core(int id) override { return *cores_.at(static_cast<std::size_t>(id)); }
  bool is_here(int core) const noexcept override { return core == own_core_; }
  int status_of_all() const noexcept override { return status_of_all_; }
  int ended_by() const noexcept override { return static_cast<int>(fabric_.stop() & ~all_wait) - 1; }
  std::vector<std::string> gather(std::string own) override {
    const bool all_end =
        all_over_ || (fabric_.one_host() && (deadlocked_ || (fabric_.stop() & all_wait) != 0));
    return all_end ? fabric_.gather(std::move(own)) : Engine::gather(std::move(own));
  }
  bool shares_memory() const noexcept override { return fabric_.one_host(); }
  bool under_way() override { return true; } // nobody here knows
  JobMemory& memory() noexcept override { return *memory_; }
  int tile_divider(int tile) const noexcept override {
    return timestamps_ != nullptr ? timestamps_->divider(tile) : ThreadedEngine::tile_divider(tile);
  }
  void set_tile_divider(int tile, int divider) override {
    if (timestamps_ != nullptr) return timestamps_->set_divider(tile, divider);
    ThreadedEngine::set_tile_divider(tile, divider);
  }
  void on_account(Account (*give)(void*, int), void (*take)(void*, int, const Account&),
                  void* context) override {
    give_ = give;
    take_ = take;
    account_context_ = context;
  }
  void end_elsewhere(int status) override;
  int gone_rank() noexcept override;
  Outcome run() override {
    const Outcome outcome = ThreadedEngine::run();
    std::atomic_ref(fabric_.own().run_is_over).store(1);
    if (outcome != Outcome::finished && fabric_.one_host())
      StartedMpi::ended_early(fabric_.slots(), fabric_.rank());
    return outcome;
  }

 private:
  void begin(int) override;
  void live(int core, std::span<std::byte> stack, std::function<void()> body) override {
    cores_[static_cast<std::size_t>(core)]->live(stack, std::move(body));
    serve(stack);
  }
  [[noreturn]] void leave(int core) override {
    cores_[static_cast<std::size_t>(core)]->exit();
    __builtin_unreachable();
  }
  void stop_waiting() override { stopped_ = true; }
  [[nodiscard]] bool stopped() const noexcept override { return stopped_ || fabric_.stop() != 0; }
  [[nodiscard]] bool deadlocked() const noexcept override { return deadlocked_; }
  [[nodiscard]] std::vector<BlockedCore> waiting_cores() override;

  [[nodiscard]] bool waits(const BlockedCore& blocked) override;
  void goes_on() noexcept override;

  /// The own UE has ended: lets the others' accesses come through until they all have. `stack`: its.
  void serve(std::span<std::byte> stack);
  /// Judges the run while rank 0 waits: are all of them waiting, and for what cannot come?
  void look_around();
  void write_down(const BlockedCore& blocked);
  void tell_account();
  /// Takes the account of another process.
  void take_account(int rank, const Slot& slot);

  Fabric& fabric_;
  const int own_core_;
  std::unique_ptr<Timestamps> timestamps_; ///< null in the host's time
  std::unique_ptr<MpiMemory> memory_;
  std::vector<std::unique_ptr<StackCore>> cores_;
  std::atomic<bool> stopped_{false}, deadlocked_{false};
  int status_of_all_ = 0;
  bool all_over_ = false;        ///< all UEs have ended, by themselves
  std::int64_t waits_since_ = 0; ///< host time; 0: it does not
  bool written_down_ = false;
  std::int64_t looked_at_ = 0, still_since_ = 0;
  struct AtRest {
    std::uint64_t changes, beats; ///< values of its slot
  };
  std::vector<AtRest> seen_; ///< by rank, since `still_since_`; empty: somebody ran
  Account (*give_)(void*, int) = nullptr;
  void (*take_)(void*, int, const Account&) = nullptr;
  void* account_context_ = nullptr;
};

/// The processes of one host have one clock; those of several begin to count at the same time, as far as a
/// barrier can see to that.
void MpiEngine::begin(int) {
  fabric_.own().process = getpid();
  fabric_.barrier();
  StartedMpi::run_begins();
  fabric_.own().origin = host::nanoseconds();
  if (!fabric_.one_host()) return set_origin(fabric_.own().origin);
  fabric_.barrier();
  set_origin(fabric_.slot(0).origin);
}

bool MpiEngine::waits(const BlockedCore& blocked) {
  if (stopped()) return true;
  const std::int64_t now = host::nanoseconds();
  if (waits_since_ == 0) waits_since_ = now;
  if (now - waits_since_ < long_wait) return false;
  if (!written_down_) write_down(blocked);
  ++fabric_.own().beats;
  if (fabric_.rank() == 0 && now - looked_at_ >= look_interval) look_around();
  return stopped();
}

void MpiEngine::tell_account() {
  Slot& own = fabric_.own();
  if (give_ != nullptr) own.account = give_(account_context_, own_core_);
  own.call = Text(own.account.call);
  own.flag = Text(own.account.flag);
  std::atomic_thread_fence(std::memory_order_release);
}

void MpiEngine::write_down(const BlockedCore& blocked) {
  Slot& own = fabric_.own();
  own.blocked = blocked;
  own.blocked.since = core(own_core_).now();
  if (wall_clock()) own.blocked.since -= (host::nanoseconds() - waits_since_) * 1000;
  tell_account();
  ++own.changes;
  own.state = State::waits;
  written_down_ = true;
}

void MpiEngine::goes_on() noexcept {
  waits_since_ = 0;
  if (!written_down_) return;
  ++fabric_.own().changes;
  fabric_.own().state = State::running;
  written_down_ = false;
}

void MpiEngine::serve(std::span<std::byte> stack) {
  // One that ends the run of all is not over before it has said so: their status is to be that of the job.
  if (stopped()) return;
  fabric_.settle();
  tell_account();
  ++fabric_.own().changes;
  fabric_.own().state = State::over;
  for (unsigned looks = 1; !stopped(); ++looks) {
    if (memory_->owes_release() && static_cast<int>(fabric_.departures()) == fabric_.processes())
      cores_[static_cast<std::size_t>(own_core_)]->live(stack, [this] { memory_->all_departed(); });
    ++fabric_.own().beats;
    bool all = true;
    int status = 0;
    for (int rank = 0; rank < fabric_.processes() && all; ++rank) {
      const Slot slot = fabric_.slot(rank);
      all = slot.state == State::over;
      if (status == 0) status = slot.account.status;
    }
    if (all) {
      status_of_all_ = status;
      all_over_ = true;
      if (fabric_.rank() == 0)
        for (int rank = 1; rank < fabric_.processes(); ++rank) take_account(rank, fabric_.slot(rank));
      return;
    }
    if (fabric_.rank() == 0 && host::nanoseconds() - looked_at_ >= look_interval) look_around();
    if (!fabric_.progress() && looks > 20) host::sleep(200'000);
  }
}

/// The one who waits looks itself for all that it waits for. Where all wait, or have ended, nobody has gone
/// on since, and each has looked once more from beginning to end in vain, nobody is left to make anything
/// hold.
void MpiEngine::look_around() {
  constexpr std::uint64_t one_whole_look = 2; // the first of these may have begun before
  const std::int64_t now = looked_at_ = host::nanoseconds();
  std::vector<AtRest> rest;
  bool any = false;
  for (int rank = 0; rank < fabric_.processes(); ++rank) {
    const Slot slot = fabric_.slot(rank);
    if (slot.state == State::running) return seen_.clear();
    any = any || slot.state == State::waits;
    rest.push_back({slot.changes, slot.beats});
  }
  if (!std::ranges::equal(rest, seen_, {}, &AtRest::changes, &AtRest::changes)) {
    seen_ = std::move(rest);
    still_since_ = now;
    return;
  }
  const bool all_have_looked = std::ranges::equal(
      rest, seen_, [](const AtRest& a, const AtRest& b) { return a.beats >= b.beats + one_whole_look; });
  if (!any || !all_have_looked || now - still_since_ < standstill) return;
  note_blocked();
  deadlocked_ = true;
  stopped_ = true;
}

std::vector<BlockedCore> MpiEngine::waiting_cores() {
  std::vector<BlockedCore> blocked;
  for (int rank = 0; rank < fabric_.processes(); ++rank) {
    const Slot slot = fabric_.slot(rank);
    if (rank == fabric_.rank() && slot.state != State::waits) continue;
    if (slot.state == State::waits) {
      blocked.push_back(slot.blocked);
      // The report reads the word at its place here, which for a buffer of another host nobody else writes.
      const auto [at, bytes] = std::pair(slot.blocked.offset, slot.blocked.condition.bytes);
      if (const int core = slot.blocked.waits_on_core; core >= 0 && bytes > 0)
        fabric_.get(mpb(core) + at, core, at, bytes);
      if (const int number = slot.blocked.counter; number >= 0)
        blocked.back().counter_value = fabric_.counter(number);
    }
    if (slot.state != State::running && rank != fabric_.rank()) take_account(rank, slot);
  }
  return blocked;
}

void MpiEngine::take_account(int rank, const Slot& slot) {
  if (take_ == nullptr) return;
  Account account = slot.account;
  account.call = slot.call.here();
  account.flag = slot.flag.here();
  take_(account_context_, fabric_.core_of(rank), account);
}

void MpiEngine::end_elsewhere(int status) {
  if (!fabric_.one_host()) return StartedMpi::fail(status);
  std::atomic_ref(fabric_.own().run_is_over).store(1);
  StartedMpi::ended_with(status);
  for (int rank = 0; rank < fabric_.processes(); ++rank)
    if (rank != fabric_.rank())
      fabric_.set_stop(rank, (static_cast<std::uint32_t>(status) + 1) | (deadlocked_ ? all_wait : 0));
}

int MpiEngine::gone_rank() noexcept {
  if (!fabric_.one_host()) return -1;
  for (int rank = 0; rank < fabric_.processes(); ++rank) {
    const Slot slot = fabric_.slot(rank);
    if (slot.process != 0 && slot.run_is_over == 0 && is_gone(state_of_process(slot.process))) return rank;
  }
  return -1;
}

} // namespace
} // namespace mpi

void check_mpi() {
  const std::string path = mpi::library_path();
  if (access(path.c_str(), R_OK) != 0) mpi::refuse_without_mpi(path, "is not there");
}

std::unique_ptr<Engine> make_mpi_engine(const mesh::MachineDescription& machine, const EngineOptions& options,
                                        const std::vector<int>& cores, const mpi::StepOutside& outside) {
  return std::make_unique<mpi::MpiEngine>(machine, options, cores, outside);
}

} // namespace rcce
