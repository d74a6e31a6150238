// SPDX-License-Identifier: Apache-2.0
// Are the reports of deadlocks, crashes and silence worded as promised, and grouped?
#include <algorithm>
#include <array>
#include <csignal>
#include <string>

#include "catch.hpp"
#include "mesh_sim/fixed_text.hpp"
#include "mesh_sim/observe/call_traits.hpp"
#include "process/run/report.hpp"

using rcce::run::CrashView;
using rcce::run::RunView;
using rcce::run::UeView;

namespace {

constexpr mesh::Picoseconds us = 1'000'000;

UeView ue(int rank) {
  UeView view;
  view.rank = rank;
  view.core = rank;
  view.tile = rank / 2;
  return view;
}

/// The traits of the calls that occur below.
mesh::CallTraits traits_of(const std::string& call) {
  if (call == "RCCE_finalize") return mesh::CallTraits::collective | mesh::CallTraits::ends;
  return (call.find("send") != call.npos ? mesh::CallTraits::sends : mesh::CallTraits::none) |
      (call.find("recv") != call.npos ? mesh::CallTraits::receives : mesh::CallTraits::none);
}

UeView waiting(int rank, const char* call, int peer, std::size_t bytes, const char* flag,
               mesh::Picoseconds since) {
  UeView view = ue(rank);
  view.state = UeView::State::waiting;
  view.activity = {call, peer, bytes, since - us / 10, 0, false, traits_of(call)};
  view.flag = flag;
  view.since = since;
  view.clock = since;
  return view;
}

UeView ended(int rank, int status, mesh::Picoseconds at) {
  UeView view = ue(rank);
  view.state = UeView::State::ended;
  view.status = status;
  view.clock = at;
  return view;
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

auto lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

} // namespace

TEST_CASE("text that is made without the heap ends where its place does") {
  std::array<char, 6> place{'?', '?', '?', '?', '?', '?'};
  const auto written = [&](std::size_t room, int number) {
    return mesh::format_into(std::span(place).first(room), "{}", fmt::make_format_args(number));
  };
  CHECK(written(5, 123) == 3);
  CHECK(std::string(place.data(), place.size()) == "123???");
  CHECK(written(5, 1234567) == 5);
  CHECK(std::string(place.data(), place.size()) == "12345?");
  CHECK(written(0, 1) == 0);
}

TEST_CASE("lists of ranks are short") {
  CHECK(rcce::run::rank_list({3}) == "rank 3");
  CHECK(rcce::run::rank_list({3, 4}) == "ranks 3, 4");
  CHECK(rcce::run::rank_list({1, 2, 3, 5, 7, 8, 9, 10}) == "ranks 1-3, 5, 7-10");
}

TEST_CASE("UEs in the same position share a line") {
  RunView run;
  run.ues.push_back(ended(0, 0, 9 * us));
  for (int rank = 1; rank < 47; ++rank)
    run.ues.push_back(waiting(rank, "RCCE_recv", 0, 8192, "sent", 12'345'000));
  const std::string text = rcce::run::deadlock_text(run);
  CHECK(has(text, "deadlock at 12.345 us: 46 of 47 UEs wait"));
  CHECK(has(text, "ranks 1-46: RCCE_recv from rank 0, 8192 bytes, waiting for flag sent since 12.345 us\n"));
  CHECK(
      has(text, "rank 0 (core 00, tile 0) ended with status 0 at 9.000 us; ranks 1-46 still wait for it\n"));
  CHECK(lines(text) == 3);
}

TEST_CASE("a ring is one line and one cycle") {
  RunView run;
  for (int rank = 0; rank < 48; ++rank)
    run.ues.push_back(waiting(rank, "RCCE_send", (rank + 1) % 48, 640, "ready", (rank + 1) * us));
  const std::string text = rcce::run::deadlock_text(run);
  CHECK(has(text,
            "ranks 0-47: RCCE_send to the next rank, 640 bytes, waiting for flag ready since 1.000 to 48.000 "
            "us\n"));
  CHECK(has(text, "cycle: rank 0 -> 1 -> 2 -> "));
  CHECK(has(text, "... (48 ranks) -> 0\n"));
  CHECK(lines(text) == 3);
}

TEST_CASE("a short cycle is written out, from its lowest rank") {
  RunView run;
  run.ues.push_back(waiting(0, "RCCE_recv", 2, 32, "sent", us));
  run.ues.push_back(waiting(1, "RCCE_recv", 0, 32, "sent", us));
  run.ues.push_back(waiting(2, "RCCE_recv", 1, 32, "sent", us));
  run.ues.push_back(waiting(3, "RCCE_recv", 0, 32, "sent", us));
  CHECK(has(rcce::run::deadlock_text(run), "cycle: rank 0 -> 2 -> 1 -> 0\n"));
}

TEST_CASE("sizes that differ are named") {
  RunView run;
  run.ues.push_back(waiting(0, "RCCE_send", 1, 9000, "ready", 20 * us));
  SECTION("while both sides wait") {
    run.ues.push_back(waiting(1, "RCCE_recv", 0, 4, "sent", 20 * us));
    CHECK(has(rcce::run::deadlock_text(run),
              "size mismatch: rank 0 sends 9000 bytes to rank 1, which receives 4 bytes from it\n"));
  }
  SECTION("after the receiver has gone on") {
    UeView receiver = waiting(1, "RCCE_barrier", -1, 0, "release", 22 * us);
    receiver.flag_rank = 0;
    receiver.last_receive = {"RCCE_recv", 0, 4, 19 * us, 21 * us};
    run.ues.push_back(receiver);
    CHECK(
        has(rcce::run::deadlock_text(run),
            "size mismatch: rank 0 sends 9000 bytes to rank 1, which receives 4 bytes from it (that call has "
            "returned at 21.000 us)\n"));
  }
  SECTION("but not equal ones") {
    run.ues.push_back(waiting(1, "RCCE_recv", 0, 9000, "sent", 20 * us));
    CHECK_FALSE(has(rcce::run::deadlock_text(run), "mismatch"));
  }
}

TEST_CASE("locks name their holder") {
  RunView run;
  UeView blocked = waiting(0, "RCCE_acquire_lock", -1, 0, "lock", us);
  blocked.lock_core = 2;
  blocked.lock_holder = 1;
  run.ues.push_back(blocked);
  run.ues.push_back(ended(1, 0, us));
  const std::string text = rcce::run::deadlock_text(run);
  CHECK(has(text, "waiting for the lock of core 02, held by rank 1 since 1.000 us\n"));
  CHECK(has(text, "rank 0 still waits for it\n"));
}

TEST_CASE("a UE that waits for itself is told so") {
  RunView run;
  run.ues.push_back(waiting(0, "RCCE_send", 0, 100, "ready", us));
  CHECK(has(rcce::run::deadlock_text(run), "rank 0 waits for itself: RCCE_send"));
}

TEST_CASE("a crash names rank, core, tile, call, time and places") {
  CrashView crash;
  crash.ue = ue(5);
  crash.ue.core = 7;
  crash.ue.tile = 3;
  crash.ue.clock = 2'500'000;
  crash.ue.activity = {"RCCE_send", 4, 64, 2 * us, 0, false, mesh::CallTraits::sends};
  crash.what = "segmentation fault: read of address 0x10, a null pointer";
  crash.places = {"solve at a.c:3 (a+0x10)", "main at a.c:9 (a+0x20)"};
  crash.signal = SIGSEGV;
  CHECK(rcce::run::crash_text(crash) ==
        "rccerun: rank 5 (core 07, tile 3) crashed at 2.500 us: segmentation fault: read of address 0x10, a "
        "null pointer\n"
        "  during RCCE_send to rank 4, 64 bytes\n"
        "  in solve at a.c:3 (a+0x10)\n"
        "  called from main at a.c:9 (a+0x20)\n"
        "  the run is ended with status 139; --keep-going would end only this rank\n");
}

TEST_CASE("a silent UE is named with its place") {
  CHECK(rcce::run::silence_text(ue(3), 10, "main at a.c:9", true) ==
        "rccerun: rank 3 (core 03, tile 1) has not called the library for 10 s of host time; it is at 0.000 "
        "us of "
        "simulated time, in main at a.c:9, and no other rank can run meanwhile\n");
  CHECK(rcce::run::silence_text(ue(3), 10, "", false) ==
        "rccerun: rank 3 (core 03, tile 1) has not called the library for 10 s of host time; it is at 0.000 "
        "us of simulated time, and no other rank can run meanwhile; if it waits there for another rank's "
        "store, compile with clang (rccecc's default) or with rccecc --spin-hooks\n");
  CHECK(rcce::run::standstill_text(ue(3), 10, "msgrcv(), main at a.c:9") ==
        "rccerun: rank 3 (core 03, tile 1) has been blocked in msgrcv(), main at a.c:9 for 10 s of host "
        "time, and all others with it, because UEs take turns; it is at 0.000 us of simulated time\n");
}
