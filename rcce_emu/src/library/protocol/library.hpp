// SPDX-License-Identifier: Apache-2.0
// The RCCE library of one UE: what the original keeps in its own variables beside those that programs can see
// (these live in the program's image). The protocol's functions are free functions over it, one header per
// part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ue/ue.hpp"
#include "library/protocol/allocation_log.hpp"
#include "library/protocol/block_list.hpp"
#include "library/protocol/communicator.hpp"
#include "library/protocol/flag_table.hpp"
#include "library/protocol/host_compute.hpp"
#include "library/protocol/power_state.hpp"
#include "library/protocol/substitutes.hpp"
#include "rcce_emu/costs.hpp"

namespace rcce {
struct LibraryOptions; // rcce_emu/library_options.hpp
}

namespace rcce::protocol {

using MpbPointer = volatile unsigned char*;

/// Which public error codes the protocol returns (RCCE_ERROR_...), as distances from RCCE_ERROR_BASE.
enum class Error : int {
  none = 0,
  target = 1,
  source = 2,
  id = 3,
  message_length = 4,
  flag_undefined = 5,
  alignment = 8,
  data_overlap = 7,
  debug_flag = 9,
  flag_not_in_comm_buffer = 10,
  flag_status_undefined = 11,
  flag_not_allocated = 12,
  val_undefined = 13,
  invalid_error_code = 14,
  multiple_rpc_requests = 17,
  fdivider = 18,
  no_active_rpc_request = 20,
  stale_rpc_request = 21,
  comm_undefined = 22,
  illegal_op = 23,
  illegal_type = 24,
  comm_initialized = 26,
  core_not_in_hostfile = 27,
};
inline constexpr int error_base = 1234321;
[[nodiscard]] constexpr int code(Error error) {
  return error == Error::none ? 0 : error_base + static_cast<int>(error);
}

struct Library;

class Rendezvous; // rendezvous.hpp

/// A library on top of this one: its state of the UE, and what it wants to hear of.
class Extension {
 public:
  virtual ~Extension() = default;
  virtual void finalizing() {}          ///< RCCE_finalize begins
  virtual void sending(int /*dest*/) {} ///< a blocking call is about to pass a message through the own MPB
  /// Several messages that the UE waits for, each in words; empty where it waits for one or none. For
  /// reports.
  virtual std::vector<std::string> awaited() { return {}; }
  virtual bool awaits_any() { return false; } ///< one of these is enough
  /// The open messages of its non-blocking calls, for reports.
  virtual std::vector<OpenMessage> open_messages() { return {}; }
  virtual void receiving(int /*source*/) {} ///< a blocking call is about to wait for a message from there
};

/// State that the UEs of a process compute once for all of them.
struct Shared {
  std::mutex mutex;
  // What the first UE in RCCE_init has found. With thousands of UEs neither the time nor the memory is there
  // for each of them to find it again.
  std::vector<char*> launcher_words; ///< the launcher's part of the argument vector, ...
  int ues = 0;                       ///< ... and what it says
  double clock_ghz = 0;
  std::vector<int> cores;          ///< physical core by rank
  std::vector<MpbPointer> buffers; ///< managed part of each rank's MPB
  AllocationLogs allocations;
};

struct Library final : UeLibrary {
  Library(Ue& ue, const SoftwareCosts& all_costs);
  ~Library() override;

  Ue& ue;
  Core& core;
  const int core_id;
  Engine& engine;
  JobMemory& memory;
  const ImageVariables& image;
  const SoftwareCosts& software; ///< costs of the job's libraries
  const GenerationCosts costs;
  const FlagScheme& scheme;
  const Copy copy;    ///< how this generation copies between private memory and MPBs
  const bool charged; ///< true if the library's own code costs simulated time
  const std::unique_ptr<Rendezvous> rendezvous; ///< how messages pass
  std::byte* const own_mpb;                     ///< that of the core
  const std::size_t own_mpb_bytes;
  const std::size_t mpb_start; ///< first managed byte of an MPB: 2.0 keeps a dummy line before it

