// SPDX-License-Identifier: Apache-2.0
// Runs a job: builds the machine, gives each UE its copy of the program, its heap and its arguments, starts
// them, and puts their ends together into one result.
#include "rcce_emu/job.hpp"

#include <algorithm>
#include <alloca.h>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/ue/engines.hpp"
#include "engine/ue/job_state.hpp"
#include "front/job/guard.hpp"
#include "front/job/images.hpp"
#include "library/protocol/library.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/parts/own_accesses.hpp"
#include "process/heap/heap.hpp"
#include "process/heap_check.hpp"
#include "process/image/arguments.hpp"
#include "process/image/image.hpp"
#include "process/image/kept.hpp"
#include "process/libc/libraries/exit.hpp"
#include "process/libc/libraries/own_libraries.hpp"
#include "process/libc/state/process_state.hpp"
#include "process/libc/state/switch.hpp"
#include "process/libc/streams/own_streams.hpp"
#include "process/own_variables.hpp"
#include "process/process.hpp"
#include "process/run/faults.hpp"
#include "process/run/interrupt.hpp"
#include "process/run/last_words.hpp"
#include "process/run/run_view.hpp"
#include "process/run/watchdog.hpp"
#include "rcce_emu/environment.hpp"
#include "rcce_emu/job_options.hpp"
#include "rcce_emu/statuses.hpp"
#include "watch/explore/interference.hpp"
#include "watch/record/needs.hpp"
#include "watch/record/recorded_run.hpp"

