// SPDX-License-Identifier: Apache-2.0
// What the host itself takes for the steps that messages are made of, to see how far a library is from it.
//
//   limits
//
// Prints, in microseconds, the least of many short blocks: the round trip of a cache line between two threads
// that spin, each on a processor of its own; a copy of 8 KB and of 190,000 B that lie in the cache; a switch
// from one thread to another of 48 (the turn goes round by sched_yield).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct alignas(128) Line {
  std::atomic<int> value{0};
};

double line_round_trip() {
  constexpr int blocks = 300, rounds = 300;
  Line there, back;
  std::thread other([&] {
    for (int i = 1; i <= blocks * rounds; ++i) {
      while (there.value.load(std::memory_order_acquire) != i) {
      }
      back.value.store(i, std::memory_order_release);
    }
  });
  double best = 1e9;
  for (int block = 0, i = 0; block < blocks; ++block) {
    const double start = now_us();
    for (int round = 0; round < rounds; ++round) {
      there.value.store(++i, std::memory_order_release);
      while (back.value.load(std::memory_order_acquire) != i) {
      }
    }
    best = std::min(best, (now_us() - start) / rounds);
  }
  other.join();
  return best;
}

double copy(std::size_t bytes) {
  // Half a page apart: a target a few bytes behind its source in the page is slow on AMD's processors.
  constexpr std::size_t page = 4096;
  std::vector<char> room(2 * bytes + 3 * page, 1);
  char* const from = room.data();
  char* const to = from + (bytes / page + 1) * page + page / 2;
  double best = 1e9;
  for (int block = 0; block < 500; ++block) {
    const double start = now_us();
    for (int i = 0; i < 20; ++i) {
      std::memcpy(to, from, bytes);
      asm volatile("" : : "r"(to) : "memory");
    }
    best = std::min(best, (now_us() - start) / 20);
  }
  return best;
}

double thread_switch(int threads) {
  constexpr int blocks = 20, laps = 20;
  Line turn;
  std::vector<std::thread> ring;
  std::vector<double> starts;
  for (int me = 0; me < threads; ++me)
    ring.emplace_back([&, me] {
      for (int lap = 0; lap <= blocks * laps; ++lap) {
        while (turn.value.load(std::memory_order_acquire) != lap * threads + me) sched_yield();
        if (me == 0 && lap % laps == 0) starts.push_back(now_us());
        turn.value.store(lap * threads + me + 1, std::memory_order_release);
      }
    });
  for (auto& thread : ring) thread.join();
  double best = 1e9;
  for (std::size_t i = 1; i < starts.size(); ++i) best = std::min(best, starts[i] - starts[i - 1]);
  return best / laps / threads;
}

} // namespace

int main() {
  std::printf("line %.4f\ncopy8192 %.4f\ncopy190000 %.4f\nswitch %.4f\n", line_round_trip(), copy(8192),
              copy(190000), thread_switch(48));
}
