// SPDX-License-Identifier: Apache-2.0
// A barrier in shared memory of one's own, to begin with: everybody counts one word up, the last one of an
// episode is seen by all others at that word itself.
//
//   rccebench compare --operation barrier --with my_barrier.cpp --machine xeon-phi-5110p,host
//
// Cost: n atomic additions of one word, each of which takes the line from those who look at it.
#include <algorithms/in_memory/own.hpp>

namespace {

namespace memory = algorithms::memory;
namespace in_memory = algorithms::in_memory;

template <memory::Memory M>
class OneWord {
 public:
  explicit OneWord(M& memory)
      : count_(memory.words(1, memory::line, 0)[0]), episode_(static_cast<std::size_t>(memory.threads())) {}

  /// Returns when all threads have called as often as the caller.
  void operator()(typename M::Thread& thread) {
    std::uint64_t& episode = episode_[static_cast<std::size_t>(thread.thread())].value;
    const std::uint64_t all = ++episode * static_cast<std::uint64_t>(thread.threads());
    if (thread.fetch_add(count_, 1, std::memory_order_acq_rel) + 1 < all)
      thread.wait(
          count_, [all](std::uint64_t count) { return memory::reached(count, all); },
          std::memory_order_acquire);
  }

 private:
  typename M::Word count_;
  std::vector<memory::PerThread<std::uint64_t>> episode_; ///< by thread
};

template <memory::Memory M>
constexpr in_memory::BarrierRow<M> one_word{"barrier/one_word",
                                            "n atomic additions of one word, which all others look at",
                                            [](M& memory, const in_memory::BarrierOptions&) {
                                              return in_memory::make_barrier<M, OneWord<M>>(memory);
                                            }};

} // namespace

ROCKCREEK_IN_MEMORY(one_word)
