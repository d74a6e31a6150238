// SPDX-License-Identifier: Apache-2.0
// Does the search through the orders of racing accesses find all that can come about? Small programs of 2 or
// 3 UEs, made at random, are run in every order and then under many random delays. Where the search says that
// there are no other orders, no run under delays may end in a way that none of its runs has. That a run has
// no end counts as one way.
//
//   test_orders PLAIN MESSAGES [PROGRAMS [DELAYS [FIRST]]]
//
// PLAIN and MESSAGES are orders.c with and without -DGORY. Status 1 where an end was missed.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "rcce_emu/job.hpp"
#include "watch/explore/order_search.hpp"
#include "watch/explore/record.hpp"

namespace {

using rcce::explore::RunRecord;

constexpr std::size_t most_orders_tried = 3000;
constexpr const char* no_end = "no end";

/// The same numbers on every host.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(limit)); }

 private:
  std::mt19937_64 engine_;
};

std::string operation(char what, int a, int b = 0) {
  return fmt::format("{}{}{}", what, a, b);
}

std::string plain_operation(Random& random) {
  const int a = random.below(3);
  switch (random.below(9)) {
  case 0:
  case 1:
  case 2:
    return operation('s', a, 1 + random.below(2));
  case 3:
  case 4:
    return operation('l', a);
  case 5:
    return operation('i', a);
  case 6:
    return random.below(2) == 0 ? operation('w', a, 1 + random.below(2)) : operation('n', a);
  case 7:
    return operation('e', a, (a + 1 + random.below(2)) % 3);
  default:
    return operation('k', a);
  }
}

std::string flag_operation(Random& random, int ues) {
  switch (random.below(6)) {
  case 0:
  case 1:
  case 2:
    return operation('f', random.below(ues), random.below(2));
  case 3:
    return operation('g', random.below(ues));
  case 4:
    return operation('u', random.below(4) == 0 ? 0 : 1);
  default:
    return operation('p', 0);
  }
}

/// By rank.
using Program = std::vector<std::string>;

Program plain_program(Random& random) {
  Program program(2 + static_cast<std::size_t>(random.below(2)));
  const bool flags = random.below(2) == 0;
  for (std::string& own : program)
    for (int left = 1 + random.below(program.size() == 2 ? 4 : 3); left > 0; --left)
      own += flags && random.below(2) == 0 ? flag_operation(random, static_cast<int>(program.size()))
                                           : plain_operation(random);
  return program;
}

/// Ranks 1 and 2 send to rank 0, which receives as many.
Program message_program(Random& random) {
  Program program(3);
  int sent = 0;
  for (int rank : {1, 2})
    for (int left = random.below(3); left > 0; --left, ++sent) {
      program[static_cast<std::size_t>(rank)] += operation('S', 0, left);
      if (random.below(3) == 0) program[static_cast<std::size_t>(rank)] += operation('s', 0, rank);
    }
  if (sent == 0) program[1] += operation('S', 0, 1), sent = 1;
  if (sent == 2 && program[1].find('S') != std::string::npos && program[2].find('S') != std::string::npos &&
      random.below(2) == 0) {
    program[0] = operation('A', 0);
    return program;
  }
  for (; sent > 0; --sent) {
    const int kind = random.below(4);
    if (kind == 0) program[0] += operation('P', 0);
    if (kind == 1) program[0] += operation('I', 0);
    program[0] += random.below(3) == 0 ? operation('T', 0) : operation('R', 0);
  }
  return program;
}

