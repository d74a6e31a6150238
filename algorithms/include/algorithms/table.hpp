// The list of algorithms. Tests, `rccebench compare`, help texts and `auto` walk it: adding an algorithm is
// adding a file and a row.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "algorithms/model.hpp"

namespace algorithms {

enum class Operation { bcast, barrier };

struct Algorithm {
  std::string_view name; ///< "bcast/cube": file, function, command line and plots use this one
  Operation operation;
  std::string_view summary;    ///< one line: what it does and what it is good for
  std::string_view source;     ///< author, title
  std::size_t part_bytes = 0;  ///< default part size; 0: it cuts no parts
  std::size_t pipe_bytes = 0;  ///< default piece inside a part; 0: none
  bool nonblocking = false;    ///< uses iRCCE
  bool own_copies = false;     ///< copies by iRCCE_put and iRCCE_get, whatever rcce.copies says
  bool whole_mesh = false;     ///< needs the UEs to fill a core mesh: ues = rows x columns
  bool uses_registers = false; ///< locks or counters, which a program may want or lack: `auto` avoids it
  double (*predict_us)(const Platform&,
                       const Call&) = nullptr; ///< microseconds until the last rank has everything; null in
                                               ///< programs, where rockcreek_choose asks the runtime
};

/// In the order in which tables print them.
[[nodiscard]] std::span<const Algorithm> table();
/// Null for an unknown name.
[[nodiscard]] const Algorithm* find(std::string_view name);

struct Choice {
  const Algorithm* algorithm = nullptr;
  Call call; ///< with the part sizes chosen
  double predicted_us = 0;
};
/// What `auto` takes: the smallest prediction over all algorithms of the operation, or those of them that are
/// `usable`, and their sensible part sizes.
[[nodiscard]] Choice choose(Operation operation, const Platform& platform, const Call& call,
                            const std::function<bool(const Algorithm&)>& usable = {});

} // namespace algorithms
