// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "state.hpp"

namespace rockcreek {

namespace detail {

namespace {

constexpr int most_threads = 4096;

TeamOptions settled(TeamOptions options) {
  if (options.threads < 0 || options.threads > most_threads)
    throw std::invalid_argument("a team of " + std::to_string(options.threads) + " threads: 1 to " +
                                std::to_string(most_threads) +
                                " are possible, or 0 for as many as there are processors");
  if (options.threads == 0) options.threads = processors();
  return options;
}

} // namespace

TeamState::TeamState(const TeamOptions& asked)
    : options(settled(asked)),
      barrier_row(&detail::barrier_row(options.barrier, options.threads, processors())),
      join_row(&detail::join_row(options.join)),
      memory_(options.threads),
      crowded_(options.threads > processors()),
      barrier_(barrier_row->make(memory_, {})),
      fork_(memory_),
      join_(join_row->make(memory_, {})),
      progress_(static_cast<std::size_t>(options.threads)),
      master_(*this, 0, options.threads, crowded_) {
  (void)reduction_row(options.reduce, options.order, options.threads, 1,
                      options.machine); // is there such a one?
  for (int thread = 1; thread < options.threads; ++thread)
    crew_.emplace_back([this, thread] { serve(thread); });
}

TeamState::~TeamState() {
  fork_.stop(master_.host);
}

void TeamState::serve(int thread) {
  MemberState member(*this, thread, options.threads, crowded_);
  while (fork_.await(member.host)) {
    pass(member);
    join_.arrive(member.host);
  }
}

void TeamState::run(const std::function<void(Member&)>& region) {
  if (in_region_.exchange(true))
    throw std::logic_error("a team runs one region at a time: run() was called while it is in a region");
  region_ = &region;
  ended_threads_.store(0);
  for (auto& one : progress_) one.value.ended.store(false, std::memory_order_relaxed);
  fork_.start(master_.host);
  pass(master_);
  join_.join(master_.host);
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  in_region_.store(false);
  if (failure) std::rethrow_exception(failure);
}

void TeamState::pass(MemberState& member) {
  auto& ended = progress_[static_cast<std::size_t>(member.host.thread())].value.ended;
  try {
    Member self(member);
    (*region_)(self);
    ended.store(true, std::memory_order_release);
    ended_threads_.fetch_add(1);
    check_others_end(member.host);
  } catch (...) {
    {
      const std::lock_guard lock(guard_);
      if (!failure_) failure_ = std::current_exception();
    }
    ended.store(true, std::memory_order_release);
    fail(member.host);
  }
}

/// Waits until nobody can be waiting for the thread any more; ends the program if somebody does.
void TeamState::fail(Host::Thread& thread) {
  const std::uint64_t mine =
      progress_[static_cast<std::size_t>(thread.thread())].value.meetings.load(std::memory_order_acquire);
  for (std::size_t other = 0; other < progress_.size(); ++other)
    while (!progress_[other].value.ended.load(std::memory_order_acquire)) {
      if (progress_[other].value.meetings.load(std::memory_order_acquire) > mine) {
        std::fprintf(stderr,
                     "rockcreek: thread %d of a team has left its region by an exception, and thread %zu "
                     "waits for it at a "
                     "barrier or in a reduction; catch the exception inside the region\n",
                     thread.thread(), other);
        std::terminate();
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

std::uint64_t TeamState::meetings_of(std::size_t thread) const {
  return progress_[thread].value.meetings.load();
}

/// Either the one that has returned sees who waits for it, or that one sees it: both tell before they look.
void TeamState::check_others_end(Host::Thread& thread) const {
  const auto self = static_cast<std::size_t>(thread.thread());
  for (std::size_t other = 0; other < progress_.size(); ++other)
    if (meetings_of(other) > meetings_of(self)) end_by_early_return(self, other);
}

void TeamState::enter_meeting(std::size_t self) {
  progress_[self].value.meetings.fetch_add(1);
  if (ended_threads_.load() == 0) return;
  for (std::size_t other = 0; other < progress_.size(); ++other)
    if (progress_[other].value.ended.load(std::memory_order_acquire) &&
        meetings_of(other) < meetings_of(self))
      end_by_early_return(other, self);
}

void TeamState::end_by_early_return(std::size_t returned, std::size_t waiting) {
  std::fprintf(
      stderr,
      "rockcreek: thread %zu of a team has returned from its region, and thread %zu waits for it at a "
      "barrier or in a reduction; all threads have to call these equally often\n",
      returned, waiting);
  std::terminate();
}

void TeamState::meet(Host::Thread& thread) {
  enter_meeting(static_cast<std::size_t>(thread.thread()));
  barrier_(thread);
}

Reducer TeamState::make_reducer(const ReductionRow& row, std::size_t element_bytes, std::size_t bytes) {
  const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(bytes, memory::line));
  const in_memory::Operation<Host> operation{
      element_bytes, [this](Host::Thread& thread, Host::Block target, std::span<const Host::Block> sources) {
        const Combination& one = *progress_[static_cast<std::size_t>(thread.thread())].value.combination;
        std::vector<const std::byte*> data;
        data.reserve(sources.size());
        for (const Host::Block& source : sources) data.push_back(source.data);
        one.combine(one.operation, target.data, data.data(), data.size(), target.bytes / one.element_bytes);
      }};
  return {&row,
          row.make(memory_, operation, capacity, {.barrier = std::string(barrier_row->name)}),
          capacity,
          {memory_.block(capacity, 0), memory_.block(capacity, 0)},
          std::vector<memory::PerThread<std::uint64_t>>(progress_.size())};
}

/// All threads look before anybody changes what they see.
Reducer& TeamState::reducer(Host::Thread& thread, std::size_t element_bytes, std::size_t bytes) {
  const ReductionRow& row =
      reduction_row(options.reduce, options.order, options.threads, bytes, options.machine);
  const std::pair key(element_bytes, &row);
  const auto found = reducers_.find(key);
  if (found != reducers_.end() && found->second.capacity >= bytes) return found->second;
  barrier_(thread);
  if (thread.thread() == 0) reducers_.insert_or_assign(key, make_reducer(row, element_bytes, bytes));
  barrier_(thread);
  return reducers_.at(key);
}

void TeamState::reduce(Host::Thread& thread, const Combination& combination, std::byte* data,
                       std::size_t bytes) {
  const auto self = static_cast<std::size_t>(thread.thread());
  enter_meeting(self);
  if (bytes == 0) return barrier_(thread);
  if (progress_.size() == 1) return;
  progress_[self].value.combination = &combination;
  Reducer& reducer = this->reducer(thread, combination.element_bytes, bytes);
  const Host::Block result = reducer.results[reducer.calls[self].value++ % 2].part(0, bytes);
  reducer.reduce(thread, {data, bytes}, result);
  if (!reducer.row->result_for_all) barrier_(thread);
  std::copy_n(result.data, bytes, data);
}

} // namespace detail

int Member::thread() const noexcept {
  return state_.host.thread();
}
int Member::threads() const noexcept {
  return state_.host.threads();
}
void Member::barrier() {
  state_.team.meet(state_.host);
}
void Member::reduce_bytes(const detail::Combination& combination, std::byte* data, std::size_t bytes) {
  state_.team.reduce(state_.host, combination, data, bytes);
}

Team::Team(const TeamOptions& options) : state_(std::make_unique<detail::TeamState>(options)) {}
Team::~Team() = default;

int Team::threads() const noexcept {
  return state_->options.threads;
}
void Team::run_function(const std::function<void(Member&)>& region) {
  state_->run(region);
}
std::string Team::barrier_in_use() const {
  return std::string(state_->barrier_row->name);
}
std::string Team::join_in_use() const {
  return std::string(state_->join_row->name);
}
std::string Team::reduce_in_use(std::size_t bytes) const {
  const auto& options = state_->options;
  return std::string(
      detail::reduction_row(options.reduce, options.order, options.threads, bytes, options.machine).name);
}

} // namespace rockcreek
