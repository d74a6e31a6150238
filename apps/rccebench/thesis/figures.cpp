// SPDX-License-Identifier: Apache-2.0
#include "thesis/figures.hpp"

#include <array>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "page/figures.hpp"
#include "rcce_emu/version.hpp"

namespace rccebench::thesis {
namespace {

// Small: the sizes of its ping-pong. Medium and large: the thesis names 50,000, 190,000 and 1,900,000 bytes,
// that is the last but none of nineteen steps of 10,000 and of 100,000 bytes.
constexpr std::array all_ranges{
    Range{"small", 256, 8192, 256},
    Range{"medium", 10000, 190000, 10000},
    Range{"large", 100000, 1900000, 100000},
};

constexpr std::array presets{"scc-fast", "scc"};
constexpr std::array core_counts{12, 24, 36, 48};
constexpr std::array partners{1, 2, 10, 37, 47}; // of core 0, in its ping-pong
constexpr int first_broadcast_figure = 9;

std::string text_of(const std::optional<double>& number) {
  return number ? fmt::format("{:.3f}", *number) : "";
}

std::string write_file(const std::filesystem::path& folder, const std::string& name,
                       const std::string& text) {
  const auto path = folder / name;
  mesh::write_output("--figures", path.native(), text);
  return name;
}

} // namespace

std::vector<std::int64_t> Range::sizes() const {
  std::vector<std::int64_t> list;
  for (auto size = first; size <= last; size += step) list.push_back(size);
  return list;
}

std::span<const Range> ranges() {
  return all_ranges;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw mesh::UserError(
        fmt::format("--figures '{}': this folder cannot be made ({})", folder.string(), error.message()));
}

Figures::Figures(const Variant& variant, Plan& plan) : variant_(variant.name()) {
  for (const char* preset : presets) {
    Variant here = variant;
    here.preset = preset;
    const auto machine = here.machine();
    for (const int partner : partners)
      wires_.push_back({preset, partner, machine->hops(0, partner),
                        plan.add(PingPong{machine, preset, partner, all_ranges.front().sizes()})});
  }
  int number = first_broadcast_figure;
  for (const int cores : core_counts)
    for (const Range& range : all_ranges) {
      Figure figure{number++, cores, range, {}};
      for (const char* preset : presets) {
        Variant here = variant;
        here.preset = preset;
        const auto place = [&](Broadcast what, std::int64_t bytes) {
          return plan.add(run_of(here, what, bytes, cores));
        };
        for (const auto bytes : range.sizes())
          figure.lines.push_back({preset, bytes, place(Broadcast::rcce, bytes), place(Broadcast::cube, bytes),
                                  place(Broadcast::dopl, bytes)});
      }
      figures_.push_back(std::move(figure));
    }
}

nlohmann::ordered_json Figures::curves(const Plan& plan) const {
  auto all = nlohmann::ordered_json::array();
  for (const Figure& figure : figures_) {
    std::vector<page::Curve> lines{
        {"RCCE_bcast", {}, false, {}}, {"cube", {}, false, {}}, {"dopl", {}, false, {}}};
    for (const Line& line : figure.lines) {
      if (line.preset != presets.front()) continue;
      const std::size_t places[] = {line.rcce, line.cube, line.dopl};
      for (std::size_t i = 0; i < lines.size(); ++i)
        if (const auto us = plan.us(places[i]))
          lines[i].points.emplace_back(static_cast<double>(line.bytes), *us);
    }
    all.push_back(page::curves(fmt::format("Figure {}: broadcasts on {} cores, {} messages, {}",
                                           figure.number, figure.cores, figure.range.name, presets.front()),
                               {"size", "bytes", false}, {"time", "us", true}, lines));
  }
  return all;
}

std::vector<std::string> Figures::write(const Plan& plan, const std::filesystem::path& folder) const {
  std::vector<std::string> names;

  std::string text = fmt::format("# rccebench thesis {}: ping-pong of core 0, RCCE 1.0, half the round trip\n"
                                 "preset,partner,hops,bytes,latency_us,bandwidth_mib_per_s\n",
                                 rcce::version_text);
  for (const Wire& wire : wires_) {
    if (!plan.curve(wire.curve)) continue;
    for (const auto& [bytes, us] : *plan.curve(wire.curve))
      text += fmt::format("{},{},{},{},{:.3f},{:.3f}\n", wire.preset, wire.partner, wire.hops, bytes, us,
                          static_cast<double>(bytes) / us / 1.048576);
  }
  names.push_back(write_file(folder, "figure-05-pingpong.csv", text));

  for (const Figure& figure : figures_) {
    text =
        fmt::format("# rccebench thesis {}: broadcasts on {} cores, {} messages; frames and stores of: {}\n"
                    "preset,bytes,rcce_bcast_us,cube_us,dopl_us\n",
                    rcce::version_text, figure.cores, figure.range.name, variant_);
    for (const Line& line : figure.lines) {
      const auto rcce = plan.us(line.rcce), cube = plan.us(line.cube), dopl = plan.us(line.dopl);
      if (rcce || cube || dopl)
        text += fmt::format("{},{},{},{},{}\n", line.preset, line.bytes, text_of(rcce), text_of(cube),
                            text_of(dopl));
    }
    names.push_back(write_file(
        folder, fmt::format("figure-{:02}-{}-cores-{}.csv", figure.number, figure.cores, figure.range.name),
        text));
  }
  return names;
}

} // namespace rccebench::thesis
