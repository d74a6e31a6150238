// SPDX-License-Identifier: Apache-2.0
// A machine with coherent caches. Threads are fibers of the kernel, each a Core (core.hpp) whose loads,
// stores and read-modify-writes take the time that the machine's tables and the state of the line say, and
// wait where others are at the line. Simulated at the level of lines, not of protocol messages;
// mesh_sim/machines/coherent/README.md has the rules.
//
// Order. A request takes effect when it is served; requests for one line are served in the order in which
// they come, ties by thread number. Nothing is polled on the host: a core that waits for a word sleeps until
// somebody writes to its line.
//
// Observers hear of accesses alone, by thread, with addresses as offsets in shared memory: a wait once, by
// the load that ends it; a read-modify-write that changes the word as a load and a store; a posted store as
// it is posted and as it acts; a block in pieces, as the copies of its bytes.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "mesh_sim/kernel/kernel.hpp"
#include "mesh_sim/machines/coherent/costs.hpp"
#include "mesh_sim/machines/coherent/data.hpp"
#include "mesh_sim/machines/coherent/line.hpp"
#include "mesh_sim/observe/observer.hpp"

namespace mesh::coherent {

class Core;
class TagCache;

class Machine {
 public:
  /// A machine on which threads 0 ... `threads` - 1 run, each on a hardware thread of its own: thread i on
  /// core i, those beyond the number of cores on the siblings, in the same order. Cores of a node are
  /// neighbours. Throws UserError where it has not so many.
  Machine(const Config& config, int threads);
  /// The same with thread i on hardware thread `placement[i]`: of a core below the number of cores, of its
  /// siblings that plus the number of cores, and so on. Throws UserError where there is none, or two threads
  /// on one.
  Machine(const Config& config, std::span<const int> placement);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // --- memory; from anywhere, off the clock
  /// `count` words, `stride` bytes apart, the first at the start of a line: 64 gives each a line of its own.
  /// `home` is the node that answers for their lines. All zero, in no cache.
  [[nodiscard]] std::vector<Word> words(std::size_t count, std::size_t stride, int home = unplaced);
  /// Zeroed bytes from the start of a line on, in no cache.
  [[nodiscard]] Block block(std::size_t bytes, int home = unplaced);
  [[nodiscard]] std::uint64_t peek(Word word) const noexcept { return values_[word.slot]; }
  void poke(Word word, std::uint64_t value) noexcept { values_[word.slot] = value; }
  /// Puts every line of the bytes into the cache of thread `thread`'s core, in state modified, exclusive or
  /// shared, or into no cache (invalid). Nobody may be waiting for one of them.
  void set_state(Address address, std::size_t bytes, State state, int thread = 0);
  [[nodiscard]] State state(Address address) const noexcept { return lines_[address / line_size].state; }

  // --- running
  /// Before the run; null: nobody. They outlive it.
  void set_observers(const Observers* observers) noexcept { observers_ = observers; }
  /// Gives a thread its program. Before run() only.
  void start(int thread, std::function<void(Core&)> program, Picoseconds at = 0);
  /// Runs until every program has ended. Throws std::runtime_error that says who waits where nobody can go
  /// on, and what leaves a program.
  void run();

  [[nodiscard]] int threads() const noexcept { return threads_; }
  [[nodiscard]] const Config& config() const noexcept { return config_; }
  [[nodiscard]] const Costs& costs() const noexcept { return costs_; }
  /// Node of a thread's core.
  [[nodiscard]] int node_of(int thread) const noexcept { return costs_.node(core_of(thread)); }
  [[nodiscard]] Kernel& kernel() noexcept { return kernel_; }
  [[nodiscard]] Picoseconds clock(int thread) const noexcept { return kernel_.clock(thread); }

  // --- what a run tells
  /// Of every access: who, when, which line, what it found.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }
  /// Requests that a core's own cache could not answer.
  [[nodiscard]] std::uint64_t line_events() const noexcept { return line_events_; }
  [[nodiscard]] std::uint64_t switches() const noexcept { return kernel_.switches(); }

 private:
  friend class Core;

  /// What is asked of a word, and what it gave.
  struct Request {
    Operation operation;
    Word word;
    std::uint64_t operand = 0, expected = 0;
    std::uint64_t old = 0; ///< the word's value beforehand
    bool changed = false;  ///< whether it was written to
    bool hit = false;      ///< whether the core's own cache has answered
    Picoseconds at = 0;    ///< when it took effect
  };
  struct PendingStore {
    Word word;
    std::uint64_t value;
  };
  struct Thread {
    std::deque<PendingStore> stores;
    std::size_t waits_for_stores = 0; ///< sleeps until fewer are pending; 0: does not
    bool drain_sleeps = false;
    bool spins = false; ///< its last read-modify-write of `spin_word` has failed at `spin_value`
    Word spin_word;
    std::uint64_t spin_value = 0;
  };
  /// Who sleeps on a futex, and from when on.
  struct Sleeper {
    int thread;
    Picoseconds asleep;
  };
  /// Spinners whose read-modify-writes fail go round at a line without events (ring.cpp).
  struct Ring {
    std::vector<int> members; ///< in the order of service; the first has been served when `until` comes
    Picoseconds until = 0;
    Operation operation = Operation::exchange;
  };

