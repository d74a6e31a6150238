// SPDX-License-Identifier: Apache-2.0
#include "core/automatic.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include <iRCCE.h>
#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/shapes/core_mesh.hpp"
#include "core/table.hpp"

extern "C" double rockcreek_core_mhz(void* ue);

// Programs without tagged flags have no such function.
#pragma weak iRCCE_wait_tagged

namespace algorithms {
namespace {

// tuned[], tuned_algorithms[] and tuned_options[], as text of fixed length.
#include "tuned.inc"

const char* algorithm_of(const Tuned& entry) {
  return tuned_algorithms[entry.algorithm];
}
const char* options_of(const Tuned& entry) {
  return tuned_options[entry.options];
}

/// Distance on a logarithmic scale, without a logarithm, whose last bit differs from host to host.
double apart(double a, double b) {
  a = std::max(a, 1.0), b = std::max(b, 1.0);
  return std::max(a, b) / std::min(a, b);
}

/// The rows of the size on the nearest number of cores.
std::span<const Tuned> place(rockcreek_operation operation, std::size_t bytes) {
  const auto distance = [mhz = rockcreek_core_mhz(rockcreek_image.ue)](const Tuned& entry) {
    return std::pair(apart(entry.core_mhz, mhz), apart(entry.cores, RCCE_num_ues()));
  };
  const auto key = [](const Tuned& entry) {
    return std::tuple(entry.operation, entry.core_mhz, entry.cores, entry.from_bytes);
  };
  const Tuned* best = nullptr;
  for (const Tuned& entry : tuned) {
    if (entry.operation != operation || entry.from_bytes > bytes) continue;
    const bool same_cores = best != nullptr && entry.core_mhz == best->core_mhz && entry.cores == best->cores;
    if (best == nullptr ||
        (same_cores ? best->from_bytes < entry.from_bytes : distance(entry) < distance(*best)))
      best = &entry;
  }
  if (best == nullptr) return {};
  const Tuned* end = best;
  while (end != std::end(tuned) && key(*end) == key(*best)) ++end;
  return {best, end};
}

/// "rows" in "part=4096 rows=4"; 0 where it is not there.
int number_of(std::string_view name, std::string_view options) {
  while (!options.empty()) {
    const std::size_t end = std::min(options.find(' '), options.size());
    const std::string_view word = options.substr(0, end);
    options.remove_prefix(std::min(end + 1, options.size()));
    if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
      return std::atoi(std::string(word.substr(name.size() + 1)).c_str());
  }
  return 0;
}

/// True if the UEs of this run fill the entry's mesh, of more than one row and column. With one row or
/// column, an algorithm that works along both is another one than was measured.
bool has_mesh(const Tuned& entry) {
  const int rows = number_of("rows", options_of(entry)), columns = number_of("columns", options_of(entry));
  const CoreMesh mesh = core_mesh(RCCE_num_ues(), rows, columns);
  return mesh.nodes() == RCCE_num_ues() && mesh.rows > 1 && mesh.columns > 1;
}

/// True if this program, with this number of UEs and this root, has what the entry's algorithm needs.
bool serves(const Tuned& entry, int root) {
  const rockcreek_algorithm* const row = find(algorithm_of(entry));
  if (row == nullptr || (row->needs & (ROCKCREEK_NEEDS_REGISTERS | ROCKCREEK_NEEDS_AIR)) != 0) return false;
  if ((row->needs & ROCKCREEK_NEEDS_TAGS) != 0 && iRCCE_wait_tagged == nullptr) return false;
  // Another root would take all UEs' time each time that it changes.
  if ((row->needs & ROCKCREEK_EXACT_RANKS) != 0 && (entry.cores != RCCE_num_ues() || root != 0)) return false;
  return (row->needs & ROCKCREEK_NEEDS_MESH) == 0 || has_mesh(entry);
}

/// The choices for the sizes asked about last: the search of the table is long.
class Known {
 public:
  [[nodiscard]] const rockcreek_choice* of(std::size_t bytes, bool from_first) const {
    for (std::size_t i = 0; i < used_; ++i)
      if (entries_[i].bytes == bytes && entries_[i].from_first == from_first) return &entries_[i].choice;
    return nullptr;
  }
  void add(std::size_t bytes, bool from_first, const rockcreek_choice& choice) {
    entries_[next_] = {bytes, from_first, choice};
    used_ = std::max(used_, ++next_);
    if (next_ == entries_.size()) next_ = 0;
  }

 private:
  struct Entry {
    std::size_t bytes;
    bool from_first; ///< the root is rank 0
    rockcreek_choice choice;
  };
  std::array<Entry, 8> entries_{}; ///< more sizes than most programs send
  std::size_t used_ = 0, next_ = 0;
};
std::array<Known, ROCKCREEK_OPERATIONS> known; // by operation; one per UE, as every variable of a program

} // namespace

rockcreek_choice automatic(rockcreek_operation operation, std::size_t bytes, int root) {
  if (const rockcreek_choice* choice = known[operation].of(bytes, root == 0); choice != nullptr)
    return *choice;
  rockcreek_choice found{nullptr, nullptr};
  for (const Tuned& entry : place(operation, bytes))
    if (serves(entry, root)) {
      found = {algorithm_of(entry), options_of(entry)};
      break;
    }
  known[operation].add(bytes, root == 0, found);
  return found;
}

int for_each_choice(rockcreek_operation operation, int (*use)(const rockcreek_choice&)) {
  for (const Tuned& entry : tuned) {
    // One entry of each place: the one that place() finds first.
    if (entry.operation != operation || place(operation, entry.from_bytes).data() != &entry) continue;
    rockcreek_choice last{nullptr, nullptr};
    for (const int root : {0, RCCE_num_ues() - 1}) {
      const rockcreek_choice choice = automatic(operation, entry.from_bytes, root);
      // Texts of the table: the same choice is the same pointer.
      if (choice.algorithm == nullptr || choice.algorithm == last.algorithm) continue;
      if (const int error = use(choice); error != RCCE_SUCCESS) return error;
      last = choice;
    }
  }
  return RCCE_SUCCESS;
}

} // namespace algorithms
