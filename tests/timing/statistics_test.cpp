// SPDX-License-Identifier: Apache-2.0
// Do statistics keep their numbers, and does the one writer give them in every format, the hottest first?
#include "mesh_sim/observe/observers.hpp"
#include "mesh_sim/observe/statistics.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "mesh_sim/observe/matrix.hpp"
#include "mesh_sim/observe/resource_usage.hpp"
#include "mesh_sim/observe/usage.hpp"

using namespace mesh;

namespace {

constexpr StatisticKind time_kind{"call.time", "us", "in calls"}, count_kind{"call.count", "1", "calls"};

Statistics two_calls() {
  Statistics all;
  add(all, time_kind, {{"function", "quick, and \"quoted\""}}, 1.5);
  add(all, count_kind, {{"function", "quick, and \"quoted\""}}, 30);
  add(all, time_kind, {{"function", "slow"}}, 20);
  add(all, count_kind, {{"function", "slow"}}, 2);
  return all;
}

bool comes_before(const std::string& text, const std::string& first, const std::string& second) {
  INFO(text);
  return text.find(first) != text.npos && text.find(first) < text.find(second) &&
      text.find(second) != text.npos;
}

} // namespace

TEST_CASE("a table has a row by labels, the largest of its first column on top") {
  CHECK(write_statistics(two_calls(), StatisticsFormat::table) ==
        "call\n"
        "  function             time (us)  count\n"
        "  slow                        20      2\n"
        "  quick, and \"quoted\"        1.5     30\n");
}

TEST_CASE("CSV quotes what holds commas and quotes") {
  CHECK(write_statistics(two_calls(), StatisticsFormat::csv) ==
        "statistic,labels,unit,value\n"
        "schema.version,,1,1\n"
        "call.time,function=slow,us,20\n"
        "call.count,function=slow,1,2\n"
        "call.time,\"function=quick, and \"\"quoted\"\"\",us,1.5\n"
        "call.count,\"function=quick, and \"\"quoted\"\"\",1,30\n");
}

TEST_CASE("JSON is an array, with its version, of nothing as well") {
  const std::string text = write_statistics(two_calls(), StatisticsFormat::json);
  CHECK(comes_before(
      text,
      R"({"name": "call.time", "unit": "us", "description": "in calls", "labels": {"function": "slow"}, )"
      R"("value": 20})",
      R"("labels": {"function": "quick, and \"quoted\""}, "value": 1.5})"));
  CHECK(write_statistics({}, StatisticsFormat::json) ==
        "[\n  {\"name\": \"schema.version\", \"unit\": \"1\", \"description\": \"of names, units and order "
        "in this "
        "list\", \"labels\": {}, \"value\": 1}\n]\n");
}

TEST_CASE("large counts are written in full") {
  Statistics all;
  add(all, count_kind, {}, 9007199254740991.0);
  CHECK(comes_before(write_statistics(all, StatisticsFormat::csv), "call.count,,1,", "9007199254740991"));
}

TEST_CASE("the sum takes all of a name") {
  CHECK(sum(two_calls(), "call.count") == 32);
  CHECK(sum(two_calls(), "call.none") == 0);
}

TEST_CASE("what a core does with its time: copying, accessing, waiting") {
  Usage usage(2, [](int from, int to) { return from == to ? 0 : 3; });
  AccessTimes& times = usage.times()[1];
  times.ended({.kind = Access::Kind::get, .target = 0}, 4'000'000, 7'000'000);
  times.ended({.kind = Access::Kind::get, .target = 1}, 7'000'000, 9'000'000);
  times.waited(Wait::Target::word, 3'000'000);
  times.ended({.kind = Access::Kind::wait, .target = 0}, 9'000'000, 13'000'000);
  times.waited(Wait::Target::lock, 7'000'000);
  LibraryTimes& library = usage.library_times()[1];
  library.calls.resize(2);
  library.returned(1, 2'000'000);
  library.returned(0, 5'000'000);
  library.message(true, 100);
  Statistics all;
  const std::string names[] = {"outer", "inner"};
  const Usage::Life lives[] = {{0, 30'000'000}, {1'000'000, 20'000'000}};
  usage.report(all, names, lives);
  usage.report_distances(all);
  CHECK(sum(all, "core.getting") == 5);
  CHECK(sum(all, "core.putting") == 0);
  CHECK(sum(all, "core.computing") == 30 + 3);
  CHECK(sum(all, "core.idle") == 1 + 10);
  CHECK(sum(all, "core.copying") == 5);
  CHECK(sum(all, "core.waiting") == 10);
  CHECK(sum(all, "core.accessing") == 1);
  CHECK(sum(all, "core.copy_hops") == 1.5);
  CHECK(sum(all, "core.access_hops") == 3);
  CHECK(sum(all, "core.messages_received") == 1);
  CHECK(sum(all, "core.bytes_sent") == 0);
  CHECK(sum(all, "call.time") == 7);
}