  [[nodiscard]] int core_of(int thread) const noexcept { return core_of_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Line& line_of(Address address) noexcept { return lines_[address / line_size]; }
  [[nodiscard]] std::int16_t& next_of(int context) noexcept {
    return next_[static_cast<std::size_t>(context)];
  }
  [[nodiscard]] Address allocate(std::size_t bytes, int home);

  // accesses.cpp: one request, from its issue to its effect
  [[nodiscard]] bool hits(const Line& line, int core, Operation operation) const noexcept;
  /// Whether the core may answer by itself now: of a line that others wait for, its owner changes it once.
  [[nodiscard]] bool may_hit(const Line& line, int core, Operation operation) const noexcept;
  /// Serves a request of the current context for `thread`; returns when its answer is there, which may be
  /// later than the clock that it leaves behind.
  [[nodiscard]] Picoseconds issue(int thread, Request& request);
  [[nodiscard]] Picoseconds issue_hit(Line& line, int thread, Request& request);
  void access(int thread, Request& request) { kernel_.advance_to(issue(thread, request)); }
  void apply(Line& line, Request& request, int thread, Picoseconds done);
  void wake_sleepers(Line& line, Picoseconds at);
  /// Returns, at the instant when the line is free for the caller, with nobody before it.
  void enter(Line& line);
  /// To the end of the line's queue.
  void append(Line& line, int context) noexcept;
  /// Has the next of the queue wait for the line's being free.
  void admit_next(Line& line);

  // transfers.cpp: what a transfer costs, and what it leaves behind
  struct Transfer {
    Picoseconds latency;
    int source; ///< node that the line comes from
    bool from_memory;
  };
  [[nodiscard]] Transfer transfer(Line& line, int core, Operation operation);
  [[nodiscard]] int home_of(Line& line, int toucher);
  /// `since` is when the stream began that the transfer belongs to, or `start`.
  [[nodiscard]] Picoseconds resource_delay(const Transfer& transfer, int node, Picoseconds start,
                                           Picoseconds since);
  void take_copy(Line& line, int core, bool write);
  void keep_in_cache(Line& line, int core);
  void evict(Line& line, int core);
  void keep_in_shared_cache(Line& line, int node);
  void evict_from_shared_cache(Line& line, int node);
  void write_back(int node);
  [[nodiscard]] std::uint32_t index_of(const Line& line) const noexcept {
    return static_cast<std::uint32_t>(&line - lines_.data());
  }

  // tell.cpp: what observers hear of
  void tell_load(int thread, const Request& request) const {
    if (observers_ != nullptr) notify(Access::Kind::load, false, thread, request.word, request.at);
  }
  void tell_change(int thread, const Request& request) const;
  void tell_store(int thread, const Request& request, bool delivered) const;
  void tell_posted(int thread, Word word) const;
  void tell_piece(int thread, Access::Kind kind, const Block& block, std::size_t from, std::size_t to) const;
  void notify(Access::Kind kind, bool delivered, int thread, Word word, Picoseconds at) const;

  // stores.cpp: posted stores
  void post_store(int thread, Word word, std::uint64_t value);
  void wait_for_stores(int thread, std::size_t at_most);
  void drain(int thread);
  [[nodiscard]] const PendingStore* pending(int thread, Word word) const noexcept;

  // ring.cpp: read-modify-writes that are repeated until they succeed
  using Succeeded = bool (*)(const Request&);
  std::uint64_t spin(int thread, Request request, Succeeded succeeded);
  [[nodiscard]] bool only_spinners(const Line& line) const noexcept;
  void form_ring(Line& line, int thread, Operation operation, Picoseconds until);
  void dissolve_ring(Line& line);
  [[nodiscard]] Picoseconds ring_step(const Line& line, const Ring& ring, int from, int to) const noexcept;

  // blocks.cpp: streams of lines
  using Piece = std::function<void(std::size_t from, std::size_t to)>;
  void stream(int thread, Block target, std::span<const Block> sources, Picoseconds compute_per_line,
              const Piece& piece);
  [[nodiscard]] Picoseconds stream_line(Line& line, int core, Operation operation, Picoseconds at,
                                        Picoseconds since, bool first);

  void run_program(int thread);
  [[nodiscard]] std::string waiting_report() const;

  Config config_;
  Costs costs_;
  int threads_;
  std::vector<int> core_of_;     ///< by thread
  std::vector<double> slowdown_; ///< of computation, by thread: threads of a core share what it issues
  bool tracks_siblings_, posts_stores_;
  Kernel kernel_;
  const Observers* observers_ = nullptr;
  std::vector<Line> lines_;
  std::vector<std::uint64_t> values_;
  std::vector<std::unique_ptr<std::byte[]>> buffers_;
  std::vector<std::int16_t> next_; ///< lists of waiting contexts: each is in one at most
  std::vector<Thread> state_of_;
  std::vector<std::function<void(Core&)>> programs_;
  std::vector<TagCache> private_caches_, shared_caches_;
  std::vector<Picoseconds> memory_free_, link_free_;     ///< by node
  std::map<std::uint32_t, std::deque<Sleeper>> futexes_; ///< by word
  std::map<std::uint32_t, Ring> rings_;                  ///< by line
  std::vector<int> meeting_;                             ///< who waits in meet()
  std::uint64_t digest_ = 0, line_events_ = 0;
  int running_ = 0;
};

/// Hardware threads for so many threads. "compact": node after node, siblings when every core has a thread;
/// "scatter": one to each node in turn, siblings likewise; "fill": node after node, all hardware threads of
/// each. Throws UserError for another word and where there are too few.
[[nodiscard]] std::vector<int> placement(const Config& config, std::string_view rule, int threads);

} // namespace mesh::coherent
