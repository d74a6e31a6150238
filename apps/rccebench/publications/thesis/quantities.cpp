// SPDX-License-Identifier: Apache-2.0
// The SCC broadcast thesis: what its statements are made of. RCCE 1.0, root 0; its plain copies for the cube
// and RCCE_bcast, iRCCE's prefetching ones for DOPL, as the thesis evidently had.
#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "publications/thesis/runs.hpp"

namespace rccebench::publications::thesis {
namespace {

using measuring::ChipVariant, measuring::Stores;

constexpr int most_cores = 48, ping_pong_repetitions = 3;
constexpr std::int64_t usual_part = 4096, usual_pipe = 2048; ///< of the thesis' measurements

/// "A" to "I"; "J" is A with buffers that no core ever reads.
const ChipVariant& variant_of(const std::string& letter) {
  const auto all = measuring::chip_variants();
  const auto place = static_cast<std::size_t>(letter == "J" ? 0 : letter.at(0) - 'A');
  if (letter.size() != 1 || place >= all.size())
    throw mesh::UserError(fmt::format("thesis: there is no variant '{}', but A to J", letter));
  return all[place];
}

/// One broadcast: what makes two points the same run.
struct Broadcast {
  ChipVariant variant;
  std::string algorithm; ///< "rcce", "cube", "dopl"
  std::int64_t bytes, piece;
  int cores = most_cores;
  bool prefetching = false, reads = true;
  int frame_seed = 1;

