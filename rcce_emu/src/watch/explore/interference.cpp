// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/interference.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "engine/ue/job_state.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/machines/scc/machine.hpp"
#include "process/run/report.hpp"
#include "process/run/run_view.hpp"
#include "rcce_emu/image.h"
#include "rcce_emu/statuses.hpp"
#include "watch/explore/contents.hpp"

namespace rcce::explore {
namespace {

/// Nobody knows whether the run would have come to an end.
constexpr int status_endless = status_timeout;

} // namespace

Interference::Interference(const InterferenceOptions& options, const std::string& program, std::size_t ues,
                           int cores)
    : explored_(options.explored),
      jitter_(options.perturbation.seed, cores),
      holds_(options.perturbation.orders),
      waiting_(static_cast<std::size_t>(cores)),
      asked_(waiting_.size()),
      made_(waiting_.size()),
      recorder_(*this, record_, cores, options.explored.accesses) {
  record_.ues.resize(ues);
  record_.program = program;
}

bool Interference::wanted(const InterferenceOptions& options) {
  return options.explored.fd >= 0 || options.perturbation.seed != 0 || !options.perturbation.orders.empty();
}

void Interference::before(mesh::Kernel& kernel) {
  const int core = kernel.current();
  Waiting& wait = waiting(core);
  const PlainAccess* const asked = asked_[static_cast<std::size_t>(core)];
  const std::uint64_t loop = asked == nullptr ? 0 : asked->loop;
  if (wait.loop != 0 && wait.loop == loop) {
    wait.looked = true;
    return;
  }
  end_wait(kernel);
  wait.loop = loop;
  const std::uint64_t number = made_[static_cast<std::size_t>(core)]++;
  if (++record_.accesses > explored_.most_accesses && explored_.most_accesses != 0)
    end_endless(fmt::format("the limits of --explore (it made {} accesses to shared state, many times as "
                            "many as the unperturbed run)",
                            explored_.most_accesses));
  kernel.advance(jitter_.access(core, number));
  holds_.before(kernel, number);
  last_access_ = std::max(last_access_, kernel.now());
}

/// The running core goes on behind its waiting loop, if it was in one.
void Interference::end_wait(mesh::Kernel& kernel) {
  const int core = kernel.current();
  if (waiting(core).loop == 0) return;
  waiting(core) = {};
  recorder_.loop_ended(core);
  holds_.acted(kernel, core, number(core), kernel.now());
}

/// True if every remaining core sleeps, is held back or has gone through its polling loop in vain since the
/// last write. Then only a core that is held back can change anything.
bool Interference::all_wait(const mesh::Kernel& kernel) const {
  if (kernel.delivers()) return false;
  for (int core = 0; core < kernel.contexts(); ++core) {
    if (!kernel.started(core) || kernel.ended(core) || kernel.blocked(core)) continue;
    const Waiting& wait = waiting_[static_cast<std::size_t>(core)];
    if (wait.loop == 0 || wait.writes != writes_ || wait.rounds < 2) return false;
  }
  return true;
}

void Interference::spins(mesh::Kernel& kernel) {
  if (Waiting& wait = waiting(kernel.current()); wait.loop != 0) {
    wait.rounds = wait.looked && wait.writes == writes_ ? wait.rounds + 1 : 0;
    wait.writes = writes_;
    wait.looked = false;
    if (all_wait(kernel) && holds_.last_call(kernel)) {
      last_access_ = kernel.now();
      return;
    }
  }
  if (explored_.most_idle == 0 || kernel.now() - last_access_ <= explored_.most_idle) return;
  if (holds_.last_call(kernel)) { // it may wait for one that is held back
    last_access_ = kernel.now();
    return;
  }
  end_endless(fmt::format(
      "the limits of --explore (it waits for plain memory, and no UE has accessed shared state since {})",
      run::microseconds(last_access_)));
}

void Interference::end_endless(const std::string& cause) {
  record_.endless = true;
  job_->report(run::state_text(run::view_run(*job_), cause));
  job_->stop(status_endless);
}

void Interference::acts(mesh::Kernel& kernel, const mesh::Access& access) {
  if (access.write) ++writes_;
  const PlainAccess* const plain = asked(access.core);
  if (!access.more && (plain == nullptr || plain->loop == 0))
    holds_.acted(kernel, access.core, number(access.core), access.at);
}

void Interference::plain(const PlainAccess& access) {
  mesh::MessageBuffers& buffers = *machine_->message_buffers();
  const std::byte *const mpbs = buffers.mpb(0), *const shared = machine_->shared_memory();
  mesh::Access wanted{.kind = access.write
                          ? access.atomic ? mesh::Access::Kind::update : mesh::Access::Kind::store
                          : access.wait ? mesh::Access::Kind::wait
                                        : mesh::Access::Kind::load,
                      .write = access.write,
                      .bytes = access.bytes};
  const auto from = [&](const std::byte* begin) { return static_cast<std::size_t>(access.address - begin); };
  if (from(shared) < machine_->shared_memory_bytes()) {
    wanted.offset = from(shared);
  } else {
    const std::size_t core = from(mpbs) / buffers.mpb_bytes();
    if (core >= static_cast<std::size_t>(machine_->topology().cores())) return;
    wanted.target = static_cast<int>(core);
    wanted.offset = from(mpbs) % buffers.mpb_bytes();
  }
  const auto self = static_cast<std::size_t>(machine_->kernel().current());
  asked_[self] = &access;
  machine_->plain(wanted);
  asked_[self] = nullptr;
}

bool Interference::is_shared(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  const mesh::MessageBuffers& buffers = *machine_->message_buffers();
  const auto inside = [at](const std::byte* begin, std::size_t bytes) {
    return static_cast<std::size_t>(at - begin) < bytes;
  };
  return inside(machine_->shared_memory(), machine_->shared_memory_bytes()) ||
      inside(machine_->message_buffers()->mpb(0),
             buffers.mpb_bytes() * static_cast<std::size_t>(machine_->topology().cores()));
}

/// A hash of the program's own data in the buffer. What the library's messages leave there may depend on who
/// was early.
std::uint64_t Interference::buffer_hash(int core) const {
  if (job_->ue_on(core)->image->gory == 0) return 0;
  Engine& engine = job_->engine();
  const std::span<const std::byte> buffer(engine.mpb(core), engine.mpb_bytes());
  std::vector<std::byte> contents(buffer.begin(), buffer.end());
  for (const std::size_t offset : recorder_.last_bytes()) contents[offset] = std::byte{0};
  return contents_hash(contents.data(), contents.size());
}

void Interference::line(const Ue& ue, int fd, std::string_view text) {
  if (fd != 1 || explored_.fd < 0) return;
  UeRecord& record = record_.ues[static_cast<std::size_t>(ue.rank)];
  if (ue.asked_time || ue.clock == Ue::Clock::fine)
    record.timed_from = std::min(record.timed_from, record.output.size());
  record.output += text;
}

void Interference::check_orders(JobResult& result) const {
  const mesh::Hold* const order = holds_.first_missing();
  if (order == nullptr) return;
  const auto core = [&](int id) {
    if (id < 0 || static_cast<std::size_t>(id) >= made_.size())
      return fmt::format("the machine has no core {:02d}", id);
    return fmt::format("core {:02d} has made {} accesses, counted from 0", id,
                       made_[static_cast<std::size_t>(id)]);
  };
  const std::string why = order->core == order->other ? "accesses of one core keep their order"
                                                      : core(order->core) + "; " + core(order->other);
  result.report += fmt::format("rccerun: --replay: the order {}.{}:{}.{} did not occur: {}; use the "
                               "orders that --explore prints for the same program, arguments and options\n",
                               order->core, order->access, order->other, order->other_access, why);
  if (result.status == 0) result.status = status_usage;
}

void Interference::finish(JobResult& result) {
  if (explored_.fd < 0) return check_orders(result);
  for (int core = 0; core < machine_->kernel().contexts(); ++core)
    if (machine_->kernel().blocked(core) && !holds_.holds(core))
      recorder_.left_waiting(core, machine_->wait_condition(core));
  recorder_.finish();
  record_.status = result.status;
  record_.outcome = result.outcome;
  record_.impossible = holds_.impossible();
  record_.impatient = holds_.impatient();
  record_.asked_time = result.asked_time;
  record_.knows_time = result.asked_time;
  record_.end = result.end;
  Engine& engine = job_->engine();
  record_.shared_memory = contents_hash(engine.shared_memory(), engine.shared_memory_bytes());
  std::map<std::string, std::pair<int, bool>> opened; // how many UEs, and whether one writes
  std::map<std::string, int> met;                     // how many UEs
  for (const UeResult& ue : result.ues) {
    UeRecord& record = record_.ues[static_cast<std::size_t>(ue.rank)];
    record.core = ue.core;
    record.status = ue.status;
    record.ended = ue.ended;
    record.buffer = buffer_hash(ue.core);
    const Ue& own = *job_->ue_on(ue.core);
    record_.asked_time = record_.asked_time || own.clock == Ue::Clock::fine;
    record_.knows_time = record_.knows_time || own.clock != Ue::Clock::none;
    const auto& host = own.host_values;
    record_.host_values.insert(host.begin(), host.end());
    for (const std::string& how : own.met) ++met[how];
    for (const auto& [place, writes] : own.opened) {
      opened[place].first += 1;
      opened[place].second |= writes;
    }
  }
  for (const auto& [how, ues] : met)
    if (ues > 1) record_.met_outside.insert(how);
  for (const auto& [place, by] : opened) {
    if (by.second) record_.written.insert(place);
    if (by.first > 1 && by.second) record_.met_outside.insert(place);
  }
  if (!record_.write(explored_.fd))
    throw mesh::UserError("--explore: what the run has done cannot be recorded: out of memory");
}

} // namespace rcce::explore
