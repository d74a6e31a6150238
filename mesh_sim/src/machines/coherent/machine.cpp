// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/coherent/machine.hpp"

#include <fmt/format.h>

#include "machines/coherent/tag_cache.hpp"
#include "mesh_sim/machines/coherent/core.hpp"

namespace mesh::coherent {

namespace {

constexpr std::size_t stack_bytes = 128 * 1024;
/// Lines do not move while requests refer to them, so room for all is reserved at once; the host gives it by
/// first touch.
constexpr std::size_t most_lines = std::size_t{1} << 22;

std::size_t bytes_of(double kilobytes) {
  return static_cast<std::size_t>(kilobytes * 1024);
}

} // namespace

std::vector<int> placement(const Config& config, std::string_view rule, int threads) {
  if (threads < 1 || threads > config.threads())
    throw UserError(fmt::format("{} threads on machine '{}': it runs 1 to {}, one on each hardware thread",
                                threads, config.name, config.threads()));
  const int cores = config.cores(), nodes = static_cast<int>(config.nodes),
            in_node = static_cast<int>(config.cores_per_node),
            of_node = in_node * static_cast<int>(config.threads_per_core);
  const auto place = [&](int thread) {
    const int core = thread % cores;
    if (rule == "compact") return thread;
    if (rule == "scatter") return thread - core + core % nodes * in_node + core / nodes;
    if (rule == "fill")
      return thread % of_node / in_node * cores + thread / of_node * in_node + thread % in_node;
    throw UserError(
        fmt::format("placement '{}' is none of compact (node after node), scatter (one to each node in "
                    "turn), fill (all hardware threads of node after node)",
                    rule));
  };
  std::vector<int> places;
  for (int thread = 0; thread < threads; ++thread) places.push_back(place(thread));
  return places;
}

Machine::Machine(const Config& config, int threads)
    : Machine(config, placement(config, "compact", threads)) {}

Machine::Machine(const Config& config, std::span<const int> placement)
    : config_(config),
      costs_(config),
      threads_(static_cast<int>(placement.size())),
      tracks_siblings_(config.threads_per_core > 1),
      posts_stores_(config.store_buffer > 0),
      kernel_(std::max(1, threads_) * (config.store_buffer > 0 ? 2 : 1), stack_bytes),
      next_(static_cast<std::size_t>(kernel_.contexts()), Line::none),
      state_of_(placement.size()),
      programs_(state_of_.size()),
      memory_free_(static_cast<std::size_t>(config.nodes)),
      link_free_(static_cast<std::size_t>(config.nodes)) {
  std::vector<bool> taken(static_cast<std::size_t>(config.threads()));
  for (const int place : placement) {
    if (place < 0 || place >= config.threads() || taken[static_cast<std::size_t>(place)])
      throw UserError(
          fmt::format("hardware thread {} of machine '{}': there are 0 to {}, for one thread each", place,
                      config.name, config.threads() - 1));
    taken[static_cast<std::size_t>(place)] = true;
    core_of_.push_back(place % config.cores());
  }
  for (const int core : core_of_)
    slowdown_.push_back(std::count(core_of_.begin(), core_of_.end(), core) > 1 ? costs_.busy_sibling : 1);
  lines_.reserve(most_lines);
  if (config.private_kb > 0)
    private_caches_.assign(static_cast<std::size_t>(config.cores()),
                           TagCache(bytes_of(config.private_kb), static_cast<int>(config.private_ways)));
  if (config.private_kb > 0 && config.shared_kb > 0)
    shared_caches_.assign(static_cast<std::size_t>(config.nodes),
                          TagCache(bytes_of(config.shared_kb), static_cast<int>(config.shared_ways)));
}

Machine::~Machine() = default;

Address Machine::allocate(std::size_t bytes, int home) {
  if (home < unplaced || home >= costs_.nodes())
    throw UserError(fmt::format("home {} of memory on machine '{}': its nodes are 0 to {}", home,
                                config_.name, costs_.nodes() - 1));
  const std::size_t first = lines_.size(),
                    count = std::max<std::size_t>(1, (bytes + line_size - 1) / line_size);
  if (first + count > most_lines)
    throw UserError(fmt::format("{} bytes more of simulated memory: a machine has room for {} MB", bytes,
                                most_lines * line_size >> 20));
  lines_.resize(first + count);
  for (std::size_t line = first; line < first + count; ++line)
    lines_[line].home = static_cast<std::int16_t>(home);
  return first * line_size;
}

std::vector<Word> Machine::words(std::size_t count, std::size_t stride, int home) {
  const Address base = allocate(count * stride, home);
  std::vector<Word> words;
  for (std::size_t i = 0; i < count; ++i)
    words.push_back({base + i * stride, static_cast<std::uint32_t>(values_.size() + i)});
  values_.resize(values_.size() + count);
  return words;
}

Block Machine::block(std::size_t bytes, int home) {
  const Address address = allocate(bytes, home);
  buffers_.push_back(std::make_unique<std::byte[]>(bytes));
  return {address, buffers_.back().get(), bytes};
}

void Machine::set_state(Address address, std::size_t bytes, State state, int thread) {
  const int core = core_of(thread);
  for (Address line = address / line_size;
       line <= (address + std::max<std::size_t>(1, bytes) - 1) / line_size; ++line) {
    Line& target = lines_[line];
    (void)home_of(target, costs_.node(core));
    target.holders.clear();
    target.shared_caches = 0;
    target.shared_dirty = false;
    target.owner =
        state == State::invalid || state == State::shared ? Line::none : static_cast<std::int16_t>(core);
    target.state = state;
    target.writer = state == State::modified ? static_cast<std::int16_t>(thread) : Line::none;
    if (state == State::invalid) continue;
    target.holders.add(core);
    keep_in_cache(target, core);
  }
}

void Machine::start(int thread, std::function<void(Core&)> program, Picoseconds at) {
  programs_.at(static_cast<std::size_t>(thread)) = std::move(program);
  ++running_;
  kernel_.start(
      thread, [this, thread] { run_program(thread); }, at);
  if (posts_stores_)
    kernel_.start(
        threads_ + thread, [this, thread] { drain(thread); }, at);
}

void Machine::run_program(int thread) {
  Core core(*this, thread);
  programs_[static_cast<std::size_t>(thread)](core);
  core.fence();
  if (--running_ > 0 || !posts_stores_) return;
  for (int other = 0; other < threads_; ++other)
    if (state_of_[static_cast<std::size_t>(other)].drain_sleeps)
      kernel_.wake(threads_ + other, kernel_.now());
}

void Machine::run() {
  if (kernel_.run() == Kernel::End::deadlock) throw std::runtime_error(waiting_report());
}

std::string Machine::waiting_report() const {
  std::string report = "nobody can go on:";
  const auto notify = [&](int thread, std::string_view what, std::size_t where) {
    if (thread < threads_ && kernel_.blocked(thread))
      report += fmt::format(" thread {} {} {};", thread, what, where);
  };
  for (std::size_t line = 0; line < lines_.size(); ++line)
    for (std::int16_t sleeper = lines_[line].sleepers; sleeper != Line::none;
         sleeper = next_[static_cast<std::size_t>(sleeper)])
      notify(sleeper, "waits for a write to line", line);
  for (const auto& [line, ring] : rings_)
    for (const int member : ring.members) notify(member, "spins on line", line);
  for (const auto& [word, sleepers] : futexes_)
    for (const Sleeper& sleeper : sleepers) notify(sleeper.thread, "sleeps on futex word", word);
  for (int thread = 0; thread < threads_; ++thread)
    if (state_of_[static_cast<std::size_t>(thread)].waits_for_stores > 0)
      notify(thread, "waits for its posted stores, at least",
             state_of_[static_cast<std::size_t>(thread)].stores.size());
  for (const int thread : meeting_) notify(thread, "is at a meeting of", static_cast<std::size_t>(running_));
  return report;
}

} // namespace mesh::coherent
