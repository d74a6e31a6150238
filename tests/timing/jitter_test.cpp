// SPDX-License-Identifier: Apache-2.0
// Delays are a pure function of seed, core and access, the same on every host; disturbed runs stay possible
// ones.
#include "mesh_sim/kernel/jitter.hpp"

#include "catch.hpp"
#include "mesh_sim/kernel/holds.hpp"
#include "mesh_sim/machines/scc/machine.hpp"

using namespace mesh;

namespace {

/// Delays by a seed, orders by holds; keeps when each access acted.
class Disturber final : public Intervention {
 public:
  Disturber(std::uint64_t seed, std::vector<Hold> holds) : jitter_(seed, 48), holds_(std::move(holds)) {}

  Picoseconds start(int core) override { return jitter_.start(core); }
  void before(Kernel& kernel) override {
    const std::uint64_t number = made_[kernel.current()]++;
    kernel.advance(jitter_.access(kernel.current(), number));
    holds_.before(kernel, number);
  }
  void acts(Kernel& kernel, const Access& access) override {
    holds_.acted(kernel, access.core, made_[access.core] - 1, access.at);
    acted.push_back(access);
  }
  void attached(SccMachine&) override {}
  void spins(Kernel&) override {}
  bool last_call(Kernel& kernel) override { return holds_.last_call(kernel); }

  [[nodiscard]] bool broken() const { return holds_.impossible() || holds_.impatient(); }
  std::vector<Access> acted;

 private:
  Jitter jitter_;
  Holds holds_;
  std::uint64_t made_[48] = {};
};

/// Cores 0 and 1 store their numbers, 1 and 2, to the same byte of core 2; core 1 later than core 0. Returns
/// what is there at the end.
int last_store(Disturber* disturber) {
  SccMachine machine(MachineConfig{}, 64 << 10, 0);
  machine.set_intervention(disturber);
  for (const int core : {0, 1}) {
    machine.kernel().start(
        core,
        [&machine, core] {
          const std::uint8_t value = static_cast<std::uint8_t>(core + 1);
          if (core == 1) machine.compute(10000);
          machine.message_buffers()->store(2, 64, &value, 1);
        },
        disturber == nullptr ? 0 : disturber->start(core));
  }
  CHECK(machine.kernel().run() == Kernel::End::finished);
  return static_cast<int>(machine.message_buffers()->mpb(2)[64]);
}

} // namespace

TEST_CASE("seed 0 delays nobody") {
  const Jitter none(0, 48);
  for (int core = 0; core < 48; ++core) {
    CHECK(none.start(core) == 0);
    for (std::uint64_t access = 0; access < 100; ++access) CHECK(none.access(core, access) == 0);
  }
}

TEST_CASE("delays are the same on every host") {
  std::uint64_t hash = 0;
  Picoseconds most = 0;
  int undelayed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Jitter jitter(seed, 48);
    for (int core = 0; core < 48; ++core) {
      Picoseconds sum = jitter.start(core);
      for (std::uint64_t access = 0; access < 100; ++access) {
        const Picoseconds delay = jitter.access(core, access);
        REQUIRE(delay >= 0);
        most = std::max(most, delay);
        sum += delay;
        hash = hash * 0x100000001b3u + static_cast<std::uint64_t>(delay);
      }
      if (sum == 0) ++undelayed;
    }
  }
  CHECK(most < 16 * 525'000'000LL); // 16 times 524 us, in ps
  CHECK(undelayed > 20 * 48 / 5);   // one core in four
  CHECK(undelayed < 20 * 48 / 3);
  CHECK(hash == 0xc1a10afc7a424a67u);
}

TEST_CASE("an intervention that does nothing changes nothing") {
  Disturber nothing(0, {});
  CHECK(last_store(nullptr) == 2);
  CHECK(last_store(&nothing) == 2);
  REQUIRE(nothing.acted.size() == 2);
  CHECK(nothing.acted[0].core == 0);
  CHECK(nothing.acted[1].at > nothing.acted[0].at);
}

TEST_CASE("a hold turns the order of two stores round") {
  Disturber turned(0, {{0, 0, 1, 0}});
  CHECK(last_store(&turned) == 1);
  CHECK_FALSE(turned.broken());
}

TEST_CASE("a hold that can never end is broken") {
  Disturber stuck(0, {{0, 0, 1, 7}});
  CHECK(last_store(&stuck) == 1); // after everything else
  CHECK(stuck.broken());
}

TEST_CASE("stores of one core to one buffer stay in order under any delays") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Disturber late(seed, {});
    SccMachine machine(MachineConfig{}, 64 << 10, 0);
    machine.set_intervention(&late);
    machine.kernel().start(
        5,
        [&machine] {
          for (std::uint8_t n = 1; n <= 50; ++n) machine.message_buffers()->store(40, 0, &n, 1);
        },
        late.start(5));
    CHECK(machine.kernel().run() == Kernel::End::finished);
    CHECK(static_cast<int>(machine.message_buffers()->mpb(40)[0]) == 50);
    for (std::size_t i = 1; i < late.acted.size(); ++i) CHECK(late.acted[i].at > late.acted[i - 1].at);
  }
}
