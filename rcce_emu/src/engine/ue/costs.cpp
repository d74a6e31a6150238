// SPDX-License-Identifier: Apache-2.0
// The software costs of both library generations, in cycles of the calling core. They are what remains of the
// measured one-byte latencies once the machine model has charged the memory accesses; the starting point is
// the fixed cost of one segment, both sides together: 1.8 us in RCCE 2.0, 2.2 to 2.8 us in 1.0.
#include "rcce_emu/costs.hpp"

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/parts/access.hpp"

namespace rcce {

SoftwareCosts::SoftwareCosts()
    : rcce10{.call = 10,
             .segment = 50,
             .padding = 40,
             .put = 60,
             .get = 299,
             .plain_call = 44,
             .plain_padding = 110,
             .flag_write = 0,
             .flag_read = 0,
             .flag_poll = 0,
             .barrier = 0,
             .element = 10},
      rcce20{.call = 10,
             .segment = 92,
             .padding = 20,
             .put = 90,
             .get = 90,
             .plain_call = 44,
             .plain_padding = 110,
             .flag_write = 70,
             .flag_read = 70,
             .flag_poll = 0,
             .barrier = 0,
             .element = 10} {}

mesh::ParameterTable SoftwareCosts::parameters() {
  constexpr std::string_view section = "rcce", unit = "core cycles";
  constexpr std::string_view call = "a public call; estimated";
  constexpr std::string_view element =
      "combining one element in a reduction: load, load, operate, store; estimated";
  constexpr std::string_view poll = "a round of a waiting loop beside the read; estimated";
  constexpr std::string_view fit10_copies =
      "the same, divided between put and get by the barrier of two cores, 2.05 us (Reble and others, 3rd "
      "MARC Symposium 2011, "
      "Fig. 5); get is the dearer because it flushes the output streams each time";
  constexpr std::string_view padding =
      "a segment of less than a line: iRCCE manual V2.0 Fig. 5, below 32 bytes";
  constexpr std::string_view barrier = "a barrier, per member; estimated";
  constexpr std::string_view fit20 = "part of the 1.8 us that a segment costs beside its lines (RCCE 2.0, "
                                     "Clauss and others, FLAIR 2011, table 1)";
  constexpr std::string_view fit10 = "part of the 2.84 us half round trip of one byte (RCCE 1.0.13, "
                                     "Clauss and others, FLAIR 2011, table 1)";
  constexpr std::string_view plain_call =
      "further cost of a put or get whose copy is the C library's memcpy: what 1.0 gained by prefetching "
      "copies beside "
      "the lines (iRCCE manual V2.0 Fig. 5, intercepts of the two curves)";
  constexpr std::string_view plain_padding = "the same for a segment of less than a line";
  // A run adds up many of them: what is larger could bring simulated time to its end.
  constexpr double most = 1'000'000;
  constexpr std::string_view in_put = "1.0 writes and reads flags with put and get of a line";
  mesh::ParameterTable table = {
      {section, "copies", &copies, "own|plain|prefetching",
       "routine of RCCE_put and RCCE_get: own (1.0 plain, 2.0 prefetching), plain or prefetching; RCCE 1.0 "
       "was also "
       "measured with prefetching copies (Clauss and others, FLAIR 2013, figure 5)"},
      {section, "rcce20_call", &rcce20.call, unit, call},
      {section, "rcce20_segment", &rcce20.segment, unit, fit20, 0, most, "rcce20_piece"},
      {section, "rcce20_padding", &rcce20.padding, unit, padding},
      {section, "rcce20_put", &rcce20.put, unit, fit20},
      {section, "rcce20_get", &rcce20.get, unit, fit20},
      {section, "rcce20_plain_call", &rcce20.plain_call, unit, plain_call},
      {section, "rcce20_plain_padding", &rcce20.plain_padding, unit, plain_padding},
      {section, "rcce20_flag_write", &rcce20.flag_write, unit, fit20},
      {section, "rcce20_flag_read", &rcce20.flag_read, unit, fit20},
      {section, "rcce20_flag_poll", &rcce20.flag_poll, unit, poll},
      {section, "rcce20_barrier", &rcce20.barrier, unit, barrier},
      {section, "rcce20_element", &rcce20.element, unit, element},
      {section, "rcce10_call", &rcce10.call, unit, call},
      {section, "rcce10_segment", &rcce10.segment, unit, fit10, 0, most, "rcce10_piece"},
      {section, "rcce10_padding", &rcce10.padding, unit, padding},
      {section, "rcce10_put", &rcce10.put, unit, fit10_copies},
      {section, "rcce10_get", &rcce10.get, unit, fit10_copies},
      {section, "rcce10_plain_call", &rcce10.plain_call, unit, plain_call},
      {section, "rcce10_plain_padding", &rcce10.plain_padding, unit, plain_padding},
      {section, "rcce10_flag_write", &rcce10.flag_write, unit, in_put},
      {section, "rcce10_flag_read", &rcce10.flag_read, unit, in_put},
      {section, "rcce10_flag_poll", &rcce10.flag_poll, unit, poll},
      {section, "rcce10_barrier", &rcce10.barrier, unit, barrier},
      {section, "rcce10_element", &rcce10.element, unit, element},
  };
  for (std::size_t place = 0; place < layers.size(); ++place)
    for (const mesh::Parameter& parameter : layers.at(place).parameters()) table.push_back(parameter);
  for (mesh::Parameter& parameter : table) parameter.maximum = most;
  return table;
}

Copy copy_routine(const std::string& name, const char* parameter, Copy own) {
  if (name == "own") return own;
  if (name == "plain") return Copy::plain;
  if (name == "prefetching") return Copy::prefetching;
  throw mesh::UserError(std::string(parameter) + " '" + name +
                        "': there is no such routine; use own, plain or prefetching");
}

Copy SoftwareCosts::copy_of(unsigned generation) const {
  return copy_routine(copies, "rcce.copies", generation < 20 ? Copy::plain : Copy::prefetching);
}

bool SoftwareCosts::prefetches(unsigned generation) const {
  bool all = copy_of(generation) == Copy::prefetching;
  for (std::size_t place = 0; place < layers.size(); ++place)
    all = all && layers.at(place).copy() == Copy::prefetching;
  return all;
}

void SoftwareCosts::prefetch() {
  copies = "prefetching";
  for (std::size_t place = 0; place < layers.size(); ++place) layers.at(place).copies = "prefetching";
}

namespace {

using MakeLayer = std::unique_ptr<LayerCosts> (*)();

std::vector<MakeLayer>& layers_added() {
  static std::vector<MakeLayer> all;
  return all;
}

} // namespace

std::size_t Layers::add(MakeLayer make) {
  layers_added().push_back(make);
  return layers_added().size() - 1;
}

Layers::Layers() {
  for (const MakeLayer make : layers_added()) all_.push_back(make());
}

Layers::Layers(const Layers& other) {
  for (const auto& one : other.all_) all_.push_back(one->clone());
}

Layers& Layers::operator=(const Layers& other) {
  Layers copy(other);
  all_.swap(copy.all_);
  return *this;
}

} // namespace rcce
