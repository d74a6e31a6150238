// SPDX-License-Identifier: Apache-2.0
// Are reductions, broadcasts and exchanges in shared memory complete, in the order that their rows promise,
// and is nothing read or written that belongs to somebody who has left? On the host's threads and on
// simulated machines.
#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/in_memory/simulated.hpp"
#include "algorithms/in_memory/trial.hpp"
#include "algorithms/memory/host.hpp"
#include "catch.hpp"
#include "csv.hpp"

namespace memory = algorithms::memory;
namespace in_memory = algorithms::in_memory;
using in_memory::Order;

namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool under_thread_checker = true;
#else
constexpr bool under_thread_checker = false;
#endif

constexpr int sizes[] = {1, 2, 3, 5, 8, 24, 47};
constexpr std::size_t lengths[] = {0, 1, 7, 9, 100};

template <class Check>
void on_both(int threads, Check check) {
  // More threads than processors take turns at whole slices of time.
  if (threads <= 8 || std::getenv("WHOLE") != nullptr) {
    INFO("on the host, " << threads << " threads");
    memory::Host host(threads);
    check(host, threads > 8 ? 4 : 60);
  }
  if (under_thread_checker) return; // simulated threads are fibers, of which the checker sees one thread
  for (const char* const name : {"opteron-6172", "xeon-phi-5110p"}) {
    INFO("on " << name << ", " << threads << " threads");
    mesh::coherent::Machine machine(mesh::coherent::load_machine(name), threads);
    memory::Simulated simulated(machine);
    check(simulated, 6);
  }
}

/// A delay that differs by thread and episode, so that threads come in many orders.
template <class Thread>
void delay(Thread& thread, int episode) {
  std::minstd_rand random(static_cast<unsigned>(thread.thread() * 7919 + episode * 104729 + 1));
  thread.compute(static_cast<double>(random() % 3001));
  if constexpr (std::is_same_v<Thread, memory::Host::Thread>)
    for (auto rounds = random() % 400; rounds > 0; --rounds) (void)thread.now();
}

/// Whole numbers, exact in every order, of which each thread's share of a sum can be told.
double number(int thread, int episode, std::size_t index) {
  return static_cast<double>((thread + 1) * 1000 + episode * 7 + static_cast<int>(index));
}

double sum_of(int threads, int episode, std::size_t index) {
  double sum = 0;
  for (int thread = 0; thread < threads; ++thread) sum += number(thread, episode, index);
  return sum;
}

/// Sums of all episodes are in a block of their own; the input is spoilt as soon as the call has returned.
template <class M>
void check_sums(M& on, const in_memory::ReductionRow<M>& row, const in_memory::ReduceOptions& options,
                int episodes, std::size_t length) {
  const int threads = on.threads();
  const auto operation = in_memory::operation<M, double>(std::plus<>());
  const std::size_t bytes = length * sizeof(double);
  const auto reduce = row.make(on, operation, bytes, options);
  std::vector<typename M::Block> inputs, results;
  for (int thread = 0; thread < threads; ++thread) inputs.push_back(on.block(bytes, thread));
  for (int episode = 0; episode < episodes; ++episode) results.push_back(on.block(bytes, 0));
  std::atomic<int> wrong = 0;
  on.run([&](typename M::Thread& thread) {
    const auto self = static_cast<std::size_t>(thread.thread());
    const auto values = inputs[self].template values<double>();
    for (int episode = 0; episode < episodes; ++episode) {
      for (std::size_t i = 0; i < length; ++i) values[i] = number(thread.thread(), episode, i);
      delay(thread, episode);
      const auto result = results[static_cast<std::size_t>(episode)];
      reduce(thread, inputs[self], result);
      for (std::size_t i = 0; i < length; ++i) {
        if (!options.in_place) wrong += values[i] != number(thread.thread(), episode, i);
        values[i] = -1e9;
        if (row.result_for_all) wrong += result.template values<double>()[i] != sum_of(threads, episode, i);
      }
    }
  });
  INFO(row.name << ", " << length << " elements");
  CHECK(wrong == 0);
  for (int episode = 0; episode < episodes; ++episode)
    for (std::size_t i = 0; i < length; ++i) {
      INFO("episode " << episode << ", element " << i);
      REQUIRE(results[static_cast<std::size_t>(episode)].template values<double>()[i] ==
              sum_of(threads, episode, i));
    }
}

