// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/path_tree.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mesh {
namespace {

constexpr std::size_t looked_through = 12; ///< number of the last sums that are searched for one to continue
constexpr std::size_t least_to_tidy = 64;  ///< sums
constexpr std::size_t least_to_compact = 4096;

void sort_sums(std::vector<PathTree::Sum>& sums) {
  std::ranges::sort(sums, {}, &PathTree::Sum::key);
  auto to = sums.begin();
  for (auto from = sums.begin(); from != sums.end(); ++from) {
    if (to != sums.begin() && std::prev(to)->key == from->key) {
      std::prev(to)->time += from->time;
      std::prev(to)->count += from->count;
    } else {
      *to++ = *from;
    }
  }
  sums.erase(to, sums.end());
}

} // namespace

void PathTree::charge(int core, Picoseconds to, const TimeShare& what) {
  OpenPart& part = open(core);
  if (to <= part.at) return;
  const Picoseconds time = to - part.at;
  if (most_stays_ > 0) stay(part, {what.core, part.at, to});
  part.at = to;
  part.empty = false;
  const std::uint64_t key = what.key();
  const std::size_t first = part.sums.size() - std::min(part.sums.size(), looked_through);
  for (std::size_t i = part.sums.size(); i > first; --i) {
    Sum& sum = part.sums[i - 1];
    if (sum.key != key) continue;
    sum.time += time;
    ++sum.count;
    return;
  }
  part.sums.push_back({key, time, 1});
  tidy(part);
}

void PathTree::stay(Part& part, const Stay& stay) const {
  if (!part.stays.empty() && part.stays.back().core == stay.core) {
    part.stays.back().to = stay.to;
    return;
  }
  part.stays.push_back(stay);
  shorten(part.stays);
}

/// Forgets the first ones, half of all so that this is seldom done.
void PathTree::shorten(std::vector<Stay>& stays) const {
  if (stays.size() > most_stays_)
    stays.erase(stays.begin(), stays.end() - static_cast<std::ptrdiff_t>(most_stays_ / 2));
}

void PathTree::meet(int core, const Slack& other) noexcept {
  OpenPart& part = open(core);
  if (other.time > part.slack.time) return;
  part.slack = other;
  part.empty = false;
}

PathTree::Piece PathTree::remember(int core) {
  OpenPart& part = open(core);
  if (part.empty && part.before != none) {
    ++pieces_[part.before].references;
    return part.before;
  }
  if (pieces() >= compact_at_) compact();
  Piece piece = 0;
  if (free_.empty()) {
    piece = static_cast<Piece>(pieces_.size());
    pieces_.emplace_back();
  } else {
    piece = free_.back();
    free_.pop_back();
  }
  ClosedPart& closed = pieces_[piece];
  static_cast<Part&>(closed) = std::move(static_cast<Part&>(part));
  closed.at = part.at;
  closed.references = 2; // the core's own chain continues it
  static_cast<Part&>(part) = {};
  part.before = piece;
  part.empty = true;
  return piece;
}

void PathTree::forget(Piece piece) {
  while (piece != none && --pieces_[piece].references == 0) {
    const Piece before = pieces_[piece].before;
    pieces_[piece] = {};
    free_.push_back(piece);
    piece = before;
  }
}

void PathTree::adopt(int core, Piece piece, bool changes) {
  OpenPart& part = open(core);
  ++pieces_[piece].references;
  forget(part.before);
  static_cast<Part&>(part) = {};
  part.before = piece;
  part.at = pieces_[piece].at;
  part.changes = changes ? 1 : 0;
  part.empty = !changes;
}

void PathTree::tidy(Part& part) {
  if (part.sums.size() < std::max(least_to_tidy, 2 * part.sorted)) return;
  sort_sums(part.sums);
  part.sorted = part.sums.size();
}

void PathTree::join(Part& into, Part&& other) const {
  if (!other.stays.empty()) {
    std::swap(into.stays, other.stays);
    for (const Stay& one : other.stays) stay(into, one);
  }
  if (other.sums.size() > into.sums.size()) {
    std::swap(into.sums, other.sums);
    std::swap(into.sorted, other.sorted);
  }
  into.sums.insert(into.sums.end(), other.sums.begin(), other.sums.end());
  tidy(into);
  into.changes += other.changes;
  if (other.slack.time < into.slack.time) into.slack = other.slack;
}

/// Adds pieces that one other continues, and nobody remembers, to that one.
void PathTree::compact() {
  for (ClosedPart& piece : pieces_) {
    if (piece.references == 0) continue;
    while (piece.before != none && pieces_[piece.before].references == 1) {
      const Piece gone = piece.before;
      ClosedPart& before = pieces_[gone];
      piece.before = before.before;
      join(piece, std::move(before));
      before = {};
      free_.push_back(gone);
    }
  }
  compact_at_ = std::max(least_to_compact, 2 * pieces());
}

PathTree::Chain PathTree::chain(int core) const {
  Chain chain;
  const OpenPart& last = open(core);
  chain.at = last.at;
  const auto take = [&](const Part& part) {
    chain.sums.insert(chain.sums.end(), part.sums.begin(), part.sums.end());
    chain.changes += part.changes;
    if (part.slack.time < chain.slack.time) chain.slack = part.slack;
  };
  std::vector<const Part*> parts{&last};
  for (Piece piece = last.before; piece != none; piece = pieces_[piece].before)
    parts.push_back(&pieces_[piece]);
  std::ranges::for_each(parts, [&](const Part* part) { take(*part); });
  sort_sums(chain.sums);
  Part stays;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    for (const Stay& one : (*part)->stays) stay(stays, one);
  chain.stays = std::move(stays.stays);
  return chain;
}

} // namespace mesh
