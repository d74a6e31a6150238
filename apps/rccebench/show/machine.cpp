// SPDX-License-Identifier: Apache-2.0
#include "show/machine.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
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

/// A line between two of a box's parts, by their numbers.
struct Wire {
  std::size_t from, to;
  bool one_way;
  std::string label; ///< beside its middle
};

/// `count` boxes that are alike, in each box around them; "node" with the detail "4 GB/s". One without a name
/// is a place without a box.
struct Box {
  std::string name, detail;
  std::vector<Box> parts = {};
  int count = 1;
  int total = 0;   ///< of them in the machine, the last box around them may hold fewer; 0: `count` in each
  int columns = 0; ///< in which its parts stand; 0: about as many as rows
  std::vector<Wire> wires = {};
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
  const std::vector<mesh::cluster::TreeLevel> levels = config.levels(nodes);
  mesh::cluster::Config quiet = config; // its messages do not wait for each other
  quiet.links = false;
  mesh::cluster::FatTree tree(quiet, nodes);
  Table costs{"messages of 8 and 4096 bytes from card to card, us, by the switches between two nodes",
              {{"Switches", "", 0}, {"8 bytes", "us", 3}, {"4096 bytes", "us", 3}},
              {}};
  Table cables{"cables by level, from the nodes up; oversubscription: bandwidth from below by bandwidth up",
               {{"Level", "", 0},
                {"Down", "", 0},
                {"Up", "", 0},
                {"Parallel", "", 0},
                {"Bandwidth", "MB/s", 0},
                {"Cable", "ns", 0},
                {"Oversubscription", "", 2}},
               {}};
  Box inner{"node", fmt::format("{} processors, a card", config.processors), {}, nodes, nodes};
  std::int64_t below = 1, copies = 1; // nodes below a switch of the level; switches above the same nodes
  double from_below = 0;              // bandwidth of all cables down, of a switch of the level below
  for (std::size_t at = 0; at < levels.size(); ++at) {
    const mesh::cluster::TreeLevel& level = levels[at];
    const bool is_top = at + 1 == levels.size();
    if (const auto neighbour = static_cast<int>(below);
        tree.switches(0, neighbour) == 2 * static_cast<int>(at) + 1)
      costs.rows.push_back({std::int64_t{tree.switches(0, neighbour)},
                            mesh::microseconds(tree.send(0, neighbour, 8, 0)),
                            mesh::microseconds(tree.send(0, neighbour, 4096, 0))});
    const double up = static_cast<double>(level.up * level.parallel) * level.bandwidth_mbs;
    cables.rows.push_back({static_cast<std::int64_t>(at + 1), level.down, level.up, level.parallel,
                           level.bandwidth_mbs, level.cable_ns, at == 0 ? Cell{} : Cell{from_below / up}});
    from_below = static_cast<double>(level.down * level.parallel) * level.bandwidth_mbs;
    inner.count = static_cast<int>(std::min<std::int64_t>((nodes + below - 1) / below, level.down));
    below *= level.down;
    copies *= level.up;
    const auto all = static_cast<int>((nodes + below - 1) / below);
    const std::int64_t down_links = level.down * level.parallel;
    const std::int64_t up_links = is_top ? 0 : levels[at + 1].up * levels[at + 1].parallel;
    std::string name = fmt::format("level-{} switch", at + 1);
    std::string links = is_top   ? fmt::format("{} links down", down_links)
        : down_links == up_links ? fmt::format("{} links down and up", down_links)
                                 : fmt::format("{} links down, {} up", down_links, up_links);
    // Switches that stand above the same nodes are one box.
    if (copies > 1) {
      links = fmt::format("{} {}es, each of {}", copies, name, links);
      name = "group";
    }
    inner = {std::move(name), std::move(links), {std::move(inner)}, all, is_top ? 0 : all};
  }
  std::vector<std::string> notes;
  if (config.bandwidth_mbs.size() == 1)
    notes.push_back(fmt::format("# links carry {:g} MB/s", config.bandwidth_mbs.front()));
  if (config.backbone_mbs > 0)
    notes.push_back(fmt::format("# every message passes one backbone of {:g} MB/s", config.backbone_mbs));
  std::vector<Table> tables{std::move(costs)};
  if (!config.down.empty()) tables.insert(tables.begin(), std::move(cables));
  return {{title, "", {std::move(inner)}}, costs_text(std::move(tables), std::move(notes))};
}