template <class M>
void check_broadcast(M& on, const in_memory::BroadcastRow<M>& row, const in_memory::BroadcastOptions& options,
                     int episodes, std::size_t bytes) {
  const auto bcast = row.make(on, options);
  std::vector<typename M::Block> blocks;
  for (int thread = 0; thread < on.threads(); ++thread) blocks.push_back(on.block(bytes, thread));
  std::atomic<int> wrong = 0;
  on.run([&](typename M::Thread& thread) {
    const auto block = blocks[static_cast<std::size_t>(thread.thread())];
    for (int episode = 0; episode < episodes; ++episode) {
      const int root = episode * 5 % thread.threads();
      const auto byte = [&](std::size_t i) {
        return static_cast<std::byte>(i * 31 + static_cast<unsigned>(episode));
      };
      for (std::size_t i = 0; i < bytes; ++i)
        block.data[i] = thread.thread() == root ? byte(i) : std::byte{0xee};
      delay(thread, episode);
      bcast(thread, block, root);
      for (std::size_t i = 0; i < bytes; ++i) wrong += block.data[i] != byte(i);
    }
  });
  INFO(row.name << ", " << bytes << " bytes");
  CHECK(wrong == 0);
}

/// Maps x -> a x + b of 32 bits each, one after the other: the order of operands shows.
struct Compose {
  std::uint64_t operator()(std::uint64_t first, std::uint64_t second) const {
    const auto a = static_cast<std::uint32_t>(first >> 32), b = static_cast<std::uint32_t>(first),
               c = static_cast<std::uint32_t>(second >> 32), d = static_cast<std::uint32_t>(second);
    return std::uint64_t{c * a} << 32 | (c * b + d);
  }
};
std::uint64_t map_of(int thread, int episode, std::size_t index) {
  return (std::uint64_t{2} * static_cast<unsigned>(thread + 7 * episode) + 3) << 32 |
      (index * 31 + static_cast<unsigned>(thread) * 7 + 1);
}

/// Sources and targets are spoilt as soon as the call has returned.
template <class M, class Function>
void check_exchange(M& on, const in_memory::ExchangeRow<M>& row, const in_memory::ExchangeOptions& options,
                    int episodes, std::size_t length, Function function) {
  using T = std::uint64_t;
  const int threads = on.threads();
  const algorithms::Shares shares(row.operation, length * sizeof(T), sizeof(T), threads);
  const auto exchange = row.make(on, in_memory::operation<M, T>(function), shares.bytes(), options);
  const auto value = [](int thread, int episode, std::size_t index) {
    return map_of(thread, episode, index);
  };
  std::vector<typename M::Block> sources, targets;
  for (int thread = 0; thread < threads; ++thread) {
    sources.push_back(on.block(shares.bytes(), thread));
    targets.push_back(on.block(std::max(shares.bytes(), shares.target(thread, thread)) + sizeof(T), thread));
  }
  std::atomic<int> wrong = 0;
  on.run([&](typename M::Thread& thread) {
    const int self = thread.thread();
    for (int episode = 0; episode < episodes; ++episode) {
      const int root = episode * 5 % threads;
      const auto source = sources[static_cast<std::size_t>(self)].part(0, shares.source(self, root)),
                 target = targets[static_cast<std::size_t>(self)].part(0, shares.target(self, root));
      const auto have = source.template values<T>(), got = target.template values<T>();
      T& behind = targets[static_cast<std::size_t>(self)].template values<T>()[got.size()];
      const std::size_t first = shares.first_in_source(self) / sizeof(T);
      for (std::size_t i = 0; i < have.size(); ++i) have[i] = value(self, episode, first + i);
      std::fill(got.begin(), got.end(), T{0xee});
      behind = 0xdd;
      std::vector<T> wanted(got.size());
      for (int sender = 0; sender < threads; ++sender) {
        const algorithms::Transfer transfer = shares.transfer(sender, self, root);
        const std::size_t from = (shares.first_in_source(sender) + transfer.from) / sizeof(T);
        for (std::size_t i = 0; i < transfer.bytes / sizeof(T); ++i) {
          T& to = wanted[transfer.to / sizeof(T) + i];
          const T one = value(sender, episode, from + i);
          to = shares.what().combines != 0 && sender > 0 ? function(to, one) : one;
        }
      }
      delay(thread, episode);
      exchange(thread, source, target, root);
      for (std::size_t i = 0; i < got.size(); ++i) wrong += got[i] != wanted[i];
      wrong += behind != 0xdd;
      for (std::size_t i = 0; i < have.size(); ++i) wrong += have[i] != value(self, episode, first + i);
      std::fill(have.begin(), have.end(), T{0xcc});
      std::fill(got.begin(), got.end(), T{0xbb});
    }
  });
  INFO(row.name << ", " << length << " elements");
  CHECK(wrong == 0);
}

