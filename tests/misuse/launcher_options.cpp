// SPDX-License-Identifier: Apache-2.0
// What rccerun makes of its words and of host files, and what it says to wrong ones.
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "front/launcher/options.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/host_file.hpp"

namespace {

using Words = std::vector<std::string>;

std::string complaint_about(const Words& words) {
  try {
    (void)rcce::parse_job_options(words);
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return {};
}

std::string complaint_about_hosts(std::string_view text, int ues) {
  try {
    (void)rcce::read_hosts(text, "rc.hosts", ues, 48);
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return {};
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("options end at the first word without a dash") {
  const auto options = rcce::parse_job_options(Words{"-nue", "4", "-f", "rc.hosts", "./prog", "-clock", "9"});
  CHECK(options.ues == 4);
  CHECK(options.host_file == "rc.hosts");
  CHECK(options.used == 4);
  CHECK_FALSE(options.clock_given);
}

TEST_CASE("one dash or two, value behind a blank or an equals sign") {
  for (const Words& words :
       {Words{"-nue", "7"}, Words{"--nue", "7"}, Words{"--nue=7"}, Words{"-n", "7"}, Words{"-np=7"}}) {
    INFO(words[0]);
    CHECK(rcce::parse_job_options(words).ues == 7);
  }
}

TEST_CASE("a lone dash and two dashes end the options") {
  CHECK(rcce::parse_job_options(Words{"-nue", "2", "-", "x"}).used == 2);
  CHECK(rcce::parse_job_options(Words{"-nue", "2", "--", "-odd-name"}).used == 3);
}

TEST_CASE("options of the job") {
  const auto options = rcce::parse_job_options(
      Words{"--compute", "host:2.5", "--tag-output", "--timeout=1.5", "--stack-size", "4M",
            "--heap-size=1GiB", "--shared-memory", "123456", "--loading", "clone", "--statistics", "--energy",
            "--digest", "--keep-going", "--rcce", "1.0"});
  CHECK(options.job.library.compute == rcce::ComputeModel::host);
  CHECK(options.job.library.compute_scale == 2.5);
  CHECK(options.job.output.tag);
  CHECK(options.job.timeout_seconds == 1.5);
  CHECK(options.job.engine.stack_bytes == std::size_t{4} << 20);
  CHECK(options.job.process.heap_bytes == std::size_t{1} << 30);
  CHECK(options.job.engine.shared_memory_bytes == 123456);
  CHECK(options.job.process.loading == rcce::Loading::clone);
  CHECK(options.job.recording.records.contains("statistics"));
  CHECK(options.job.recording.records.contains("energy"));
  CHECK(options.job.recording.records.contains("digest"));
  CHECK(options.job.process.keep_going_after_crash);
  CHECK(options.generation == 10U);
}

TEST_CASE("single parameters change the machine whatever the order") {
  for (const Words& words : {Words{"--contention", "off", "--set", "mesh.columns=3", "--machine", "scc-fast"},
                             Words{"--machine", "scc-fast", "--set=mesh.columns=3", "--contention=off"}}) {
    const auto options = rcce::parse_job_options(words);
    CHECK(options.job.machine.mesh().columns == 3);
    CHECK(options.job.machine.text("mesh.contention") == "off");
    CHECK(options.job.machine.number("tile.divider") == 2);
  }
}

TEST_CASE("words handed on to the program are read again to the same job") {
  const auto first = rcce::parse_job_options(
      Words{"-nue", "2", "--machine", "scc-fast", "-digest", "-timeout", "3", "--seed", "9"});
  CHECK(first.forwarded == Words{"--machine=scc-fast", "--digest", "--timeout=3", "--seed=9"});
  const auto second =
      rcce::parse_job_options(rcce::split_options(rcce::join_options(first.forwarded).c_str()));
  CHECK(second.job.machine.number("tile.divider") == 2);
  CHECK(second.job.machine.number("dram.frame_seed") == 9);
  CHECK(second.job.recording.records.contains("digest"));
  CHECK(second.job.timeout_seconds == 3);
  CHECK(rcce::split_options(nullptr).empty());
  CHECK(rcce::split_options("").empty());
  CHECK(rcce::split_options(rcce::join_options(Words{"--trace=a b"}).c_str()) == Words{"--trace=a b"});
  CHECK(rcce::split_options(" --tag-output  --heap-size 1M") == Words{"--tag-output", "--heap-size", "1M"});
}

TEST_CASE("files that are written are named from the root, so that scripts may change folders") {
  const auto options = rcce::parse_job_options(
      Words{"--statistics=s.csv", "--matrix", "m.json", "--force", "--trace", "t.json", "--links", "l.csv"});
  CHECK(options.job.recording.records.contains("statistics"));
  CHECK(options.job.recording.records.at("statistics") == "s.csv");
  CHECK(options.job.recording.records.at("matrix") == "m.json");
  CHECK(options.overwrite);
  REQUIRE(options.forwarded.size() == 5);
  CHECK(has(options.forwarded[0], "--statistics=/"));
  CHECK(has(options.forwarded[1], "--matrix=/"));
  CHECK(has(options.forwarded[3], "--trace=/"));
  CHECK(has(options.forwarded[4], "--links=/"));
  CHECK(rcce::parse_job_options(Words{"--trace", "-"}).forwarded == Words{"--trace=-"});
  const auto bare = rcce::parse_job_options(Words{"--statistics", "./prog"});
  CHECK(bare.job.recording.records.contains("statistics"));
  CHECK(bare.job.recording.records.at("statistics").empty());
  CHECK(bare.used == 1);
  CHECK(bare.forwarded == Words{"--statistics"});
}

TEST_CASE("the clock that programs are told by default") {
  CHECK(rcce::default_clock(rcce::parse_job_options(Words{}).job.machine, 20) == "0.533");
  CHECK(rcce::default_clock(rcce::parse_job_options(Words{"--machine", "scc-fast"}).job.machine, 20) ==
        "0.800");
  CHECK(rcce::default_clock(rcce::parse_job_options(Words{}).job.machine, 10) == "1.0");
}

TEST_CASE("wrong options are named, with what is allowed") {
  CHECK(has(complaint_about({"-neu", "2"}), "Error: wrong option -neu"));
  CHECK(has(complaint_about({"-neu", "2"}), "-nue"));
  CHECK(has(complaint_about({"--statistic"}), "--statistics"));
  CHECK(has(complaint_about({"-nue", "0"}), "Error: number of UEs invalid: 0"));
  CHECK(has(complaint_about({"-nue", "4x"}), "Error: number of UEs invalid: 4x"));
  CHECK(has(complaint_about({"-nue"}), "-nue N"));
  CHECK(has(complaint_about({"--digest=yes"}), "takes no value"));
  CHECK(has(complaint_about({"--statistics="}), "the name of a file is missing"));
  CHECK(has(complaint_about({"--statistics-format", "cvs"}), "did you mean 'csv'"));
  CHECK(has(complaint_about({"--compute", "guess"}), "host:SCALE"));
  CHECK(has(complaint_about({"--compute", "host:-1"}), "above 0"));
  CHECK(has(complaint_about({"--loading", "clon"}), "did you mean 'clone'"));
  CHECK(has(complaint_about({"--engine", "none"}), "sim, threads, mpi"));
  CHECK(has(complaint_about({"--stack-size", "1X"}), "K, M or G"));
  CHECK(has(complaint_about({"--stack-size", "99999999G"}), "64 TB"));
  CHECK(has(complaint_about({"--clock", "-1"}), "GHz"));
  CHECK(has(complaint_about({"--clock", "nan"}), "GHz"));
  CHECK(has(complaint_about({"--set", "columns=3"}), "SECTION.NAME=VALUE"));
  CHECK(has(complaint_about({"--set", "mesh.colums=3"}), "did you mean 'columns'"));
  CHECK(complaint_about({"--set", "mesh.colums=3"}).find("line") == std::string::npos);
  CHECK(has(complaint_about({"--frames", "randm"}), "random"));
  CHECK(has(complaint_about({"--machine", "scc-fats"}), "scc-fast"));
}

TEST_CASE("host files: the first lines, as they are written") {
  const rcce::Hosts hosts = rcce::read_hosts("47\n\n 00 # west\r\n05\nnot needed", "rc.hosts", 3, 48);
  CHECK(hosts.cores == std::vector<int>{47, 0, 5});
  CHECK(hosts.texts == Words{"47", "00", "05"});
  CHECK(rcce::read_hosts("08", "rc.hosts", 1, 48).cores == std::vector<int>{8});
  CHECK(rcce::read_hosts("00\n46\n46\n", "rc.pingponghosts", 2, 48).cores == std::vector<int>{0, 46});
  CHECK(rcce::first_hosts(3).texts == Words{"00", "01", "02"});
}

TEST_CASE("host files: faults are named by line") {
  CHECK(complaint_about_hosts("00\n51\n", 2) == "hostfile 'rc.hosts' line 2: core 51 is out of range 0..47");
  CHECK(has(complaint_about_hosts("-1\n", 1), "line 1: core -1 is out of range 0..47"));
  CHECK(has(complaint_about_hosts("99999999999999999999\n", 1),
            "line 1: core 99999999999999999999 is out of range 0..47"));
  CHECK(has(complaint_about_hosts("\nrck00\n", 1), "line 2: 'rck00' is no core number"));
  CHECK(has(complaint_about_hosts("00 01\n", 1), "line 1"));
  CHECK(has(complaint_about_hosts("05\n01\n5\n", 3),
            "line 3: core 5 is listed a second time, first in line 1"));
  CHECK(has(complaint_about_hosts("00\n", 2),
            "Error: Number of UEs requested exceeds number of available UEs"));
  CHECK(has(complaint_about_hosts("", 1), "exceeds number of available UEs"));
}
