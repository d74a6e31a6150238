// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/machine.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "mesh_sim/machines/coherent/core.hpp"

namespace mesh::coherent {

namespace {

constexpr std::size_t stack_bytes = 128 * 1024;

} // namespace

Machine::Machine(const Config& config, int threads)
    : Machine(config, placement(config, "compact", threads)) {}

Machine::Machine(const Config& config, std::span<const int> placement)
    : config_(config),
      costs_(config),
      placement_(config_, placement),
      kernel_(std::max(1, threads()) * (config.store_buffer > 0 ? 2 : 1), stack_bytes),
      probes_(kernel_),
      memory_(config_),
      part_{config_, costs_, placement_, kernel_, probes_, memory_},
      caches_(part_),
      queues_(kernel_),
      rings_(part_, caches_, queues_),
      accesses_(part_, caches_, queues_, rings_),
      stores_(part_, accesses_),
      streams_(part_, caches_, queues_),
      programs_(placement.size()) {}

void Machine::set_state(Address address, std::size_t bytes, State state, int thread) {
  const Address end = address + std::max<std::size_t>(1, bytes);
  for (std::size_t line = address / line_size; line <= (end - 1) / line_size; ++line) {
    Line& target = memory_.line(line);
    caches_.set_state(target, placement_.core_of(thread), state);
    target.writer = state == State::modified ? static_cast<std::int16_t>(thread) : Line::none;
  }
}

void Machine::start(int thread, std::function<void(Core&)> program, Picoseconds at) {
  programs_.at(static_cast<std::size_t>(thread)) = std::move(program);
  ++running_;
  kernel_.start(
      thread, [this, thread] { run_program(thread); }, at);
  if (stores_.on()) stores_.start(thread, at);
}

void Machine::run_program(int thread) {
  Core core(*this, thread);
  programs_[static_cast<std::size_t>(thread)](core);
  core.fence();
  if (--running_ == 0 && stores_.on()) stores_.finish();
}

void Machine::run() {
  if (kernel_.run() == Kernel::End::deadlock) throw std::runtime_error(waiting_report());
}

std::string Machine::waiting_report() const {
  std::string report = "nobody can go on:";
  const auto notify = [&](int thread, std::string_view what, std::size_t where) {
    if (thread < threads() && kernel_.blocked(thread))
      report += fmt::format(" thread {} {} {};", thread, what, where);
  };
  for (const Line& line : memory_.lines())
    queues_.each_sleeper(
        line, [&](int thread) { notify(thread, "waits for a write to line", memory_.index_of(line)); });
  for (const auto& [line, ring] : rings_.all())
    for (const int member : ring.members) notify(member, "spins on line", line);
  for (const auto& [word, sleepers] : futexes_)
    for (const Sleeper& sleeper : sleepers) notify(sleeper.thread, "sleeps on futex word", word);
  for (int thread = 0; thread < threads(); ++thread)
    if (const std::size_t stores = stores_.waits(thread); stores > 0)
      notify(thread, "waits for its posted stores, at least", stores);
  for (const int thread : meeting_) notify(thread, "is at a meeting of", static_cast<std::size_t>(running_));
  return report;
}

} // namespace mesh::coherent
