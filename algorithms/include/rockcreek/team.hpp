// SPDX-License-Identifier: Apache-2.0
// A team of threads that run parallel regions, meet at barriers and reduce arrays, by the algorithms of
// algorithms/in_memory on the host's own memory.
//
//     rockcreek::Team team(8);
//     team.run([&](rockcreek::Member& me) {
//       double sum = 0;
//       for (int i = me.thread(); i < n; i += me.threads()) sum += x[i] * y[i];
//       sum = me.reduce(std::plus<>(), sum);          // every thread has the same sum
//       me.barrier();
//     });
//
// Link with -lrockcreek_team -pthread (CMake: rcce::team). TEAM.md in the installed documentation has the
// algorithms' shapes, costs and memory orders; team.h is the same for C.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace rockcreek {

/// The order in which a reduction combines operands.
enum class Order {
  any,     ///< the operation is commutative; sums of floating-point numbers may differ between runs
  fixed,   ///< the operation is commutative; the same bits in every run with as many threads
  threads, ///< operands are combined from left to right, thread 0, 1, 2, ...; the same bits in every run
};

struct TeamOptions {
  /// Number of threads, including the caller's; 0: as many as this process may use processors.
  int threads = 0;
  Order order = Order::any;
  /// Algorithms: "auto", or a name that algorithms() lists, with or without its operation and '/'.
  std::string barrier = "auto", reduce = "auto", join = "auto";
  /// Preset of the machine with coherent caches that is most like this host ("xeon-e5-2680v2", as `rccebench
  /// compare --machine` names them). "auto" then takes the reductions that were fastest on its simulation.
  /// Empty: a rule for all of these machines, which can take up to 1.8 times as long as the best for one.
  std::string machine;
};

namespace detail {

/// Combines `count` arrays of `elements` elements into `target`, which may be the first or the second of
/// them.
struct Combination {
  std::size_t element_bytes;
  void (*combine)(const void* operation, std::byte* target, const std::byte* const* sources,
                  std::size_t count, std::size_t elements);
  const void* operation;
};

/// So many bytes of the target stay in a cache while one source after another is added.
inline constexpr std::size_t combined_at_once = 8192;

template <class T, class Operation>
void combine(const void* operation, std::byte* target, const std::byte* const* sources, std::size_t count,
             std::size_t elements) {
  const Operation& combined = *static_cast<const Operation*>(operation);
  constexpr std::size_t step = combined_at_once / sizeof(T) + 1;
  for (std::size_t from = 0; from < elements; from += step) {
    const std::size_t length = elements - from < step ? elements - from : step;
    T* const out = reinterpret_cast<T*>(target) + from;
    const T* left = reinterpret_cast<const T*>(sources[0]) + from;
    for (std::size_t source = 1; source < count; ++source) {
      const T* const right = reinterpret_cast<const T*>(sources[source]) + from;
      for (std::size_t i = 0; i < length; ++i) out[i] = combined(left[i], right[i]);
      left = out;
    }
  }
}

struct TeamState;
struct MemberState;

} // namespace detail

/// A thread inside a region. Calls of barrier() and reduce() are collective: every thread of the team must
/// make the same calls, in the same order.
class Member {
 public:
  explicit Member(detail::MemberState& state) noexcept : state_(state) {}
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  /// 0 ... threads() - 1; thread 0 is the one that called Team::run().
  [[nodiscard]] int thread() const noexcept;
  [[nodiscard]] int threads() const noexcept;

  /// Returns when all threads have called it. What they wrote before is visible to all.
  void barrier();

  /// Combines data[0 ... count) of all threads element by element, and writes the result to every thread's
  /// data, with the same bits. The callers own the arrays; they must not overlap. All pass the same `count`.
  template <class T, class Operation>
  void reduce(Operation operation, T* data, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    static_assert(alignof(T) <= alignof(std::max_align_t),
                  "the team's own arrays are aligned as operator new does");
    reduce_bytes({sizeof(T), detail::combine<T, Operation>, &operation}, reinterpret_cast<std::byte*>(data),
                 count * sizeof(T));
  }
  template <class T, class Operation>
  [[nodiscard]] T reduce(Operation operation, T value) {
    reduce(operation, &value, 1);
    return value;
  }

 private:
  void reduce_bytes(const detail::Combination& combination, std::byte* data, std::size_t bytes);

  detail::MemberState& state_;
};

class Team {
 public:
  explicit Team(int threads = 0) : Team(TeamOptions{threads, Order::any, "auto", "auto", "auto", {}}) {}
  /// Starts the threads, which sleep between regions. Throws std::invalid_argument for a number of threads
  /// below 0 or above 4096, for an unknown name (the text lists the names), and for a reduction that cannot
  /// keep the order.
  explicit Team(const TeamOptions& options);
  /// Ends the threads. Must not be called inside a region.
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int threads() const noexcept;

  /// Calls region(member) on every thread, including the caller's, and returns when all have ended. Rethrows
  /// an exception of a region, the first if there are several. If a thread returns or throws while another
  /// waits for it at a barrier or in a reduction, no thread can continue: a message says so, and
  /// std::terminate ends the program.
  /// Throws std::logic_error if the team is in a region already.
  template <class Region>
  void run(Region&& region) {
    run_function([&region](Member& member) { region(member); });
  }

  /// The algorithms in use, for blocks of so many bytes: "barrier/dissemination", "reduce/linear",
  /// "join/flat_padded".
  [[nodiscard]] std::string barrier_in_use() const;
  [[nodiscard]] std::string reduce_in_use(std::size_t bytes) const;
  [[nodiscard]] std::string join_in_use() const;

 private:
  void run_function(const std::function<void(Member&)>& region);

  std::unique_ptr<detail::TeamState> state_;
};

/// Names for TeamOptions: "barrier/...", "reduce/...", "join/...".
[[nodiscard]] std::vector<std::string> algorithms();
/// Names for TeamOptions::machine.
[[nodiscard]] std::vector<std::string> tuned_machines();

/// The algorithm that "auto" means for that operation ("barrier", "reduce", "join"), number of threads, size
/// of a block and order, on so many processors; 0: this host's; `machine` as in TeamOptions. Throws
/// std::invalid_argument for another operation, and for a machine without a table.
[[nodiscard]] std::string automatic(const std::string& operation, int threads, std::size_t bytes = 0,
                                    Order order = Order::any, int processors = 0,
                                    const std::string& machine = {});

} // namespace rockcreek
