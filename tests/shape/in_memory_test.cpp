// SPDX-License-Identifier: Apache-2.0
// Do the barriers and joins in shared memory hold everybody back, on the host's threads and on a simulated
// machine?
#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/in_memory/simulated.hpp"
#include "algorithms/memory/host.hpp"
#include "catch.hpp"
#include "mesh_sim/errors.hpp"

namespace memory = algorithms::memory;
namespace in_memory = algorithms::in_memory;

namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool under_thread_checker = true;
#else
constexpr bool under_thread_checker = false;
#endif

constexpr int sizes[] = {1, 2, 3, 5, 24, 48};

/// Calls check(memory, episodes) for a memory of each kind.
template <class Check>
void on_both(int threads, Check check) {
  {
    INFO("on the host, " << threads << " threads");
    memory::Host host(threads);
    check(host, threads > 8 ? 5 : 200);
  }
  if (under_thread_checker) return; // simulated threads are fibers, of which the checker sees one thread
  for (const char* const name : {"opteron-6172", "xeon-phi-5110p"}) {
    INFO("on " << name << ", " << threads << " threads");
    mesh::coherent::Machine machine(mesh::coherent::load_machine(name), threads);
    memory::Simulated simulated(machine);
    check(simulated, 12);
  }
}

/// Work of unequal length.
template <class Thread>
void work(Thread& thread, int episode) {
  thread.compute((thread.thread() * 7919 + episode * 104729) % 3001);
}

/// Every thread's own count of episodes, written before the barrier and read by all behind it.
struct Counts {
  explicit Counts(int threads) : at(static_cast<std::size_t>(threads)) {}
  std::vector<std::atomic<int>> at;
  std::atomic<int> early = 0; ///< threads found behind

  void expect(int episode) {
    for (const auto& count : at)
      if (count.load(std::memory_order_relaxed) < episode) ++early;
  }
};

template <class M>
void check_barrier(M& memory, const in_memory::BarrierRow<M>& row, const in_memory::BarrierOptions& options,
                   int episodes) {
  const auto barrier = row.make(memory, options);
  Counts counts(memory.threads());
  memory.run([&](typename M::Thread& thread) {
    for (int episode = 1; episode <= episodes; ++episode) {
      work(thread, episode);
      counts.at[static_cast<std::size_t>(thread.thread())].store(episode, std::memory_order_relaxed);
      barrier(thread);
      counts.expect(episode);
    }
  });
  INFO(row.name << ", m = " << options.partners);
  CHECK(counts.early == 0);
}

template <class M>
void check_join(M& memory, const in_memory::JoinRow<M>& row, in_memory::Reset reset, int regions) {
  in_memory::Fork<M> fork(memory);
  const auto join = row.make(memory, {.reset = reset});
  Counts counts(memory.threads());
  memory.run([&](typename M::Thread& thread) {
    auto& mine = counts.at[static_cast<std::size_t>(thread.thread())];
    if (thread.thread() > 0) {
      for (int region = 1; fork.await(thread); ++region) {
        work(thread, region);
        mine.store(region, std::memory_order_relaxed);
        join.arrive(thread);
      }
      return;
    }
    for (int region = 1; region <= regions; ++region) {
      fork.start(thread);
      mine.store(region, std::memory_order_relaxed);
      join.join(thread);
      counts.expect(region);
    }
    fork.stop(thread);
  });
  INFO(row.name << (reset == in_memory::Reset::by_master ? ", reset by master" : ", alternating"));
  CHECK(counts.early == 0);
}

} // namespace

TEST_CASE("nobody leaves a barrier before everybody has come") {
  for (const int threads : sizes) {
    const std::size_t rows = std::size(in_memory::barriers<memory::Host>());
    for (std::size_t row = 0; row < rows; ++row)
      for (const int partners : {1, 2, 4, 9}) {
        const bool takes_partners = in_memory::barriers<memory::Host>()[row].name == "barrier/dissemination";
        if (partners > 1 && !takes_partners) continue;
        on_both(threads, [&](auto& on, int episodes) {
          using M = std::remove_reference_t<decltype(on)>;
          check_barrier<M>(on, in_memory::barriers<M>()[row], {.partners = partners}, episodes);
        });
      }
  }
}

TEST_CASE("no master leaves a join before its workers have come") {
  for (const int threads : sizes)
    for (std::size_t row = 0; row < std::size(in_memory::joins<memory::Host>()); ++row)
      for (const auto reset : {in_memory::Reset::alternating, in_memory::Reset::by_master})
        on_both(threads, [&](auto& on, int episodes) {
          using M = std::remove_reference_t<decltype(on)>;
          check_join<M>(on, in_memory::joins<M>()[row], reset, episodes);
        });
}