namespace rcce {

namespace {

constexpr int signal_base = 128;

void check_cores(const JobOptions& options) {
  const mesh::MeshShape shape = options.machine.mesh();
  const int cores = shape.cores();
  if (options.cores.empty()) throw mesh::UserError("no UE to run: the list of cores is empty");
  if (!options.launch.cores.empty() && options.launch.cores.size() != options.cores.size())
    throw std::invalid_argument("JobOptions: core_texts and cores differ in length");
  std::vector<bool> listed(static_cast<std::size_t>(cores));
  for (std::size_t i = 0; i < options.cores.size(); ++i) {
    const int core = options.cores[i];
    if (core < 0 || core >= cores)
      throw mesh::UserError(fmt::format("core {} is out of range 0..{} of machine '{}' ({}x{} tiles of {})",
                                        core, cores - 1, options.machine.name(), shape.columns, shape.rows,
                                        shape.cores_per_tile));
    if (listed[static_cast<std::size_t>(core)])
      throw mesh::UserError(
          fmt::format("core {} is listed a second time; a core runs one UE",
                      options.launch.cores.empty() ? std::to_string(core) : options.launch.cores[i]));
    listed[static_cast<std::size_t>(core)] = true;
  }
}

/// Refuses options that the engine cannot serve.
void check_engine(const JobOptions& options) {
  const Capabilities can = capabilities_of(options);
  record::need(options, !options.library.free_barriers || can.repeatable, "free barriers",
               "the host synchronises the threads");
  record::need(options, options.engine.moves_payload || can.repeatable, "a run without payload",
               "its buffers are memory of the host");
  record::need(options, !explore::Interference::wanted(options.interference) || can.repeatable, "--replay",
               "the host decides the order of accesses");
  record::need(options, options.library.compute != ComputeModel::host || !can.concurrent, "--compute host",
               "host time contains computation already, and simulated time must be the same in every run");
}

void check_image(const image::ImageFile& file, const JobOptions& options) {
  const auto& variables = file.variables();
  const std::size_t ues = options.cores.size();
  if (ues > variables.max_np)
    throw mesh::UserError(
        fmt::format("program '{}' was compiled for at most {} UEs (RCCE_MAXNP), {} were asked for; "
                    "compile it with -DRCCE_MAXNP={}",
                    file.path(), variables.max_np, ues, ues));
  if (options.library.compute == ComputeModel::cache && variables.memory == 0)
    throw mesh::UserError(
        fmt::format("--compute cache: program '{}' does not tell of its loads and stores; build it "
                    "with rccecc --memory, or use --compute blocks",
                    file.path()));
  if (counts(options.library.compute) && variables.counts == 0)
    throw mesh::UserError(fmt::format(
        "--compute blocks: program '{}' does not count what its code takes; build it with rccecc and "
        "its default compiler (rccecc --version says which that is), or use --compute none",
        file.path()));
  const std::size_t mpb_bytes = options.machine.message_buffer_bytes();
  // Where there are none at all the engine says so.
  if (variables.mpb_bytes > mpb_bytes && mpb_bytes > 0)
    throw mesh::UserError(fmt::format(
        "program '{}' was compiled for message-passing buffers of {} bytes (RCCE_BUFF_SIZE_MAX), machine "
        "'{}' has {}; compile it with -DRCCE_BUFF_SIZE_MAX={}, or give the machine larger ones by --set "
        "tile.mpb_bytes={}",
        file.path(), variables.mpb_bytes, options.machine.name(), mpb_bytes, mpb_bytes, variables.mpb_bytes));
}

std::unique_ptr<Engine> make_machine(const JobOptions& options, const image::ImageFile& file,
                                     explore::Interference* interference, const mesh::Observers& observers) {
  EngineOptions engine = options.engine;
  engine.shared_memory_bytes =
      std::max<std::size_t>(engine.shared_memory_bytes, file.variables().shared_memory_bytes);
  try {
    return make_engine(options.machine, engine, options.cores, interference, &observers);
  } catch (const std::bad_alloc&) {
    throw mesh::HostLimit(fmt::format("cannot reserve {} stacks of {} KB and {} KB of shared memory",
                                      options.machine.cores(), engine.stack_bytes >> 10,
                                      engine.shared_memory_bytes >> 10),
                          "choose a smaller --stack-size or --shared-memory, or a smaller machine");
  }
}

/// Stack above the frames of the program: more than those of the engine take in any build.
constexpr std::uintptr_t stack_head_bytes = 4096;

/// A UE's life on its own context. To unwinding it is the outermost frame: an exception that nobody catches
/// in the program ends in std::terminate() where it has been thrown, with the stack as it was for the report.
[[gnu::noinline]] void run_ue(Ue& ue) {
  asm volatile(".cfi_undefined rip");
  process::Process& process = *ue.process;
  const image::Image& image = *process.image;
  const auto [stack_low, stack_high] = ue.engine->stack(ue.core->id());
  // The program's frames begin at the same place of the stack whatever the engine and whoever compiled it:
  // where an array on the stack lies decides which lines of the caches it meets.
  const auto top = reinterpret_cast<std::uintptr_t>(stack_high) - stack_head_bytes;
  const auto here = reinterpret_cast<std::uintptr_t>(alloca(16));
  volatile auto* head = static_cast<volatile std::byte*>(alloca(here - top));
  *head = std::byte{0};
  if (image.file().executable_stack())
    mprotect(const_cast<std::byte*>(stack_low), static_cast<std::size_t>(stack_high - stack_low),
             PROT_READ | PROT_WRITE | PROT_EXEC);
  process.stack_low = stack_low;
  process.stack_high = stack_high;
  // In the same order on every core: the addresses that its caches see follow from it.
  ue.core->map_private(stack_low, static_cast<std::size_t>(stack_high - stack_low));
  ue.core->map_private(process.heap->base(), process.heap->bytes());
  ue.core->map_private(image.data().data(), image.data().size());
  ue.core->map_private(image.text().data(), image.text().size());

  if (protocol::library_of(ue).host_compute) protocol::library_of(ue).host_compute->begin();
  if (process.beside) {
    ue.core->map_private(process.beside->data().data(), process.beside->data().size());
    ue.core->map_private(process.beside->text().data(), process.beside->text().size());
  }
  if (!process.arguments.empty()) ue.core->map_private(process.arguments.data(), process.arguments.size());
  if (process.beside) process.beside->construct(process.argc, process.argv, environ);
  libc::construct_libraries(ue);
  image.construct(process.argc, process.argv, environ);
  libc::end_ue(ue, image.main()(process.argc, process.argv, environ));
}

/// Prepares a thread for its UE, on engines with a thread for each: the C library keeps its variables per
/// thread.
void on_thread(Job& job, Ue* after) {
  static thread_local std::optional<run::FaultGuard> faults;
  if (after != nullptr) {
    faults.emplace();
    set_current(&job, after);
  } else {
    set_current(nullptr, nullptr);
    faults.reset();
  }
}

void on_switch(void* context, int from, int to) {
  Job& job = *static_cast<Job*>(context);
  Ue* before = job.ue_on(from);
  Ue* after = job.ue_on(to);
  if (job.engine().concurrent()) {
    if (before != nullptr && before->process->c.process_state)
      libc::exchange(before->process->c.process_state.get(), nullptr);
    on_thread(job, after);
    return;
  }
  set_current(&job, after);
  if (job.options().library.compute == ComputeModel::host) {
    if (before != nullptr) protocol::library_of(*before).host_compute->switched_away();
    if (after != nullptr) protocol::library_of(*after).host_compute->switched_back();
  }
  libc::switch_process(before == nullptr ? nullptr : before->process.get(),
                       after == nullptr ? nullptr : after->process.get());
}

Account give_account(void* job, int core) {
  const Ue& ue = *static_cast<Job*>(job)->ue_on(core);
  const Activity& activity = ue.activity;
  std::bitset<Account::told_ranks> group;
  if (activity.group != nullptr && static_cast<std::size_t>(ue.job->size()) <= group.size())
    for (const int member : ue.library->members(activity.group))
      if (member >= 0 && member < ue.job->size()) group.set(static_cast<std::size_t>(member));
  return {activity.call,      activity.peer,     activity.bytes,        activity.flag,
          activity.flag_rank, activity.since,    activity.traits,       ue.process->ended,
          ue.process->status, ue.process->end,   ue.asked_time,         ue.own_time,
          ue.memory_spent,    ue.counted_cycles, ue.job->host_orders(), group};
}

void take_account(void* job, int core, const Account& account) {
  Ue& ue = *static_cast<Job*>(job)->ue_on(core);
  ue.activity = {.call = account.call,
                 .peer = account.peer,
                 .bytes = account.bytes,
                 .flag = account.flag,
                 .flag_rank = account.flag_rank,
                 .since = account.since,
                 .traits = account.traits};
  ue.group_elsewhere.clear();
  for (std::size_t rank = 0; rank < account.group.size(); ++rank)
    if (account.group.test(rank)) ue.group_elsewhere.push_back(static_cast<int>(rank));
  ue.process->ended = account.ended;
  ue.process->status = account.status;
  ue.process->end = account.end;
  ue.asked_time = account.asked_time;
  ue.own_time = account.own_time;
  ue.memory_spent = account.memory;
  ue.counted_cycles = account.own_cycles;
  ue.job->note_host_orders(account.host_orders);
}

/// True if the user says that programs store to buffers by calls alone.
bool plain_stores_excluded() {
  const char* const text = std::getenv(environment::plain_stores.name);
  if (text == nullptr || std::string_view(text) == "allowed") return false;
  if (std::string_view(text) == "none") return true;
  throw mesh::UserError(
      fmt::format("{}={}: takes 'none' or 'allowed'", environment::plain_stores.name, text));
}

/// Throws where cores waited for what had come about: somebody has not woken them.
void check_rescues(const mesh::Rescues& rescues) {
  if (rescues.count == 0) return;
  const std::string first =
      rescues.core < 0 ? "" : fmt::format("; the first is core {} at {} ps", rescues.core, rescues.at);
  throw std::logic_error(fmt::format("fault of the runtime: {} waits whose conditions were met have been "
                                     "ended only when nobody else could act{}",
                                     rescues.count, first));
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

std::string host_order_text(unsigned orders) {
  constexpr std::pair<Job::HostOrder, const char*> words[] = {
      {Job::HostOrder::polls, "looks at what others change"},
      {Job::HostOrder::stores, "plain stores to shared memory or buffers"},
      {Job::HostOrder::unseen_stores, "plain stores that are not seen"},
      {Job::HostOrder::requests, "non-blocking requests that stayed pending"},
      {Job::HostOrder::locks, "locks"},
      {Job::HostOrder::clocks, "changes of clock and voltage"}};
  std::vector<std::string_view> found;
  for (const auto& [order, text] : words)
    if ((orders & static_cast<unsigned>(order)) != 0) found.emplace_back(text);
  return fmt::format("{}", fmt::join(found, ", "));
}

JobResult result_of(Job& job, Outcome outcome) {
  JobResult result;
  result.outcome = job.stop_status() == status_deadlock ? Outcome::deadlock : outcome;
  for (int rank = 0; rank < job.size(); ++rank) {
    const Ue& ue = job.ue(rank);
    const process::Process& process = *ue.process;
    UeResult one{rank,
                 ue.core->id(),
                 process.signal != 0 ? signal_base + process.signal : process.status,
                 process.ended,
                 process.ended ? process.end : ue.core->now(),
                 ue.own_time};
    one.own_cycles = ue.counted_cycles;
    one.memory = ue.memory_spent;
    // An average of other runs (--memory-profile) does not say what the second-level cache had.
    if (ue.known_lines != nullptr && ue.memory_per_million_cycles == 0) one.l2 = ue.l2_spent;
    if (result.status == 0 && one.ended) result.status = one.status;
    result.end = std::max(result.end, one.end);
    result.asked_time = result.asked_time || ue.asked_time;
    // Whoever came last has waited for nobody meanwhile.
    result.preparation = result.ues.empty() ? ue.preparation : std::min(result.preparation, ue.preparation);
    result.ues.push_back(one);
  }
  result.observed = job.observed();
  if (job.engine().status_of_all() != 0) result.status = job.engine().status_of_all();
  if (outcome == Outcome::deadlock) result.status = status_deadlock;
  if (job.stop_status() != 0) result.status = job.stop_status(); // also where writing out the rest has failed
  if (job.engine().ended_by() >= 0) result.status = job.engine().ended_by();
  result.findings = job.findings();
  if (result.status == 0 && (result.findings > 0 || job.mismatched())) result.status = status_findings;
  result.events = job.engine().events();
  if (!job.engine().can().repeatable) result.host_order = host_order_text(job.host_orders());
  result.unseen_stores = (job.host_orders() & static_cast<unsigned>(Job::HostOrder::unseen_stores)) != 0;
  return result;
}

} // namespace

// Where all parts of a UE are known.
Ue::Ue() = default;
Ue::~Ue() = default;

Job::Job(const JobOptions& options, std::unique_ptr<Engine> engine, explore::Interference* interference)
    : options_(std::make_unique<const JobOptions>(options)),
      engine_(std::move(engine)),
      interference_(interference) {
  if (interference_ != nullptr) interference_->attach(*this);
  by_core_.resize(static_cast<std::size_t>(engine_->cores()), nullptr);
  std::vector<int> cores = options.cores;
  std::sort(cores.begin(), cores.end());
  for (const int core : cores) {
    auto ue = std::make_unique<Ue>();
    ue->job = this;
    ue->engine = engine_.get();
    ue->core = &engine_->core(core);
    ue->rank = size();
    by_core_[static_cast<std::size_t>(core)] = ue.get();
    if (engine_->is_here(core)) here_.push_back(ue->rank);
    ues_.push_back(std::move(ue));
  }
}

Job::~Job() = default;

bool Job::stores_are_unseen() const noexcept {
  return options_->engine.stores_unseen;
}
const ProcessOptions& Job::process_options() const noexcept {
  return options_->process;
}

void* Job::data() const noexcept {
  return options_->data;
}

double Job::core_mhz() const noexcept {
  return options_->machine.core_mhz();
}

void Job::observed_by(mesh::Observers& observers) {
  if (engine_->concurrent()) observers.be_told_concurrently();
  for (const auto& ue : ues_) {
    if (!observers.library_times().empty())
      ue->times = &observers.library_times()[static_cast<std::size_t>(ue->core->id())];
    if (observers.want(mesh::library_events | mesh::EventMask::code) || ue->times != nullptr)
      ue->observers = &observers;
    if (observers.want(mesh::EventMask::calls) || ue->times != nullptr)
      ue->call_numbers = std::make_unique<Ue::CallNumbers>();
    if (observers.want(mesh::EventMask::facts)) ue->facts = &observers;
  }
}

void Job::stop(int status) {
  int none = 0;
  stop_status_.compare_exchange_strong(none, status);
  engine_->stop();
}

JobResult run_job(const JobOptions& options) {
  check_cores(options);
  check_engine(options);
  const bool no_plain_stores = plain_stores_excluded();
  record::RecordedRun recorded(options);
  image::Program program(options.program, options.cores.size(), options.process.keep_pages);
  image::ImageFile& file = program.file();
  check_image(file, options);
  recorded.prepare(run_job);
  libc::JobLibraries libraries(file, options.cores.size());

  Collectives collectives(options, file);
  image::Arguments arguments(options);
  using Pages = heap::HeapArena::Pages;
  heap::HeapArena arena(options.cores.size(), options.process.heap_bytes,
                        options.process.keep_pages && !options.process.check_heap ? Pages::kept
                                                                                  : Pages::fresh);
  std::optional<explore::Interference> interference;
  if (explore::Interference::wanted(options.interference))
    interference.emplace(options.interference, options.program, options.cores.size(),
                         options.machine.cores());
  explore::Interference* const intervenes = interference ? &*interference : nullptr;
  mesh::Observers& observers = recorded.observers();
  if (intervenes != nullptr && intervenes->recorder() != nullptr) observers.add(*intervenes->recorder());
  Job job(options, make_machine(options, file, intervenes, observers), intervenes);
  recorded.begin(job);
  job.observed_by(observers);
  const bool clones = choose_clones(libraries.files(), job.ranks_here().size(), options.process.loading);
  libraries.use_clones(clones);
  const auto heaps =
      arena.heaps().subspan(static_cast<std::size_t>(job.ranks_here().front()), job.ranks_here().size());
  auto images = load_copies(program.copies(clones), heaps);
  const auto references = process::variable_references(file);
  const auto streams = libc::stream_references(file);
  collectives.load(heaps, options.process.loading);
  for (int rank = 0; rank < job.size(); ++rank) job.ue(rank).process = std::make_unique<process::Process>();
  for (const int rank : job.ranks_here()) {
    Ue& ue = job.ue(rank);
    const auto index = static_cast<std::size_t>(rank - job.ranks_here().front());
    ue.process->heap = &heaps[index];
    if (options.process.check_heap) {
      ue.process->heap_check = std::make_unique<process::HeapCheck>(ue, static_cast<std::size_t>(job.size()));
      ue.process->heap->watch(ue.process->heap_check.get());
    }
    ue.process->image = std::move(images[index]);
    process::lead_to_own(*ue.process->image, references, ue.process->c.variables);
    libc::give_streams(ue, *ue.process->image, streams);
    ue.process->own_libraries = &libraries;
    libraries.give(ue);
    ue.image = &ue.process->image->variables();
    ue.image->ue = &ue;
    ue.process->argc = arguments.count();
    ue.process->argv = arguments.vector(static_cast<std::size_t>(rank));
    ue.process->arguments = arguments.memory(static_cast<std::size_t>(rank));
    ue.library = protocol::make_library(ue, options.library);
    collectives.stand_beside(ue);
    job.engine().start(ue.core->id(), [&ue] { run_ue(ue); });
  }

  JobResult result;
  {
    const CurrentJob current(job);
    job.engine().on_switch(on_switch, &job);
    job.engine().on_account(give_account, take_account, &job);
    const auto guard = guard_job(job);
    const Outcome outcome = job.engine().run();
    job.report(libraries.own().warning()); // with what the UEs have opened since the start
    if (outcome == Outcome::deadlock) job.report(run::deadlock_report(job));
    recorded.stopped(outcome);
    guard->finish();
    if (no_plain_stores) check_rescues(job.engine().rescues());
    result = result_of(job, outcome);
    if (const int signal = run::interrupt_signal();
        signal != 0 && run::interrupted_rank() < 0 && job.stop_status() == status_signal + signal)
      result.interrupted_by = signal;
    if (outcome != Outcome::finished && job.engine().ended_by() < 0)
      job.engine().end_elsewhere(result.status);
    if (options.output.sink) run::report_was_shown(); // by whoever takes the output
  }
  if (run::interrupt_signal() == 0 || run::tells_interrupt(job)) result.report = job.report();
  if (counts(options.library.compute)) result.counted_by = file.strings_of(".rockcreek_counts");
  if (options.library.memory_per_million_cycles > 0)
    result.counted_by += fmt::format(" memory={}", options.library.memory_per_million_cycles);
  recorded.end(result);
  if (interference) interference->finish(result);
  return result;
}

} // namespace rcce
