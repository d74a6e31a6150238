// SPDX-License-Identifier: Apache-2.0
#include "engine/ue/buffer_lines.hpp"

#include <cstring>
#include <utility>

#include "mesh_sim/parts/own_accesses.hpp"
#include "rcce_emu/engine.hpp"

namespace rcce {

using mesh::line_bytes;

void BufferLines::access(Core& core, Engine& engine, const mesh::AccessStream& stream, std::uint64_t rounds,
                         std::uint32_t calls) {
  const std::byte* const begin = engine.mpb(0);
  const std::size_t of_core = engine.mpb_bytes(), all = of_core * static_cast<std::size_t>(engine.cores());
  if (stream.step == 0) rounds = 1;
  const std::byte* const last = stream.address + stream.step * static_cast<std::int64_t>(rounds - 1) +
      (stream.step < 0 ? 0 : stream.bytes - 1);
  const std::byte* seen = nullptr;
  for (const std::byte* at = stream.address; rounds > 0; --rounds, at += stream.step) {
    if (at < begin || at + stream.bytes > begin + all) return;
    const std::byte* const end = at + stream.bytes;
    for (const std::byte* line = at - reinterpret_cast<std::uintptr_t>(at) % line_bytes; line < end;
         line += line_bytes) {
      if (line == std::exchange(seen, line)) continue;
      const auto place = static_cast<std::size_t>(line - begin);
      const auto owner = static_cast<int>(place / of_core);
      if (stream.writes()) {
        if (line == combined_ && calls == stored_at_) continue;
        core.buffers().own_store(owner, place % of_core, line <= last && last < line + line_bytes);
        combined_ = line;
        stored_at_ = calls;
      } else {
        if (held_ == nullptr) held_ = std::make_unique<Table>();
        Held& held = place_of(line);
        if (held.line == line && held.calls == calls && std::memcmp(held.bytes.data(), line, line_bytes) == 0)
          continue;
        core.buffers().own_load(owner, place % of_core);
        held.line = line;
        held.calls = calls;
        std::memcpy(held.bytes.data(), line, line_bytes);
        combined_ = nullptr;
      }
    }
  }
}

} // namespace rcce
