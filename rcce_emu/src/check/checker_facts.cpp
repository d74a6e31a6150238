// SPDX-License-Identifier: Apache-2.0
// The checker's part that takes apart what the library tells: each fact goes to what keeps account of such.
#include <variant>

#include "check/checker.hpp"
#include "ue/ue.hpp"

namespace rcce::check {

void Checker::fact(const mesh::Fact& fact) {
  const Ue& ue = ue_on(fact.core);
  std::visit([&](const auto& what) { hear(ue, what); }, fact.what);
}

void Checker::hear(const Ue& ue, const mesh::MemoryFact& memory) {
  using MemoryKind = mesh::MemoryFact::Kind;
  switch (memory.kind) {
  case MemoryKind::allocated:
    return allocated(ue, memory.offset, memory.bytes, Block::Kind::memory);
  case MemoryKind::line_allocated:
    return allocated(ue, memory.offset, memory.bytes, Block::Kind::line);
  case MemoryKind::released:
    return released(ue, memory.offset);
  case MemoryKind::managed:
    return region_managed(ue, memory.offset, memory.bytes);
  case MemoryKind::flags:
    return becomes_flags(ue, memory.offset);
  case MemoryKind::payload:
    return payload_at(ue, memory.offset, memory.bytes);
  case MemoryKind::shared_allocated:
    return shared_allocated(ue, memory.offset, memory.bytes);
  case MemoryKind::shared_released:
    return shared_released(ue, memory.offset);
  case MemoryKind::shared_managed:
    shared_blocks_[index_of(ue)] = {};
  }
}

void Checker::hear(const Ue& ue, const mesh::FlagFact& flag) {
  using FlagKind = mesh::FlagFact::Kind;
  switch (flag.kind) {
  case FlagKind::allocated:
    return flag_allocated(ue, flag.object, flag.offset, flag.mask);
  case FlagKind::freed:
    return flag_freed(ue, flag.object, flag.offset, flag.mask);
  case FlagKind::refused:
    return flag_refused(ue, flag.object);
  case FlagKind::used:
  case FlagKind::waited_for:
    return flag_used(ue, flag.target, flag.offset, flag.mask, flag.kind == FlagKind::waited_for);
  case FlagKind::seen:
    return flag_seen(ue, flag.target, flag.offset, flag.mask);
  case FlagKind::change_begins:
    return begins_bits(ue, flag.target, flag.offset, flag.mask);
  case FlagKind::change_ends:
    return ends_bits(ue);
  case FlagKind::clear_begins:
  case FlagKind::clear_ends:
    clearing_[index_of(ue)] = flag.kind == FlagKind::clear_begins;
  }
}

void Checker::hear(const Ue& ue, const mesh::ReceiveFact& receive) {
  if (receive.kind == mesh::ReceiveFact::Kind::finished) return arrived(ue, receive.request);
  Side posted = side_of(ue);
  posted.call = receive.call;
  posted.peer = receive.peer;
  posted.bytes = receive.bytes;
  posted.at = receive.at;
  posted.traits = receive.traits;
  awaits(ue, receive.request, receive.buffer, receive.bytes, posted);
}

void Checker::hear(const Ue& ue, const mesh::CollectiveFact& call) {
  collectives_.enter(std::string(call.group), call.members,
                     {std::string(call.call), std::string(call.parameters)}, side_of(ue), findings_);
}

void Checker::hear(const Ue& ue, const mesh::ProgramFact& program) {
  using ProgramKind = mesh::ProgramFact::Kind;
  switch (program.kind) {
  case ProgramKind::loops:
    return spun(ue);
  case ProgramKind::drops_lines:
    return drops_lines(ue);
  case ProgramKind::has_pointers:
    pointers_ = true;
    return;
  case ProgramKind::tells_accesses:
    observes(ue, {program.begin, program.bytes});
  }
}

} // namespace rcce::check
