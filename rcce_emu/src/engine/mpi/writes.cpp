// SPDX-License-Identifier: Apache-2.0
#include "engine/mpi/writes.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/atomic_line.hpp"
#include "mesh_sim/units.hpp"

namespace rcce::mpi {

Writes::Writes(Transport& transport, std::span<std::byte> memory, std::size_t mpb_bytes,
               std::span<const int> cores)
    : transport_(transport),
      memory_(memory),
      mpb_bytes_(mpb_bytes),
      longest_(2 * mpb_bytes + small_pieces),
      cores_(cores),
      fresh_(transport.processes()) {
  transport_.receive_with(
      [](void* self, int from, std::span<const std::byte> message) {
        static_cast<Writes*>(self)->take(from, message);
      },
      this, longest_);
}

void Writes::add_piece(int rank, Kind kind, std::size_t at, const void* from, std::size_t bytes) {
  if (rank != to_) {
    arrive();
    to_ = rank;
  }
  if (message_.size() + sizeof(Piece) + bytes > longest_) leave();
  const Piece piece{kind, static_cast<std::uint32_t>(bytes), at};
  const auto* const head = reinterpret_cast<const std::byte*>(&piece);
  const auto* const body = static_cast<const std::byte*>(from);
  message_.insert(message_.end(), head, head + sizeof piece);
  message_.insert(message_.end(), body, body + bytes);
}

void Writes::add(int rank, std::size_t at, const void* from, std::size_t bytes) {
  add_piece(rank, Kind::write, at, from, bytes);
  note_under_way({at, at + bytes});
}

/// The same flags are set again and again; where it is not so, waiting costs less than looking through many.
void Writes::note_under_way(ByteRange range) {
  if (std::ranges::find(under_way_, range) != under_way_.end()) return;
  constexpr std::size_t most = 32;
  if (under_way_.size() == most) under_way_ = {{0, memory_.size()}};
  under_way_.push_back(range);
}

void Writes::write_flag(int rank, std::size_t at, const void* from, std::size_t bytes) {
  attach_copies(rank);
  write(rank, at, from, bytes);
}

void Writes::update_flag(int rank, std::size_t at, std::uint8_t mask, std::uint8_t value) {
  attach_copies(rank);
  const std::uint8_t bits[] = {mask, value};
  add_piece(rank, Kind::bits, at, bits, sizeof bits);
  note_under_way({at, at + 1});
  leave();
}

/// To the message that the flag will be in.
void Writes::attach_copies(int rank) {
  if (rank != to_) arrive();
  const std::size_t own_mpb =
      static_cast<std::size_t>(cores_[static_cast<std::size_t>(transport_.rank())]) * mpb_bytes_;
  if (message_.size() > longest_ - small_pieces / 2 - mpb_bytes_) leave();
  for (const auto [begin, end] : fresh_.take(rank))
    add_piece(rank, Kind::copy, begin, memory_.data() + own_mpb + begin, end - begin);
}

void Writes::leave() {
  if (message_.empty()) return;
  transport_.send(to_, message_);
  message_.clear();
}

void Writes::arrive() {
  if (to_ == nobody) return;
  leave();
  transport_.settle(to_);
  to_ = nobody;
  under_way_.clear();
}

/// A read of more than a word that does not touch what is under way cannot tell whether that has arrived.
void Writes::arrive_before_read(int rank, std::size_t at, std::size_t bytes) {
  const bool touches = std::ranges::any_of(
      under_way_, [&](const ByteRange& written) { return at < written.end && written.begin < at + bytes; });
  if (rank != to_ || bytes <= atomic_line::word_bytes || touches) return arrive();
  leave();
}

void Writes::take(int from, std::span<const std::byte> message) {
  copies_.begin(from);
  while (!message.empty()) {
    Piece piece{};
    std::memcpy(&piece, message.data(), sizeof piece);
    const std::byte* const bytes = message.data() + sizeof piece;
    switch (piece.kind) {
    case Kind::write:
      apply(piece.at, bytes, piece.bytes);
      break;
    case Kind::bits: {
      const auto mask = std::to_integer<std::uint8_t>(bytes[0]);
      atomic_line::update(memory_.data() + piece.at, mask, std::to_integer<std::uint8_t>(bytes[1]));
      break;
    }
    case Kind::copy:
      copies_.bring({piece.at, piece.at + piece.bytes}, bytes);
      break;
    }
    if (piece.kind != Kind::copy) copies_.sets(piece.at);
    message = message.subspan(sizeof piece + piece.bytes);
  }
}

void Writes::apply(std::size_t at, const std::byte* from, std::size_t bytes) {
  if (mesh::in_one_line(at, bytes)) return atomic_line::store(memory_.data() + at, from, bytes);
  std::memcpy(memory_.data() + at, from, bytes);
  std::atomic_thread_fence(std::memory_order_release);
}

} // namespace rcce::mpi
