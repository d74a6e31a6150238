// SPDX-License-Identifier: Apache-2.0
// Do teams of threads do what their header says: every region on every thread, barriers, reductions by every
// algorithm, orders, errors?
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <rockcreek/team.hpp>

#include "catch.hpp"
#include "team_region.h"

using rockcreek::Member;
using rockcreek::Order;
using rockcreek::Team;
using rockcreek::TeamOptions;

namespace {

constexpr int sizes[] = {1, 2, 3, 5, 8};

std::vector<std::string> names(const std::string& folder) {
  std::vector<std::string> found{"auto"};
  for (const std::string& name : rockcreek::algorithms())
    if (name.starts_with(folder + "/")) found.push_back(name);
  return found;
}

TeamOptions with(int threads, const std::string& barrier, const std::string& reduce, const std::string& join,
                 Order order = Order::any) {
  TeamOptions options;
  options.threads = threads;
  options.order = order;
  options.barrier = barrier;
  options.reduce = reduce;
  options.join = join;
  return options;
}

std::string error_of(const TeamOptions& options) {
  try {
    const Team team(options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a region runs once on every thread, by every join") {
  for (const int threads : sizes)
    for (const std::string& join : names("join")) {
      Team team(with(threads, "auto", "auto", join));
      REQUIRE(team.threads() == threads);
      std::atomic<int> wrong = 0;
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(threads));
      for (int region = 1; region <= 50; ++region) {
        team.run([&](Member& me) {
          wrong += me.threads() != threads;
          ++times[static_cast<std::size_t>(me.thread())];
        });
        for (const auto& one : times) REQUIRE(one == region);
        REQUIRE(wrong == 0);
      }
    }
}

TEST_CASE("behind a barrier everybody sees what all have written") {
  for (const int threads : sizes)
    for (const std::string& barrier : names("barrier")) {
      Team team(with(threads, barrier, "auto", "auto"));
      std::vector<int> written(static_cast<std::size_t>(threads));
      std::atomic<int> wrong = 0;
      team.run([&](Member& me) {
        for (int round = 1; round <= 50; ++round) {
          written[static_cast<std::size_t>(me.thread())] = round;
          me.barrier();
          for (const int one : written) wrong += one != round;
          me.barrier();
        }
      });
      INFO(barrier << ", " << threads << " threads");
      CHECK(wrong == 0);
    }
}

TEST_CASE("a reduction gives every thread the same, whatever the size, type and algorithm") {
  for (const int threads : sizes)
    for (const std::string& reduce : names("reduce")) {
      Team team(with(threads, "auto", reduce, "auto"));
      std::atomic<int> wrong = 0;
      team.run([&](Member& me) {
        for (const std::size_t count : {1, 0, 7, 3000, 8, 1, 70000, 9}) {
          std::vector<double> data(count + 1, -1.0);
          for (std::size_t i = 0; i < count; ++i) data[i] = me.thread() + static_cast<double>(i);
          me.reduce(std::plus<>(), data.data(), count);
          for (std::size_t i = 0; i < count; ++i)
            wrong += data[i] != threads * (threads - 1) / 2.0 + threads * static_cast<double>(i);
          wrong += data[count] != -1.0;
        }
        wrong += me.reduce([](short a, short b) { return std::max(a, b); },
                           static_cast<short>(me.thread())) != threads - 1;
        struct Pair {
          double value;
          long at;
        };
        const Pair nearest = me.reduce(
            [](Pair a, Pair b) { return b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a; },
            Pair{std::abs(me.thread() - 1.0), me.thread()});
        wrong += nearest.at != std::min(1, threads - 1);
      });
      INFO(reduce << ", " << threads << " threads");
      CHECK(wrong == 0);
    }
}

TEST_CASE("sums keep their bits where an order is asked for, and the operands their places") {
  for (const Order order : {Order::fixed, Order::threads})
    for (const std::string& reduce : names("reduce")) {
      const auto options = with(5, "auto", reduce, "auto", order);
      if (!error_of(options).empty()) {
        CHECK(has(error_of(options), reduce));
        continue;
      }
      Team team(options);
      double first = 0;
      for (int round = 0; round < 40; ++round) {
        double sum = 0;
        long composed = 0;
        team.run([&](Member& me) {
          for (int wait = (me.thread() * 7 + round) % 5 * 50; wait > 0; --wait)
            std::atomic_signal_fence(std::memory_order_seq_cst);
          const double mine = me.reduce(std::plus<>(), std::pow(-37.0, me.thread()) / 7);
          // x -> a x + b, composed: neither commutative nor the same in another order.
          struct Line {
            long a, b;
          };
          const Line line = me.reduce(
              [](Line f, Line g) {
                return Line{g.a * f.a, g.a * f.b + g.b};
              },
              Line{me.thread() + 2, me.thread() + 1});
          if (me.thread() == 0) sum = mine, composed = line.a + line.b;
        });
        if (round == 0) first = sum;
        REQUIRE(std::memcmp(&sum, &first, sizeof sum) == 0);
        if (order == Order::threads)
          REQUIRE(composed == [] {
            long a = 1, b = 0;
            for (long thread = 0; thread < 5; ++thread) a *= thread + 2, b = b * (thread + 2) + thread + 1;
            return a + b;
          }());
      }
    }
  CHECK(has(error_of(with(2, "auto", "dynamic_pair", "auto", Order::fixed)), "a fixed one"));
  CHECK(has(error_of(with(2, "auto", "level_tree", "auto", Order::threads)), "that of threads"));
}

TEST_CASE("what a region throws leaves run(), and the team goes on") {
  Team team(3);
  for (int round = 0; round < 3; ++round) {
    CHECK_THROWS_AS(team.run([](Member& me) {
      if (me.thread() == 1) throw std::runtime_error("here");
    }),
                    std::runtime_error);
    std::atomic<int> sum = 0;
    team.run([&](Member& me) { sum = me.reduce(std::plus<>(), 1); });
    CHECK(sum == 3);
  }
  CHECK_THROWS_AS(team.run([&](Member& me) {
    if (me.thread() == 0) team.run([](Member&) {});
  }),
                  std::logic_error);
}

TEST_CASE("wrong options are told with what there is") {
  CHECK(has(error_of(with(2, "nonsuch", "auto", "auto")), "barrier/central_sense, barrier/dissemination"));
  CHECK(has(error_of(with(2, "auto", "nonsuch", "auto")), "reduce/linear"));
  CHECK(has(error_of(with(2, "auto", "auto", "barrier/mcs_tree")), "join/flat"));
  CHECK(has(error_of(with(-1, "auto", "auto", "auto")), "-1 threads: 1 to 4096"));
  CHECK(has(error_of(with(5000, "auto", "auto", "auto")), "5000 threads"));
  Team team;
  CHECK(team.threads() >= 1);
  CHECK(has(team.barrier_in_use(), "barrier/"));
  CHECK(has(team.join_in_use(), "join/"));
  CHECK(has(team.reduce_in_use(8), "reduce/"));
}

TEST_CASE("a C program has the same") {
  for (const int threads : sizes)
    for (const char* const reduce : {"", "linear", "reduce/dynamic_group"})
      CHECK(team_from_c(threads, reduce) == 0);
}

namespace {

/// How a process ends in which thread 1 of a team returns before `meet`, and what it says.
std::pair<int, std::string> end_of_early_return(void (*meet)(rockcreek::Member&), int late) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    dup2(ends[1], 2);
    rockcreek::Team team(3);
    team.run([&](rockcreek::Member& member) {
      member.barrier();
      if (member.thread() == late) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (member.thread() != 1) meet(member);
    });
    _exit(0);
  }
  close(ends[1]);
  std::string told(4096, '\0');
  const ssize_t bytes = read(ends[0], told.data(), told.size());
  close(ends[0]);
  told.resize(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, told};
}

} // namespace

TEST_CASE("a thread that returns while others wait for it ends the program with a message") {
  for (const int late : {0, 1, 2}) {
    const auto [signal, told] =
        end_of_early_return([](rockcreek::Member& member) { member.barrier(); }, late);
    CHECK(signal == SIGABRT);
    CHECK(told.find("thread 1 of a team has returned from its region, and thread ") != std::string::npos);
  }
  const auto [signal, told] = end_of_early_return(
      [](rockcreek::Member& member) { static_cast<void>(member.reduce(std::plus<>(), 1)); }, 1);
  CHECK(signal == SIGABRT);
  CHECK(told.find("thread 1 of a team has returned") != std::string::npos);
}
