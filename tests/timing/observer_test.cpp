// SPDX-License-Identifier: Apache-2.0
// Does an observer hear of everything once, with the right times and causes, and does nothing change by it?
#include "mesh_sim/observe/observers.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "mesh_sim/observe/digest.hpp"
#include "mesh_sim/observe/packet_counts.hpp"
#include "mesh_sim/observe/queues.hpp"
#include "mesh_sim/parts/topology.hpp"

using namespace mesh;

namespace {

/// Keeps all events that it wants.
class Keeper final : public Observer {
 public:
  explicit Keeper(EventMask wanted) : wanted_(wanted) {}
  EventMask wants() const override { return wanted_; }
  void issued(const Access& access) override { issues.push_back(access); }
  void acted(const Access& access) override { acts.push_back(access); }
  void ended(const Access& access, Picoseconds begin) override {
    ends.push_back(access);
    begins.push_back(begin);
  }
  void wait_begins(const Wait& wait) override { sleeps.push_back(wait); }
  void wait_ends(const Wait& wait) override { waits.push_back(wait); }
  void served(const Service& service) override {
    services.push_back(service);
    if (service.packets == 1) CHECK(service.to == service.from + service.queued + service.busy);
  }

  std::vector<Access> issues, acts, ends;
  std::vector<Picoseconds> begins;
  std::vector<Wait> sleeps, waits;
  std::vector<Service> services;

 private:
  EventMask wanted_;
};

constexpr std::size_t long_copy = 100 * line_bytes;

/// Core 4 takes a long copy from core 0's buffer once that has put it there and has set a flag; both change
/// their register and a counter. Returns the latest clock.
Picoseconds run(const Observers* observers, Keeper* resources = nullptr) {
  SccMachine machine(MachineConfig{}, 64 << 10, 0);
  machine.set_observers(observers);
  std::vector<std::byte> from(long_copy), to(long_copy);
  machine.kernel().start(0, [&] {
    machine.message_buffers()->put(0, 0, from.data(), long_copy, Copy::prefetching);
    const std::uint8_t one = 1;
    machine.message_buffers()->store(4, 4096, &one, 1);
    machine.registers()->lock_acquire(8);
    machine.compute(200000);
    machine.registers()->lock_release(8);
    machine.compute(20000);
    machine.registers()->counter_access(3, true, 7, false);
  });
  machine.kernel().start(4, [&] {
    machine.message_buffers()->wait(4, 4096, Condition{0xff, 1}, 0);
    machine.message_buffers()->get(to.data(), 0, 0, long_copy, Copy::prefetching);
    machine.registers()->lock_acquire(8);
    machine.registers()->lock_release(8);
    machine.registers()->counter_wait(3, 7, {100, 1000});
  });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  if (resources != nullptr)
    for (const Service& service : resources->services) CHECK_FALSE(machine.name_of(service.resource).empty());
  return std::max(machine.kernel().clock(0), machine.kernel().clock(4));
}

Picoseconds run_with(std::initializer_list<Observer*> those, Keeper* resources = nullptr) {
  Observers observers;
  for (Observer* const one : those) observers.add(*one);
  return run(&observers, resources);
}

} // namespace

TEST_CASE("whoever watches, times and digest stay") {
  Digest alone, among;
  Keeper keeper(all_events);
  const Picoseconds end = run(nullptr);
  CHECK(run_with({&alone}) == end);
  CHECK(run_with({&keeper, &among}) == end);
  CHECK(alone.value() == among.value());
}

TEST_CASE("what the machine adds up is what it tells of") {
  Keeper keeper(EventMask::ends | EventMask::waits);
  AccessTimes told[48]{}, sums[48]{};
  Observers all, none;
  all.add(keeper);
  all.add_up(sums);
  run(&all);
  for (std::size_t i = 0; i < keeper.ends.size(); ++i)
    told[keeper.ends[i].core].ended(keeper.ends[i], keeper.begins[i], keeper.ends[i].at);
  for (const Wait& wait : keeper.waits) told[wait.core].waited(wait.on, wait.end - wait.begin);
  AccessTimes alone[48]{};
  none.add_up(alone);
  run(&none);
  for (const int core : {0, 4})
    for (const auto time : {&AccessTimes::putting, &AccessTimes::getting, &AccessTimes::accessing,
                            &AccessTimes::waiting, &AccessTimes::waiting_in_access}) {
      CHECK(sums[core].*time == told[core].*time);
      CHECK(alone[core].*time == told[core].*time);
    }
  CHECK(sums[4].waiting > 0);
}

