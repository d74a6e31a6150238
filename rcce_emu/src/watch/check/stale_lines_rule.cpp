// SPDX-License-Identifier: Apache-2.0
// A program reads a line of a buffer from its core's first-level cache that another UE has written since: on
// the chip it gets the old bytes. Every access through the library drops the cached lines first, so only the
// program's own loads can do that. Example: stale of tests/misuse/checked_gory.c; fresh is right.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "engine/ue/job_state.hpp"
#include "process/run/report.hpp"
#include "watch/check/rule.hpp"

namespace rcce::check {
namespace {

using mesh::line_bytes;

class StaleLines final : public Rule {
 public:
  explicit StaleLines(CheckedJob& job) : Rule(job), of_(static_cast<std::size_t>(job.job.size())) {}

  void drops_lines(const Ue& ue) override { of_[index_of(ue)].clear(); }

  void used(const Use& use) override {
    if (use.by == Use::By::plain && (!use.write || use.range.core == shared_memory)) return;
    const Side side = job_.side_at(use.ue, use.range);
    if (use.write) return written(use.ue, use.range, side);
    if (use.by == Use::By::touch) check(use, side);
    cached(use.ue, use.range, side);
  }

 private:
  struct Overwritten {
    std::size_t begin, end;
    Side by;
  };
  struct Cached {
    MpbRange lines;
    Side by; ///< the access that brought them
    std::vector<Overwritten> overwritten;
  };

  [[nodiscard]] static bool meet(std::size_t begin, std::size_t end, const MpbRange& range) {
    return begin < range.end() && range.offset < end;
  }
  [[nodiscard]] static bool meet(const MpbRange& a, const MpbRange& b) {
    return a.core == b.core && meet(a.offset, a.end(), b);
  }

  void check(const Use& use, Side reader) {
    for (const Cached& cached : of_[index_of(use.ue)]) {
      if (cached.lines.core != use.range.core) continue;
      const auto old = std::ranges::find_if(
          cached.overwritten, [&](const Overwritten& one) { return meet(one.begin, one.end, use.range); });
      if (old == cached.overwritten.end()) continue;
      reader.words = fmt::format(", reads a line that {} brought into its cache at {}",
                                 cached.by.call == nullptr ? "its own code" : cached.by.call,
                                 run::microseconds(cached.by.at));
      job_.findings.add("a line is read from the cache that another has written since", old->by, reader,
                        "call RC_cache_invalidate before the read, or use RCCE_get");
      return;
    }
  }

  /// The lines around the bytes are in the UE's cache. Those that are there already stay as they are; each is
  /// looked at by itself, and brought once.
  void cached(const Ue& ue, const MpbRange& range, const Side& side) {
    std::vector<Cached>& own = of_[index_of(ue)];
    const std::size_t end = (range.end() + line_bytes - 1) / line_bytes * line_bytes;
    for (std::size_t at = range.offset / line_bytes * line_bytes; at < end; at += line_bytes) {
      const MpbRange line{range.core, at, line_bytes};
      if (std::ranges::any_of(own, [&](const Cached& one) { return meet(one.lines, line); })) continue;
      if (!own.empty() && own.back().lines.core == range.core && own.back().lines.end() == at &&
          own.back().overwritten.empty() && own.back().by.at == side.at)
        own.back().lines.bytes += line_bytes;
      else
        own.push_back({line, side, {}});
    }
  }

  /// The others' copies of these bytes are old.
  void written(const Ue& ue, const MpbRange& range, const Side& side) {
    for (std::size_t other = 0; other < of_.size(); ++other) {
      if (other == index_of(ue)) continue;
      for (Cached& cached : of_[other]) {
        if (!meet(cached.lines, range)) continue;
        const std::size_t begin = std::max(range.offset, cached.lines.offset),
                          end = std::min(range.end(), cached.lines.end());
        const bool known = std::ranges::any_of(cached.overwritten, [&](const Overwritten& before) {
          return before.begin <= begin && end <= before.end;
        });
        if (!known) cached.overwritten.push_back({begin, end, side});
      }
    }
  }

  std::vector<std::vector<Cached>> of_; ///< by rank
};

} // namespace

constinit const MakeRule stale_lines_rule = make<StaleLines>;

} // namespace rcce::check
