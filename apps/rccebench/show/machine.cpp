// SPDX-License-Identifier: Apache-2.0
#include "show/machine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "mesh_sim/machines/cluster/fat_tree.hpp"
#include "mesh_sim/machines/cluster/kind.hpp"
#include "mesh_sim/machines/coherent/kind.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "present/report.hpp"
#include "show/picture.hpp"

namespace rccebench::show {
namespace {

/// `count` boxes that are alike, in each box around them; "node" with the detail "4 GB/s".
struct Box {
  std::string name, detail;
  std::vector<Box> parts = {};
  int count = 1;
  int total = 0;   ///< of them in the machine, the last box around them may hold fewer; 0: `count` in each
  int columns = 0; ///< in which its parts stand; 0: about as many as rows
};

struct Drawn {
  Box box;
  std::string costs = {}; ///< tables
};

std::string costs_text(std::vector<Table> tables, std::vector<std::string> notes = {}) {
  Report report;
  report.views = std::move(tables);
  report.notes = std::move(notes);
  return tables_text(report);
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& part : parts)
    if (!part.empty()) all += (all.empty() ? "" : ", ") + part;
  return all;
}

// --- coherent caches

Drawn draw(const mesh::coherent::Config& config, const std::string& title) {
  using mesh::coherent::Operation, mesh::coherent::State;
  const auto told = [](double number, const char* what) {
    return number > 0 ? fmt::format("{:g} {}", number, what) : std::string();
  };
  const auto of = [](std::int64_t count) { return static_cast<int>(count); };
  Box core{"core", told(config.private_kb, "KB of its own"), {}, of(config.cores_per_node)};
  if (config.threads_per_core > 1) core.parts = {{"thread", "", {}, of(config.threads_per_core)}};
  Box node{"node",
           joined({told(config.shared_kb, "KB shared"), told(config.read_gbs, "GB/s from memory")}),
           {core},
           of(config.nodes)};
  Box machine{title, "", {node}};
  if (config.layout == "mesh") machine.columns = of(config.mesh_columns);
  if (const int size = of(config.nodes_per_socket); size > 1 && config.nodes % size == 0) {
    machine.parts.front().count = size;
    machine.parts = {{"socket", "", machine.parts, of(config.nodes) / size}};
  }
  Table costs{
      "a line of 64 bytes, ns, by the distance of its owner", {{"Access", "", 0}, {"State", "", 0}}, {}};
  for (int place = 0; place < config.places(); ++place)
    costs.columns.push_back({place == 0 ? "own node" : fmt::format("distance {}", place), "", 1});
  for (const auto& [operation, state] : {std::pair{Operation::load, State::modified},
                                         {Operation::load, State::shared},
                                         {Operation::load, State::invalid},
                                         {Operation::store, State::modified},
                                         {Operation::store, State::shared},
                                         {Operation::cas, State::modified}}) {
    std::vector<Cell> row{std::string(name(operation)), std::string(name(state))};
    for (const double cycles :
         config.latency[static_cast<std::size_t>(operation)][static_cast<std::size_t>(state)])
      row.emplace_back(cycles * 1000 / config.clock_mhz);
    row.resize(costs.columns.size());
    costs.rows.push_back(std::move(row));
  }
  Table apart{"distances of nodes", {{"Node", "", 0}}, {}};
  const int nodes = of(config.nodes);
  for (int to = 0; to < nodes; ++to) apart.columns.push_back({fmt::format("{}", to), "", 0});
  for (int from = 0; from < nodes; ++from) {
    std::vector<Cell> row{std::int64_t{from}};
    for (int to = 0; to < nodes; ++to) row.emplace_back(std::int64_t{config.place(from, to)});
    apart.rows.push_back(std::move(row));
  }
  std::vector<Table> tables{std::move(costs)};
  if (config.places() > 2 && config.layout != "mesh") tables.push_back(std::move(apart));
  return {std::move(machine), costs_text(std::move(tables))};
}

// --- clusters

Drawn draw(const mesh::cluster::Config& config, const std::string& title) {
  const auto nodes = static_cast<int>(config.nodes);
  const mesh::cluster::FatTree tree(config, nodes);
  const int arity = config.arity();
  Box inner{
      "node", fmt::format("{} processors, a card", config.processors), {}, std::min(nodes, arity), nodes};
  std::int64_t below = arity; // nodes below a switch of that level
  for (int level = 1; level < tree.levels(); ++level, below *= arity) {
    const auto all = static_cast<int>((nodes + below - 1) / below);
    inner = {fmt::format("level-{} switch", level),
             fmt::format("{} links down and up", arity),
             {inner},
             level + 1 == tree.levels() ? all : std::min(all, arity),
             all};
  }
  Box top{
      fmt::format("level-{} switches", tree.levels()), fmt::format("{} links each", config.radix), {inner}};
  Table costs{"messages of 8 and 4096 bytes from card to card, us, by the switches between two nodes",
              {{"Switches", "", 0}, {"8 bytes", "us", 3}, {"4096 bytes", "us", 3}},
              {}};
  for (int level = 1; level <= tree.levels(); ++level) {
    const int switches = 2 * level - 1;
    const double farther = config.distance ? (switches - 3) * config.switch_ns / 1000 : 0;
    costs.rows.push_back({std::int64_t{switches}, config.flight(8) + farther, config.flight(4096) + farther});
  }
  return {{title, "", {std::move(top)}},
          costs_text({std::move(costs)}, {fmt::format("# links carry {:g} MB/s", config.bandwidth_mbs)})};
}

// --- meshes of tiles

Drawn draw(const Machine& machine) {
  const mesh::Topology topology = machine.config.parameters().topology();
  Box mesh{machine.description(), "", {}, 1, 0, topology.columns()};
  const int cores = topology.cores_per_tile();
  // The first row is at the bottom, as on the chip.
  for (int y = topology.rows() - 1; y >= 0; --y)
    for (int x = 0; x < topology.columns(); ++x) {
      const mesh::TileId tile = topology.tile_at(x, y);
      const int first = index(tile) * cores;
      std::string detail = cores == 1 ? fmt::format("core {}", first)
                                      : fmt::format("cores {} to {}", first, first + cores - 1);
      for (int one = 0; one < topology.controllers(); ++one)
        if (topology.controller_tile(one) == tile) detail += fmt::format(", memory controller {}", one);
      mesh.parts.push_back({fmt::format("tile ({},{})", x, y), detail});
    }
  return {std::move(mesh)};
}

Drawn drawn_of(const Machine& machine) {
  if (const auto coherent = mesh::coherent_config(machine.config))
    return draw(*coherent, machine.description());
  if (const auto cluster = mesh::cluster_config(machine.config)) return draw(*cluster, machine.description());
  return draw(machine);
}

void add_lines(std::string& text, const Box& box, std::size_t depth, bool each) {
  const std::string count = box.count == 1
      ? box.name
      : fmt::format("{} {}{}", box.count, box.name, box.name.ends_with("switch") ? "es" : "s");
  const std::string all = box.total == 0 || !each ? "" : fmt::format(", {} in all", box.total);
  text += fmt::format("{}{}{}{}{}\n", std::string(2 * depth, ' '), count,
                      each && box.count > 1 ? " each" : "", all, box.detail.empty() ? "" : ": " + box.detail);
  for (const Box& part : box.parts) add_lines(text, part, depth + 1, each || box.count > 1);
}

// --- the picture, in units that browsers take as pixels

constexpr double line_height = 16, letter = 6.6, gap = 6;
constexpr int most_alike = 16; ///< boxes of one kind in one box; of more the first ones

struct Rectangle {
  double width = 0, height = 0;
  std::string svg; ///< from (0,0) on
};

std::string text_at(double x, double y, std::string_view text) {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", x, y, escaped(text));
}

/// The box with that number, of all that are alike in the machine.
Rectangle rectangle_of(const Box& box, int number, bool several, int depth) {
  std::vector<Rectangle> parts;
  int left_out = 0;
  for (const Box& part : box.parts) {
    const int first = number * part.count;
    const int there = part.total == 0 ? part.count : std::clamp(part.total - first, 0, part.count);
    const int shown = std::min(there, most_alike);
    left_out += there - shown;
    for (int i = 0; i < shown; ++i)
      parts.push_back(rectangle_of(part, first + i, several || part.count > 1, depth + 1));
  }
  const std::string label =
      fmt::format("{}{}{}", box.name, several && depth > 0 ? fmt::format(" {}", number) : "",
                  box.detail.empty() ? "" : ": " + box.detail);
  const std::string more = left_out == 0 ? "" : fmt::format("and {} more", left_out);
  Rectangle own{2 * gap + letter * static_cast<double>(std::max(label.size(), more.size())),
                line_height + gap, ""};
  std::string inside = text_at(gap, line_height - 3, label);
  const auto columns = static_cast<std::size_t>(
      box.columns > 0 ? box.columns : std::ceil(std::sqrt(static_cast<double>(parts.size()))));
  double widest = 0;
  for (const Rectangle& part : parts) widest = std::max(widest, part.width);
  for (std::size_t i = 0; i < parts.size(); i += columns) {
    double x = gap, tallest = 0;
    for (std::size_t j = i; j < std::min(i + columns, parts.size()); ++j) {
      inside += fmt::format("<g transform=\"translate({:g},{:g})\">\n{}</g>\n", x, own.height, parts[j].svg);
      x += widest + gap;
      tallest = std::max(tallest, parts[j].height);
    }
    own.width = std::max(own.width, x);
    own.height += tallest + gap;
  }
  if (!more.empty()) {
    inside += text_at(gap, own.height + line_height - 4, more);
    own.height += line_height + gap;
  }
  constexpr const char* fills[] = {"#ffffff", "#eef3f8", "#dbe6f1", "#f7f2e4", "#ffffff", "#f2f2f2"};
  own.svg = fmt::format("<rect width=\"{:g}\" height=\"{:g}\" rx=\"3\" fill=\"{}\" stroke=\"#667\"/>\n{}",
                        own.width, own.height,
                        fills[std::min<std::size_t>(static_cast<std::size_t>(depth), std::size(fills) - 1)],
                        inside);
  return own;
}

} // namespace

std::string machine_text(const Machine& machine) {
  const Drawn drawn = drawn_of(machine);
  std::string text;
  add_lines(text, drawn.box, 0, false);
  return text + drawn.costs;
}

std::string machine_svg(const Machine& machine) {
  const Drawn drawn = drawn_of(machine);
  const Rectangle all = rectangle_of(drawn.box, 0, false, 0);
  std::string below;
  double height = all.height + gap;
  std::size_t widest = 0;
  const std::string& text = drawn.costs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    height += line_height;
    widest = std::max(widest, line.size());
    below += fmt::format("<text class=\"t\" x=\"{:g}\" y=\"{:g}\">{}</text>\n", gap, height, escaped(line));
    at = end + 1;
  }
  const double width = std::max(all.width, 2 * gap + 7.3 * static_cast<double>(widest));
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
                     "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n<style>.t{{font-family:"
                     "monospace;white-space:pre}}</style>\n{2}{3}</svg>\n",
                     width, height + gap, all.svg, below);
}

} // namespace rccebench::show