TEST_CASE("nobody is told of what he does not want") {
  Keeper waits(EventMask::waits), acts(EventMask::acts);
  run_with({&waits, &acts});
  CHECK(waits.issues.empty());
  CHECK(waits.acts.empty());
  CHECK_FALSE(waits.waits.empty());
  CHECK(acts.waits.empty());
  CHECK_FALSE(acts.acts.empty());
}

TEST_CASE("each access sets out, acts and ends, in this order and by its core's clock") {
  Keeper keeper(EventMask::issues | EventMask::acts | EventMask::ends);
  run_with({&keeper});
  REQUIRE(keeper.issues.size() == keeper.ends.size());
  for (const int core : {0, 4}) {
    Picoseconds last = 0;
    for (std::size_t i = 0; i < keeper.ends.size(); ++i) {
      if (keeper.ends[i].core != core) continue;
      CHECK(keeper.begins[i] >= last);
      CHECK(keeper.ends[i].at > keeper.begins[i]);
      last = keeper.ends[i].at;
    }
  }
  for (const Access& access : keeper.ends) {
    if (!access.write) CHECK(access.visible == 0); // others see nothing of it
    // A long copy acts with its core, a store without it.
    if (access.kind == Access::Kind::put) CHECK_FALSE(access.delivered);
    if (access.kind == Access::Kind::store) CHECK(access.delivered);
  }
  std::size_t put = 0, got = 0;
  for (const Access& access : keeper.acts) {
    if (access.kind == Access::Kind::put) put += access.bytes;
    if (access.kind == Access::Kind::get) got += access.bytes;
  }
  CHECK(put == long_copy);
  CHECK(got == long_copy);
}

