// SPDX-License-Identifier: Apache-2.0
#include "engine/threaded_engine.hpp"

#include <algorithm>
#include <csignal>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fmt/format.h>

#include "engine/host/clock.hpp"
#include "engine/needs.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/machines/scc/kind.hpp"
#include "mesh_sim/observe/observer.hpp"

namespace rcce {
namespace {

/// The threads of a pool. Throws UserError where the host refuses one.
class Threads {
 public:
  Threads(boost::asio::thread_pool& pool, std::size_t wanted) : pool_(pool) {
    threads_.reserve(wanted);
    try {
      while (threads_.size() < wanted) threads_.emplace_back([&pool] { pool.attach(); });
    } catch (const std::system_error& error) {
      join();
      throw mesh::UserError(
          fmt::format("the host gives {} of the {} threads that --engine threads takes: {}; "
                      "raise the limit of processes (ulimit -u) or of memory, run fewer "
                      "UEs, or use --engine sim",
                      started_, wanted, error.code().message()));
    }
  }
  ~Threads() { join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// Work that no thread has begun by now is dropped.
  void join() {
    pool_.stop();
    started_ = threads_.size();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  boost::asio::thread_pool& pool_;
  std::vector<std::thread> threads_;
  std::size_t started_ = 0;
};

} // namespace

mesh::MachineConfig scc_machine(const mesh::MachineDescription& machine, std::string_view engine) {
  check_needs(machine);
  if (const auto config = mesh::scc_config(machine)) return *config;
  throw mesh::UserError(fmt::format("machine '{}' with --engine {}: it takes the costs and buffers of "
                                    "machines of kind scc, and this one is "
                                    "of kind {}; use --engine sim",
                                    machine.name(), engine, machine.kind().name));
}

ThreadedEngine::ThreadedEngine(const Capabilities& can, mesh::SccCosts& costs,
                               std::vector<std::atomic<int>>& dividers, std::size_t stack_bytes)
    : Engine(can),
      costs_(costs),
      dividers_(dividers),
      stacks_(static_cast<std::size_t>(costs.topology().cores()), stack_bytes),
      lives_(static_cast<std::size_t>(costs.topology().cores())) {}

thread_local int ThreadedEngine::current_ = -1;

mesh::EventMask ThreadedEngine::event_kinds() const noexcept {
  return mesh::library_events | mesh::EventMask::code;
}

std::string ThreadedEngine::name_of(mesh::ResourceId) const {
  return {};
}

std::vector<bool> ThreadedEngine::at_rest() {
  std::vector<bool> resting(static_cast<std::size_t>(cores()));
  for (int core = 0; core < cores(); ++core)
    resting[static_cast<std::size_t>(core)] = !started(core) || over(core);
  for (const BlockedCore& one : waiting_cores()) resting[static_cast<std::size_t>(one.core)] = true;
  return resting;
}

std::pair<const std::byte*, const std::byte*> ThreadedEngine::stack(int core) const noexcept {
  if (!started(core)) return {nullptr, nullptr};
  const auto stack = stacks_.stack(static_cast<std::size_t>(core));
  return {stack.data(), stack.data() + stack.size()};
}

Outcome ThreadedEngine::run() {
  origin_ = host::nanoseconds();
  std::vector<int> alive;
  for (int core = 0; core < cores(); ++core)
    if (started(core)) alive.push_back(core);
  running_ = static_cast<int>(alive.size());
  begin(running_);
  // Its threads are made here: where the host refuses one, the pool itself would wait for the others for
  // ever.
  boost::asio::thread_pool pool(0);
  Threads threads(pool, alive.size());
  std::uint32_t rung = bell_; // a run can be stopped before its threads are waited for
  for (const int core : alive) boost::asio::post(pool, [this, core] { live(core); });

  // Simulated times order the output: lines become final as the clocks of all cores go on. And another
  // process cannot ring.
  constexpr long look_interval_ns = 10'000'000;
  while (running_ > 0) {
    futex_wait(bell_, rung, wall_clock() && can().one_address_space ? 0 : look_interval_ns);
    rung = bell_;
    if (progress_ != nullptr) progress_(progress_context_, earliest());
  }
  threads.join();
  if (stop_asked_) return Outcome::stopped;
  return deadlocked() ? Outcome::deadlock : Outcome::finished;
}

void ThreadedEngine::live(int core) {
  Life& life = lives_[static_cast<std::size_t>(core)];
  life.thread = static_cast<pid_t>(syscall(SYS_gettid));
  current_ = core;
  if (switch_ != nullptr) switch_(switch_context_, -1, core);
  live(core, stacks_.stack(static_cast<std::size_t>(core)), life.body);
  if (switch_ != nullptr) switch_(switch_context_, core, -1);
  current_ = -1;
  life.thread = 0;
  life.over = true;
  if (running_.fetch_sub(1) == 1) ring();
}

void ThreadedEngine::stop() {
  stop_asked_ = true;
  note_blocked();
  stop_waiting();
  if (current_ >= 0) {
    ring();
    leave(current_);
  }
}

void ThreadedEngine::interrupt(int signal) noexcept {
  // Whoever is told goes to the next point where it can stop, which lets it pass until the run has been
  // stopped.
  if (!stopped()) return;
  for (const Life& life : lives_)
    if (const pid_t thread = life.thread; thread != 0) syscall(SYS_tgkill, getpid(), thread, signal);
}

void ThreadedEngine::note_blocked() {
  const std::lock_guard guard(blocked_mutex_);
  if (!blocked_.empty() || stopped()) return;
  blocked_ = waiting_cores();
  std::ranges::sort(blocked_, {}, &BlockedCore::core);
}

} // namespace rcce
