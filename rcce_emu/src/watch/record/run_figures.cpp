// SPDX-License-Identifier: Apache-2.0
#include "watch/record/run_figures.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <vector>

#include "mesh_sim/observe/statistics.hpp"
#include "mesh_sim/parts/topology.hpp"
#include "watch/record/json_text.hpp"

namespace rcce::record {
namespace {

struct NamedActivity {
  const char* name;
  mesh::Load::Activity activity;
};
constexpr NamedActivity activities[] = {{"put", mesh::Load::Activity::put},
                                        {"get", mesh::Load::Activity::get},
                                        {"access", mesh::Load::Activity::access},
                                        {"wait", mesh::Load::Activity::wait}};

double us(Picoseconds time) {
  return mesh::microseconds(time);
}

/// The bins that the run reaches.
std::size_t used_bins(const RunData& run) {
  const Picoseconds width = run.load.bins().width();
  const auto used = static_cast<std::size_t>((run.end + width - 1) / width);
  return std::clamp<std::size_t>(used, 1, run.load.bins().bins());
}

/// A row's bins in thousandths of each bin's time, of the last that part which belongs to the run.
std::string shares(const RunData& run, std::size_t row) {
  const mesh::TimeBins& bins = run.load.bins();
  std::vector<std::int64_t> thousandths(used_bins(run));
  for (std::size_t i = 0; i < thousandths.size(); ++i) {
    const Picoseconds from = static_cast<Picoseconds>(i) * bins.width();
    const Picoseconds whole = std::min(bins.width(), run.end - from);
    if (whole > 0)
      thousandths[i] =
          std::llround(1000.0 * static_cast<double>(bins.at(row, i)) / static_cast<double>(whole));
  }
  return fmt::format("[{}]", fmt::join(thousandths, ","));
}

/// Totals of a resource, by the names that the machine has counted them under.
using Totals = std::map<std::string, std::map<std::string, double>>;

Totals totals_of(const mesh::Statistics& links) {
  Totals totals;
  for (const mesh::Statistic& one : links)
    totals[one.labels.front().second][std::string(one.name.substr(one.name.find('.') + 1))] = one.value;
  return totals;
}

std::string load_json(const RunData& run, const Totals& totals, mesh::ResourceId resource,
                      const std::string& name, mesh::TileId tile, std::string_view more) {
  const auto found = totals.find(name);
  if (found == totals.end()) return {};
  const auto value = [&](const char* key) { return found->second.at(key); };
  return fmt::format(
      R"({{"name":{},"x":{},"y":{}{},"busy_us":{},"share_percent":{},"packets":{},"bytes":{},)"
      R"("queued_us":{},"bins":{}}})",
      json_string(name), run.topology.x(tile), run.topology.y(tile), more, value("busy"), value("share"),
      value("packets"), value("bytes"), value("queued"), shares(run, run.load.row_of(resource)));
}

std::string loads_json(const RunData& run, mesh::ResourceId::Kind kind, int count) {
  const mesh::Topology& topology = run.topology;
  const Totals totals = totals_of(run.links);
  static constexpr const char* ports[] = {"east", "west", "north", "south"};
  std::vector<std::string> loads;
  // Links are drawn between neighbours of a grid only.
  if (kind == mesh::ResourceId::Kind::link && !topology.is_grid()) count = 0;
  for (int i = 0; i < count; ++i) {
    mesh::TileId tile{i};
    std::string name, more;
    if (kind == mesh::ResourceId::Kind::link) {
      tile = mesh::TileId{i / mesh::ports_per_router};
      name = topology.link_name(i);
      more = fmt::format(R"(,"port":"{}")", ports[i % mesh::ports_per_router]);
    } else if (kind == mesh::ResourceId::Kind::mpb_port) {
      name = fmt::format("mpb({},{})", topology.x(tile), topology.y(tile));
    } else {
      tile = topology.controller_tile(i);
      name = fmt::format("controller {}", i);
    }
    if (std::string one = load_json(run, totals, {kind, i}, name, tile, more); !one.empty())
      loads.push_back(std::move(one));
  }
  return fmt::format("[{}]", fmt::join(loads, ",\n"));
}

/// Whoever has not ended lasts as long as the run.
Picoseconds end_of(const RunData& run, const UeResult& ue) {
  return ue.ended ? ue.end : run.end;
}

std::string core_json(const RunData& run, const UeResult& ue) {
  const mesh::TileId tile = run.topology.tile_of(mesh::CoreId{ue.core});
  std::string text = fmt::format(R"({{"core":{},"rank":{},"x":{},"y":{},"end_us":{})", ue.core, ue.rank,
                                 run.topology.x(tile), run.topology.y(tile), us(end_of(run, ue)));
  for (const auto& [name, activity] : activities)
    text += fmt::format(R"(,"{}":{})", name, shares(run, run.load.row_of(ue.core, activity)));
  return text + '}';
}

std::string die_json(const RunData& run) {
  const mesh::Topology& topology = run.topology;
  std::vector<int> controllers(static_cast<std::size_t>(topology.controllers()));
  for (std::size_t i = 0; i < controllers.size(); ++i) controllers[i] = static_cast<int>(i);
  using Kind = mesh::ResourceId::Kind;
  std::vector<const UnfinishedUe*> waiting;
  for (const UnfinishedUe& ue : run.unfinished)
    if (ue.waits && ue.waits_for >= 0) waiting.push_back(&ue);
  return fmt::format(
      R"({{"kind":"die","title":"The die","columns":{},"rows":{},"cores_per_tile":{},)"
      R"("end_us":{},"bin_us":{},"bins":{},"contended":{},"own_code":{},)"
      "\n"
      R"("controllers":{},"links":{},"ports":{},"controller_loads":{},"cores":{},"waits":{}}})",
      topology.columns(), topology.rows(), topology.cores_per_tile(), us(run.end),
      us(run.load.bins().width()), used_bins(run), run.contended, run.own_code,
      json_list(controllers,
                [&](int one) {
                  const mesh::TileId tile = topology.controller_tile(one);
                  return fmt::format(R"({{"name":"controller {}","x":{},"y":{}}})", one, topology.x(tile),
                                     topology.y(tile));
                }),
      loads_json(run, Kind::link, topology.links()), loads_json(run, Kind::mpb_port, topology.tiles()),
      loads_json(run, Kind::controller, topology.controllers()),
      json_list(run.ues, [&](const UeResult& ue) { return core_json(run, ue); }),
      json_list(waiting, [](const UnfinishedUe* ue) {
        return fmt::format("[{},{},{},{}]", ue->rank, ue->waits_for, us(ue->since), ue->in_cycle);
      }));
}

std::string split_json(const RunData& run) {
  return fmt::format(
      R"({{"kind":"split","title":"What the cores do","unit":"us","own_code":{},)"
      R"("parts":["compute","put","get","access","wait","idle"],"rows":{}}})",
      run.own_code, json_list(run.ues, [&](const UeResult& ue) {
        Picoseconds parts[6] = {end_of(run, ue), 0, 0, 0, 0, run.end - end_of(run, ue)};
        for (std::size_t i = 0; i < std::size(activities); ++i) {
          parts[i + 1] = run.load.bins().sum(run.load.row_of(ue.core, activities[i].activity));
          parts[0] -= parts[i + 1];
        }
        return fmt::format(R"({{"name":"rank {}","core":{},"values":{}}})", ue.rank, ue.core,
                           json_list(parts, [](Picoseconds part) { return fmt::format("{}", us(part)); }));
      }));
}

std::string table_json(std::string_view title, std::string_view note,
                       const std::vector<std::pair<const char*, const char*>>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  return fmt::format(
      R"({{"kind":"table","title":"{}","note":"{}","columns":{},"rows":{}}})", title, note,
      json_list(columns,
                [](const auto& one) { return fmt::format(R"(["{}","{}"])", one.first, one.second); }),
      json_list(rows, [](const std::vector<std::string>& row) {
        return fmt::format("[{}]", fmt::join(row, ","));
      }));
}

std::string locks_json(const RunData& run) {
  std::vector<std::vector<std::string>> rows;
  for (const mesh::LockUsage::Lock& one : run.locks)
    rows.push_back({json_string(fmt::format("core {}", one.core)), fmt::format("{}", one.taken),
                    fmt::format("{}", us(one.held)), fmt::format("{}", one.waiting),
                    fmt::format("{}", us(one.waited))});
  return table_json("Locks", "The longest held first; waiting is the most cores at one moment.",
                    {{"lock of", ""},
                     {"held", "times"},
                     {"held in all", "us"},
                     {"waiting", "cores"},
                     {"waited in all", "us"}},
                    rows);
}

/// Hops of what each core accesses; under --compute cache its own code in parts.
std::string distances_json(const RunData& run) {
  const bool parts = std::ranges::any_of(run.ues, [](const UeResult& ue) { return ue.l2 >= 0; });
  std::vector<std::pair<const char*, const char*>> columns{
      {"rank", ""}, {"copies", "hops"}, {"accesses", "hops"}};
  if (parts)
    for (const char* const name : {"own code: cycles", "own code: L2", "own code: memory"})
      columns.emplace_back(name, "us");
  std::vector<std::vector<std::string>> rows;
  for (const UeResult& ue : run.ues) {
    const mesh::AccessTimes& times = run.times[static_cast<std::size_t>(ue.core)];
    rows.push_back({json_string(fmt::format("rank {}", ue.rank)), fmt::format("{}", times.copies.mean()),
                    fmt::format("{}", times.singles.mean())});
    if (!parts) continue;
    const Picoseconds l2 = std::max<Picoseconds>(ue.l2, 0);
    for (const Picoseconds part : {ue.computed - ue.memory, l2, ue.memory - l2})
      rows.back().push_back(fmt::format("{}", us(part)));
  }
  return table_json(parts ? "Distances, and what own code waits for" : "Distances",
                    "Links between the core and the buffers, flags and locks that it uses, on average.",
                    columns, rows);
}

std::string matrix_json(const RunData& run) {
  // Bytes and messages of a pair stand one behind the other, those on their way behind them all.
  std::vector<std::string> cells;
  for (std::size_t i = 0; i + 1 < run.matrix.size() && run.matrix[i].name == "pair.bytes"; i += 2)
    cells.push_back(fmt::format("[{},{},{},{}]", run.matrix[i].labels[0].second,
                                run.matrix[i].labels[1].second, run.matrix[i + 1].value,
                                run.matrix[i].value));
  return fmt::format(
      R"({{"kind":"matrix","title":"Who sends to whom","ranks":{},)"
      R"("columns":["sender","receiver","messages","bytes"],"cells":[{}],"unfinished":{}}})",
      run.ues.size(), fmt::join(cells, ","), json_list(run.open_messages, [](const UnfinishedMessage& one) {
        return fmt::format("[{},{},{},{},{},{}]", one.sender, one.receiver, one.bytes, us(one.begin),
                           one.sent, json_string(one.call));
      }));
}

std::string slice_json(const std::vector<int>& rank_of, const mesh::Slice& slice) {
  const auto rank = [&](int core) {
    return core < 0 || static_cast<std::size_t>(core) >= rank_of.size()
        ? -1
        : rank_of[static_cast<std::size_t>(core)];
  };
  const bool number = slice.kind == mesh::Slice::Kind::call || slice.on == mesh::Wait::Target::counter;
  return fmt::format("[{},{},{},{},{},{},{},{}]", rank(slice.core), static_cast<int>(slice.kind), slice.begin,
                     slice.end - slice.begin, number ? slice.what : rank(slice.what), rank(slice.peer),
                     slice.bytes, static_cast<int>(slice.on));
}

std::string stay_json(const std::vector<int>& rank_of, const mesh::PathTree::Stay& stay) {
  return fmt::format("[{},{},{}]", rank_of[static_cast<std::size_t>(stay.core)], stay.from,
                     stay.to - stay.from);
}

std::string timeline_json(const RunData& run) {
  std::vector<int> rank_of(static_cast<std::size_t>(run.topology.cores()), -1);
  for (const UeResult& ue : run.ues) rank_of[static_cast<std::size_t>(ue.core)] = ue.rank;
  const mesh::Timeline& timeline = run.timeline;
  std::vector<std::size_t> unfinished;
  for (std::size_t i = 0; i < timeline.slices().size(); ++i)
    if (timeline.slices()[i].unfinished) unfinished.push_back(i);
  return fmt::format(
      R"({{"kind":"timeline","title":"Timeline","unit":"ps","end":{},"ranks":{},"calls":{},)"
      R"("slice":["rank","kind","begin","duration","what","peer","bytes"],)"
      R"("kinds":["call","put","get","wait"],"slices":[)"
      "\n{}],\n"
      R"("message":["sender","receiver","begin","duration","bytes"],"messages":[)"
      "\n{}],"
      R"("left_out":{},"unfinished":[{}],)"
      "\n"
      R"("path":{}}})",
      run.end, run.ues.size(),
      json_list(run.call_names, [](const std::string& name) { return json_string(name); }),
      fmt::join(
          [&] {
            std::vector<std::string> slices;
            for (const mesh::Slice& one : timeline.slices()) slices.push_back(slice_json(rank_of, one));
            return slices;
          }(),
          ",\n"),
      fmt::join(
          [&] {
            std::vector<std::string> messages;
            for (const mesh::Passed& one : timeline.messages())
              messages.push_back(fmt::format("[{},{},{},{},{}]",
                                             rank_of[static_cast<std::size_t>(one.sender)],
                                             rank_of[static_cast<std::size_t>(one.receiver)], one.begin,
                                             one.end - one.begin, one.bytes));
            return messages;
          }(),
          ",\n"),
      timeline.slices_left_out(), fmt::join(unfinished, ","),
      json_list(run.path, [&](const mesh::PathTree::Stay& one) { return stay_json(rank_of, one); }));
}

} // namespace

std::size_t load_bins(const mesh::Topology& topology) noexcept {
  const int rows = topology.links() + topology.tiles() + topology.cores() * mesh::Load::activities;
  return static_cast<std::size_t>(std::clamp(40'000 / rows / 2 * 2, 16, 128));
}

std::string run_figures(const RunData& run) {
  std::string figures = fmt::format("[{},\n{},\n{}", die_json(run), split_json(run), matrix_json(run));
  if (!run.locks.empty()) figures += ",\n" + locks_json(run);
  if (!run.times.empty()) figures += ",\n" + distances_json(run);
  if (!run.timeline.slices().empty()) figures += ",\n" + timeline_json(run);
  return figures + "]";
}

} // namespace rcce::record
