// Predictions of the broadcasts that send and receive messages: their schedules, run over the clocks of the
// ranks.
#include <algorithm>
#include <array>

#include "algorithms/bcast/binomial.hpp"
#include "algorithms/bcast/cube.hpp"
#include "algorithms/bcast/dopl.hpp"
#include "algorithms/bcast/linear.hpp"
#include "algorithms/bcast/scatter_allgather.hpp"
#include "algorithms/core_mesh.hpp"
#include "algorithms/message.hpp"
#include "algorithms/table.hpp"
#include "model/exchange.hpp"
#include "model/predictions.hpp"

namespace algorithms::model {
namespace {

/// What iRCCE's pair costs beside RCCE's for each piece: filling and testing requests, entering queues and
/// lists. 180 core cycles: ircce_request and its looks in rcce_emu/src/api/costs.cpp.
constexpr double request_cycles = 180;

std::size_t or_default(std::size_t asked, std::size_t standard) {
  return asked != 0 ? asked : standard;
}

std::size_t part_bytes(const Call& call, const char* name) {
  return or_default(call.part_bytes, find(name)->part_bytes);
}

} // namespace

double predict_linear(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  Exchanges run(costs, call);
  const Where where = costs.whole(call.bytes, Order::ascending);
  for (int round = 0; round < call.ues - 1 && call.bytes > 0 && !run.over(); ++round)
    run.message(call.root, linear::receiver(round, call.root), call.bytes, where, where);
  return run.last();
}

double predict_binomial(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  Exchanges run(costs, call);
  const Where where = costs.whole(call.bytes, Order::ascending);
  for (int v = 0; v < call.ues && call.bytes > 0 && !run.over(); ++v) // parents come before their children
    for (int distance = binomial::first_distance(v, call.ues); distance > 0; distance /= 2)
      if (v + distance < call.ues)
        run.message(real_rank(v, call.root, call.ues), real_rank(v + distance, call.root, call.ues),
                    call.bytes, where, where);
  return run.last();
}

double predict_scatter_allgather(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  Exchanges run(costs, call);
  const scatter_allgather::Shape shape(call.ues, call.bytes);
  const Where where = costs.whole(call.bytes, Order::ascending);
  const auto message = [&](int from, int to, int begin, int end, const Where& source) {
    const std::size_t bytes = shape.offset(end) - shape.offset(begin);
    if (bytes > 0)
      run.message(real_rank(from, call.root, call.ues), real_rank(to, call.root, call.ues), bytes, source,
                  where);
  };
  for (int v = 0; v < call.ues && !run.over(); ++v)
    for (int distance = binomial::first_distance(v, call.ues); distance > 0; distance /= 2)
      if (v + distance < call.ues)
        message(v, v + distance, v + distance, shape.held_end(v + distance), where);
  const Where recent = costs.recent(shape.offset(1));
  for (int round = 0; round < shape.rounds() && !run.over(); ++round)
    for (const bool first : {true, false}) // even ranks send first
      for (int v = 0; v < call.ues; ++v)
        if (shape.sends_first(v) == first && shape.sends(v, round))
          message(v, (v + 1) % call.ues, shape.block_sent(v, round), shape.block_sent(v, round) + 1, recent);
  return run.last();
}

double predict_cube(const Platform& platform, const Call& call) {
  const Costs costs(platform);
  Exchanges run(costs, call);
  const Cut cut{call.bytes, part_bytes(call, "bcast/cube")};
  const cube::Shape shape(call.ues, cut.parts());
  const Where where = costs.whole(call.bytes, Order::ascending), recent = costs.recent(cut.part_bytes);
  struct Message {
    int from, to, part;
  };
  std::array<std::vector<Message>, 4> steps;
  for (int round = 0; round < shape.rounds() && !run.over(); ++round) {
    for (auto& step : steps) step.clear();
    for (int process = 0; process < call.ues; ++process)
      for (const cube::Move& move : shape.moves(process, round))
        if (move.send)
          steps[static_cast<std::size_t>(static_cast<int>(move.step) - static_cast<int>(cube::Step::a))]
              .push_back({process, move.partner, move.part});
    for (const auto& step : steps)
      for (const Message& message : step)
        run.message(real_rank(message.from, call.root, call.ues), real_rank(message.to, call.root, call.ues),
                    cut.length(message.part), message.from == 0 ? where : recent, where);
  }
  return run.last();
}

double predict_dopl(const Platform& platform, const Call& call) {
  const Costs costs(platform, Library::ircce);
  Exchanges run(costs, call);
  const Algorithm& row = *find("bcast/dopl");
  const CoreMesh mesh = core_mesh(call.ues);
  const Cut cut{call.bytes, or_default(call.part_bytes, row.part_bytes)};
  const std::size_t pipe = std::min(cut.part_bytes, or_default(call.pipe_bytes, row.pipe_bytes));
  const int source = mesh.row(call.root) * mesh.columns + mesh.column(call.root);
  const dopl::Shape shape({mesh.columns, mesh.rows}, source, cut.parts(), dopl::LineOrder::ring);
  const Where where = costs.whole(call.bytes, Order::ascending), recent = costs.recent(pipe);
  const double overhead = request_cycles / platform.core_mhz;
  const auto rank = [&](int node) { return mesh.rank(node / mesh.columns, node % mesh.columns); };
  for (int round = 0; round < shape.rounds() && !run.over(); ++round) {
    for (int head = 0; head < shape.nodes() && !run.over(); ++head) {
      const dopl::Turn first = shape.turn(head, round);
      if (first.role != dopl::Role::source && first.role != dopl::Role::head) continue;
      // The tail puts the wrap before anything else, the head takes it as soon as it is there.
      bool wraps = first.wrap_from != dopl::none;
      const Exchanges::Post wrap{wraps ? rank(first.wrap_from) : 0,
                                 rank(head),
                                 wraps ? cut.length(first.wrap_part) : 0,
                                 recent,
                                 where,
                                 overhead};
      if (wraps) run.begin(wrap);
      const Cut pieces{first.pipe_part == dopl::none ? 0 : cut.length(first.pipe_part), pipe};
      for (int piece = 0; piece < pieces.parts(); ++piece) {
        if (wraps && run.arrived(wrap)) run.finish(wrap), wraps = false;
        for (int from = head, to = first.pipe_to[0]; to != dopl::none;
             from = to, to = shape.turn(from, round).pipe_to[0])
          run.all({rank(from), rank(to), pieces.length(piece),
                   first.role == dopl::Role::source && from == head ? where : recent, where, overhead});
      }
      if (wraps) run.finish(wrap);
    }
    for (int node = 0; node < shape.nodes(); ++node) run.settle(rank(node));
  }
  return run.last();
}

} // namespace algorithms::model
