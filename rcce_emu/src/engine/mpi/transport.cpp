// SPDX-License-Identifier: Apache-2.0
// librcce_mpi.so: MPI-3 windows. A job on one host needs no more than memory that its processes share
// (MPI_Win_allocate_shared). Between hosts a second window lies over the same memory, in a passive epoch that
// lasts as long as the job (MPI_Win_lock_all).
//
// Order and visibility (MPI 4.0). What processes write into memory of other hosts goes by messages, because
// windows promise too little: accumulates are ordered only where they touch the same place (section 12.7.2),
// so a flag could be seen ahead of its data, and a flush between the two costs a crossing there and back.
// Messages from one process to another on one communicator do not overtake each other (section 3.5), and one
// receive at a time, of any source and tag, hands them on in that order. What has been handed on is known by
// a question that travels behind them, and its answer. Reads, registers and counters go by the window. The
// target reads and writes its memory by plain loads and stores: in the unified memory model these and
// completed accesses see one another without a further call, in due time, and MPI_Win_sync orders the two
// (section 12.4); a window with the separate model is refused. Registers and counters go by
// MPI_Compare_and_swap and MPI_Fetch_and_op even to the process itself, because these are atomic with respect
// to each other and to nothing else.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "engine/mpi/transport.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

#include "rcce_emu/environment.hpp"

namespace rcce::mpi {
namespace {

class Windows final : public Transport {
 public:
  Windows() {
    // Debian's defaults leave Open MPI no windows between hosts but for networks of Infiniband's kind.
    constexpr int keep = 0;
    setenv("OMPI_MCA_osc", "^ucx", keep);
    // The processes of a host exchange no messages beyond barriers, and a launcher that is killed leaves the
    // files of Open MPI's shared memory for messages behind. The others are those that Debian leaves out,
    // too.
    setenv("OMPI_MCA_btl", "^vader,uct,openib,ofi", keep);
    setenv("OMPI_MCA_opal_signal", "", keep); // crashes are told of by the runtime
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &processes_);
    if (provided < MPI_THREAD_SERIALIZED) refuse("this MPI library has no MPI_THREAD_SERIALIZED");
    // Each process as a host of its own: what a test of the way between hosts asks for.
    const char* const apart = std::getenv(environment::processes_apart.name);
    if (apart != nullptr && *apart == '1')
      MPI_Comm_split(MPI_COMM_WORLD, rank_, 0, &host_);
    else
      MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host_);
    int own = 0, beside = 0;
    MPI_Comm_rank(host_, &own);
    MPI_Comm_size(host_, &beside);
    first_ = own == 0;
    alone_ = beside == 1;
    int leader = rank_;
    MPI_Bcast(&leader, 1, MPI_INT, 0, host_);
    leaders_.resize(static_cast<std::size_t>(processes_));
    MPI_Allgather(&leader, 1, MPI_INT, leaders_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    one_host_ = beside == processes_;
  }
  ~Windows() override {
    if (messages_ != MPI_COMM_NULL) {
      for (Outgoing& one : outgoing_) MPI_Wait(&one.leaves, MPI_STATUS_IGNORE);
      MPI_Cancel(&arrives_);
      MPI_Wait(&arrives_, MPI_STATUS_IGNORE);
      MPI_Request_free(&arrives_);
      MPI_Comm_free(&messages_);
    }
    if (world_ != MPI_WIN_NULL) {
      MPI_Win_unlock_all(world_);
      MPI_Win_free(&world_);
    }
    if (shared_ != MPI_WIN_NULL) {
      MPI_Win_unlock_all(shared_);
      MPI_Win_free(&shared_);
    }
    if (!own_memory_.empty()) munmap(own_memory_.data(), own_memory_.size());
    MPI_Comm_free(&host_);
    MPI_Finalize();
  }
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  int rank() const noexcept override { return rank_; }
  int processes() const noexcept override { return processes_; }
  int host_of(int rank) const noexcept override { return leaders_[static_cast<std::size_t>(rank)]; }
  bool one_host() const noexcept override { return one_host_; }

