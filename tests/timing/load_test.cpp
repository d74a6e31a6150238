// SPDX-License-Identifier: Apache-2.0
// Do load over time and a timeline in memory keep every picosecond, in memory that does not grow?
#include "mesh_sim/observe/load.hpp"
#include "mesh_sim/observe/observers.hpp"

#include <cmath>

#include "catch.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/observe/timeline.hpp"
#include "mesh_sim/parts/topology.hpp"

using namespace mesh;

TEST_CASE("bins hold each part of the time where it lies, and merge as time goes on") {
  TimeBins bins(2, 4);
  CHECK(bins.width() == 1024);
  bins.add(0, 1000, 2100);
  CHECK(bins.at(0, 0) == 24);
  CHECK(bins.at(0, 1) == 1024);
  CHECK(bins.at(0, 2) == 52);
  bins.add(1, 4096, 4097); // one beyond the last bin's end
  CHECK(bins.width() == 2048);
  CHECK(bins.at(0, 0) == 1048);
  CHECK(bins.at(0, 1) == 52);
  CHECK(bins.at(1, 2) == 1);
  bins.add(0, 1000, 1100, -1);
  CHECK(bins.sum(0) == 1000);
  bins.add(1, 1'000'000'000, 1'000'000'001);
  CHECK(bins.sum(0) == 1000);
  CHECK(bins.sum(1) == 2);
  CHECK(bins.width() * 4 > 1'000'000'000);
  bins.add(0, 7, 7);
  CHECK(bins.sum(0) == 1000);
}

TEST_CASE("what is busy at once is put one behind the other") {
  const Topology topology(2, 1, 1);
  Load load(topology, 64);
  const ResourceId link{ResourceId::Kind::link, 0};
  load.served({link, 0, 2, 1000, 1200, 200, 0, false, 0});
  load.served({link, 1, 1, 1100, 1150, 50, 0, false, 0}); // told of while the first is still served
  const std::size_t row = load.row_of(link);
  CHECK(load.bins().sum(row) == 250);
  CHECK(load.bins().at(row, 0) == 24);
  CHECK(load.bins().at(row, 1) == 226);
  CHECK(load.bins().sum(load.row_of({ResourceId::Kind::mpb_port, 1})) == 0);
}

TEST_CASE("a core's activities and the busy time of ports are those of the machine") {
  SccMachine machine(MachineConfig{}, 64 << 10, 0);
  Load load(machine.topology());
  Timeline timeline(machine.topology().cores(), 3);
  Observers observers;
  observers.add(load);
  observers.add(timeline);
  ResourceUsage usage(machine.topology());
  observers.add_up(usage.packets(), usage.queues());
  machine.set_observers(&observers);
  std::vector<std::byte> data(40 * line_bytes);
  machine.kernel().start(0, [&] {
    machine.compute(100000);
    for (int i = 0; i < 4; ++i)
      machine.message_buffers()->put(0, 0, data.data(), data.size(), Copy::prefetching);
    const std::uint8_t one = 1;
    machine.message_buffers()->store(4, 4096, &one, 1);
  });
  Picoseconds end = 0;
  machine.kernel().start(4, [&] {
    machine.message_buffers()->wait(4, 4096, Condition{0xff, 1}, 0);
    machine.message_buffers()->get(data.data(), 0, 0, data.size(), Copy::prefetching);
    end = machine.kernel().now();
  });
  REQUIRE(machine.kernel().run() == Kernel::End::finished);
  using Activity = Load::Activity;
  const auto time = [&](int core, Activity activity) { return load.bins().sum(load.row_of(core, activity)); };
  CHECK(time(0, Activity::put) > 0);
  CHECK(time(0, Activity::get) == 0);
  CHECK(time(4, Activity::put) == 0);
  CHECK(time(4, Activity::get) + time(4, Activity::wait) + time(4, Activity::access) == end);
  CHECK(time(4, Activity::wait) > time(0, Activity::put));
  Statistics counted;
  usage.report(
      counted, [&](ResourceId resource) { return machine.name_of(resource); }, end);
  REQUIRE_FALSE(counted.empty());
  for (const Statistic& one : counted)
    if (one.name == "mpb_port.busy" && one.labels.front().second == "mpb(0,0)")
      CHECK(load.bins().sum(load.row_of({ResourceId::Kind::mpb_port, 0})) == std::llround(one.value * 1e6));

  CHECK(timeline.slices().size() == 3);
  CHECK(timeline.slices_left_out() == 3); // a put, a wait, a get
  for (const Slice& slice : timeline.slices()) {
    CHECK(slice.kind == Slice::Kind::put);
    CHECK(slice.bytes == data.size());
    CHECK(slice.begin < slice.end);
  }
}

TEST_CASE("a timeline tells what a wait is for") {
  Timeline timeline(4, 3);
  for (const Wait::Target on : {Wait::Target::word, Wait::Target::lock, Wait::Target::counter})
    timeline.wait_ends({.on = on, .core = 1, .target = 2, .begin = 100, .end = 200, .cause = {}});
  REQUIRE(timeline.slices().size() == 3);
  CHECK(timeline.slices()[0].on == Wait::Target::word);
  CHECK(timeline.slices()[1].on == Wait::Target::lock);
  CHECK(timeline.slices()[2].on == Wait::Target::counter);
  CHECK(timeline.slices()[2].what == 2);
}

TEST_CASE("a message is kept once both sides have told of it, and in order") {
  Timeline timeline(4, 2);
  timeline.message({1, 2, false, 10, 100, 200});
  CHECK(timeline.messages().empty());
  timeline.message({1, 2, false, 20, 200, 300});
  timeline.message({1, 2, true, 10, 150, 250});
  REQUIRE(timeline.messages().size() == 1);
  CHECK(timeline.messages()[0].begin == 100);
  CHECK(timeline.messages()[0].end == 250);
  timeline.message({1, 2, true, 20, 250, 350});
  timeline.message({3, 2, true, 5, 300, 400});
  timeline.message({3, 2, false, 5, 310, 390});
  CHECK(timeline.messages().size() == 2);
  CHECK(timeline.messages_left_out() == 1);
  timeline.message({1, -1, false, 5, 0, 1}); // to all: each receiver tells of its own side
  CHECK(timeline.messages().size() == 2);
}
