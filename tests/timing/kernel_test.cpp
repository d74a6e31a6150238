// SPDX-License-Identifier: Apache-2.0
// Does the kernel run contexts in the written order: time, deliveries first, then the smaller number?
#include <algorithm>
#include <cerrno>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/kernel/fiber.hpp"
#include "mesh_sim/kernel/kernel.hpp"

using mesh::Kernel;
using mesh::Picoseconds;

namespace {
constexpr std::size_t stack = 64 * 1024;
bool older_host = false; ///< a Linux before 6.13, which has no guards without a mapping
} // namespace

/// In the place of the C library's.
extern "C" int madvise(void* memory, std::size_t bytes, int advice) noexcept {
  if (older_host && advice == 102) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(syscall(SYS_madvise, memory, bytes, advice));
}

TEST_CASE("contexts act in the order of their clocks, ties by number") {
  Kernel kernel(3, stack);
  std::string order;
  const auto body = [&](int id, Picoseconds step) {
    return [&, id, step] {
      for (int i = 0; i < 3; ++i) {
        kernel.synchronise();
        order += static_cast<char>('a' + id);
        kernel.advance(step);
      }
    };
  };
  kernel.start(2, body(2, 10));
  kernel.start(0, body(0, 10));
  kernel.start(1, body(1, 25));
  CHECK(kernel.run() == Kernel::End::finished);
  // 0: a b c   10: a c   20: a c   25: b   50: b
  CHECK(order == "abcacacbb");
}

TEST_CASE("a delivery precedes every context at its time and follows those before it") {
  Kernel kernel(2, stack);
  std::string order;
  kernel.on_deliver(
      [](void* text, Picoseconds, std::uint32_t token) {
        *static_cast<std::string*>(text) += static_cast<char>('0' + token);
      },
      &order);
  kernel.start(0, [&] {
    kernel.post(100, 1);
    kernel.post(100, 2); // same time: the one posted first comes first
    kernel.advance(100);
    kernel.synchronise();
    order += 'a';
  });
  kernel.start(1, [&] {
    kernel.advance(99);
    kernel.synchronise();
    order += 'b';
    kernel.advance(2);
    kernel.synchronise();
    order += 'b';
  });
  CHECK(kernel.run() == Kernel::End::finished);
  CHECK(order == "b12ab");
}

TEST_CASE("a sleeper goes on at the later of its clock and the waker's time") {
  Kernel kernel(2, stack);
  Picoseconds woke = -1;
  kernel.start(0, [&] {
    kernel.advance(50);
    kernel.block();
    woke = kernel.now();
  });
  kernel.start(1, [&] {
    kernel.advance(60);
    kernel.synchronise();
    kernel.wake(0, 55);
    kernel.advance(10);
    kernel.synchronise();
    CHECK(woke == 55);
  });
  CHECK(kernel.run() == Kernel::End::finished);
}

TEST_CASE("what nobody can wake is a deadlock, and the others have ended") {
  Kernel kernel(3, stack);
  for (int id = 0; id < 2; ++id) kernel.start(id, [&] { kernel.block(); });
  bool ran = false;
  kernel.start(2, [&] { ran = true; });
  CHECK(kernel.run() == Kernel::End::deadlock);
  CHECK(ran);
  CHECK(kernel.blocked(0));
  CHECK(kernel.blocked(1));
  CHECK(kernel.ended(2));
}

TEST_CASE("the last call may find a sleeper's condition met") {
  Kernel kernel(1, stack);
  bool done = false;
  kernel.on_last_call(
      [](void* k) {
        static_cast<Kernel*>(k)->wake(0, 7);
        return true;
      },
      &kernel);
  kernel.start(0, [&] {
    kernel.block();
    done = kernel.now() == 7;
  });
  CHECK(kernel.run() == Kernel::End::finished);
  CHECK(done);
}

TEST_CASE("an exception that leaves a body stops the run and arrives at its caller") {
  Kernel kernel(2, stack);
  kernel.start(0, [] { throw std::runtime_error("from a context"); });
  kernel.start(1, [&] { kernel.block(); });
  CHECK_THROWS_AS(kernel.run(), std::runtime_error);
}

TEST_CASE("stop ends the run from inside, exit ends one context") {
  Kernel kernel(2, stack);
  kernel.start(0, [&] { kernel.exit(); });
  kernel.start(1, [&] { kernel.stop(); });
  CHECK(kernel.run() == Kernel::End::stopped);
  CHECK(kernel.ended(0));
}

TEST_CASE("progress is reported in order and only once a time has been reached by all") {
  Kernel kernel(2, stack);
  std::vector<Picoseconds> seen;
  kernel.on_progress(
      [](void* times, Picoseconds earliest) {
        static_cast<std::vector<Picoseconds>*>(times)->push_back(earliest);
        return earliest + 100;
      },
      &seen);
  kernel.wake_progress_at(100);
  for (int id = 0; id < 2; ++id)
    kernel.start(id, [&] {
      for (int i = 0; i < 10; ++i) {
        kernel.advance(30);
        kernel.synchronise();
      }
    });
  CHECK(kernel.run() == Kernel::End::finished);
  CHECK(seen == std::vector<Picoseconds>{120, 240});
}