class Runs {
 public:
  explicit Runs(std::string image) : fd_(memfd_create("record", 0)) {
    options_.program = std::move(image);
    options_.machine.set("mesh.columns", 2); // a small one, which takes the host less time
    options_.machine.set("mesh.rows", 1);
    options_.process.loading = rcce::Loading::clone;
    options_.engine.stack_bytes = std::size_t{256} << 10;
    options_.process.heap_bytes = std::size_t{1} << 20;
    options_.engine.shared_memory_bytes = std::size_t{1} << 20;
    options_.output.sink = [](int, std::string_view) {};
    options_.interference.explored.fd = fd_;
    options_.interference.explored.most_accesses = 100'000;
    options_.interference.explored.most_idle = 1'000'000'000; // 1 ms
  }
  ~Runs() { close(fd_); }
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  RunRecord run(const Program& program, const rcce::Perturbation& perturbation, bool accesses) {
    options_.cores.clear();
    for (std::size_t rank = 0; rank < program.size(); ++rank)
      options_.cores.push_back(static_cast<int>(rank));
    options_.arguments = program;
    options_.interference.perturbation = perturbation;
    options_.interference.explored.accesses = accesses;
    static_cast<void>(rcce::run_job(options_));
    return RunRecord::read(fd_).value();
  }

 private:
  rcce::JobOptions options_;
  int fd_;
};

/// How a run has ended: what the UEs have printed, or that they did not come to an end.
std::string end_of(const RunRecord& record) {
  if (record.outcome != rcce::Outcome::finished || record.endless) return no_end;
  std::string text = fmt::format("{}", record.status);
  for (const auto& ue : record.ues) text += "|" + ue.output;
  return text;
}

struct Tally {
  int all = 0, open = 0, hangs = 0, missed = 0;
  std::size_t orders = 0, runs = 0;
  std::map<std::string, int> reasons;
};

void try_program(const std::string& name, Runs& runs, const Program& program, int delays, Tally& tally) {
  rcce::explore::OrderSearch search;
  std::set<std::string> ends;
  std::size_t made = 0;
  for (; made < most_orders_tried; ++made) {
    const auto orders = search.next();
    if (!orders) break;
    const RunRecord record = runs.run(program, {0, *orders}, true);
    ends.insert(end_of(record));
    search.learn(record);
  }
  tally.runs += made;
  tally.orders += search.tried();
  const std::string left = search.what_is_left();
  if (!left.empty()) {
    ++tally.open;
    ++tally.reasons[left.substr(left.find_first_not_of("0123456789 "))];
    return;
  }
  if (ends.contains(no_end)) ++tally.hangs;
  ++tally.all;
  for (int seed = 1; seed <= delays; ++seed) {
    const std::string end = end_of(runs.run(program, {static_cast<std::uint64_t>(seed), {}}, false));
    if (ends.contains(end)) continue;
    ++tally.missed;
    std::string text;
    for (const std::string& own : program) text += " '" + own + "'";
    fmt::print("{}{}: seed {} ends otherwise than all {} orders in {} runs\n{}", name, text, seed,
               search.tried(), made, end);
    for (const std::string& known : ends) fmt::print("known: {}", known);
    fmt::print("\n");
    return;
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: test_orders PLAIN MESSAGES [PROGRAMS [DELAYS [FIRST]]]\n", stderr);
    return 2;
  }
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  const int programs = number(3, 100), delays = number(4, 100), first = number(5, 0);
  std::array<Runs, 2> runs{Runs(argv[1]), Runs(argv[2])};
  Tally tally;
  for (int i = first; i < first + programs; ++i) {
    Random random(static_cast<std::uint64_t>(i));
    const bool messages = i % 4 == 3;
    try_program(fmt::format("program {}:", i), runs[messages ? 1 : 0],
                messages ? message_program(random) : plain_program(random), delays, tally);
  }
  fmt::print("{} programs: every order of {} was tried ({} orders in {} runs), {} have more, {} can hang; {} "
             "ends missed\n",
             programs, tally.all, tally.orders, tally.runs, tally.open, tally.hangs, tally.missed);
  for (const auto& [reason, count] : tally.reasons) fmt::print("  {}: {}\n", count, reason);
  return tally.missed == 0 && tally.all > 0 ? 0 : 1;
}
