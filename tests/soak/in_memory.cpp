// SPDX-License-Identifier: Apache-2.0
// Do algorithms in shared memory hold out on the host's threads? Each does so many operations, all threads
// together, before each of which every thread waits for a random time: nothing, some hundred steps, or until
// others have run. Every result is looked at; sums of a promised order have the bits of the vectors.
//
// soak_in_memory OPERATIONS [THREADS [NAME]]: threads as one of the vectors' rows; a name for one
// algorithm alone. Prints operations, wrong results and time of each; status 1 where one is wrong.
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "algorithms/in_memory/bcast/broadcasts.hpp"
#include "algorithms/in_memory/exchange/exchanges.hpp"
#include "algorithms/in_memory/lock/locks.hpp"
#include "algorithms/in_memory/reduce/reductions.hpp"
#include "algorithms/memory/host.hpp"
#include "csv.hpp"

namespace {

namespace in_memory = algorithms::in_memory;
using algorithms::memory::Host;
using Thread = Host::Thread;
using in_memory::Order;

/// Results that are kept until they are looked at.
constexpr int window = 1024;

class Delay {
 public:
  explicit Delay(int thread) : random_(static_cast<unsigned>(thread) * 7919U + 1U) {}
  void operator()(Thread& thread) {
    const auto draw = random_();
    if (draw % 8 == 0)
      for (auto steps = draw / 8 % 256; steps > 0; --steps) thread.pause();
    if (draw % 509 == 0) std::this_thread::yield();
  }

 private:
  std::minstd_rand random_;
};

/// The vectors' values for so many threads.
struct Sums {
  std::vector<double> inputs;
  double sequential = 0, pairs = 0;
};

std::vector<double> hexadecimal(const std::string& text) {
  std::vector<double> values;
  std::istringstream words(text);
  for (std::string word; words >> word;) values.push_back(std::strtod(word.c_str(), nullptr));
  return values;
}

Sums read_sums(int threads) {
  Sums sums;
  const csv::Table table("fixed-order-sums.csv");
  for (const auto& row : table) {
    if (row.text("n") != std::to_string(threads)) continue;
    const auto values = hexadecimal(row.text("values_hex"));
    if (row.text("order") == "inputs") sums.inputs = values;
    if (row.text("order") == "sequential") sums.sequential = values.front();
    if (row.text("order") == "pair_tree") sums.pairs = values.front();
  }
  return sums;
}

class Soak {
 public:
  Soak(int threads, std::int64_t operations, std::string_view only)
      : threads_(threads), calls_(std::max<std::int64_t>(1, operations / threads)), only_(only) {}

  /// Runs body(thread, call, delay) on each thread for each call; it returns how many results were wrong.
  template <class Body>
  void run(std::string_view name, Host& host, Body body) {
    std::atomic<std::int64_t> wrong = 0;
    const auto begin = std::chrono::steady_clock::now();
    host.run([&](Thread& thread) {
      Delay delay(thread.thread());
      std::int64_t mine = 0;
      for (std::int64_t call = 0; call < calls_; ++call) mine += body(thread, call, delay);
      wrong += mine;
    });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    fmt::print("{:34} {:>10} operations, {} wrong, {:.1f} s\n", name, calls_ * threads_, wrong.load(),
               took.count());
    std::fflush(stdout);
    failed_ = failed_ || wrong != 0;
  }
  [[nodiscard]] bool wants(std::string_view name) {
    const bool wanted = only_.empty() || only_ == name;
    met_ = met_ || wanted;
    return wanted;
  }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] std::int64_t calls() const { return calls_; }
  [[nodiscard]] bool failed() const { return failed_ || !met_; }

 private:
  int threads_;
  std::int64_t calls_;
  std::string_view only_;
  bool failed_ = false, met_ = false;
};

struct alignas(64) Count {
  std::int64_t value = 0;
};