  bool free_barriers = false;           ///< a barrier costs nothing
  bool started = false;                 ///< RCCE_init has succeeded
  bool mismatch_told = false;           ///< that a message's two sides had different sizes
  bool left = false;                    ///< counted in Shared::left
  int final_value = 0;                  ///< value of the world's release flag that RCCE_finalize waits for
  std::unique_ptr<Extension> extension; ///< null until a call of it
  std::unique_ptr<Substitutes> substitutes;  ///< null unless another image's collectives are wanted
  std::unique_ptr<HostCompute> host_compute; ///< null unless the program's own code takes host time

  std::span<const int> cores; ///< physical core by rank, ascending; the job's list where it is the same
  std::vector<int> own_cores; ///< storage of `cores` where it is not
  BlockList mpb_blocks;       ///< the region that RCCE_malloc manages; low-level interface only
  std::size_t mpb_region = 0; ///< its start in the own MPB
  BlockList shared_blocks;
  std::byte* shared_region = nullptr;
  FlagTable flags;
  AllocationLog allocations;
  AllocationLogs* all_allocations = nullptr; ///< null where the others' are not seen
  std::optional<FlagWord> awaited_flag;      ///< the program's flag that it waits for
  std::optional<std::size_t> message_flags;  ///< number of the first, where the program does not look at them
  PowerState power;
  std::vector<std::uint32_t> lookup_table; ///< the core's address table, as far as programs write it

  [[nodiscard]] int rank() const { return *image.iam; }
  [[nodiscard]] int size() const { return *image.np; }
  [[nodiscard]] int mpb_bytes() const { return *image.buff_size; } ///< managed bytes
  [[nodiscard]] bool gory() const { return image.gory != 0; }
  [[nodiscard]] bool valid_rank(int id) const { return id >= 0 && id < size(); }
  /// Physical core of a rank. A rank that is none ends the UE: the original would access memory that is not
  /// there.
  [[nodiscard]] int core_of(int id) {
    if (!valid_rank(id)) refuse_rank(id);
    return cores[static_cast<std::size_t>(id)];
  }
  /// Rank on a physical core; -1 where there is none.
  [[nodiscard]] int rank_of(int core_id) const;
  [[nodiscard]] Communicator world() const { return {image, image.comm_world}; }
  [[nodiscard]] Shared& shared();

  /// Charges the program's own code up to here.
  void charge_own_code() {
    rcce::charge_own_code(ue);
    if (host_compute) charge(host_compute->end(engine.tile_divider(engine.tile_of(core.id()))));
  }

  void charge(Cycles cycles) {
    if (charged && cycles > 0) core.compute(cycles);
  }

  [[nodiscard]] std::vector<std::string> awaited() const override {
    return extension == nullptr ? std::vector<std::string>{} : extension->awaited();
  }
  [[nodiscard]] bool awaits_any() const override { return extension != nullptr && extension->awaits_any(); }
  [[nodiscard]] std::vector<OpenMessage> open_messages() const override {
    return extension == nullptr ? std::vector<OpenMessage>{} : extension->open_messages();
  }
  [[nodiscard]] std::vector<int> members(void* communicator) const override;
  [[nodiscard]] std::string unlike_allocations() const override {
    return protocol::unlike_allocations(*this);
  }
  void looked_at_memory(unsigned rounds) override;
  void polls_memory(std::span<const mesh::PolledWord> words, unsigned reads) override;
  void drops_lines() override;
  void leave() override;

  /// The message that a blocking call is about to pass through the own MPB; {} for none.
  void announce(const Outgoing& message) {
    if (message == announced_) return; // what is written each time goes to and fro between two caches
    announced_ = message;
    memory.set_outgoing(core_id, message);
  }
  /// This UE has taken the lock of a core, or frees it; for reports.
  void note_lock(int of, bool taken) const { memory.set_lock_holder(of, taken ? rank() : -1); }

  Shared own_shared; ///< the process' state, in the library of the first rank here

 private:
  Outgoing announced_;

  [[noreturn, gnu::cold, gnu::noinline]] void refuse_rank(int id) const;
};

/// That of a UE that has one.
[[nodiscard]] inline Library& library_of(const Ue& ue) noexcept {
  return static_cast<Library&>(*ue.library);
}

/// The library of a UE whose engine, core and image are set.
[[nodiscard]] std::unique_ptr<Library> make_library(Ue& ue, const LibraryOptions& options);

/// RCCE_init.
int init(Library& library, int* argc, char*** argv);
/// RCCE_finalize: a barrier among the UEs that have not ended.
int finalize(Library& library);

} // namespace rcce::protocol