// --- meshes of tiles, and graphs of routers

/// "cores 2 to 3, memory controller 0".
std::string contents(const mesh::Topology& topology, mesh::TileId tile) {
  const int cores = topology.cores_per_tile(), first = index(tile) * cores;
  std::string all =
      cores == 1 ? fmt::format("core {}", first) : fmt::format("cores {} to {}", first, first + cores - 1);
  for (int one = 0; one < topology.controllers(); ++one)
    if (topology.controller_tile(one) == tile) all += fmt::format(", memory controller {}", one);
  return all;
}

/// Routers stand as they are drawn, without the rows and columns in which there is none.
Drawn draw(const mesh::Topology& topology, const mesh::Graph& graph, const std::string& title) {
  std::set<int> columns, rows;
  std::map<std::pair<int, int>, int> routers; // by place
  for (int router = 0; router < graph.routers(); ++router) {
    const mesh::Coordinates place = graph.place(router);
    columns.insert(place.x);
    rows.insert(place.y);
    routers[{place.y, place.x}] = router;
  }
  Box all{title, "", {}, 1, 0, static_cast<int>(columns.size())};
  std::vector<std::size_t> part_of(routers.size());
  for (auto y = rows.rbegin(); y != rows.rend(); ++y)
    for (const int x : columns) {
      const auto found = routers.find({*y, x});
      Box& part = all.parts.emplace_back();
      if (found == routers.end()) continue;
      const int router = found->second;
      part_of[static_cast<std::size_t>(router)] = all.parts.size() - 1;
      const bool tile = router < topology.tiles();
      part.name = fmt::format("{} {} ({},{})", tile ? "tile" : "switch", router, x, *y);
      if (tile) part.detail = contents(topology, mesh::TileId{router});
    }
  const auto find = [&](int from, int to) {
    for (int number = 0; number < graph.links(); ++number)
      if (graph.link(number).one == from && graph.link(number).other == to) return &graph.link(number);
    return static_cast<const mesh::JoinedRouters*>(nullptr);
  };
  Table links{
      "links between routers, mesh cycles and bytes of a flit",
      {{"From", "", 0}, {"To", "", 0}, {"Cycles", "cycles", 0}, {"Bytes", "bytes", 0}, {"Goes", "", 0}},
      {}};
  for (int number = 0; number < graph.links(); ++number) {
    const mesh::JoinedRouters& link = graph.link(number);
    const mesh::JoinedRouters* const back = find(link.other, link.one);
    const bool both = back != nullptr && back->cycles == link.cycles && back->bytes == link.bytes;
    if (both && link.other < link.one) continue; // told with the other direction
    links.rows.push_back({std::int64_t{link.one}, std::int64_t{link.other}, std::int64_t{link.cycles},
                          std::int64_t{link.bytes}, std::string(both ? "both ways" : "one way")});
    all.wires.push_back({part_of[static_cast<std::size_t>(link.one)],
                         part_of[static_cast<std::size_t>(link.other)], !both,
                         fmt::format("{} x {}", link.cycles, link.bytes)});
  }
  return {std::move(all), costs_text({std::move(links)})};
}

Drawn draw(const Machine& machine) {
  const mesh::Topology topology = machine.config.parameters().topology();
  if (topology.graph() != nullptr) return draw(topology, *topology.graph(), machine.description());
  Box mesh{machine.description(), "", {}, 1, 0, topology.columns()};
  // The first row is at the bottom, as on the chip.
  for (int y = topology.rows() - 1; y >= 0; --y)
    for (int x = 0; x < topology.columns(); ++x)
      mesh.parts.push_back({fmt::format("tile ({},{})", x, y), contents(topology, topology.tile_at(x, y))});
  return {std::move(mesh)};
}