TEST_CASE("a run on the simulated machine takes the same time twice") {
  for (std::size_t row = 0; row < std::size(in_memory::barriers<memory::Simulated>()); ++row) {
    const auto time = [&] {
      mesh::coherent::Machine machine(mesh::coherent::load_machine("xeon-e7-8867l"), 47);
      memory::Simulated simulated(machine);
      const auto barrier = in_memory::barriers<memory::Simulated>()[row].make(simulated, {});
      simulated.run([&](mesh::coherent::Core& core) {
        for (int i = 0; i < 10; ++i) barrier(core);
      });
      return std::pair(machine.clock(0), machine.digest());
    };
    CHECK(time() == time());
  }
}

TEST_CASE("an exception of one thread on the host leaves run()") {
  memory::Host host(3);
  CHECK_THROWS_WITH(host.run([](memory::Host::Thread& thread) {
    if (thread.thread() == 1) throw std::runtime_error("here");
  }),
                    "here");
}

TEST_CASE("a part of a block lies within it, on both memories") {
  on_both(1, [](auto& on, int) {
    const auto block = on.block(100, 0);
    CHECK(block.part(60, 40).bytes == 40);
    CHECK(block.part(200, 0).bytes == 0);
    CHECK_THROWS_AS(block.part(60, 41), std::out_of_range);
    CHECK_THROWS_AS(block.part(101, 1), std::out_of_range);
  });
}

TEST_CASE("blocks are combined in the order of their sources, on both memories") {
  on_both(1, [](auto& on, int) {
    using M = std::remove_reference_t<decltype(on)>;
    const auto a = on.block(800, 0), b = on.block(800, 0), c = on.block(800, 0);
    for (std::size_t i = 0; i < 100; ++i) {
      a.template values<double>()[i] = static_cast<double>(i);
      b.template values<double>()[i] = 2;
    }
    on.run([&](typename M::Thread& thread) {
      thread.template combine<double>(
          c, std::array{a, b, b}, [](double x, double y) { return x - y; }, 0.5);
      thread.copy(b, c);
    });
    CHECK(b.template values<double>()[99] == 95);
    CHECK(b.template values<double>()[0] == -4);
  });
}

TEST_CASE("one thread at a time holds a lock, and every thread gets it") {
  for (const int threads : sizes)
    for (std::size_t row = 0; row < std::size(in_memory::locks<memory::Host>()); ++row)
      on_both(threads, [&](auto& on, int episodes) {
        using M = std::remove_reference_t<decltype(on)>;
        const auto lock = in_memory::locks<M>()[row].make(on, 0);
        int holders = 0, most = 0, acquisitions = 0; // guarded by the lock
        on.run([&](typename M::Thread& thread) {
          for (int episode = 0; episode < episodes; ++episode) {
            lock.acquire(thread);
            most = std::max(most, ++holders);
            ++acquisitions;
            work(thread, episode);
            --holders;
            lock.release(thread);
          }
        });
        INFO(in_memory::locks<M>()[row].name);
        CHECK(most == 1);
        CHECK(acquisitions == threads * episodes);
      });
}

TEST_CASE("threads are placed node after node, one to each node, or with all siblings of a node") {
  const auto config = mesh::coherent::load_machine("xeon-e7-8867l"); // 8 nodes of 10 cores of 2 threads
  CHECK(mesh::coherent::placement(config, "compact", 81)[80] == 80);
  const auto scatter = mesh::coherent::placement(config, "scatter", 160);
  CHECK(std::vector<int>(scatter.begin(), scatter.begin() + 9) ==
        std::vector{0, 10, 20, 30, 40, 50, 60, 70, 1});
  CHECK(scatter[81] == 90);
  const auto fill = mesh::coherent::placement(config, "fill", 160);
  CHECK(std::vector<int>(fill.begin() + 9, fill.begin() + 12) == std::vector{9, 80, 81});
  CHECK(fill[20] == 10);
  for (const char* const rule : {"compact", "scatter", "fill"}) {
    const auto places = mesh::coherent::placement(config, rule, 160);
    CHECK(std::set<int>(places.begin(), places.end()).size() == 160);
  }
  CHECK_THROWS_AS(mesh::coherent::placement(config, "dense", 2), mesh::UserError);
  CHECK_THROWS_AS(mesh::coherent::placement(config, "fill", 161), mesh::UserError);
  CHECK_THROWS_AS(mesh::coherent::Machine(config, std::vector{1, 1}), mesh::UserError);
}
