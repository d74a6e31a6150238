// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/rounds.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "observe/round_tags.hpp"

namespace mesh {
namespace {

/// The known edges that one core has been part of.
class Past {
 public:
  void add(Picoseconds at, std::size_t number, int round) { entries_.push_back({at, number, round}); }
  /// The greatest round of those that had ended at that time.
  [[nodiscard]] int until(Picoseconds at) const {
    return greatest([&](const Entry& entry) { return entry.at <= at; });
  }
  /// The greatest round of those that the core had seen before its event of that number.
  [[nodiscard]] int before(std::size_t number, Picoseconds at) const {
    return greatest([&](const Entry& entry) { return entry.number < number && entry.at <= at; });
  }

 private:
  struct Entry {
    Picoseconds at;
    std::size_t number; ///< number of the event; 0 for a message
    int round;
  };
  template <class Holds>
  [[nodiscard]] int greatest(Holds holds) const {
    int round = 0;
    for (const Entry& entry : entries_)
      if (holds(entry)) round = std::max(round, entry.round);
    return round;
  }
  std::vector<Entry> entries_;
};

struct Sent {
  Message sender, receiver;
  int send = 0; ///< number among the sender's: a multicast is one send
  Picoseconds start = 0;
};

class Search {
 public:
  Search(std::span<const RoundWindow> windows, std::span<const Message> sides,
         std::span<const Rounds::Act> acts) {
    for (const RoundWindow& window : windows) windows_[window.core] = window;
    take_messages(sides);
    walk(acts);
  }

  [[nodiscard]] std::vector<RoundEdge> edges() const {
    std::vector<RoundEdge> all;
    for (const auto& [place, edge] : edges_) all.push_back(edge);
    return all;
  }

 private:
  [[nodiscard]] const RoundWindow* window(int core) const {
    const auto found = windows_.find(core);
    return found == windows_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool inside(int core, Picoseconds begin, Picoseconds end) const {
    const RoundWindow* const own = window(core);
    return own != nullptr && begin >= own->begin && end <= own->end;
  }

  /// Puts the sides of messages together: the first of a pair at its sender is the first at its receiver.
  void take_messages(std::span<const Message> sides) {
    std::map<int, std::vector<Message>> sent;
    std::map<std::pair<int, int>, std::vector<Message>> received;
    for (const Message& side : sides) {
      const int core = side.received ? side.receiver : side.sender;
      if (!inside(core, side.begin, side.end)) continue;
      busy_[core].push_back({side.begin, side.end});
      if (side.received)
        received[{side.sender, side.receiver}].push_back(side);
      else
        sent[side.sender].push_back(side);
    }
    for (auto& [sender, messages] : sent) {
      std::stable_sort(messages.begin(), messages.end(),
                       [](const Message& a, const Message& b) { return a.begin < b.begin; });
      Picoseconds before = 0;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        Picoseconds latest = before;
        for (auto& [pair, waiting] : received) {
          const bool its =
              pair.first == sender && (messages[i].receiver < 0 || messages[i].receiver == pair.second);
          if (!its || waiting.empty()) continue;
          Sent one{messages[i], waiting.front(), static_cast<int>(i), 0};
          waiting.erase(waiting.begin());
          one.start = std::min(one.receiver.end, std::max({one.sender.begin, one.receiver.begin, before}));
          latest = std::max(latest, one.start);
          messages_.push_back(one);
        }
        before = latest;
      }
    }
    std::stable_sort(messages_.begin(), messages_.end(), [](const Sent& a, const Sent& b) {
      return std::tie(a.start, a.sender.sender, a.send) < std::tie(b.start, b.sender.sender, b.send);
    });
  }

  /// All that happens, in the order of its time; at one time deliveries, messages, reads, writes.
  void walk(std::span<const Rounds::Act> acts) {
    struct Item {
      Picoseconds at;
      int rank;
      const Rounds::Act* act;
      const Sent* message;
    };
    std::vector<Item> items;
    for (const Rounds::Act& act : acts) {
      const int rank = act.before_others ? 0 : reads(act.access) ? 2 : 3;
      items.push_back({act.access.at, rank, &act, nullptr});
      if (reads(act.access) && act.access.write) items.push_back({act.access.at, 3, &act, nullptr});
    }
    for (const Sent& message : messages_) items.push_back({message.start, 1, nullptr, &message});
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return std::tie(a.at, a.rank) < std::tie(b.at, b.rank);
    });
    for (const Item& item : items) {
      if (item.message != nullptr)
        take_message(*item.message);
      else if (item.rank == 2)
        read(*item.act);
      else
        write(*item.act);
    }
  }