/// The result of one reduction of one element a thread, as bits.
template <class M>
std::uint64_t bits_of_sum(M& on, const in_memory::ReductionRow<M>& row, const std::vector<double>& inputs,
                          int episode) {
  const auto reduce = row.make(on, in_memory::operation<M, double>(std::plus<>()), sizeof(double), {});
  std::vector<typename M::Block> blocks;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    blocks.push_back(on.block(sizeof(double), static_cast<int>(i)));
    blocks.back().template values<double>()[0] = inputs[i];
  }
  const auto result = on.block(sizeof(double), 0);
  on.run([&](typename M::Thread& thread) {
    delay(thread, episode);
    reduce(thread, blocks[static_cast<std::size_t>(thread.thread())], result);
  });
  std::uint64_t bits;
  std::memcpy(&bits, result.data, sizeof bits);
  return bits;
}

std::vector<double> hexadecimal(const std::string& text) {
  std::vector<double> values;
  std::istringstream words(text);
  for (std::string word; words >> word;) values.push_back(std::strtod(word.c_str(), nullptr));
  return values;
}

} // namespace

TEST_CASE("every operand is in the result once, whoever comes first, and buffers are free behind the call") {
  for (const int threads : sizes)
    for (std::size_t row = 0; row < std::size(in_memory::reductions<memory::Host>()); ++row)
      for (const std::size_t length : lengths)
        for (const bool in_place : {false, true})
          on_both(threads, [&](auto& on, int episodes) {
            using M = std::remove_reference_t<decltype(on)>;
            check_sums<M>(on, in_memory::reductions<M>()[row], {.in_place = in_place},
                          length == 100 ? std::min(episodes, 5) : episodes, length);
          });
}

TEST_CASE("every thread has every byte of a broadcast, from any root") {
  for (const int threads : sizes)
    for (std::size_t row = 0; row < std::size(in_memory::broadcasts<memory::Host>()); ++row)
      for (const std::size_t bytes : {0, 1, 63, 65, 1000})
        for (const bool shared : {true, false})
          on_both(threads, [&](auto& on, int episodes) {
            using M = std::remove_reference_t<decltype(on)>;
            check_broadcast<M>(on, in_memory::broadcasts<M>()[row],
                               {.fan_outs = {3, 2}, .latency = 4, .shared_line = shared},
                               std::min(episodes, 10), bytes);
          });
}

TEST_CASE("every thread has what an exchange promises, in the order of threads, from any root") {
  for (const int threads : sizes)
    for (std::size_t row = 0; row < std::size(in_memory::exchanges<memory::Host>()); ++row)
      for (const std::size_t length : lengths)
        on_both(threads, [&](auto& on, int episodes) {
          using M = std::remove_reference_t<decltype(on)>;
          in_memory::ExchangeOptions options{.reduction = "reduce/join_tree", .part_bytes = 128};
          options.bcast.fan_outs = {4, 4, 3};
          check_exchange<M>(on, in_memory::exchanges<M>()[row], options, std::min(episodes, 10), length,
                            Compose());
        });
}

TEST_CASE("an allreduce by any reduction and broadcast that its row names") {
  const auto& parameters =
      algorithms::row_of(in_memory::exchanges<memory::Host>(), "allreduce/reduce_bcast").parameters;
  for (const auto& parameter : parameters) {
    std::istringstream words{std::string(parameter.words)};
    for (std::string word; words >> word;)
      for (const int threads : {1, 2, 5, 24})
        on_both(threads, [&](auto& on, int episodes) {
          using M = std::remove_reference_t<decltype(on)>;
          in_memory::ExchangeOptions options;
          parameter.set(options, word);
          INFO(parameter.name << "=" << word);
          check_exchange<M>(on, algorithms::row_of(in_memory::exchanges<M>(), "allreduce/reduce_bcast"),
                            options, std::min(episodes, 10), 9, std::plus<std::uint64_t>());
        });
  }
}

