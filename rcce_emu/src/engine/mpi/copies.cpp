// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/copies.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace rcce::mpi {
namespace {

bool overlap(ByteRange a, ByteRange b) {
  return a.begin < b.end && b.begin < a.end;
}

/// piece(range) for what of `whole` lies before and behind `cut`.
template <class Piece>
void for_rest(ByteRange whole, ByteRange cut, Piece&& piece) {
  if (whole.begin < cut.begin) piece(ByteRange{whole.begin, cut.begin});
  if (cut.end < whole.end) piece(ByteRange{cut.end, whole.end});
}

} // namespace

void FreshRanges::written(ByteRange range) {
  std::vector<Range> rest;
  std::erase_if(ranges_, [&](const Range& old) {
    if (!overlap(old.bytes, range)) return false;
    for_rest(old.bytes, range, [&](ByteRange piece) { rest.push_back({piece, old.when}); });
    return true;
  });
  std::ranges::copy(rest, std::back_inserter(ranges_));
  ranges_.push_back({range, ++writes_});
  // Many small ones are not worth their bookkeeping.
  constexpr std::size_t most = 16;
  if (ranges_.size() > most) ranges_.erase(std::ranges::min_element(ranges_, {}, &Range::when));
}

std::span<const ByteRange> FreshRanges::take(int rank) {
  std::uint64_t& told = told_[static_cast<std::size_t>(rank)];
  taken_.clear();
  for (const Range& range : ranges_)
    if (range.when > told) taken_.push_back(range.bytes);
  told = writes_;
  return taken_;
}

void CopiesFromOthers::bring(ByteRange range, const std::byte* bytes) {
  remove(from_, range);
  copies_.push_back({messages_, from_, range, {bytes, bytes + (range.end - range.begin)}});
}

void CopiesFromOthers::seen(std::optional<std::size_t> at) {
  if (copies_.empty()) return;
  const auto setter = at ? setters_.find(*at) : setters_.end();
  if (setter == setters_.end()) return copies_.clear();
  std::erase_if(copies_, [&, by = setter->second](const Copy& copy) {
    return copy.rank != by.rank || copy.message < by.message;
  });
}

void CopiesFromOthers::written(int rank, ByteRange range) {
  if (!copies_.empty()) remove(rank, range);
}

bool CopiesFromOthers::take(int rank, ByteRange range, void* to) {
  const auto copy = std::ranges::find_if(copies_, [&](const Copy& one) {
    return one.rank == rank && one.range.begin <= range.begin && range.end <= one.range.end;
  });
  if (copy == copies_.end()) return false;
  std::memcpy(to, copy->bytes.data() + (range.begin - copy->range.begin), range.end - range.begin);
  const Message message = copy->message;
  remove(rank, range);
  std::erase_if(copies_, [&](const Copy& one) { return one.rank == rank && one.message < message; });
  return true;
}

void CopiesFromOthers::remove(int rank, ByteRange range) {
  std::vector<Copy> rest;
  std::erase_if(copies_, [&](const Copy& copy) {
    if (copy.rank != rank || !overlap(copy.range, range)) return false;
    for_rest(copy.range, range, [&](ByteRange piece) {
      const auto first = copy.bytes.begin() + static_cast<std::ptrdiff_t>(piece.begin - copy.range.begin);
      rest.push_back(
          {copy.message, rank, piece, {first, first + static_cast<std::ptrdiff_t>(piece.end - piece.begin)}});
    });
    return true;
  });
  std::ranges::move(rest, std::back_inserter(copies_));
}

} // namespace rcce::mpi