  void take_message(const Sent& message) {
    const Message &sender = message.sender, &receiver = message.receiver;
    int& last = last_send_[sender.sender];
    auto& [number, before] = last_round_[sender.sender];
    if (number != message.send) {
      before = last;
      number = message.send;
    }
    const int round = 1 +
        std::max({past_[sender.sender].until(sender.begin), past_[receiver.receiver].until(receiver.begin),
                  before});
    last = std::max(last, round);
    if (sender.end >= receiver.end) past_[sender.sender].add(sender.end, 0, round);
    past_[receiver.receiver].add(receiver.end, 0, round);
    add({round, sender.sender, receiver.receiver, true, receiver.bytes, sender.begin, receiver.end});
  }

  [[nodiscard]] static bool reads(const Access& access) {
    switch (access.kind) {
    case Access::Kind::get:
    case Access::Kind::load:
    case Access::Kind::wait:
    case Access::Kind::look:
    case Access::Kind::lock_try:
    case Access::Kind::counter:
      return true;
    default:
      return false;
    }
  }

  /// True if the access is part of a message of the core's own.
  [[nodiscard]] bool of_message(int core, Picoseconds at) const {
    const auto own = busy_.find(core);
    if (own == busy_.end()) return false;
    return std::any_of(own->second.begin(), own->second.end(),
                       [&](const auto& side) { return at >= side.first && at <= side.second; });
  }

  void write(const Rounds::Act& act) {
    const Access& access = act.access;
    if (of_message(access.core, access.at)) {
      tags_.write(access, {});
      return;
    }
    const Past& past = past_[access.core];
    const RoundWindow* const own = window(access.core);
    RoundTag tag{access.core, 0, own != nullptr && access.at >= own->begin, access.at};
    if (tag.inside) tag.round = act.issued > 0 ? past.before(act.issued, access.at) : past.until(access.at);
    tags_.write(access, tag);
  }

  void read(const Rounds::Act& act) {
    const Access& access = act.access;
    if (!access.done || !inside(access.core, access.at, access.at) || of_message(access.core, access.at))
      return;
    const bool data = access.kind == Access::Kind::get;
    const Picoseconds end = std::max(act.finished, access.at);
    int seen = 0;
    tags_.read(access, [&](const RoundTag& tag) {
      if (tag.core == access.core || (!tag.inside && !data) || window(tag.core) == nullptr) return;
      // What lay ready is read when the reader has come so far.
      const int round = tag.inside ? tag.round + 1 : std::max(1, past_[access.core].until(access.at));
      seen = std::max(seen, round);
      add({round, tag.core, access.core, data, data ? std::size_t{1} : 0, tag.at, end});
    });
    if (seen > 0) past_[access.core].add(access.at, act.number, seen);
  }

  void add(const RoundEdge& edge) {
    const auto [place, fresh] = edges_.try_emplace({edge.round, edge.from, edge.to}, edge);
    if (fresh) return;
    RoundEdge& known = place->second;
    known.data = known.data || edge.data;
    known.bytes += edge.bytes;
    known.begin = std::min(known.begin, edge.begin);
    known.end = std::max(known.end, edge.end);
  }

  std::map<int, RoundWindow> windows_;
  std::map<int, std::vector<std::pair<Picoseconds, Picoseconds>>> busy_; ///< sides of messages, by core
  std::vector<Sent> messages_;
  std::map<int, Past> past_;
  std::map<int, int> last_send_; ///< the greatest round of a core's sends
  /// By core, of its present send: number, the rounds before it.
  std::map<int, std::pair<int, int>> last_round_;
  RoundTags tags_;
  std::map<std::tuple<int, int, int>, RoundEdge> edges_; ///< by round, sender, receiver
};

} // namespace

Rounds::PerCore& Rounds::core(int id) {
  const auto index = static_cast<std::size_t>(id);
  if (index >= cores_.size()) cores_.resize(index + 1);
  return cores_[index];
}

void Rounds::issued(const Access& access) {
  PerCore& own = core(access.core);
  ++own.events;
  if (access.write) own.writes.push_back({access, own.events});
}

void Rounds::acted(const Access& access) {
  PerCore& own = core(access.core);
  Act act{access, access.delivered, 0, ++own.events, access.at};
  const auto issue = std::find_if(own.writes.begin(), own.writes.end(), [&](const Issue& one) {
    return one.access.kind == access.kind && one.access.target == access.target &&
        access.offset >= one.access.offset && access.offset <= one.access.offset + one.access.bytes;
  });
  if (access.write && issue != own.writes.end()) {
    act.issued = issue->number;
    if (!access.more) own.writes.erase(issue);
  }
  own.acted.push_back(acts_.size());
  acts_.push_back(act);
}

void Rounds::ended(const Access& access, Picoseconds) {
  PerCore& own = core(access.core);
  for (const std::size_t act : own.acted) acts_[act].finished = access.at;
  own.acted.clear();
}

std::vector<RoundEdge> Rounds::edges(std::span<const RoundWindow> windows) const {
  return Search(windows, sides_, acts_).edges();
}

} // namespace mesh