TEST_CASE("who hears of an access can see the bytes that are to be written, and those that have been read") {
  class Looker final : public Observer {
   public:
    EventMask wants() const override { return EventMask::issues | EventMask::ends; }
    void issued(const Access& access) override {
      if (access.kind == Access::Kind::put) put = std::to_integer<int>(access.own[access.bytes - 1]);
      if (access.kind == Access::Kind::store) stored = std::to_integer<int>(access.own[0]);
      if (access.kind == Access::Kind::update) updated = access.value;
      if (access.kind == Access::Kind::load && access.more) ++loads_of_updates;
    }
    void ended(const Access& access, Picoseconds) override {
      if (access.kind == Access::Kind::get) got = std::to_integer<int>(access.own[access.bytes - 1]);
      if (access.kind == Access::Kind::load && !access.more) loaded = std::to_integer<int>(access.own[0]);
    }
    int put = -1, stored = -1, got = -1, loaded = -1, loads_of_updates = 0;
    std::uint32_t updated = 0;
  };
  SccMachine machine(MachineConfig{}, 64 << 10, 0);
  Looker looker;
  Observers observers;
  observers.add(looker);
  machine.set_observers(&observers);
  std::vector<std::byte> from(long_copy, std::byte{7}), to(long_copy);
  machine.kernel().start(0, [&] {
    MessageBuffers& buffers = *machine.message_buffers();
    buffers.put(4, 0, from.data(), from.size(), Copy::prefetching);
    buffers.get(to.data(), 4, 0, to.size(), Copy::prefetching);
    const std::uint8_t five = 5;
    buffers.store(4, 4096, &five, 1);
    buffers.update(4, 4096, 0x02, 0x02);
    machine.compute(10'000); // until both are visible
    std::uint8_t read = 0;
    buffers.load(4, 4096, &read, 1);
  });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  CHECK(looker.put == 7);
  CHECK(looker.got == 7);
  CHECK(looker.stored == 5);
  CHECK(looker.updated == 2);
  CHECK(looker.loaded == 7);
  CHECK(looker.loads_of_updates == 1);
}

TEST_CASE("what a program says of its own use of memory is passed on, and takes no time") {
  class Listener final : public Observer {
   public:
    EventMask wants() const override { return EventMask::own; }
    void touched(const Touch& touch) override { touches.push_back(touch); }
    void looped(int core, Picoseconds) override { looping = core; }
    std::vector<Touch> touches;
    int looping = -1;
  };
  SccMachine machine(MachineConfig{}, 64 << 10, 0);
  Listener listener;
  Observers observers;
  observers.add(listener);
  machine.set_observers(&observers);
  std::vector<std::byte> memory(64);
  machine.kernel().start(3, [&] {
    machine.touch(memory.data(), memory.size(), true);
    machine.spin(1);
  });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  REQUIRE(listener.touches.size() == 1);
  CHECK(listener.touches[0].core == 3);
  CHECK(listener.touches[0].memory == memory.data());
  CHECK(listener.touches[0].bytes == 64);
  CHECK(listener.touches[0].write);
  CHECK(listener.touches[0].at == 0);
  CHECK(listener.looping == 3);
}

TEST_CASE("a wait tells who has ended it, and when that could be seen") {
  Keeper keeper(EventMask::waits | EventMask::acts);
  run_with({&keeper});
  REQUIRE(keeper.waits.size() == keeper.sleeps.size());
  REQUIRE(keeper.waits.size() == 3);
  const auto act = [&](Access::Kind kind, int core) {
    for (const Access& access : keeper.acts)
      if (access.kind == kind && access.core == core && access.write) return access.at;
    return Picoseconds{-1};
  };
  const Wait::Target on[] = {Wait::Target::word, Wait::Target::lock, Wait::Target::counter};
  const Cause::Kind by[] = {Cause::Kind::store, Cause::Kind::lock_release, Cause::Kind::counter};
  const Access::Kind made[] = {Access::Kind::store, Access::Kind::lock_release, Access::Kind::counter};
  const int target[] = {4, 8, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    const Wait& wait = keeper.waits[i];
    CHECK(wait.core == 4);
    CHECK(wait.on == on[i]);
    CHECK(wait.target == target[i]);
    CHECK(wait.cause.kind == by[i]);
    CHECK(wait.cause.core == 0);
    CHECK(wait.cause.at == act(made[i], 0));
    CHECK(wait.begin == keeper.sleeps[i].begin);
    CHECK(wait.begin < wait.cause.at);
    CHECK(wait.end >= wait.cause.at);
  }
}

TEST_CASE("a flag that a copy sets is the copier's doing, one that is set already nobody's") {
  SccMachine machine(MachineConfig{}, 64 << 10, 0);
  Keeper keeper(EventMask::waits);
  Observers observers;
  observers.add(keeper);
  machine.set_observers(&observers);
  std::vector<std::uint8_t> ones(2 * line_bytes, 1);
  machine.kernel().start(
      6, [&] { machine.message_buffers()->put(4, 0, ones.data(), ones.size(), Copy::prefetching); });
  machine.kernel().start(4, [&] {
    machine.message_buffers()->wait(4, 40, Condition{0xff, 1}, 0);
    machine.message_buffers()->wait(4, 41, Condition{0xff, 1}, 0);
  });
  CHECK(machine.kernel().run() == Kernel::End::finished);
  REQUIRE(keeper.waits.size() == 1);
  CHECK(keeper.waits[0].cause.kind == Cause::Kind::copy);
  CHECK(keeper.waits[0].cause.core == 6);
}

TEST_CASE("links, ports and controllers tell of each packet and of all queueing") {
  Keeper keeper(EventMask::resources);
  run_with({&keeper}, &keeper);
  std::uint64_t at_port_of_0 = 0;
  for (const Service& service : keeper.services) {
    CHECK(service.busy > 0);
    CHECK(service.to >= service.from + service.queued);
    if (service.resource == ResourceId{ResourceId::Kind::mpb_port, 0}) at_port_of_0 += service.packets;
  }
  CHECK(at_port_of_0 == 2 * long_copy / line_bytes); // put once, got once
}

namespace {

/// Core 0 copies where nobody else is; its lines from memory and those to the buffer leave by one link. Then
/// 24 cores put lines and longer copies to core 0's buffer and take them from it, others from core 2's, and
/// all add to a counter; core 0's tile changes its clock in the midst of that.
void crowd(const MachineConfig& config, const Observers& observers) {
  SccMachine machine(config, 64 << 10, 0);
  machine.set_observers(&observers);
  std::vector<std::vector<std::byte>> data(24, std::vector<std::byte>(long_copy));
  for (int i = 0; i < 24; ++i)
    machine.kernel().start(2 * i, [&machine, &data, i] {
      std::byte* const own = data[static_cast<std::size_t>(i)].data();
      if (i == 0) machine.message_buffers()->put(4, 0, own, long_copy, Copy::plain);
      machine.kernel().advance_to(1'000'000'000);
      machine.registers()->counter_access(i % 3, false, 0, true);
      for (const std::size_t bytes : {line_bytes, 7 * line_bytes, long_copy}) {
        machine.message_buffers()->put(0, 0, own, bytes, Copy::plain);
        machine.message_buffers()->get(own, 0, 0, bytes, Copy::prefetching);
        if (i == 0) machine.power()->set_tile_divider(0, 8);
      }
      machine.message_buffers()->get(own, 2, 0, long_copy, Copy::prefetching);
    });
  CHECK(machine.kernel().run() == Kernel::End::finished);
}

} // namespace

namespace {

/// Who waits at one resource, from what is told of it.
struct Line {
  Queues::Waits waits;
  std::vector<Service> packets; ///< by core: the last packet that has waited by itself

  void take(const Service& service) {
    if (service.queued == 0) return;
    waits.sum += service.queued;
    waits.longest = std::max(waits.longest, service.queued);
    std::erase_if(packets, [&](const Service& other) { return other.core == service.core; });
    const auto length = 1 + std::ranges::count_if(packets, [&](const Service& other) {
                          return other.from <= service.from && service.from < other.from + other.queued;
                        });
    packets.push_back(service);
    waits.worst_queue = std::max(waits.worst_queue, static_cast<std::uint32_t>(length));
  }
};

} // namespace

TEST_CASE("packets and queues that the machine adds up are those that it tells of, one by one") {
  MachineConfig config;
  const auto [columns, rows] = GENERATE(std::pair(6, 4), std::pair(11, 6)); // counted by way, and by link
  config.columns = columns;
  config.rows = rows;
  const Topology topology = config.make_topology();
  PacketCounts packets_beside(topology), packets(topology);
  Queues queues_beside(topology), queues(topology);
  Keeper keeper(EventMask::resources | EventMask::ends);
  Observers all, none;
  all.add(keeper);
  all.add_up(packets_beside, queues_beside);
  crowd(config, all);
  none.add_up(packets, queues);
  crowd(config, none);
  std::uint32_t longest_queue = 0;
  for (const auto kind : {ResourceId::Kind::link, ResourceId::Kind::mpb_port, ResourceId::Kind::controller}) {
    const auto counts = packets.passed(kind), counts_beside = packets_beside.passed(kind);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const ResourceId id{kind, static_cast<int>(i)};
      CAPTURE(kind, i);
      PacketCounts::Passed passed;
      Line line;
      for (const Service& service : keeper.services) {
        if (service.resource != id) continue;
        passed.packets += service.packets;
        passed.bytes += service.bytes;
        passed.busy += service.busy;
        line.take(service);
      }
      sum += passed.packets;
      longest_queue = std::max(longest_queue, line.waits.worst_queue);
      CHECK(counts[i] == passed);
      CHECK(counts_beside[i] == passed);
      CHECK(queues.of(id) == line.waits);
      CHECK(queues_beside.of(id) == line.waits);
    }
    CHECK(sum > 0);
  }
  CHECK(longest_queue > 10);
}

TEST_CASE("equal names of calls have one number") {
  Observers observers;
  CHECK(observers.call_kind("RCCE_send") == 0);
  CHECK(observers.call_kind("RCCE_recv") == 1);
  CHECK(observers.call_kind(std::string("RCCE_") + "send") == 0);
  CHECK(observers.call_names() == std::vector<std::string>{"RCCE_send", "RCCE_recv"});
}