/// Behind the barrier nobody is a call behind, and nobody more than one ahead: read without atomics, so that
/// a barrier which orders nothing is a race, too.
void barriers(Soak& soak) {
  for (const auto& row : in_memory::barriers<Host>()) {
    if (!soak.wants(row.name)) continue;
    Host host(soak.threads());
    const auto barrier = row.make(host, {});
    std::vector<Count> at(static_cast<std::size_t>(soak.threads()));
    soak.run(row.name, host, [&](Thread& thread, std::int64_t call, Delay& delay) {
      at[static_cast<std::size_t>(thread.thread())].value = call;
      delay(thread);
      barrier(thread);
      std::int64_t wrong = 0;
      for (const Count& other : at) wrong += other.value != call;
      barrier(thread);
      return wrong;
    });
  }
}

void joins(Soak& soak, in_memory::Reset reset) {
  for (const auto& row : in_memory::joins<Host>()) {
    const std::string name = std::string(row.name) + (reset == in_memory::Reset::by_master ? "/reset" : "");
    if (!soak.wants(name)) continue;
    Host host(soak.threads());
    in_memory::Fork<Host> fork(host);
    const auto join = row.make(host, {.reset = reset});
    std::vector<Count> done(static_cast<std::size_t>(soak.threads()));
    soak.run(name, host, [&](Thread& thread, std::int64_t call, Delay& delay) {
      const auto self = static_cast<std::size_t>(thread.thread());
      if (self > 0) {
        const bool begun = fork.await(thread);
        delay(thread);
        done[self].value = call + 1;
        join.arrive(thread);
        return static_cast<std::int64_t>(!begun);
      }
      fork.start(thread);
      delay(thread);
      join.join(thread);
      std::int64_t wrong = 0;
      for (std::size_t worker = 1; worker < done.size(); ++worker) wrong += done[worker].value != call + 1;
      return wrong;
    });
  }
}

void locks(Soak& soak) {
  for (const auto& row : in_memory::locks<Host>()) {
    if (!soak.wants(row.name)) continue;
    Host host(soak.threads());
    const auto lock = row.make(host, 0);
    std::int64_t count = 0;
    std::barrier<> end(soak.threads());
    soak.run(row.name, host, [&](Thread& thread, std::int64_t call, Delay& delay) {
      delay(thread);
      lock.acquire(thread);
      count = count + 1;
      lock.release(thread);
      if (call + 1 < soak.calls()) return std::int64_t{0};
      end.arrive_and_wait();
      return static_cast<std::int64_t>(count != soak.calls() * soak.threads());
    });
  }
}

void broadcasts(Soak& soak) {
  for (const auto& row : in_memory::broadcasts<Host>()) {
    if (!soak.wants(row.name)) continue;
    Host host(soak.threads());
    const auto bcast = row.make(host, {});
    std::vector<Host::Block> blocks;
    for (int thread = 0; thread < soak.threads(); ++thread) blocks.push_back(host.block(200, thread));
    soak.run(row.name, host, [&](Thread& thread, std::int64_t call, Delay& delay) {
      const auto block = blocks[static_cast<std::size_t>(thread.thread())];
      const int root = static_cast<int>(call % thread.threads());
      for (std::int64_t& value : block.values<std::int64_t>()) value = thread.thread() == root ? call : -1;
      delay(thread);
      bcast(thread, block, root);
      std::int64_t wrong = 0;
      for (const std::int64_t value : block.values<std::int64_t>()) wrong += value != call;
      return wrong;
    });
  }
}

