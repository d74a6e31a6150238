// SPDX-License-Identifier: Apache-2.0
#include "explore/run.hpp"

#include <algorithm>

#include <boost/container_hash/hash.hpp>

namespace algorithms::explore {

bool State::sleeps(int thread) const {
  return std::find(asleep.begin(), asleep.end(), thread) != asleep.end();
}

bool State::allows(int thread, const Action& action, bool holds) const {
  if (action.kind == Action::Kind::end || action.kind == Action::Kind::fault || sleeps(thread)) return false;
  if (action.kind == Action::Kind::wait) return holds;
  if (action.kind == Action::Kind::take) return contents.words[action.word] != action.expected;
  if (action.kind == Action::Kind::pause) return changed[static_cast<std::size_t>(thread)] != 0;
  return true;
}

std::optional<std::uint64_t> State::make(int thread, const Action& action, std::vector<std::uint8_t>& woken,
                                         const std::function<std::uint32_t(int)>& word_of) {
  using Kind = Action::Kind;
  if (action.kind == Kind::blocks) {
    if (action.change) {
      action.change(contents.buffers.data());
      return 0;
    }
    const auto from = contents.buffers.begin();
    const Range& range = action.ranges.front();
    return boost::hash_range(from + static_cast<std::ptrdiff_t>(range.from),
                             from + static_cast<std::ptrdiff_t>(range.to));
  }
  if (action.kind == Kind::pause) {
    changed[static_cast<std::size_t>(thread)] = 0;
    return 0;
  }
  if (action.kind == Kind::futex_wake) {
    for (auto sleeper = asleep.begin(); sleeper != asleep.end() && woken.size() < action.operand;) {
      if (word_of(*sleeper) != action.word) {
        ++sleeper;
        continue;
      }
      woken.push_back(*sleeper);
      sleeper = asleep.erase(sleeper);
    }
    return woken.size();
  }
  std::uint64_t& word = contents.words[action.word];
  const std::uint64_t old = word;
  changed[static_cast<std::size_t>(thread)] = 0;
  switch (action.kind) {
  case Kind::store:
  case Kind::exchange:
  case Kind::take:
    word = action.operand;
    break;
  case Kind::fetch_add:
    word += action.operand;
    break;
  case Kind::compare_exchange:
    if (old == action.expected) word = action.operand;
    break;
  case Kind::futex_wait:
    if (old == action.expected) {
      asleep.push_back(static_cast<std::uint8_t>(thread));
      return std::nullopt;
    }
    return 0;
  default:
    break;
  }
  if (word != old)
    for (std::size_t other = 0; other < changed.size(); ++other)
      if (other != static_cast<std::size_t>(thread)) changed[other] = 1;
  return action.kind == Kind::store ? 0 : old;
}

Run::Run(int threads, const Scenario& scenario, mesh::StackPool& stacks)
    : threads_(threads),
      memory_(threads),
      program_(scenario(memory_)),
      fibers_(static_cast<std::size_t>(threads)) {
  state_.contents.words.resize(memory_.word_count());
  state_.contents.buffers.assign(memory_.buffers().begin(), memory_.buffers().end());
  state_.changed.resize(fibers_.size());
  for (int thread = 0; thread < threads; ++thread) {
    fiber(thread).stack.emplace(stacks.stack(static_cast<std::size_t>(thread)));
    fiber(thread).stack->run([this, thread] { body(thread); });
    if (fiber(thread).thrown) std::rethrow_exception(fiber(thread).thrown);
    commit(thread);
  }
}

/// Unwinds the stacks of threads that have not ended.
Run::~Run() {
  cancelling_ = true;
  for (Fiber& fiber : fibers_)
    if (fiber.stack && fiber.next.kind != Action::Kind::end) fiber.stack->go_on();
}

void Run::body(int thread) {
  Fiber& self = fiber(thread);
  try {
    Memory::Thread view(*this, thread, threads_);
    program_.body(view);
  } catch (const Cancelled&) {
  } catch (...) {
    self.thrown = std::current_exception();
  }
  self.next = {};
}

std::uint64_t Run::act(int thread, Action action) {
  Fiber& self = fiber(thread);
  self.next = std::move(action);
  self.stack->pause();
  if (cancelling_) throw Cancelled{};
  return self.given;
}

void Run::go_on(int thread, std::uint64_t given) {
  Fiber& self = fiber(thread);
  self.given = given;
  self.stack->go_on();
  if (self.thrown) std::rethrow_exception(std::exchange(self.thrown, nullptr));
}

void Run::commit(int thread) {
  auto& made = fiber(thread).attached;
  made.clear();
  while (attached(next(thread).kind)) {
    const bool peek = next(thread).kind == Action::Kind::peek;
    made.emplace_back(next(thread), peek ? state_.contents.words[next(thread).word] : 0);
    go_on(thread, made.back().second);
  }
}

bool Run::ready(int thread) const {
  const Action& action = next(thread);
  return state_.allows(thread, action,
                       action.kind == Action::Kind::wait &&
                           (*action.predicate)(state_.contents.words[action.word]));
}

std::uint64_t Run::step(int thread) {
  std::vector<std::uint8_t> woken;
  const auto given =
      state_.make(thread, next(thread), woken, [this](int sleeper) { return next(sleeper).word; });
  if (given) {
    go_on(thread, *given);
    commit(thread);
  }
  for (const std::uint8_t sleeper : woken) {
    go_on(sleeper, 1);
    commit(sleeper);
  }
  return given.value_or(1);
}

} // namespace algorithms::explore
