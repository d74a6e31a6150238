// SPDX-License-Identifier: Apache-2.0
#include "costs.hpp"

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/parameters.hpp"
#include "mesh_sim/parts/access.hpp"

namespace rcce::ircce {
namespace {

class Costs final : public LayerCosts {
 public:
  [[nodiscard]] std::unique_ptr<LayerCosts> clone() const override { return std::make_unique<Costs>(*this); }
  [[nodiscard]] mesh::ParameterTable parameters() override;
  [[nodiscard]] Copy copy() const override {
    return copy_routine(copies, "rcce.ircce_copies", Copy::prefetching);
  }

  void check() const override {
    if (cycles.backoff_first > cycles.backoff_last)
      throw mesh::UserError(fmt::format(
          "rcce.ircce_backoff_first = {}: pauses grow from it to rcce.ircce_backoff_last, which is "
          "{}; give at most that, or raise the last",
          cycles.backoff_first, cycles.backoff_last));
  }

  IrcceCosts cycles{.request = 140,
                    .look = 10,
                    .queue = 4,
                    .segment = 92,
                    .padding = 20,
                    .put = 90,
                    .get = 90,
                    .tag = 88,
                    .element = 20,
                    .backoff_first = 32,
                    .backoff_last = 1024};
};

mesh::ParameterTable Costs::parameters() {
  constexpr std::string_view section = "rcce", unit = "core cycles";
  constexpr std::string_view as20 = "as in RCCE 2.0, whose copies are of the same kind";
  constexpr std::string_view ircce_request =
      "a non-blocking message: 16 fields stored, two divisions of 41 cycles, queue; estimated";
  constexpr std::string_view tag = "a tag, on each side: half round trip of one byte in a flag's line, 1.65 "
                                   "us (iRCCE on RCCE 1.0.13, Clauss and "
                                   "others, FLAIR 2011, table 1)";
  constexpr std::string_view look = "a look at a flag beside the read: 1.83 us half round trip of one byte "
                                    "against 1.78 us of RCCE 2.0 (the same)";
  constexpr std::string_view queue =
      "a receive queue that a push goes through: load, compare, branch; estimated";
  constexpr std::string_view list_element = "an element of a wait list: load, branch, call; estimated";
  constexpr std::string_view backoff =
      "pause between reads of a barrier's counter: 8 to 256 rounds of an empty loop "
      "(BACKOFF_MIN, BACKOFF_MAX of iRCCE_lib.h) of 4 cycles each, estimated";
  return {
      {section, "ircce_copies", &copies, "own|plain|prefetching",
       "routine of iRCCE, independent of RCCE's: own (prefetching: iRCCE manual V2.0), plain or prefetching"},
      {section, "ircce_request", &cycles.request, unit, ircce_request},
      {section, "ircce_look", &cycles.look, unit, look},
      {section, "ircce_queue", &cycles.queue, unit, queue},
      {section, "ircce_segment", &cycles.segment, unit, as20, 0, 1e18, "ircce_piece"},
      {section, "ircce_padding", &cycles.padding, unit, as20},
      {section, "ircce_put", &cycles.put, unit, as20},
      {section, "ircce_get", &cycles.get, unit, as20},
      {section, "ircce_tag", &cycles.tag, unit, tag},
      {section, "ircce_element", &cycles.element, unit, list_element},
      {section, "ircce_backoff_first", &cycles.backoff_first, unit, backoff},
      {section, "ircce_backoff_last", &cycles.backoff_last, unit, backoff},
  };
}

const std::size_t place =
    Layers::add([]() -> std::unique_ptr<LayerCosts> { return std::make_unique<Costs>(); });

} // namespace

const IrcceCosts& costs_of(const SoftwareCosts& software) {
  return static_cast<const Costs&>(software.layers.at(place)).cycles;
}

Copy copy_of(const SoftwareCosts& software) {
  return software.layers.at(place).copy();
}

} // namespace rcce::ircce