/// Exchanges of four whole numbers for each thread; a target is overwritten as soon as it has been read.
void exchanges(Soak& soak) {
  using T = std::int64_t;
  for (const auto& row : in_memory::exchanges<Host>()) {
    if (!soak.wants(row.name)) continue;
    const int threads = soak.threads();
    Host host(threads);
    const algorithms::Shares shares(row.operation, static_cast<std::size_t>(threads) * 4 * sizeof(T),
                                    sizeof(T), threads);
    const auto exchange =
        row.make(host, in_memory::operation<Host, T>(std::plus<>()), shares.bytes(), {.part_bytes = 64});
    std::vector<Host::Block> sources, targets;
    for (int thread = 0; thread < threads; ++thread) {
      sources.push_back(host.block(shares.bytes(), thread));
      targets.push_back(host.block(shares.bytes(), thread));
    }
    soak.run(row.name, host, [&](Thread& thread, std::int64_t call, Delay& delay) {
      const int self = thread.thread(), root = static_cast<int>(call % threads);
      const auto at = static_cast<std::size_t>(self);
      const auto source = sources[at].part(0, shares.source(self, root)),
                 target = targets[at].part(0, shares.target(self, root));
      for (T& value : source.values<T>()) value = call * 64 + self;
      delay(thread);
      exchange(thread, source, target, root);
      std::vector<T> wanted(target.bytes / sizeof(T));
      for (int sender = 0; sender < threads; ++sender) {
        const algorithms::Transfer transfer = shares.transfer(sender, self, root);
        for (std::size_t i = 0; i < transfer.bytes / sizeof(T); ++i)
          wanted[transfer.to / sizeof(T) + i] += call * 64 + sender;
      }
      std::int64_t wrong = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) wrong += target.values<T>()[i] != wanted[i];
      for (T& value : target.values<T>()) value = -1;
      for (T& value : source.values<T>()) value = -2;
      return wrong;
    });
  }
}

/// Inputs are those of the vectors times a power of two that changes with the call, which changes no bit of
/// the fraction; of orders that are not in the vectors, whole numbers.
void reductions(Soak& soak, const Sums& sums) {
  for (const auto& row : in_memory::reductions<Host>()) {
    if (!soak.wants(row.name)) continue;
    const bool promised = row.order == Order::sequential || row.order == Order::pair_tree;
    const double expected = row.order == Order::sequential ? sums.sequential
        : promised                                         ? sums.pairs
                                                           : soak.threads() * (soak.threads() + 1) / 2;
    Host host(soak.threads());
    const auto reduce = row.make(host, in_memory::operation<Host, double>(std::plus<>()), sizeof(double), {});
    std::vector<Host::Block> inputs, results;
    for (int thread = 0; thread < soak.threads(); ++thread)
      inputs.push_back(host.block(sizeof(double), thread));
    for (int result = 0; result < window; ++result) results.push_back(host.block(sizeof(double), 0));
    std::barrier<> meeting(soak.threads());
    const auto scale = [](std::int64_t call) { return static_cast<int>(call % 61); };
    soak.run(row.name, host, [&](Thread& thread, std::int64_t call, Delay& delay) {
      const auto self = static_cast<std::size_t>(thread.thread());
      double& input = inputs[self].values<double>()[0];
      input = std::ldexp(promised ? sums.inputs[self] : thread.thread() + 1.0, scale(call));
      delay(thread);
      reduce(thread, inputs[self], results[static_cast<std::size_t>(call % window)]);
      input = 1e300;
      if ((call + 1) % window != 0 && call + 1 < soak.calls()) return std::int64_t{0};
      meeting.arrive_and_wait();
      std::int64_t wrong = 0;
      if (self == 0)
        for (std::int64_t past = call / window * window; past <= call; ++past) {
          double& result = results[static_cast<std::size_t>(past % window)].values<double>()[0];
          wrong += result != std::ldexp(expected, scale(past));
          result = -1;
        }
      meeting.arrive_and_wait();
      return wrong;
    });
  }
}

} // namespace

int main(int argc, char** argv) {
  const std::int64_t operations = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 0;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 4;
  const Sums sums = read_sums(threads);
  if (operations < 1 || argc > 4 || sums.inputs.empty()) {
    fmt::print(stderr, "usage: {} OPERATIONS [THREADS [NAME]], threads as in {}/fixed-order-sums.csv\n",
               argv[0], ROCKCREEK_VECTORS);
    return 2;
  }
  Soak soak(threads, operations, argc > 3 ? argv[3] : "");
  barriers(soak);
  joins(soak, in_memory::Reset::alternating);
  joins(soak, in_memory::Reset::by_master);
  locks(soak);
  broadcasts(soak);
  exchanges(soak);
  reductions(soak, sums);
  return soak.failed() ? 1 : 0;
}