TEST_CASE("a sleeper is interrupted at its instant, also where nobody else can act any more") {
  Kernel kernel(2, stack);
  std::vector<Picoseconds> interrupted;
  bool woken = false;
  kernel.on_progress(
      [](void* k, Picoseconds earliest) {
        if (earliest >= 500) return Picoseconds{INT64_MAX};
        static_cast<Kernel*>(k)->interrupt(0, earliest < 200 ? 50 : 500);
        return Picoseconds{earliest < 200 ? 300 : 500};
      },
      &kernel);
  kernel.wake_progress_at(50);
  kernel.on_interrupt([](void* times, int) { static_cast<std::vector<Picoseconds>*>(times)->push_back(0); },
                      &interrupted);
  kernel.start(0, [&] {
    for (int i = 0; i < 2; ++i) {
      kernel.block();
      interrupted.back() = kernel.now();
    }
    woken = true;
  });
  kernel.start(1, [&] {
    kernel.advance(100);
    kernel.synchronise();
    CHECK(interrupted == std::vector<Picoseconds>{50});
  });
  CHECK(kernel.run() == Kernel::End::finished);
  CHECK(woken);
  CHECK(interrupted == std::vector<Picoseconds>{50, 500});
}

TEST_CASE("random steps of 1,000 contexts touch shared state in key order") {
  constexpr int n = 1000;
  Kernel kernel(n, stack);
  std::vector<std::pair<Picoseconds, int>> touched;
  for (int id = 0; id < n; ++id)
    kernel.start(id, [&, id] {
      std::minstd_rand random(static_cast<unsigned>(id) + 1);
      for (int i = 0; i < 20; ++i) {
        kernel.advance(static_cast<Picoseconds>(random() % 200));
        kernel.synchronise();
        touched.emplace_back(kernel.now(), id);
      }
    });
  CHECK(kernel.run() == Kernel::End::finished);
  REQUIRE(touched.size() == std::size_t{n} * 20);
  // Within one context a step of zero is allowed, so equal keys may repeat.
  CHECK(std::is_sorted(touched.begin(), touched.end()));
}

TEST_CASE("a carried context acts in its turn, without its fiber, and goes on at once after its last step") {
  Kernel kernel(3, stack);
  std::string order;
  int left = 4;
  struct Steps {
    Kernel& kernel;
    std::string& order;
    int& left;
  } steps{kernel, order, left};
  kernel.on_step(
      [](void* owner, int context) {
        auto& of = *static_cast<Steps*>(owner);
        CHECK(of.kernel.current() == context);
        CHECK(of.kernel.clock(context) == of.kernel.now());
        of.order += 'x';
        of.kernel.advance(10);
        return --of.left == 0;
      },
      &steps);
  kernel.start(1, [&] {
    kernel.carry(); // acts at 0, 10, 20, 30
    CHECK(kernel.current() == 1);
    CHECK(kernel.now() == 40);
    order += 'B';
  });
  const auto others = [&](char name, Picoseconds first) {
    return [&, name, first] {
      kernel.advance(first);
      for (int i = 0; i < 3; ++i) {
        kernel.synchronise();
        order += name;
        kernel.advance(10);
      }
    };
  };
  kernel.start(0, others('a', 10)); // 10, 20, 30: before context 1
  kernel.start(2, others('c', 10)); // behind it
  const std::uint64_t before = kernel.switches();
  CHECK(kernel.run() == Kernel::End::finished);
  CHECK(order == "xaxcaxcaxBc");
  CHECK(kernel.switches() - before < 12); // 11 actions, and no switch for those that are carried
}

TEST_CASE(
    "two carried contexts pass their turns to each other while every fiber sleeps; deliveries come between") {
  Kernel kernel(2, stack);
  std::string order;
  struct Steps {
    Kernel& kernel;
    std::string& order;
    int left[2] = {3, 3};
  } steps{kernel, order};
  kernel.on_step(
      [](void* owner, int context) {
        auto& of = *static_cast<Steps*>(owner);
        of.order += static_cast<char>('a' + context);
        of.kernel.advance(10);
        return --of.left[context] == 0;
      },
      &steps);
  kernel.on_deliver([](void* text, Picoseconds, std::uint32_t) { *static_cast<std::string*>(text) += '!'; },
                    &order);
  kernel.start(0, [&] {
    kernel.post(10, 0);
    kernel.carry();
    order += 'A';
  });
  kernel.start(1, [&] {
    kernel.carry();
    order += 'B';
  });
  CHECK(kernel.run() == Kernel::End::finished);
  CHECK(order == "ab!abaAbB");
}

