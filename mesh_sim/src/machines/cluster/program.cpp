// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/machines/cluster/program.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace mesh::cluster {

int Program::receives(int node) const noexcept {
  int count = 0;
  for (const Step& step : steps(node))
    if (step.kind != Step::Kind::send) count += static_cast<int>(step.count);
  return count;
}

/// Gives each send the message in its receiver's list: the n-th from one node to another is the n-th that
/// this one receives from it.
void Program::finish(std::vector<Sent> sent) {
  std::stable_sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
    return std::tie(a.to, a.from) < std::tie(b.to, b.from);
  });
  std::vector<std::uint32_t> received(messages_.size());
  std::iota(received.begin(), received.end(), 0U);
  std::stable_sort(received.begin(), received.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(messages_[a].to, messages_[a].from) < std::tie(messages_[b].to, messages_[b].from);
  });
  for (std::size_t i = 0; i < std::max(sent.size(), received.size()); ++i) {
    const Message* wanted = i < received.size() ? &messages_[received[i]] : nullptr;
    if (!wanted || i >= sent.size() || sent[i].to != wanted->to || sent[i].from != wanted->from ||
        sent[i].elements != wanted->elements)
      throw std::logic_error(
          fmt::format("program: {} messages are sent and {} received; the first that does not fit is {}",
                      sent.size(), received.size(),
                      i < sent.size() ? fmt::format("sent by {} to {}", sent[i].from, sent[i].to)
                                      : fmt::format("received by {} from {}", wanted->to, wanted->from)));
    steps_[sent[i].step].first = received[i];
  }
}

void Port::check(int peer, Elements elements) const {
  if (peer < 0 || peer >= program_.nodes_ || peer == rank_ || elements.begin > elements.end ||
      elements.end > program_.elements_)
    throw std::logic_error(fmt::format("program: node {} names node {}, elements {}..{} of {}", rank_, peer,
                                       elements.begin, elements.end, program_.elements_));
}

void Port::send(int to, Elements elements) {
  check(to, elements);
  sent_.push_back({rank_, to, elements, static_cast<std::uint32_t>(program_.steps_.size())});
  program_.steps_.push_back({Step::Kind::send, Order::all, Side::behind, 0, 1});
}

void Port::collect(std::span<const int> from, Elements elements, Order order, Side side) {
  if (from.empty()) return;
  const auto first = static_cast<std::uint32_t>(program_.messages_.size());
  for (const int peer : from) {
    check(peer, elements);
    program_.messages_.push_back({peer, rank_, elements});
  }
  program_.steps_.push_back(
      {Step::Kind::combine, order, side, first, static_cast<std::uint32_t>(from.size())});
}

void Port::gather(std::span<const Segment> segments) {
  if (segments.empty()) return;
  const auto first = static_cast<std::uint32_t>(program_.messages_.size());
  for (const Segment& segment : segments) {
    check(segment.from, segment.elements);
    program_.messages_.push_back({segment.from, rank_, segment.elements});
  }
  program_.steps_.push_back(
      {Step::Kind::place, Order::list, Side::behind, first, static_cast<std::uint32_t>(segments.size())});
}

} // namespace mesh::cluster
