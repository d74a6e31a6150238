// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/critical_path.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "mesh_sim/observe/call_traits.hpp"

namespace mesh {
namespace {

constexpr std::size_t bytes_of_line = 32;

bool is_copy(Access::Kind kind) {
  return kind == Access::Kind::put || kind == Access::Kind::get;
}

/// Which of its core's writes a cause speaks of.
bool speaks_of(const Cause& cause, Access::Kind kind) {
  switch (cause.kind) {
  case Cause::Kind::store:
    return kind == Access::Kind::store || kind == Access::Kind::update || kind == Access::Kind::put;
  case Cause::Kind::copy:
    return kind == Access::Kind::put;
  case Cause::Kind::lock_release:
    return kind == Access::Kind::lock_release;
  case Cause::Kind::counter:
    return kind == Access::Kind::counter;
  case Cause::Kind::message:
  case Cause::Kind::turn:
  case Cause::Kind::plain_store:
  case Cause::Kind::interrupt:
    break;
  }
  return false;
}

std::uint64_t line_of(int target, std::size_t offset) {
  return static_cast<std::uint64_t>(target) << 32 | offset / bytes_of_line;
}

struct KindWords {
  std::string_view name, description;
};
/// In the order of TimeShare::Kind.
constexpr KindWords words_of[] = {
    {"program", "the program's own code"},
    {"library", "software of calls"},
    {"put", "copies to buffers"},
    {"get", "copies from buffers"},
    {"memory", "the other side of copies: caches, private and shared memory"},
    {"access", "writes and reads of flags, locks and counters"},
    {"delivery", "writes on their way over the mesh"},
    {"look", "until a waiting loop's next look has seen them"},
    {"queue", "behind others at links, buffer ports and memory controllers"},
    {"unknown", "asleep until something past the machine: a plain store, an alarm"},
};
static_assert(std::size(words_of) == static_cast<std::size_t>(TimeShare::Kind::unknown) + 1);

} // namespace

std::string_view name_of(TimeShare::Kind kind) {
  return words_of[static_cast<std::size_t>(kind)].name;
}

std::string_view description_of(TimeShare::Kind kind) {
  return words_of[static_cast<std::size_t>(kind)].description;
}

CriticalPath::CriticalPath(int cores)
    : cores_(static_cast<std::size_t>(cores)), locks_(cores), tree_(cores) {}

TimeShare CriticalPath::time_share(int id, TimeShare::Kind kind) const {
  return {kind, cores_[static_cast<std::size_t>(id)].call, id, {}};
}

TimeShare CriticalPath::time_share(int id, TimeShare::Kind kind, int to) const {
  TimeShare share = time_share(id, kind);
  if (distance_ && to >= 0) share.resource.number = distance_(id, to) + 1;
  return share;
}

/// The core's clock has come to `at` outside of accesses.
void CriticalPath::reach(int id, Picoseconds at) {
  PerCore& one = core(id);
  for (const auto& [place, time] : one.ran) {
    TimeShare what = time_share(id, TimeShare::Kind::program);
    what.resource.number = place + 1;
    tree_.charge(id, std::min(tree_.at(id) + time, at), what);
  }
  one.ran.clear();
  tree_.charge(id, at,
               time_share(id,
                          one.polls                          ? TimeShare::Kind::look
                              : one.call < 0 || one.computes ? TimeShare::Kind::program
                                                             : TimeShare::Kind::library));
}

void CriticalPath::core_starts(int id, Picoseconds at) {
  core(id).started = true;
  reach(id, at);
}

void CriticalPath::core_ends(int id, Picoseconds at) {
  reach(id, at);
  core(id).ended = true;
}

void CriticalPath::ran(int id, Picoseconds time) {
  PerCore& one = core(id);
  if (one.call >= 0) return; // a function of the program's that the call has called
  const int place = place_(id);
  if (place < 0) return;
  const auto known = std::ranges::find(one.ran, place, &std::pair<int, Picoseconds>::first);
  if (known == one.ran.end())
    one.ran.emplace_back(place, time);
  else
    known->second += time;
}

void CriticalPath::call_begins(const Call& call) {
  reach(call.core, call.at);
  PerCore& one = core(call.core);
  if (one.depth++ > 0) return;
  one.call = call.kind;
  one.computes = has(call.traits, CallTraits::computes);
}

void CriticalPath::call_ends(const Call& call) {
  reach(call.core, call.at);
  PerCore& one = core(call.core);
  one.polls = false;
  if (one.depth == 0 || --one.depth > 0) return;
  one.call = -1;
  one.computes = false;
}

void CriticalPath::issued(const Access& access) {
  PerCore& one = core(access.core);
  reach(access.core, access.at - access.ahead);
  one.in_access = true;
  one.target = access.kind == Access::Kind::counter ? -1 : access.target;
  one.slept = one.polls = false;
  one.queued.clear();
  // Others hear of these two before they end.
  if (access.kind == Access::Kind::lock_release || (access.kind == Access::Kind::counter && access.write)) {
    tree_.charge(access.core, access.at, time_share(access.core, TimeShare::Kind::access, one.target));
    remember(access.core, access.kind, access.at);
  }
  locks_.issued(access);
}

void CriticalPath::served(const Service& service) {
  if (service.queued > 0) core(service.core).queued.push_back({service.resource, service.queued});
}

void CriticalPath::ended(const Access& access, Picoseconds begin) {
  const int id = access.core;
  PerCore& one = core(id);
  one.in_access = false;
  Picoseconds left = std::max<Picoseconds>(access.at - tree_.at(id), 0);
  const auto charge = [&](Picoseconds time, const TimeShare& what) {
    time = std::min(time, left);
    left -= time;
    tree_.charge(id, tree_.at(id) + time, what);
  };
  if (!one.slept)
    for (const Queued& queue : one.queued) {
      TimeShare what = time_share(id, TimeShare::Kind::queue);
      what.resource = queue.resource;
      charge(queue.time, what);
    }
  charge(access.memory, time_share(id, TimeShare::Kind::memory));
  locks_.ended(access, begin);
  const bool waits = access.kind == Access::Kind::wait || access.kind == Access::Kind::look;
  charge(left,
         time_share(id,
                    is_copy(access.kind)     ? (access.write ? TimeShare::Kind::put : TimeShare::Kind::get)
                        : waits && one.slept ? TimeShare::Kind::look
                                             : TimeShare::Kind::access,
                    one.target));
  if (access.visible > 0) {
    remember(id, access.kind, access.visible);
    if (access.bytes <= bytes_of_line)
      for (std::size_t byte = access.offset; byte < access.offset + access.bytes; ++byte)
        seen_[line_of(access.target, byte)][byte % bytes_of_line] = {access.visible, id};
  }
  if (access.kind == Access::Kind::wait && !one.slept) note_arrival(access, begin);
}

/// It has found the flag set: the chain of whoever has set it is the shorter one.
void CriticalPath::note_arrival(const Access& access, Picoseconds begin) {
  const auto line = seen_.find(line_of(access.target, access.offset));
  if (line == seen_.end()) return;
  const LastWrite& seen = line->second[access.offset % bytes_of_line];
  if (seen.at < 0 || seen.at > begin || seen.writer == access.core) return;
  tree_.meet(access.core, {Slack::Kind::arrival, access.core, core(access.core).call, begin - seen.at});
}

void CriticalPath::remember(int id, Access::Kind kind, Picoseconds at) {
  PerCore& one = core(id);
  Write& write = one.writes[one.next++ % remembered];
  if (write.piece != PathTree::none) tree_.forget(write.piece);
  write = {kind, at, tree_.remember(id)};
}

PathTree::Piece CriticalPath::cause_of(const Wait& wait) const {
  const Cause& cause = wait.cause;
  if (cause.core < 0) return PathTree::none;
  const PerCore& one = cores_[static_cast<std::size_t>(cause.core)];
  for (std::size_t i = 1; i <= std::min(one.next, remembered); ++i) {
    const Write& write = one.writes[(one.next - i) % remembered];
    if (!speaks_of(cause, write.kind)) continue;
    // A core's next release comes after the one before can be seen.
    const bool same = cause.kind == Cause::Kind::lock_release ? write.at <= cause.at : write.at == cause.at;
    if (same && tree_.end_of(write.piece) <= wait.end) return write.piece;
  }
  return PathTree::none;
}

void CriticalPath::wait_begins(const Wait& wait) {
  PerCore& one = core(wait.core);
  if (one.in_access)
    tree_.charge(wait.core, wait.begin, time_share(wait.core, TimeShare::Kind::access, one.target));
  else
    reach(wait.core, wait.begin);
  one.slept = true;
  locks_.wait_begins(wait);
}

void CriticalPath::wait_ends(const Wait& wait) {
  const int id = wait.core;
  locks_.wait_ends(wait);
  const PathTree::Piece piece = cause_of(wait);
  if (piece == PathTree::none) {
    const bool known = wait.cause.core >= 0 && wait.cause.kind != Cause::Kind::interrupt;
    lost_ += known ? 1 : 0;
    tree_.charge(id, wait.end, time_share(id, TimeShare::Kind::unknown));
    return;
  }
  tree_.adopt(id, piece, wait.cause.core != id);
  tree_.charge(id, std::min(wait.cause.at, wait.end),
               time_share(id, TimeShare::Kind::delivery, wait.cause.core));
  tree_.charge(id, wait.end, time_share(id, TimeShare::Kind::look));
  tree_.meet(id, {Slack::Kind::sleep, id, core(id).call, wait.end - wait.begin});
  core(id).polls = wait.on == Wait::Target::counter;
}

void CriticalPath::unfinished(const Unfinished& left) {
  PerCore& one = core(left.core);
  one.crashed = left.crashed;
  if (one.in_access)
    tree_.charge(left.core, left.since, time_share(left.core, TimeShare::Kind::access));
  else
    reach(left.core, left.since);
}

/// Finds the end of the path, and by how much the second core was earlier there; false if nothing has
/// happened.
bool CriticalPath::find_end(Path& path, Slack& second) const {
  path.complete = true;
  for (int id = 0; id < static_cast<int>(cores_.size()); ++id) {
    const PerCore& one = cores_[static_cast<std::size_t>(id)];
    if (!one.started) continue;
    path.complete = path.complete && one.ended;
    const Picoseconds at = tree_.at(id);
    if (path.core < 0 || at > path.end || one.crashed) {
      if (path.core >= 0) second = {Slack::Kind::end, path.core, -1, at - path.end};
      path.end = at;
      path.core = id;
      path.crashed = one.crashed;
      if (one.crashed) break; // what others have done after that is none of its doing
    } else if (second.core < 0 || path.end - at < second.time) {
      second = {Slack::Kind::end, id, -1, path.end - at};
    }
  }
  if (path.crashed) path.complete = false;
  if (!path.complete) second = {};
  return path.core >= 0;
}

Path CriticalPath::path(std::span<const std::string> call_names,
                        const std::function<std::string(ResourceId)>& resource) const {
  Path path;
  Slack second;
  if (!find_end(path, second)) {
    path.complete = false;
    return path;
  }
  const PathTree::Chain chain = tree_.chain(path.core);
  const auto call_name = [&](int call) {
    return call < 0 ? std::string() : call_names[static_cast<std::size_t>(call)];
  };
  // They are by key: those that differ by the distance or the place alone follow each other.
  std::uint64_t far = 0, links = 0; // accesses whose distance is known, and all their links
  for (const PathTree::Sum& sum : chain.sums) {
    TimeShare what = TimeShare::of(sum.key);
    const bool queue = what.kind == TimeShare::Kind::queue;
    const int number = queue ? 0 : std::exchange(what.resource.number, 0);
    if (path.parts.empty() || path.parts.back().what.key() != what.key()) {
      path.parts.push_back({what, call_name(what.call), queue ? resource(what.resource) : std::string()});
      far = links = 0;
    }
    Path::Part& part = path.parts.back();
    part.time += sum.time;
    part.count += sum.count;
    if (number == 0) continue;
    if (what.kind == TimeShare::Kind::program) {
      part.places.emplace_back(number - 1, sum.time);
      continue;
    }
    far += sum.count;
    links += sum.count * static_cast<std::uint64_t>(number - 1);
    part.hops = static_cast<double>(links) / static_cast<double>(far);
  }
  std::ranges::stable_sort(path.parts, std::greater<>{}, &Path::Part::time);
  path.changes = chain.changes;
  path.locks = locks_.locks(path.end);
  std::erase_if(path.locks, [](const LockUsage::Lock& lock) { return lock.waiting == 0; });
  path.slack = chain.slack;
  if (second.core >= 0 && second.time < path.slack.time) path.slack = second;
  path.slack_call = call_name(path.slack.call);
  path.stays = chain.stays;
  return path;
}

} // namespace mesh