Drawn drawn_of(const Machine& machine) {
  if (const auto coherent = mesh::coherent_config(machine.config))
    return draw(*coherent, machine.description());
  if (const auto cluster = mesh::cluster_config(machine.config)) return draw(*cluster, machine.description());
  return draw(machine);
}

void add_lines(std::string& text, const Box& box, std::size_t depth, bool each) {
  if (box.name.empty()) return;
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

/// The middle of a box and its size.
struct BoxPlace {
  double x, y, width, height;
};

std::string text_at(double x, double y, std::string_view text) {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n", x, y, escaped(text));
}

/// A wire from the edge of one box to that of another; bent where others may lie between.
std::string wire_svg(const Wire& wire, const BoxPlace& from, const BoxPlace& to, bool neighbours) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::sqrt(dx * dx + dy * dy);
  constexpr double farthest = 5 * gap; // a link of a far place stays within the picture
  const double bend = neighbours ? 0 : std::min(0.15, farthest / std::max(length, 1.0));
  const double middle_x = from.x + dx / 2 - bend * dy, middle_y = from.y + dy / 2 + bend * dx;
  const auto edge = [](const BoxPlace& box, double towards_x, double towards_y) {
    const double x = towards_x - box.x, y = towards_y - box.y;
    const double out = std::max(std::abs(x) / (box.width / 2), std::abs(y) / (box.height / 2));
    return std::pair{box.x + x / std::max(1.0, out), box.y + y / std::max(1.0, out)};
  };
  if (length == 0) return "";
  const auto [x, y] = edge(from, middle_x, middle_y);
  const auto [end_x, end_y] = edge(to, middle_x, middle_y);
  return fmt::format(
      "<path d=\"M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}\" fill=\"none\" stroke=\"#a33\"{}/>\n"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"9\" text-anchor=\"middle\" "
      "fill=\"#a33\">{}</text>\n",
      x, y, middle_x, middle_y, end_x, end_y, wire.one_way ? " marker-end=\"url(#to)\"" : "",
      (x + end_x) / 4 + middle_x / 2, (y + end_y) / 4 + middle_y / 2 - 2, escaped(wire.label));
}

/// The box with that number, of all that are alike in the machine.
Rectangle rectangle_of(const Box& box, int number, bool several, int depth) {
  if (box.name.empty()) return {};
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
  const double apart = box.wires.empty() ? gap : 8 * gap;
  double widest = 0;
  std::vector<BoxPlace> places;
  for (const Rectangle& part : parts) widest = std::max(widest, part.width);
  for (std::size_t i = 0; i < parts.size(); i += columns) {
    double x = gap, tallest = 0;
    for (std::size_t j = i; j < std::min(i + columns, parts.size()); ++j) {
      const Rectangle& part = parts[j];
      if (!part.svg.empty())
        inside += fmt::format("<g transform=\"translate({:g},{:g})\">\n{}</g>\n", x, own.height, part.svg);
      places.push_back({x + part.width / 2, own.height + part.height / 2, part.width, part.height});
      x += widest + apart;
      tallest = std::max(tallest, part.height);
    }
    own.width = std::max(own.width, x);
    own.height += tallest + apart;
  }
  for (const Wire& wire : box.wires) {
    const auto [low, high] = std::minmax(wire.from, wire.to);
    const bool neighbours = high - low == columns || (high - low == 1 && high % columns != 0);
    inside += wire_svg(wire, places[wire.from], places[wire.to], neighbours);
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
  const std::string arrow = drawn.box.wires.empty()
      ? ""
      : "<marker id=\"to\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" "
        "orient=\"auto\"><path d=\"M0,0 L6,3 L0,6 z\" fill=\"#a33\"/></marker>\n";
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
                     "height=\"{1:g}\" font-family=\"sans-serif\" font-size=\"12\">\n<style>.t{{font-family:"
                     "monospace;white-space:pre}}</style>\n{2}{3}{4}</svg>\n",
                     width, height + gap, arrow, all.svg, below);
}

} // namespace rccebench::show