TEST_CASE("the matrix counts what has been received, by pair") {
  Matrix matrix(5);
  for (const bool received : {false, true, true})
    matrix.message({.sender = 4, .receiver = 2, .received = received, .bytes = 32});
  Statistics all;
  matrix.report(all, [](int core) { return std::to_string(core / 2); });
  REQUIRE(all.size() == 2);
  CHECK(all[0].labels == Labels{{"sender", "2"}, {"receiver", "1"}});
  CHECK(sum(all, "pair.messages") == 2);
  CHECK(sum(all, "pair.bytes") == 64);
}

TEST_CASE("a resource's queue is as long as its packets wait at one moment, each until it is served") {
  ResourceUsage usage(Topology(3, 1, 1));
  const ResourceId port{ResourceId::Kind::mpb_port, 2};
  usage.packets().set_service(port, 10);
  WaitQueue& queue = usage.queues().queue(port);
  const auto serve = [&](int core, Picoseconds from, Picoseconds queued) {
    usage.packets().count(TileId{2}, port, false, 1);
    if (queued > 0) Queues::wait(queue, core, from, queued, 10, from - 1000);
  };
  const auto worst = [&] {
    Statistics all;
    usage.report(
        all, [](ResourceId) { return "here"; }, 0);
    return sum(all, "mpb_port.worst_queue");
  };
  serve(0, 100, 0);
  CHECK(worst() == 0); // nobody waits
  serve(1, 110, 50);
  serve(2, 120, 90);
  CHECK(worst() == 2);
  serve(3, 160, 60); // core 1 is served from 160 on
  CHECK(worst() == 2);
  serve(4, 159, 20); // told of later, there earlier: behind 1 and 2, before 3
  CHECK(worst() == 3);
  serve(4, 180, 10); // behind 2 and 3; its own first packet waits no more
  CHECK(worst() == 3);
  usage.packets().count(TileId{2}, port, false, 8);
  Queues::join(queue, 5'000'000); // a copy, of whose lines eight wait 50 each
  Queues::leave(queue, 400, 50);
  CHECK(worst() == 3);
  Statistics all;
  usage.report(
      all, [](ResourceId) { return "here"; }, 1'000);
  CHECK(sum(all, "mpb_port.packets") == 14);
  CHECK(sum(all, "mpb_port.bytes") == 14 * 32);
  CHECK(sum(all, "mpb_port.share") == 14);
  CHECK(sum(all, "mpb_port.queued") == 630e-6);
  CHECK(sum(all, "mpb_port.longest_wait") == 90e-6);
  CHECK(all.front().labels == Labels{{"port", "here"}});
}

TEST_CASE("lines take a port as long as its clock makes them at the time") {
  const ResourceId port{ResourceId::Kind::mpb_port, 1};
  for (const int columns : {3, 80}) { // ways are counted one by one, and link by link
    PacketCounts packets{Topology(columns, 1, 1)};
    for (int link = 0; link < ports_per_router * columns; ++link) packets.set_packets(link, {1, 8}, {4, 40});
    packets.set_service(port, 10);
    packets.count(TileId{2}, port, true, 5);
    packets.set_service(port, 30);
    packets.count(TileId{0}, port, false, 2);
    packets.count_packet(TileId{0}, TileId{2}, false);
    packets.count_packet(TileId{2}, TileId{0}, true);
    CHECK(packets.passed(port.kind)[1] == PacketCounts::Passed{7, 7 * 32, 5 * 10 + 2 * 30});
    const auto links = packets.passed(ResourceId::Kind::link);
    const auto link = [&](int tile, Port way) {
      return links[static_cast<std::size_t>(tile * ports_per_router + static_cast<int>(way))];
    };
    CHECK(link(2, Port::west) == PacketCounts::Passed{6, 5 * 8 + 40, 5 * 1 + 4});
    CHECK(link(1, Port::east) == PacketCounts::Passed{6, 5 * 40 + 8, 5 * 4 + 1});
    CHECK(link(0, Port::east) == PacketCounts::Passed{3, 2 * 40 + 8, 2 * 4 + 1});
  }
}

TEST_CASE("a packet that was told of first and arrives last does not hide those that wait before it") {
  Queues queues{Topology(3, 1, 1)};
  const ResourceId link{ResourceId::Kind::link, 3};
  const auto wait = [&](int core, Picoseconds from) {
    Queues::wait(queues.queue(link), core, from, 1000, 10, 0);
  };
  constexpr int many = 65; // the next one makes those that nobody meets leave
  for (int core = 0; core < many; ++core) wait(core, core);
  wait(many, 10'000'000);
  wait(many + 1, 200); // on a shorter way
  CHECK(queues.of(link).worst_queue == many + 1);
}

TEST_CASE("the longest queue is that of counting who waits whenever one comes, packets and copies") {
  const ResourceId link{ResourceId::Kind::link, 3};
  for (const int cores : {3, 48, 300}) { // those of few keep their places, those of many share them
    Queues queues{Topology(3, 1, 1)};
    WaitQueue& queue = queues.queue(link);
    struct Core {
      Picoseconds until = 0; // of its last packet
      bool copies = false;
    };
    std::vector<Core> all(static_cast<std::size_t>(cores));
    std::mt19937 random(static_cast<unsigned>(cores));
    Picoseconds now = 0;
    Queues::Waits waits;
    std::size_t most_copies = 0;
    for (int i = 0; i < 6000; ++i) {
      now += static_cast<Picoseconds>(random() % (i % 1000 < 50 ? 20 : 20000)); // crowds, and few
      const auto number = static_cast<std::size_t>(random()) % all.size();
      Core& core = all[number];
      const Picoseconds wait = 1 + static_cast<Picoseconds>(random() % 3000);
      const auto waiting = [&] {
        return std::ranges::count_if(all, [&](const Core& one) { return one.copies || now < one.until; });
      };
      if (core.copies) {
        core.copies = false;
        Queues::leave(queue, 8 * wait, wait);
        waits.sum += 8 * wait;
        waits.longest = std::max(waits.longest, wait);
      } else if (i % 3000 >= 1000 && random() % 2 == 0 && now >= core.until) {
        core.copies = true;
        Queues::join(queue, now);
        waits.worst_queue = std::max(waits.worst_queue, static_cast<std::uint32_t>(waiting()));
      } else {
        core.until = now + wait;
        // It says how long at least each is served: with copies there, a packet may wait for less than that.
        Queues::wait(queue, static_cast<int>(number), now, wait, 1, now);
        waits.sum += wait;
        waits.longest = std::max(waits.longest, wait);
        waits.worst_queue = std::max(waits.worst_queue, static_cast<std::uint32_t>(waiting()));
      }
      most_copies =
          std::max(most_copies, static_cast<std::size_t>(std::ranges::count(all, true, &Core::copies)));
      REQUIRE(queues.of(link).worst_queue == waits.worst_queue);
    }
    for (const Core& core : all) // those that are still there
      if (core.copies) Queues::leave(queue, 8, 1), waits.sum += 8;
    CHECK(queues.of(link) == waits);
    CHECK(waits.worst_queue > 1);
    CHECK(most_copies > 1);
  }
}
