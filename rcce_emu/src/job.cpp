// Runs a job: builds the machine, gives each UE its copy of the program, its heap and its arguments, starts
// them, and puts their ends together into one result.
#include "rcce_emu/job.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/sim_engine.hpp"
#include "job_state.hpp"
#include "loader/arguments.hpp"
#include "loader/heap.hpp"
#include "loader/image.hpp"
#include "loader/process.hpp"
#include "mesh_sim/errors.hpp"

#if __has_include("api/library.hpp")
#include "api/library.hpp"
#else
namespace rcce::api {
struct Library {};
inline std::unique_ptr<Library> make_library(Ue&, const JobOptions&) {
  return nullptr;
}
} // namespace rcce::api
#endif

namespace rcce {

namespace {

constexpr int status_deadlock = 121;
constexpr int status_timeout = 124;
constexpr int signal_base = 128;

/// The dynamic linker's copies suit debuggers and checkers; it slows down and takes a file of memory for
/// each.
constexpr std::size_t most_dlopen_copies = 1000;
constexpr std::size_t most_dlopen_bytes = std::size_t{1} << 30;

void check(const JobOptions& options) {
  const int cores = options.machine.cores();
  if (options.cores.empty()) throw mesh::UserError("no UE to run: the list of cores is empty");
  if (!options.core_texts.empty() && options.core_texts.size() != options.cores.size())
    throw std::invalid_argument("JobOptions: core_texts and cores differ in length");
  std::vector<bool> listed(static_cast<std::size_t>(cores));
  for (const int core : options.cores) {
    if (core < 0 || core >= cores)
      throw mesh::UserError(fmt::format("core {} is out of range 0..{} of machine '{}' ({}x{} tiles of {})",
                                        core, cores - 1, options.machine.name, options.machine.columns,
                                        options.machine.rows, options.machine.cores_per_tile));
    if (listed[static_cast<std::size_t>(core)])
      throw mesh::UserError(fmt::format("core {} is listed twice: a core runs one UE", core));
    listed[static_cast<std::size_t>(core)] = true;
  }
}

void check(const loader::ImageFile& file, std::size_t ues) {
  const auto& variables = file.variables();
  if (ues > variables.max_np)
    throw mesh::UserError(fmt::format(
        "program '{}' was compiled for at most {} UEs (RCCE_MAXNP), {} were asked for; compile it with "
        "-DRCCE_MAXNP={}",
        file.path(), variables.max_np, ues, ues));
}

std::vector<std::unique_ptr<loader::Image>> load(const loader::ImageFile& file, std::span<loader::Heap> heaps,
                                                 Loading loading) {
  const char* obstacle = obstacle_to_cloning(file);
  if (loading == Loading::clone && obstacle != nullptr)
    throw mesh::UserError(fmt::format("program '{}' cannot be cloned: {}; let the dynamic linker load it",
                                      file.path(), obstacle));
  const bool many =
      heaps.size() > most_dlopen_copies || heaps.size() * file.contents().size() > most_dlopen_bytes;
  const bool clone =
      loading == Loading::clone || (loading == Loading::automatic && many && obstacle == nullptr);
  return clone ? load_clones(file, heaps) : load_by_dlopen(file, heaps);
}

/// A UE's life on its own context. noexcept: what nobody catches in the program ends in std::terminate().
void run_ue(Ue& ue) noexcept {
  loader::Process& process = *ue.process;
  const loader::Image& image = *process.image;
  const auto [stack_low, stack_high] = ue.engine->stack(ue.core->id());
  process.stack_low = stack_low;
  process.stack_high = stack_high;
  // In the same order on every core: the addresses that its caches see follow from it.
  ue.core->map_private(stack_low, static_cast<std::size_t>(stack_high - stack_low));
  ue.core->map_private(process.heap->base(), process.heap->bytes());
  ue.core->map_private(image.data().data(), image.data().size());
  ue.core->map_private(image.text().data(), image.text().size());

  loader::begin_ue(ue);
  image.construct(process.argc, process.argv, environ);
  loader::end_ue(ue, image.main()(process.argc, process.argv, environ));
}

void on_switch(void* context, int from, int to) {
  Job& job = *static_cast<Job*>(context);
  Ue* before = job.ue_on(from);
  Ue* after = job.ue_on(to);
  set_current(&job, after);
  loader::switch_process(before == nullptr ? nullptr : before->process.get(),
                         after == nullptr ? nullptr : after->process.get());
}

/// Marks the thread as one that runs a job.
class CurrentJob {
 public:
  explicit CurrentJob(Job& job) {
    if (current_job() != nullptr)
      throw mesh::UserError("a program that runs as a UE cannot run a job itself");
    set_current(&job, nullptr);
  }
  ~CurrentJob() { set_current(nullptr, nullptr); }
  CurrentJob(const CurrentJob&) = delete;
  CurrentJob& operator=(const CurrentJob&) = delete;
};

/// Stops a job when its host time is over.
class Deadline {
 public:
  Deadline(Job& job, double seconds) {
    if (seconds <= 0) return;
    // Signals are the business of the threads that run UEs.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this, &job, seconds] {
      std::unique_lock lock(mutex_);
      if (!over_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
        job.stop(status_timeout);
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

JobResult result_of(Job& job, Outcome outcome) {
  JobResult result;
  result.outcome = outcome;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    const loader::Process& process = *ue.process;
    UeResult one{rank, ue.core->id(), process.signal != 0 ? signal_base + process.signal : process.status,
                 process.ended, process.ended ? process.end : ue.core->now()};
    if (result.status == 0 && one.ended) result.status = one.status;
    result.end = std::max(result.end, one.end);
    result.ues.push_back(one);
  }
  if (outcome == Outcome::deadlock) result.status = status_deadlock;
  if (outcome == Outcome::stopped) result.status = job.stop_status();
  result.digest = job.engine().digest();
  result.events = job.engine().events();
  if (job.options().statistics) result.statistics = job.engine().statistics();
  return result;
}

std::string timeout_report(Job& job, const JobResult& result) {
  const auto left =
      std::count_if(result.ues.begin(), result.ues.end(), [](const UeResult& ue) { return !ue.ended; });
  return fmt::format("time limit of {:g} s reached: {} of {} UEs had not ended; simulated time {:.6f} ms\n",
                     job.options().timeout_seconds, left, result.ues.size(),
                     static_cast<double>(result.end) * 1e-9);
}

} // namespace

Job::Job(const JobOptions& options, std::unique_ptr<Engine> engine)
    : options_(options), engine_(std::move(engine)) {
  by_core_.resize(static_cast<std::size_t>(engine_->cores()), nullptr);
  std::vector<int> cores = options_.cores;
  std::sort(cores.begin(), cores.end());
  for (const int core : cores) {
    auto ue = std::make_unique<Ue>();
    ue->job = this;
    ue->engine = engine_.get();
    ue->core = &engine_->core(core);
    ue->rank = size();
    by_core_[static_cast<std::size_t>(core)] = ue.get();
    ues_.push_back(std::move(ue));
  }
}

Job::~Job() = default;

void Job::stop(int status) {
  int none = 0;
  stop_status_.compare_exchange_strong(none, status);
  engine_->stop();
}

JobResult run_job(const JobOptions& options) {
  check(options);
  const loader::ImageFile file(options.program);
  check(file, options.cores.size());

  loader::Arguments arguments(options);
  loader::HeapArena arena(options.cores.size(), options.heap_bytes);
  Job job(options, make_sim_engine({options.machine, options.stack_bytes, options.shared_memory_bytes}));
  auto images = load(file, arena.heaps(), options.loading);
  for (int rank = 0; rank < job.size(); ++rank) {
    Ue& ue = job.ue(rank);
    const auto index = static_cast<std::size_t>(rank);
    ue.process = std::make_unique<loader::Process>();
    ue.process->heap = &arena.heaps()[index];
    ue.process->image = std::move(images[index]);
    ue.image = &ue.process->image->variables();
    ue.image->ue = &ue;
    ue.process->argc = arguments.count();
    ue.process->argv = arguments.vector(index);
    ue.library = api::make_library(ue, job.options());
    job.engine().start(ue.core->id(), [&ue] { run_ue(ue); });
  }

  JobResult result;
  {
    const CurrentJob current(job);
    job.engine().on_switch(on_switch, &job);
    const auto guard = loader::guard_job(job);
    std::optional<Deadline> deadline(std::in_place, job, options.timeout_seconds);
    const Outcome outcome = job.engine().run();
    deadline.reset();
    result = result_of(job, outcome);
    if (outcome == Outcome::deadlock) job.report(loader::deadlock_report(job));
    if (job.stop_status() == status_timeout) job.report(timeout_report(job, result));
    guard->finish();
  }
  result.report = job.report();
  return result;
}

namespace loader {

Place place_of(const Ue& ue, const void* address) noexcept {
  if (ue.process == nullptr || ue.process->image == nullptr) return {};
  const Image& image = *ue.process->image;
  const auto all = image.all();
  const auto* at = static_cast<const std::byte*>(address);
  if (std::less<>{}(at, all.data()) || !std::less<>{}(at, all.data() + all.size())) return {};
  return {&image.file().path(), static_cast<std::uintptr_t>(at - image.base())};
}

} // namespace loader

} // namespace rcce
