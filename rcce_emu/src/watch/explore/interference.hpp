// SPDX-License-Identifier: Apache-2.0
// Stands between the cores of a run and what they share: delays and orders their accesses as the job's
// options say, and leaves the record of the run for a comparison with others, to which the recorder adds the
// accesses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mesh_sim/kernel/holds.hpp"
#include "mesh_sim/kernel/jitter.hpp"
#include "mesh_sim/observe/facts.hpp"
#include "rcce_emu/interference_options.hpp"
#include "rcce_emu/job_result.hpp"
#include "watch/explore/record.hpp"
#include "watch/explore/recorder.hpp"

namespace rcce {
class Job;
struct Ue;
} // namespace rcce

namespace rcce::explore {

using mesh::PlainAccess;

class Interference final : public mesh::Intervention {
 public:
  /// For a run of `ues` UEs of that program on a machine of so many cores.
  Interference(const InterferenceOptions& options, const std::string& program, std::size_t ues, int cores);

  /// True if the options ask for an interference.
  [[nodiscard]] static bool wanted(const InterferenceOptions& options);
  /// Before the run.
  void attach(Job& job) {
    job_ = &job;
    recorder_.attach(job);
  }
  /// Who watches for it, or null.
  [[nodiscard]] mesh::Observer* recorder() { return explored_.fd < 0 ? nullptr : &recorder_; }
  /// Number of the access that the core has set out for last.
  [[nodiscard]] std::uint64_t number(int core) const { return made_[static_cast<std::size_t>(core)] - 1; }
  /// The plain access that the core is about to make, or null.
  [[nodiscard]] const PlainAccess* asked(int core) const { return asked_[static_cast<std::size_t>(core)]; }

  void attached(mesh::SccMachine& machine) override { machine_ = &machine; }
  Picoseconds start(int core) override { return jitter_.start(core); }
  void before(mesh::Kernel& kernel) override;
  void acts(mesh::Kernel& kernel, const mesh::Access& access) override;
  void spins(mesh::Kernel& kernel) override;
  bool last_call(mesh::Kernel& kernel) override { return holds_.last_call(kernel); }

  /// The running UE's own code is about to access this memory: returns when it may.
  void plain(const PlainAccess& access);
  /// The program is compiled to tell of all that; it has been handed pointers to memory that UEs share; it
  /// gives such an address to code that tells of nothing, whose name is `to`.
  void observes() { record_.observed = true; }
  void hands_out() { record_.pointers = true; }
  void gives_away(std::string to) { record_.given_to.insert(std::move(to)); }
  [[nodiscard]] bool is_shared(const void* address) const;

  /// A line that a UE has written.
  void line(const Ue& ue, int fd, std::string_view text);
  /// After the run: leaves the record where somebody waits for it. A run of --replay whose orders have not
  /// come about is none of what was asked for: says so in the result.
  void finish(JobResult& result);

 private:
  /// The waiting loop of the program's own that a core is in: all its looks are one access, which acts when
  /// the loop ends.
  struct Waiting {
    std::uint64_t loop = 0;   ///< PlainAccess::loop; 0: none
    std::uint64_t writes = 0; ///< that had acted when it went round last
    unsigned rounds = 0;      ///< since another write has acted
    bool looked = false;      ///< since it went round last
  };

  [[nodiscard]] Waiting& waiting(int core) { return waiting_[static_cast<std::size_t>(core)]; }
  void end_wait(mesh::Kernel& kernel);
  [[nodiscard]] bool all_wait(const mesh::Kernel& kernel) const;
  void end_endless(const std::string& cause);
  void check_orders(JobResult& result) const;
  [[nodiscard]] std::uint64_t buffer_hash(int core) const;

  ExploredRun explored_;
  mesh::Jitter jitter_;
  mesh::Holds holds_;
  std::vector<Waiting> waiting_;          ///< by core
  std::uint64_t writes_ = 0;              ///< that have acted
  std::vector<const PlainAccess*> asked_; ///< by core: the plain one that is under way
  std::vector<std::uint64_t> made_;       ///< accesses that each core has set out for
  RunRecord record_;
  Recorder recorder_;
  Picoseconds last_access_ = 0; ///< when one set out
  mesh::SccMachine* machine_ = nullptr;
  Job* job_ = nullptr;
};

} // namespace rcce::explore
