// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/trace.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "mesh_sim/fixed_text.hpp"
#include "mesh_sim/observe/observers.hpp"

namespace mesh {
namespace {

constexpr std::size_t chunk_bytes = 64 << 10, longest_event = 1024;
/// A program that sends by calls and receives by flags of its own tells of one side only: of so many
/// messages of a pair the other side is awaited, further ones get no arrow.
constexpr std::size_t most_pending = 256;
/// Length of the slice in which an arrow ends, the least that viewers show, and how long before the receiver
/// has all it begins: they round times to nanoseconds, and it must not end after the call.
constexpr Picoseconds mark = 1000, mark_lead = 2 * mark;

/// Text made without the heap, which is the program's at this moment.
class Text {
 public:
  template <class... Values>
  explicit Text(fmt::format_string<Values...> format, Values&&... values) {
    size_ = format_into(text_, format, fmt::make_format_args(values...));
  }
  operator std::string_view() const { return {text_.data(), size_}; }

 private:
  std::array<char, longest_event> text_;
  std::size_t size_;
};

std::string_view name_of(Cause::Kind kind) {
  // In the order of Cause::Kind.
  constexpr std::string_view names[] = {
      "store", "copy", "plain store", "lock release", "counter access", "message", "turn", "interrupt",
  };
  static_assert(std::size(names) == static_cast<std::size_t>(Cause::Kind::interrupt) + 1);
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Wait::Target on) {
  // In the order of Wait::Target.
  constexpr std::string_view names[] = {
      "wait for flag",    "wait for any of several flags",
      "wait for lock",    "wait for counter",
      "wait for message", "wait for line",
  };
  static_assert(std::size(names) == static_cast<std::size_t>(Wait::Target::line) + 1);
  return names[static_cast<std::size_t>(on)];
}

bool is_copy(const Access& access) {
  return access.kind == Access::Kind::put || access.kind == Access::Kind::get;
}

Text microseconds_text(Picoseconds time) {
  return Text("{}.{:06}", time / picoseconds_per_microsecond, time % picoseconds_per_microsecond);
}

} // namespace

Trace::Trace(const Observers& told_by, Write write) : told_by_(told_by), write_(std::move(write)) {
  text_.reserve(chunk_bytes);
}

void Trace::begin(std::span<const TracedCore> cores, bool simulated) {
  int most = 0;
  for (const TracedCore& one : cores) most = std::max(most, one.core);
  lanes_.resize(static_cast<std::size_t>(most) + 1);
  append(fmt::format(R"({{"displayTimeUnit":"ns","otherData":{{"schema":1,"time":"{}"}},"traceEvents":[)",
                     simulated ? "simulated" : "host"));
  std::string_view separator = "";
  std::vector<bool> named; // by tile
  const auto name = [&](int pid, int tid, std::string_view what, std::string_view value) {
    append(fmt::format("{}\n"
                       R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":"{}"}}}})",
                       separator, pid, tid, what, value));
    separator = ",";
  };
  for (const TracedCore& one : cores) {
    lane(one.core).tile = one.tile;
    lane(one.core).name = one.name;
    const auto tile = static_cast<std::size_t>(one.tile);
    if (tile >= named.size()) named.resize(tile + 1);
    if (!named[tile]) {
      named[tile] = true;
      name(one.tile, one.core, "process_name", one.tile_name);
    }
    name(one.tile, one.core, "thread_name", one.name);
  }
  flush();
}

void Trace::call_begins(const Call& call) {
  const std::string& name = told_by_.call_names()[static_cast<std::size_t>(call.kind)];
  begin_slice(call.core, call.at, Text(R"(,"cat":"call","name":"{}")", name));
}

void Trace::call_ends(const Call& call) {
  if (call.peer < 0 && call.bytes == 0) return end_slice(call.core, call.at, "");
  if (call.peer < 0) return end_slice(call.core, call.at, Text(R"(,"args":{{"bytes":{}}})", call.bytes));
  end_slice(call.core, call.at,
            Text(R"(,"args":{{"peer":"{}","bytes":{}}})", name_of(call.peer), call.bytes));
}

void Trace::issued(const Access& access) {
  if (!is_copy(access)) return;
  begin_slice(access.core, access.at,
              Text(R"(,"cat":"copy","name":"{}","args":{{"buffer":"{}","bytes":{}}})",
                   access.kind == Access::Kind::put ? "put" : "get", name_of_memory(access.target),
                   access.bytes));
}

void Trace::ended(const Access& access, Picoseconds) {
  if (is_copy(access)) end_slice(access.core, access.at, "");
}

void Trace::wait_begins(const Wait& wait) {
  lane(wait.core).waiting = true;
  if (wait.on == Wait::Target::counter)
    return begin_slice(
        wait.core, wait.begin,
        Text(R"(,"cat":"wait","name":"{}","args":{{"counter":{}}})", mesh::name_of(wait.on), wait.target));
  if (wait.on == Wait::Target::message)
    return begin_slice(wait.core, wait.begin,
                       Text(R"(,"cat":"wait","name":"{}","args":{{"from":"{}"}})", mesh::name_of(wait.on),
                            name_of(wait.target)));
  begin_slice(wait.core, wait.begin,
              Text(R"(,"cat":"wait","name":"{}","args":{{"at":"{}","offset":{}}})", mesh::name_of(wait.on),
                   name_of_memory(wait.target), wait.offset));
}

void Trace::wait_ends(const Wait& wait) {
  lane(wait.core).waiting = false;
  const Cause& cause = wait.cause;
  if (cause.core < 0)
    return end_slice(wait.core, wait.end, Text(R"(,"args":{{"ended_by":"{}"}})", mesh::name_of(cause.kind)));
  end_slice(wait.core, wait.end,
            Text(R"(,"args":{{"ended_by":"{}","of":"{}","visible_us":{}}})", mesh::name_of(cause.kind),
                 name_of(cause.core), std::string_view(microseconds_text(cause.at))));
}

/// Open slices last until the end of the run, as in the other recordings.
void Trace::unfinished(const Unfinished& core) {
  while (lane(core.core).open > 0) end_slice(core.core, core.at, R"(,"args":{"unfinished":true})");
}

void Trace::message(const Message& message) {
  if (message.sender < 0) return;
  if (message.receiver >= 0)
    return side(message.sender, message.receiver, message.received,
                message.received ? message.end : message.begin, message.bytes);
  for (std::size_t core = 0; core < lanes_.size(); ++core)
    if (lanes_[core].tile >= 0 && static_cast<int>(core) != message.sender)
      side(message.sender, static_cast<int>(core), false, message.begin, message.bytes);
}

void Trace::side(int sender, int receiver, bool received, Picoseconds at, std::size_t bytes) {
  Pending& pair = pending_[{sender, receiver}];
  std::vector<Picoseconds>& others = received ? pair.sent : pair.received;
  std::vector<Picoseconds>& own = received ? pair.received : pair.sent;
  if (others.empty()) {
    if (own.size() < most_pending) own.push_back(at);
    return;
  }
  const Picoseconds other = others.front();
  others.erase(others.begin());
  arrow(sender, received ? other : at, receiver, received ? at : other, bytes);
}

void Trace::arrow(int sender, Picoseconds sent, int receiver, Picoseconds received, std::size_t bytes) {
  ++arrows_;
  put('s', sender, sent,
      Text(R"(,"cat":"message","name":"message","id":{},"args":{{"bytes":{}}})", arrows_, bytes));
  // Viewers tie an end to the slice that is open there, which is the next call's where the receive is over,
  // and turn an arrow round that leads to a slice which began before the sender's, as a receive may that was
  // called early. So it ends in a slice of its own: the last moment of the receive.
  const Picoseconds at = received - mark_lead;
  put('X', receiver, at,
      Text(R"(,"dur":{},"cat":"message","name":"message","args":{{"from":"{}","bytes":{}}})",
           std::string_view(microseconds_text(mark)), name_of(sender), bytes));
  put('f', receiver, at, Text(R"(,"cat":"message","name":"message","id":{},"bp":"e")", arrows_));
}

/// The first behind those of tiles.
int Trace::next_process() const noexcept {
  int next = 0;
  for (const Lane& one : lanes_) next = std::max(next, one.tile + 1);
  return next;
}

void Trace::critical_path(std::span<const PathTree::Stay> stays) {
  const int process = next_process() + 1; // that of load may come later
  append(Text(",\n"
              R"({{"ph":"M","pid":{},"tid":0,"name":"process_name","args":{{"name":"critical path"}}}})",
              process));
  for (const PathTree::Stay& one : stays)
    append(Text(",\n"
                R"({{"ph":"X","pid":{},"tid":0,"ts":{},"dur":{},"cat":"path","name":"{}"}})",
                process, std::string_view(microseconds_text(one.from)),
                std::string_view(microseconds_text(one.to - one.from)), name_of(one.core)));
}

std::size_t Trace::load_bins(std::size_t rows) noexcept {
  constexpr std::size_t most = 512, least = 16, all = 1 << 22;
  return std::clamp(all / std::max<std::size_t>(rows, 1) / 2 * 2, least, most);
}

void Trace::load(std::string_view resource, std::span<const Picoseconds> busy, Picoseconds width) {
  if (std::ranges::all_of(busy, [](Picoseconds time) { return time == 0; })) return;
  if (load_process_ < 0) {
    load_process_ = next_process();
    append(Text(",\n"
                R"({{"ph":"M","pid":{},"tid":0,"name":"process_name","args":{{"name":"load"}}}})",
                load_process_));
  }
  Picoseconds before = 0;
  for (std::size_t bin = 0; bin < busy.size(); ++bin) {
    const Picoseconds begin = static_cast<Picoseconds>(bin) * width;
    // Who sends a packet need not wait until it has passed.
    const Picoseconds permille = std::min<Picoseconds>(busy[bin] * 1000 / width, 1000);
    if (begin > latest_ || permille == before) continue;
    before = permille;
    append(Text(",\n"
                R"({{"ph":"C","pid":{},"tid":0,"ts":{},"name":"{}","args":{{"%":{}.{}}}}})",
                load_process_, std::string_view(microseconds_text(begin)), resource, permille / 10,
                permille % 10));
  }
}

void Trace::end() {
  for (std::size_t core = 0; core < lanes_.size(); ++core) {
    const Picoseconds at = lanes_[core].waiting ? latest_ : lanes_[core].latest;
    while (lanes_[core].open > 0) end_slice(static_cast<int>(core), at, R"(,"args":{"unfinished":true})");
  }
  flush();
}

std::string_view Trace::name_of(int core) const {
  const auto index = static_cast<std::size_t>(core);
  return core < 0 || index >= lanes_.size() || lanes_[index].tile < 0
      ? std::string_view("a core that takes no part")
      : lanes_[index].name;
}

std::string_view Trace::name_of_memory(int core) const {
  return core == shared_memory ? std::string_view("shared memory") : name_of(core);
}

void Trace::begin_slice(int core, Picoseconds at, std::string_view rest) {
  Lane& one = lane(core);
  ++one.open;
  one.latest = std::max(one.latest, at); // a host's clock may be read a little late
  latest_ = std::max(latest_, one.latest);
  put('B', core, one.latest, rest);
}

void Trace::end_slice(int core, Picoseconds at, std::string_view rest) {
  Lane& one = lane(core);
  if (one.open == 0) return;
  --one.open;
  one.latest = std::max(one.latest, at);
  latest_ = std::max(latest_, one.latest);
  put('E', core, one.latest, rest);
}

void Trace::put(char phase, int core, Picoseconds at, std::string_view rest) {
  append(Text(",\n"
              R"({{"ph":"{}","pid":{},"tid":{},"ts":{}{}}})",
              phase, lane(core).tile, core, std::string_view(microseconds_text(at)), rest));
}

void Trace::append(std::string_view event) {
  if (text_.size() + event.size() > chunk_bytes) flush();
  text_ += event;
}

void Trace::flush() {
  if (!text_.empty()) write_(text_);
  text_.clear();
}

} // namespace mesh
