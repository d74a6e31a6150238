// SPDX-License-Identifier: Apache-2.0
// Files from outside that rccebench reads: measurements, points, results of sweeps, delays, noise,
// schedules, machine files. What is refused is refused by a message of our own; the words of a library
// tell a user nothing.
#include <array>
#include <exception>
#include <fstream>

#include <unistd.h>

#include "algorithms/schedules/format.hpp"
#include "algorithms/schedules/reader.hpp"
#include "fuzz.hpp"
#include "lab/json_text.hpp"
#include "lab/point_json.hpp"
#include "lab/result_store.hpp"
#include "lab/spread.hpp"
#include "measuring/measured_rows.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/cluster/noise.hpp"
#include "mesh_sim/machines/machines.hpp"
#include "mesh_sim/printable.hpp"

namespace {

void check(std::string_view message) {
  const std::string shown = mesh::printable(std::string(message), std::array<std::string_view, 0>{});
  FUZZ_CHECK(!shown.empty());
  for (const char* const word : {"json.exception", "stoi", "stod", "vector::", "basic_string", "map::at",
                                 "_M_", "std::", "context ", "filesystem error", "bad_alloc", "bad optional"})
    if (shown.find(word) != std::string::npos) {
      std::fprintf(stderr, "%s\n", shown.c_str());
      FUZZ_CHECK(!"a library's own words");
    }
}

template <class Read>
void refused_in_own_words(const Read& read) {
  try {
    read();
  } catch (const mesh::UserError& error) {
    check(error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    FUZZ_CHECK(!"no message of ours");
  }
}

void read_rows(const std::string& path, const char* machine) {
  const rccebench::UnsaidByTable unsaid{
      .machine_given = true, .cores = 0, .operation = "allreduce", .algorithm = {}};
  const rccebench::MeasuredRows rows(path, rcce::MachineChoice{machine, {}}, unsaid);
  for (const rccebench::MeasuredRow& row : rows.all()) FUZZ_CHECK(row.value > 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  // A name of its own: results are no devices.
  const std::string path = "fuzzed_" + std::to_string(getpid()), unfinished = path + "_unfinished";
  for (const std::string& name : {path, unfinished + ".part"})
    std::ofstream(name, std::ios::binary) << fuzz::text(data, bytes);
  const std::string_view text = fuzz::text(data, bytes);
  for (const char* const machine : {"scc", "xeon-x5650", "alc"})
    refused_in_own_words([&] { read_rows(path, machine); });
  refused_in_own_words([&] { (void)lab::read_points(lab::read_json(text), {}); });
  for (const std::string& name : {path, unfinished})
    refused_in_own_words([&] { (void)lab::read_results(name); });
  refused_in_own_words([&] { (void)lab::Spread(path, 1).delays(2, 0); });
  refused_in_own_words([&] { (void)mesh::cluster::read_trace(path); });
  refused_in_own_words([&] { (void)mesh::load_machine(path); });
  algorithms::schedule::Schedule schedule;
  if (const std::string fault = algorithms::schedule::Reader::read(text, schedule); !fault.empty())
    check(fault);
  for (const std::string& name : {path, unfinished + ".part"}) std::remove(name.c_str());
  return 0;
}