TEST_CASE("what moves in an exchange covers every target once") {
  for (int operation = 0; operation < ROCKCREEK_OPERATIONS; ++operation)
    for (const int ranks : {1, 2, 5, 7})
      for (const std::size_t elements : {0, 3, 23})
        for (int root = 0; root < ranks; ++root) {
          const algorithms::Shares shares(static_cast<rockcreek_operation>(operation), elements * 4, 4,
                                          ranks);
          INFO(shares.what().name << ", " << ranks << " ranks, " << elements << " elements, root " << root);
          for (int receiver = 0; receiver < ranks; ++receiver) {
            std::vector<int> times(shares.target(receiver, root));
            int operands = 0; // of each byte, where they are combined
            for (int sender = 0; sender < ranks; ++sender) {
              const algorithms::Transfer transfer = shares.transfer(sender, receiver, root);
              operands += transfer.bytes > 0;
              CHECK(transfer.from + transfer.bytes <= shares.source(sender, root));
              REQUIRE(transfer.to + transfer.bytes <= times.size());
              for (std::size_t i = 0; i < transfer.bytes; ++i) ++times[transfer.to + i];
            }
            const int wanted = shares.what().combines != 0 ? operands : 1;
            CHECK(std::count(times.begin(), times.end(), wanted) ==
                  static_cast<std::ptrdiff_t>(times.size()));
            if (shares.what().combines != 0 && !times.empty())
              CHECK(operands == (shares.what().of_lower_ranks != 0 ? receiver + 1 : ranks));
          }
        }
}

TEST_CASE("sums in a promised order have the bits of the vectors, whoever comes first") {
  std::vector<double> inputs;
  int checked = 0;
  const csv::Table sums("fixed-order-sums.csv");
  for (const auto& row : sums) {
    const std::vector<double> values = hexadecimal(row.text("values_hex"));
    if (row.text("order") == "inputs") inputs = values;
    for (std::size_t at = 0; at < std::size(in_memory::reductions<memory::Host>()); ++at) {
      const Order order = in_memory::reductions<memory::Host>()[at].order;
      if (!(order == Order::sequential && row.text("order") == "sequential") &&
          !(order == Order::pair_tree && row.text("order") == "pair_tree"))
        continue;
      for (int episode = 0; episode < 3; ++episode)
        on_both(static_cast<int>(inputs.size()), [&](auto& on, int) {
          using M = std::remove_reference_t<decltype(on)>;
          INFO(in_memory::reductions<M>()[at].name << ", episode " << episode);
          std::uint64_t bits;
          std::memcpy(&bits, values.data(), sizeof bits);
          CHECK(bits_of_sum<M>(on, in_memory::reductions<M>()[at], inputs, episode) == bits);
          ++checked;
        });
    }
  }
  CHECK(checked > (under_thread_checker ? 100 : 300));
}

TEST_CASE("level trees and shares of elements equal the vectors") {
  const csv::Table trees("level-tree.csv");
  for (const auto& row : trees) {
    std::vector<int> fan_outs;
    std::istringstream words(row.text("k"));
    for (int k; words >> k;) fan_outs.push_back(k);
    const int ranks = std::stoi(row.text("n")), rank = std::stoi(row.text("rank"));
    const algorithms::level_tree::Shape shape(ranks, fan_outs);
    INFO(ranks << " ranks, fan-outs " << row.text("k") << ", rank " << rank);
    CHECK(shape.level(rank) == std::stoi(row.text("level")));
    if (rank > 0) CHECK(shape.parent(rank) == std::stoi(row.text("parent")));
    std::string children;
    for (int child = 0; child < shape.children(rank); ++child)
      children += (child > 0 ? " " : "") + std::to_string(shape.first_child(rank) + child);
    CHECK(children == row.text("children"));
  }
  const csv::Table slices("linear-slices.csv");
  for (const auto& row : slices) {
    const auto length = static_cast<std::size_t>(std::stoi(row.text("length")));
    const int shares = std::stoi(row.text("n")), share = std::stoi(row.text("thread"));
    CHECK(algorithms::slices::border(length, share, shares) ==
          static_cast<std::size_t>(std::stoi(row.text("lo"))));
    CHECK(algorithms::slices::border(length, share + 1, shares) ==
          static_cast<std::size_t>(std::stoi(row.text("hi"))));
  }
}