TEST_CASE("a frame of a stack's size that jumps over its end lands in the guard, unless there are too many") {
  constexpr std::size_t bytes = 256 * 1024;
  const mesh::StackPool few(3, bytes), many(2000, bytes);
  CHECK(few.guard() == mesh::StackPool::Guard::protect);
  CHECK(few.guard_bytes() > bytes);
  CHECK(many.guard_bytes() < bytes);
  for (const mesh::StackPool* pool : {&few, &many}) {
    CHECK(pool->stack(0).size() == bytes);
    CHECK(pool->stack(2).data() - pool->stack(1).data() ==
          static_cast<std::ptrdiff_t>(bytes + pool->guard_bytes()));
    pool->stack(1).front() = pool->stack(1).back() = std::byte{1}; // all of it can be used
  }
}

TEST_CASE("a stack begins with zeros where one was before") {
  const auto used = [](std::size_t stacks) {
    const mesh::StackPool pool(stacks, stack);
    std::set<std::byte*> places;
    for (std::size_t i = 0; i < stacks; ++i) {
      const auto one = pool.stack(i);
      CHECK(one.back() == std::byte{0});
      std::ranges::fill(one.last(10'000), std::byte{0xAA});
      places.insert(one.data());
    }
    return places;
  };
  const auto first = used(48);
  CHECK(used(48) == first);
  CHECK(used(47) != first);
  CHECK(used(48).size() == 48);
  const mesh::StackPool one(48, stack), beside(48, stack);
  CHECK(one.stack(0).data() != beside.stack(0).data());
}

TEST_CASE("on an older host many stacks have protected guards, and too many have none") {
  older_host = true;
  const mesh::StackPool many(2000, stack), too_many(20'000, stack);
  older_host = false;
  CHECK(many.guard() == mesh::StackPool::Guard::protect);
  CHECK(too_many.guard() == mesh::StackPool::Guard::none);
}

TEST_CASE("who polls plain memory goes on at its first look behind the change") {
  // A look at 3, and every 10: 13, 23, 33.
  const auto goes_on = [](Picoseconds stored, Picoseconds gives_way, bool unseen, bool first) {
    Kernel kernel(3, stack);
    if (unseen) kernel.stores_are_unseen();
    std::uint32_t word = 0;
    std::uint8_t other = 7;
    Picoseconds at = -1;
    kernel.start(first ? 0 : 2, [&] {
      const mesh::PolledWord words[] = {{&other, 1}, {&word, 4}};
      CHECK(kernel.poll(words, 3, 10) == mesh::PollEnd::changed);
      kernel.synchronise();
      at = kernel.now();
      CHECK(word == 1);
    });
    kernel.start(1, [&] {
      kernel.advance(stored);
      kernel.synchronise();
      word = 1;
      kernel.advance(gives_way - stored);
      kernel.synchronise();
      kernel.advance(1000);
      kernel.synchronise();
    });
    CHECK(kernel.run() == Kernel::End::finished);
    return at;
  };
  for (const bool first : {false, true}) {
    if (first) CHECK(goes_on(0, 0, false, first) == 3); // else it finds the change
    CHECK(goes_on(3, 500, false, first) == 3);
    CHECK(goes_on(4, 500, false, first) == 13);
    CHECK(goes_on(13, 500, false, first) == 13);
    CHECK(goes_on(14, 14, false, first) == 23);
    CHECK(goes_on(14, 31, true, first) == 33); // made anywhere up to 31
  }
}

TEST_CASE("who polls sees a delivery, is interrupted, and is told when it is alone") {
  Kernel kernel(2, stack);
  std::uint64_t word = 0;
  const mesh::PolledWord words[] = {{&word, 8}};
  kernel.on_deliver([](void* to, Picoseconds, std::uint32_t) { *static_cast<std::uint64_t*>(to) = 1; },
                    &word);
  bool handled = false;
  kernel.on_interrupt([](void* flag, int) { *static_cast<bool*>(flag) = true; }, &handled);
  kernel.start(0, [&] {
    CHECK(kernel.poll(words, 5, 10) == mesh::PollEnd::changed);
    CHECK(kernel.now() == 25); // delivered at 20
    CHECK(kernel.poll(words, 30, 10) == mesh::PollEnd::interrupted);
    CHECK(handled);
    CHECK(kernel.now() == 44);
    CHECK(kernel.poll(words, 50, 10) == mesh::PollEnd::roused);
    CHECK(kernel.now() == 1050); // the other has ended at 1044
  });
  kernel.start(1, [&] {
    kernel.post(20, 0);
    kernel.advance(44);
    kernel.synchronise();
    CHECK(kernel.polls(0));
    kernel.interrupt(0, kernel.now());
    kernel.advance(1000);
    kernel.synchronise();
  });
  CHECK(kernel.run() == Kernel::End::finished);
}
