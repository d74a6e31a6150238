// Stands between the cores of a run and what they share: delays and orders their accesses as the job's
// options say, and records the run for a comparison with others.
#pragma once

#include <map>
#include <set>
#include <string_view>

#include "explore/record.hpp"
#include "mesh_sim/holds.hpp"
#include "mesh_sim/jitter.hpp"
#include "rcce_emu/job.hpp"

namespace rcce {
class Job;
struct Ue;
} // namespace rcce

namespace rcce::explore {

class Interference final : public mesh::Intervention {
 public:
  explicit Interference(const JobOptions& options);

  /// Whether the options ask for one at all.
  [[nodiscard]] static bool wanted(const JobOptions& options);
  /// Before the run.
  void attach(Job& job) { job_ = &job; }

  Picoseconds start(int core) override { return jitter_.start(core); }
  void before(mesh::Kernel& kernel) override;
  void acts(mesh::Kernel& kernel, const mesh::Access& access) override;
  void spins(mesh::Kernel& kernel) override;
  bool last_call(mesh::Kernel& kernel) override { return holds_.last_call(kernel); }

  /// A line that a UE has written.
  void line(const Ue& ue, int fd, std::string_view text);
  /// After the run: leaves the record where somebody waits for it.
  void finish(const JobResult& result);

 private:
  void end_endless(const std::string& cause);
  void trace(const mesh::Access& access, std::uint64_t number);
  [[nodiscard]] std::uint16_t name(const char* text);
  [[nodiscard]] std::uint64_t buffer_hash(int core) const;

  Recording recording_;
  mesh::Jitter jitter_;
  mesh::Holds holds_;
  std::vector<std::uint64_t> made_;  ///< accesses that each core has set out for
  std::set<std::size_t> last_bytes_; ///< offsets in buffers that RCCE_finalize has written
  std::map<const char*, std::uint16_t> names_;
  RunRecord record_;
  Picoseconds last_access_ = 0; ///< when one set out
  Job* job_ = nullptr;
};

} // namespace rcce::explore