  std::span<std::byte> share(std::size_t bytes) override {
    std::byte* const base = alone_ ? own_memory(bytes) : shared_memory(bytes);
    if (!one_host_) {
      MPI_Win_create(base, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &world_);
      int* model = nullptr;
      int found = 0;
      MPI_Win_get_attr(world_, MPI_WIN_MODEL, &model, &found);
      if (found == 0 || *model != MPI_WIN_UNIFIED)
        refuse("windows of this MPI library are not in the unified memory model");
      MPI_Win_lock_all(MPI_MODE_NOCHECK, world_);
    }
    if (shared_ != MPI_WIN_NULL) MPI_Win_sync(shared_);
    MPI_Barrier(MPI_COMM_WORLD);
    return {base, bytes};
  }

  void receive_with(Receiver* receiver, void* context, std::size_t longest) override {
    receiver_ = receiver;
    context_ = context;
    MPI_Comm_dup(MPI_COMM_WORLD, &messages_);
    incoming_.resize(longest);
    for (Outgoing& one : outgoing_) one.bytes.resize(longest);
    MPI_Recv_init(incoming_.data(), static_cast<int>(longest), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                  messages_, &arrives_);
    MPI_Start(&arrives_);
  }
  void send(int rank, std::span<const std::byte> message) override {
    Outgoing& one = outgoing_[next_];
    next_ = (next_ + 1) % outgoing_.size();
    until_complete(one.leaves);
    std::memcpy(one.bytes.data(), message.data(), message.size());
    MPI_Isend(one.bytes.data(), static_cast<int>(message.size()), MPI_BYTE, rank, message_tag, messages_,
              &one.leaves);
  }
  void settle(int rank) override {
    const std::uint64_t answers = answers_ + 1;
    send_empty(rank, question_tag);
    wait_until([&] { return answers_ == answers; });
  }
  void get(void* to, int rank, std::size_t at, std::size_t bytes) override {
    const int n = static_cast<int>(bytes);
    // Not by a flush, which would ask the other side once more.
    MPI_Request arrives = MPI_REQUEST_NULL;
    MPI_Rget(to, n, MPI_BYTE, rank, static_cast<MPI_Aint>(at), n, MPI_BYTE, world_, &arrives);
    until_complete(arrives);
  }

  std::uint32_t compare_and_swap(int rank, std::size_t at, std::uint32_t expected,
                                 std::uint32_t wanted) override {
    std::uint32_t before = 0;
    MPI_Compare_and_swap(&wanted, &expected, &before, MPI_UINT32_T, rank, static_cast<MPI_Aint>(at), world_);
    MPI_Win_flush(rank, world_);
    return before;
  }
  std::uint32_t fetch_and_add(int rank, std::size_t at, std::uint32_t summand) override {
    return fetch_and(MPI_SUM, rank, at, summand);
  }
  std::uint32_t exchange(int rank, std::size_t at, std::uint32_t value) override {
    return fetch_and(MPI_REPLACE, rank, at, value);
  }
  std::uint32_t fetch(int rank, std::size_t at) override { return fetch_and(MPI_NO_OP, rank, at, 0); }