TEST_CASE("a trial gives what its algorithm gives, and the same picoseconds twice") {
  const auto config = mesh::coherent::load_machine("xeon-e7-4830");
  for (const auto& row : in_memory::reductions<memory::Simulated>())
    for (const char* const placement : {"compact", "scatter"}) {
      in_memory::Trial trial{
          .algorithm = std::string(row.name), .threads = 9, .elements = 33, .repetitions = 3};
      trial.placement = placement;
      trial.reduce.in_place = trial.placement == "scatter"; // inputs are refilled off the clock
      trial.delays = {{0, 1000000, 0, 2000000, 0, 0, 0, 500000, 0}, std::vector<mesh::Picoseconds>(9)};
      const auto once = [&] {
        return in_memory::run<float>(config, trial, [](int thread, std::size_t i) {
          return static_cast<float>(thread + static_cast<int>(i));
        });
      };
      const auto outcome = once();
      INFO(row.name << ", " << placement);
      for (std::size_t i = 0; i < 33; ++i)
        CHECK(outcome.results.at(0).at(i) == static_cast<float>(36 + 9 * i));
      CHECK(outcome.by_repetition[0].last_arrival() == 2000000);
      CHECK(outcome.by_repetition[1].last_arrival() == 0);
      for (const auto& repetition : outcome.by_repetition) {
        CHECK(repetition.complete > repetition.last_arrival());
        CHECK(repetition.complete <= repetition.last_leave());
        CHECK(repetition.summed() > 0);
      }
      CHECK(once().digest == outcome.digest);
    }
}

TEST_CASE("the log of neighbours has each thread's visits to the word") {
  const auto config = mesh::coherent::load_machine("opteron-6172");
  for (const char* const name : {"reduce/dynamic_pair", "reduce/dynamic_group"}) {
    in_memory::NeighbourLog log(12);
    in_memory::Trial trial{.algorithm = name, .threads = 12, .warm_up = 0};
    trial.reduce.log = &log;
    CHECK(in_memory::run<float>(config, trial, [](int, std::size_t) { return 1.0F; }).results[0][0] == 12);
    std::uint64_t visits = 0;
    for (const auto& entry : log.of) {
      visits += entry.value.visits;
      CHECK(entry.value.picoseconds.size() == entry.value.visits);
    }
    // Each of the eleven merges has a leader and a follower.
    CHECK(visits == 22);
  }
}

TEST_CASE(
    "what threads hand each other beside a word costs a line on a simulated machine, unless it is there") {
  const auto config = mesh::coherent::load_machine("xeon-phi-5110p");
  mesh::coherent::Machine machine(config, 2);
  memory::Simulated on(machine);
  memory::Mailbox<memory::Simulated, int> handed(on, 0);
  const auto transfer =
      machine.costs().latency(mesh::coherent::Operation::load, mesh::coherent::State::modified, 0);
  mesh::Picoseconds first = 0, second = 0, again = 0;
  int got = 0;
  on.run([&](mesh::coherent::Core& core) {
    if (core.thread() == 0) handed.put(core, 5);
    core.meet();
    core.advance(1'000'000);
    const auto time = [&] {
      const auto begin = core.now();
      got = handed.get(core);
      return core.now() - begin;
    };
    if (core.thread() == 1) first = time(), second = time();
    core.meet();
    if (core.thread() == 0) handed.put(core, 5); // is there already
    core.meet();
    if (core.thread() == 1) again = time();
  });
  CHECK(got == 5);
  CHECK(first == transfer);
  CHECK(second == machine.costs().hit_load);
  CHECK(again == machine.costs().hit_load);
}

TEST_CASE("an algorithm that there is not is told with those that there are") {
  const auto config = mesh::coherent::load_machine("core2d");
  const auto value = [](int, std::size_t) { return 0.0; };
  const auto message = [&](const in_memory::Trial& trial) -> std::string {
    try {
      (void)in_memory::run<double>(config, trial, value);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  };
  CHECK(message({.algorithm = "reduce/nonsuch"}).find("there are reduce/linear, reduce/pair_tree") !=
        std::string::npos);
  CHECK(message({.algorithm = "reduce/linear", .threads = 3}).find("3 threads on machine 'core2d'") !=
        std::string::npos);
}
