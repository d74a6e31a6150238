#include "core/automatic.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "core/table.hpp"

namespace algorithms {
namespace {

constexpr Tuned tuned[] = {
#include "tuned.inc"
};

/// Distance on a logarithmic scale, without a logarithm, whose last bit differs from host to host.
double apart(double a, double b) {
  a = std::max(a, 1.0), b = std::max(b, 1.0);
  return std::max(a, b) / std::min(a, b);
}

bool is_for_program(const Tuned& entry, rockcreek_operation operation) {
  return entry.generation == ROCKCREEK_RCCE && entry.operation == operation;
}

/// The rows of the nearest place.
std::span<const Tuned> place(rockcreek_operation operation, std::size_t bytes) {
  const auto distance = [&](const Tuned& entry) {
    return std::tuple(apart(entry.core_mhz, RC_REFCLOCKGHZ * 1000), apart(entry.cores, RCCE_num_ues()),
                      apart(static_cast<double>(entry.bytes), static_cast<double>(bytes)));
  };
  const Tuned* best = nullptr;
  for (const Tuned& entry : tuned)
    if (is_for_program(entry, operation) && (best == nullptr || distance(entry) < distance(*best)))
      best = &entry;
  if (best == nullptr) return {};
  const Tuned* end = best;
  while (end != std::end(tuned) && is_for_program(*end, operation) && distance(*end) == distance(*best))
    ++end;
  return {best, end};
}

bool serves(const rockcreek_algorithm* row) {
  return row != nullptr && (row->needs & (ROCKCREEK_NEEDS_REGISTERS | ROCKCREEK_NEEDS_AIR)) == 0;
}

struct Last {
  std::size_t bytes;
  rockcreek_choice choice;
};
std::array<Last, ROCKCREEK_OPERATIONS> last; // by operation; one per UE, as every variable of a program

} // namespace

rockcreek_choice automatic(rockcreek_operation operation, std::size_t bytes) {
  Last& known = last[operation];
  if (known.choice.algorithm != nullptr && known.bytes == bytes) return known.choice;
  known = {bytes, {nullptr, nullptr}};
  for (const Tuned& entry : place(operation, bytes))
    if (serves(find(entry.algorithm))) {
      known.choice = {entry.algorithm, entry.options};
      break;
    }
  return known.choice;
}

int for_each_choice(rockcreek_operation operation, int (*use)(const rockcreek_choice&)) {
  for (const Tuned& entry : tuned) {
    // One entry of each place: the one that place() finds first.
    if (!is_for_program(entry, operation) || place(operation, entry.bytes).data() != &entry) continue;
    const rockcreek_choice choice = automatic(operation, entry.bytes);
    if (choice.algorithm == nullptr) continue;
    if (const int error = use(choice); error != RCCE_SUCCESS) return error;
  }
  return RCCE_SUCCESS;
}

} // namespace algorithms