  bool progress() override {
    int any = 0;
    MPI_Test(&arrives_, &any, &arrived_);
    if (any != 0) hand_on();
    MPI_Win_sync(world_);
    return any != 0;
  }
  void barrier() override {
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    until_complete(all_here);
  }
  std::vector<std::string> gather(std::string own) override {
    const auto in_parts = [](std::uint64_t bytes, auto&& pass) {
      constexpr std::uint64_t most = 1U << 30; // MPI counts in int
      for (std::uint64_t at = 0; at < bytes; at += most)
        pass(at, static_cast<int>(std::min(most, bytes - at)));
    };
    if (rank_ != 0) {
      const std::uint64_t bytes = own.size();
      MPI_Send(&bytes, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
      in_parts(bytes, [&](std::uint64_t at, int count) {
        MPI_Send(own.data() + at, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      });
      return {};
    }
    std::vector<std::string> all{std::move(own)};
    for (int rank = 1; rank < processes_; ++rank) {
      std::uint64_t bytes = 0;
      MPI_Recv(&bytes, 1, MPI_UINT64_T, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      std::string& text = all.emplace_back(bytes, '\0');
      in_parts(bytes, [&](std::uint64_t at, int count) {
        MPI_Recv(text.data() + at, count, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
    }
    return all;
  }
  [[noreturn]] void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
  }

 private:
  /// Each process maps the segment where it likes. Its first whole page is the same in all, and zero.
  std::byte* shared_memory(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* own = nullptr;
    MPI_Win_allocate_shared(first_ ? static_cast<MPI_Aint>(bytes + page) : 0, 1, MPI_INFO_NULL, host_, &own,
                            &shared_);
    MPI_Aint length = 0;
    int unit = 0;
    void* begin = nullptr;
    MPI_Win_shared_query(shared_, 0, &length, &unit, &begin);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, shared_);
    if (begin == nullptr) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    auto* const base = reinterpret_cast<std::byte*>((address + page - 1) / page * page);
    if (first_) std::memset(base, 0, bytes);
    return base;
  }
  /// Memory for a host with one process: MPI libraries allocate memory there that cannot be mapped a second
  /// time.
  std::byte* own_memory(std::size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    own_memory_ = {static_cast<std::byte*>(memory), bytes};
    return own_memory_.data();
  }
  [[noreturn]] void refuse(const char* why) {
    if (rank_ == 0) dprintf(2, "rccerun: --engine mpi: %s\n", why);
    abort(2);
  }

  /// Hands a message that has arrived to its receiver.
  void hand_on() {
    int bytes = 0;
    MPI_Get_count(&arrived_, MPI_BYTE, &bytes);
    switch (arrived_.MPI_TAG) {
    case message_tag:
      receiver_(context_, arrived_.MPI_SOURCE, {incoming_.data(), static_cast<std::size_t>(bytes)});
      break;
    case question_tag:
      send_empty(arrived_.MPI_SOURCE, answer_tag);
      break;
    default:
      ++answers_;
    }
    MPI_Start(&arrives_);
  }
  void send_empty(int rank, int tag) {
    MPI_Request leaves = MPI_REQUEST_NULL;
    MPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, messages_, &leaves);
    MPI_Request_free(&leaves);
  }
  /// Hands on what arrives meanwhile: others may wait for this process as it waits for them.
  template <class Met>
  void wait_until(Met&& met) {
    constexpr unsigned eager = 100;
    for (unsigned looks = 0; !met(); ++looks) {
      if (receiver_ != nullptr && progress()) continue;
      if (looks > eager) sched_yield();
    }
  }
  void until_complete(MPI_Request& request) {
    wait_until([&] {
      int complete = 0;
      MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
      return complete != 0;
    });
  }
  std::uint32_t fetch_and(MPI_Op operation, int rank, std::size_t at, std::uint32_t operand) {
    std::uint32_t before = 0;
    MPI_Fetch_and_op(&operand, &before, MPI_UINT32_T, rank, static_cast<MPI_Aint>(at), operation, world_);
    MPI_Win_flush(rank, world_);
    return before;
  }

  int rank_ = 0, processes_ = 0;
  bool first_ = false; ///< true if it is the first process of its host
  bool alone_ = false; ///< on its host
  bool one_host_ = false;
  struct Outgoing {
    std::vector<std::byte> bytes;
    MPI_Request leaves = MPI_REQUEST_NULL;
  };
  static constexpr int message_tag = 0, question_tag = 1, answer_tag = 2;
  std::array<Outgoing, 16> outgoing_; ///< used in turn
  std::size_t next_ = 0;              ///< index of the next one to use
  std::vector<std::byte> incoming_;
  MPI_Comm messages_ = MPI_COMM_NULL;
  MPI_Request arrives_ = MPI_REQUEST_NULL; ///< the one receive
  MPI_Status arrived_{};                   ///< status of the last message received
  std::uint64_t answers_ = 0;
  Receiver* receiver_ = nullptr;
  void* context_ = nullptr;
  std::vector<int> leaders_; ///< by rank: the first process of its host
  MPI_Comm host_ = MPI_COMM_NULL;
  MPI_Win shared_ = MPI_WIN_NULL, world_ = MPI_WIN_NULL;
  std::span<std::byte> own_memory_; ///< memory if no window has any
};

} // namespace
} // namespace rcce::mpi

extern "C" [[gnu::visibility("default")]] rcce::mpi::Transport* rockcreek_start_mpi() {
  return new rcce::mpi::Windows;
}