  [[nodiscard]] Arguments arguments() const {
    const auto number = [](auto value) { return Value::of(static_cast<double>(value)); };
    return Arguments({Value::of(algorithm), number(bytes), number(piece), number(cores),
                      Value::of(variant.preset), Value::of(std::string(measuring::name(variant.stores))),
                      Value::of(variant.frames), number(prefetching ? 1 : 0), number(reads ? 1 : 0),
                      number(frame_seed)});
  }
  [[nodiscard]] static Broadcast of(const Arguments& a) {
    return {{a.word(4), measuring::stores_of(a.word(5)), a.word(6)},
            a.word(0),
            static_cast<std::int64_t>(a.number(1)),
            static_cast<std::int64_t>(a.number(2)),
            a.integer(3),
            a.number(7) != 0,
            a.number(8) != 0,
            a.integer(9)};
  }
  /// What plain stores cost does not reach a run whose copies are prefetching: one run serves both.
  [[nodiscard]] Arguments settled() && {
    prefetching = prefetching || algorithm == "dopl";
    if (prefetching) variant.stores = Stores::curve;
    if (variant.frames == "contiguous") frame_seed = 1;
    return arguments();
  }
};

Point point_of(Runs& runs, const Broadcast& what) {
  const auto machine = runs.machine(what.variant, what.frame_seed);
  Point point{.machine = machine,
              .machine_name = machine->config.name(),
              .backend = backend_of(*machine),
              .algorithm = "bcast/" + (what.algorithm == "rcce" ? "linear" : what.algorithm),
              .generation = Generation::rcce10,
              .copies = what.prefetching ? "prefetching" : "own",
              .cores = what.cores,
              .bytes = what.bytes,
              .warm_up = what.reads ? 0 : 1,
              .reads = what.reads,
              .statistics = runs.changes().statistics};
  if (what.algorithm != "rcce")
    point.options[what.algorithm == "cube" ? "part" : "pipe"] = fmt::format("{}", what.piece);
  return point;
}

/// table, message, piece, variant, seed of random frames: a cell of a table. Variants A and I alone are run
/// with other seeds than 1.
Arguments cell(Runs& runs, const Arguments& a) {
  Broadcast what{variant_of(a.word(3)), a.word(0), static_cast<std::int64_t>(a.number(1)),
                 static_cast<std::int64_t>(a.number(2))};
  what.reads = a.word(3) != "J";
  what.frame_seed = a.word(3) == "A" || a.word(3) == "I" ? a.integer(4) : 1;
  // Read from end to end, a message several times L2 leaves its tail there wherever its pages lie: random
  // frames moved no such cell by more than 1.8 %. One run serves both.
  const auto l2_bytes =
      static_cast<std::int64_t>(runs.machine(what.variant)->config.number("cache.l2_bytes"));
  if (what.bytes >= 4 * l2_bytes) what.variant.frames = "contiguous";
  return std::move(what).settled();
}
/// broadcast, message, cores, preset, copies: `alike` where all three copy alike, by prefetching; `fitted`:
/// as variant I
Arguments curve(Runs&, const Arguments& a) {
  Broadcast what{variant_of(a.word(4) == "fitted" ? "I" : "A"), a.word(0),
                 static_cast<std::int64_t>(a.number(1)),
                 a.word(0) == "cube"       ? usual_part
                     : a.word(0) == "dopl" ? usual_pipe
                                           : 0};
  what.variant.preset = a.word(3);
  what.cores = a.integer(2);
  what.prefetching = a.word(4) == "alike";
  return std::move(what).settled();
}

std::shared_ptr<const Measurement> broadcasts(const std::shared_ptr<Runs>& runs, std::size_t arguments,
                                              Arguments (*same)(Runs&, const Arguments&)) {
  Measurement all;
  all.name = "broadcast";
  all.arguments = arguments;
  all.same = [runs, same](const Arguments& a) { return same(*runs, a); };
  all.run = [runs](const Arguments& a) {
    const Point point = point_of(*runs, Broadcast::of(a));
    const Result result = point.backend->run(point);
    return Measured{{result.max_us}, 0, result};
  };
  all.measured = [runs](const Arguments& a, const Measured& found) {
    std::string key;
    for (const Value& one : a.values()) key += one.text() + " ";
    runs->add(std::move(key), {point_of(*runs, Broadcast::of(a)), found.result.value()});
  };
  all.weight = [](const Arguments& a) { return a.number(1) * a.number(3); };
  return std::make_shared<const Measurement>(std::move(all));
}

ChipVariant with_preset(const std::string& preset) {
  ChipVariant variant = variant_of("A");
  variant.preset = preset;
  return variant;
}

/// preset, partner of core 0: half round trips by size, 256 to 8192 bytes
std::shared_ptr<const Measurement> ping_pongs(const std::shared_ptr<Runs>& runs) {
  Measurement all;
  all.name = "ping_pong";
  all.arguments = 2;
  all.run = [runs](const Arguments& a) {
    Run what;
    what.program = "pingpong";
    what.generation = Generation::rcce10;
    what.cores = {0, a.integer(1)};
    what.arguments = {fmt::format("{}", ping_pong_repetitions), "0"};
    for (int bytes = 256; bytes <= 8192; bytes += 256) what.arguments.push_back(fmt::format("{}", bytes));
    Measured found;
    for (const auto& row : rccebench::run(*runs->machine(with_preset(a.word(0))), what).rows)
      found.values.push_back(std::stod(row.at(1)) / 2);
    return found;
  };
  return std::make_shared<const Measurement>(std::move(all));
}

} // namespace

std::shared_ptr<const Machine> Runs::machine(const ChipVariant& variant, int frame_seed) {
  const std::scoped_lock lock(mutex_);
  auto& machine = machines_[fmt::format("{} {}", variant.name(), frame_seed)];
  if (!machine) {
    machine = variant.machine(changes_);
    if (frame_seed != 1) {
      Machine seeded = *machine;
      seeded.config.set("dram.frame_seed", frame_seed);
      machine = std::make_shared<const Machine>(std::move(seeded));
    }
  }
  return machine;
}

void Runs::add(std::string key, Done done) {
  done_.insert_or_assign(std::move(key), std::move(done));
}

std::vector<Done> Runs::done() const {
  std::vector<Done> all;
  for (const auto& [key, one] : done_) all.push_back(one);
  return all;
}

Quantities quantities_of(const std::shared_ptr<Runs>& runs) {
  const auto ping_pong = ping_pongs(runs);
  const auto word = [](std::string (*of)(const ChipVariant&)) {
    return
        [of](const std::vector<double>&, const Arguments& a) { return Value::of(of(variant_of(a.word(0)))); };
  };
  return {
      {"cell", "us", 5, broadcasts(runs, 5, cell), value_at(0)},
      {"time", "us", 5, broadcasts(runs, 5, curve), value_at(0)},
      {"half_trip", "us", 3, ping_pong,
       [](const std::vector<double>& curve, const Arguments& a) {
         return Value::of(curve.at(static_cast<std::size_t>(a.integer(2) / 256 - 1)));
       }},
      {"hops", "", 2, nullptr,
       [runs](const std::vector<double>&, const Arguments& a) {
         return Value::of(runs->machine(with_preset(a.word(0)))->hops(0, a.integer(1)));
       }},
      {"clocks", "", 1, nullptr, word([](const ChipVariant& one) { return one.preset; })},
      {"stores", "", 1, nullptr, word([](const ChipVariant& one) {
         return std::string(one.stores == Stores::curve ? "V1.0.13 curve" : measuring::name(one.stores));
       })},
      {"frames", "", 1, nullptr, word([](const ChipVariant& one) { return one.frames; })},
      {"description", "", 1, nullptr, word([](const ChipVariant& one) { return one.name(); })},
      {"machine", "", 0, nullptr,
       [runs](const std::vector<double>&, const Arguments&) {
         return Value::of(runs->machine(variant_of("A"))->description());
       }},
  };
}

Quantities quantities() {
  return quantities_of(std::make_shared<Runs>(CommonOptions{}));
}

} // namespace rccebench::publications::thesis
