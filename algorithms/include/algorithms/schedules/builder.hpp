// SPDX-License-Identifier: Apache-2.0
// Makes schedules of plans: the steps of every core, and its flags.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/schedules/format.hpp"
#include "algorithms/schedules/owners.hpp"
#include "algorithms/schedules/plan.hpp"

namespace algorithms::schedule {

/// The plan as a schedule for root 0. `only`: the one core whose program is wanted, of owners; -1: all.
class Builder {
 public:
  [[nodiscard]] static Schedule schedule_of(const Plan& plan, int only = -1) {
    Builder builder(plan);
    if (const auto* pushes = plan.as<Pushes>()) builder.build_pushes(*pushes);
    if (const auto* clusters = plan.as<Clusters>()) builder.build_clusters(*clusters);
    if (const auto* sums = plan.as<Sums>()) builder.build_sums(*sums);
    if (const auto* owners = plan.as<Owners>()) builder.build_owners(*owners, only);
    if (builder.looks_) builder.gather_hears();
    return std::move(builder.made_);
  }

 private:
  enum Tag { data, space, news, receipt, mate, entered, over, meet };

  explicit Builder(const Plan& plan) : plan_(plan), cores_(static_cast<std::size_t>(plan.cores)) {
    made_.operation = plan.operation;
    made_.cores = plan.cores;
    made_.root = 0;
    made_.parts = plan.parts;
    made_.first_bytes = static_cast<std::size_t>(plan.first_bytes);
    made_.most_bytes = static_cast<std::size_t>(plan.most_bytes);
    made_.growth_percent = plan.growth_percent;
    made_.programs.resize(cores_.size());
  }

  /// The number of a flag, by who hears, who tells and what; numbered in the order in which it is asked for.
  int flag(bool single, int hears, int tells, int tag) {
    auto& known = cores_[static_cast<std::size_t>(hears)][single ? 1 : 0];
    const int number = known.try_emplace({tells, tag}, static_cast<int>(known.size())).first->second;
    int& most = single ? made_.single_flags : made_.flags;
    most = std::max(most, number + 1);
    return number;
  }
  Program& of(int core) { return made_.programs[static_cast<std::size_t>(core)]; }
  void tell(int core, int to, int tag, int offset = 0) {
    of(core).round.push_back({Step::tell, flag(false, to, core, tag), to, 0, 0, offset});
  }
  void hear(int core, int from, int tag, int offset = 0) {
    of(core).round.push_back({Step::hear, flag(false, core, from, tag), -1, 0, 0, offset});
  }
  void tell_once(std::vector<Step>& steps, int core, int to, int tag) {
    steps.push_back({Step::tell, flag(true, to, core, tag), to});
  }
  void hear_once(std::vector<Step>& steps, int core, int from, int tag) {
    steps.push_back({Step::hear, flag(true, core, from, tag)});
  }
  void put(int core, int segment, int to, int offset = 0) {
    of(core).round.push_back({Step::put, segment, to, 0, 0, offset});
  }
  void get(int core, int segment, int from, int offset = 0) {
    of(core).round.push_back({Step::get, segment, from, 0, 0, offset});
  }

  void put_range(int core, int segment, int count, int to, int slot) {
    of(core).round.push_back({Step::put, segment, to, slot, 0, 0, count});
  }
  void get_range(int core, int segment, int count, int from, int slot) {
    of(core).round.push_back({Step::get, segment, from, slot, 0, 0, count});
  }
  void add(int core, int segment, int count, int times, int from, int slot) {
    of(core).round.push_back({Step::add, segment, from, slot, 0, 0, count, times});
  }

  /// Tells all of them, who hear it by hear_of().
  void tell_all(int core, const std::vector<int>& to, int tag, int offset = 0) {
    if (looks_ && !to.empty()) {
      of(core).round.push_back({.kind = Step::show, .offset = offset});
      made_.readers.resize(cores_.size());
      auto& readers = made_.readers[static_cast<std::size_t>(core)];
      readers.insert(readers.end(), to.begin(), to.end());
    }
    if (!looks_)
      for (const int one : to) tell(core, one, tag, offset);
  }
  void hear_of(int core, int from, int tag, int offset = 0) {
    if (looks_)
      of(core).round.push_back({.kind = Step::look, .core = from, .offset = offset});
    else
      hear(core, from, tag, offset);
  }
  /// Flags that are heard one after the other are looked at together.
  void gather_hears() {
    for (Program& program : made_.programs) {
      std::vector<Step> gathered;
      const auto joins = [](const Step& a, const Step& b) {
        return a.kind == Step::hear && b.kind == Step::hear && a.offset == b.offset;
      };
      for (auto first = program.round.begin(); first != program.round.end();) {
        const auto last =
            std::find_if(first, program.round.end(), [&](const Step& s) { return !joins(*first, s); });
        if (last == first) {
          gathered.push_back(*first++);
          continue;
        }
        std::sort(first, last, [](const Step& a, const Step& b) { return a.number < b.number; });
        for (; first != last; ++first)
          if (!gathered.empty() && joins(gathered.back(), *first) &&
              gathered.back().number + gathered.back().count == first->number)
            ++gathered.back().count;
          else
            gathered.push_back(*first);
      }
      program.round = std::move(gathered);
    }
  }

  static std::vector<std::vector<int>> children_of(const Tree& tree) {
    std::vector<std::vector<int>> children(tree.size());
    for (std::size_t place = 1; place < tree.size(); ++place)
      children[static_cast<std::size_t>(tree[place])].push_back(static_cast<int>(place));
    return children;
  }
  [[nodiscard]] int core_at(int place) const {
    return plan_.order.empty() ? place : plan_.order[static_cast<std::size_t>(place)];
  }

  // Who may be put to says so for the round after the present one: what it has read before is free again.
  void build_pushes(const Pushes& pushes) {
    const auto children = children_of(pushes.tree);
    for (int place = 0; place < plan_.cores; ++place) {
      const int core = core_at(place);
      if (place > 0) {
        const int parent = core_at(pushes.tree[static_cast<std::size_t>(place)]);
        tell(core, parent, space, 1);
        hear(core, parent, data);
        get(core, 0, core);
      }
      for (const int below : children[static_cast<std::size_t>(place)]) {
        const int child = core_at(below);
        hear(core, child, space);
        put(core, 0, child);
        tell(core, child, data);
      }
    }
  }

  // A part of a buffer holds the core's sum, or a slot for each child; in an allreduce the result behind
  // them.
  void build_sums(const Sums& sums) {
    looks_ = sums.looks;
    const auto children = children_of(sums.tree);
    int result = 1;
    if (sums.into_parent)
      for (const auto& some : children) result = std::max(result, static_cast<int>(some.size()));
    const bool to_all = plan_.operation == Operation::allreduce;
    made_.slots = result + (to_all ? 1 : 0);
    for (int place = 0; place < plan_.cores; ++place) {
      const int core = core_at(place);
      // The largest part of a tree has the least place, and is done last.
      const auto& below = children[static_cast<std::size_t>(place)];
      if (sums.into_parent)
        for (auto child = below.rbegin(); child != below.rend(); ++child)
          tell(core, core_at(*child), space, 1);
      int slot = 0;
      for (auto child = below.rbegin(); child != below.rend(); ++child) {
        const int from = core_at(*child);
        hear(core, from, data);
        add(core, 0, 1, 1, sums.into_parent ? core : from, sums.into_parent ? slot++ : 0);
      }
      if (place > 0) {
        const int up = sums.tree[static_cast<std::size_t>(place)], parent = core_at(up);
        hear(core, parent, space, sums.into_parent ? 0 : -plan_.parts);
        const auto& mates = children[static_cast<std::size_t>(up)];
        const auto self = std::find(mates.rbegin(), mates.rend(), place) - mates.rbegin();
        put_range(core, 0, 1, sums.into_parent ? parent : core,
                  sums.into_parent ? static_cast<int>(self) : 0);
        tell(core, parent, data);
      }
      if (!sums.into_parent)
        for (auto child = below.rbegin(); child != below.rend(); ++child) tell(core, core_at(*child), space);
      if (to_all) hand_down_result(sums.result, place, result);
    }
  }
  void hand_down_result(const Tree& tree, int place, int slot) {
    const int core = core_at(place);
    const auto children = children_of(tree);
    const auto& below = children[static_cast<std::size_t>(place)];
    const int parent = place > 0 ? core_at(tree[static_cast<std::size_t>(place)]) : -1;
    if (place > 0) {
      hear_of(core, parent, news);
      get_range(core, 0, 1, parent, slot);
    }
    if (!below.empty()) {
      for (const int child : below) hear(core, core_at(child), receipt, -plan_.parts);
      put_range(core, 0, 1, core, slot);
      std::vector<int> to;
      for (const int child : below) to.push_back(core_at(child));
      tell_all(core, to, news);
    }
    if (place > 0) tell(core, parent, receipt);
  }

  // A place is a number of a digit for each phase, of which the first counts most, and one for those that own
  // a segment together. In its phase a digit is settled: whoever has another one gets the segments that have
  // it. At last the first of those that own a segment together adds what the others have of it. Whoever is
  // left over owns nothing. It puts its parts to a group of the first phase, and a partner there tells it
  // when.
  void build_owners(const Owners& owners, int only) {
    const auto phases = static_cast<int>(owners.sizes.size());
    const bool to_all = plan_.operation == Operation::allreduce;
    std::vector<int> groups = owners.sizes, unit; // places from one value of a digit to the next
    groups.push_back(owners.shared);
    const int members = std::reduce(groups.begin(), groups.end(), 1, std::multiplies<>());
    for (int left = members; const int size : groups) unit.push_back(left /= size);
    const auto size_of = [&](int phase) { return groups[static_cast<std::size_t>(phase)]; };
    const auto digit = [&](int place, int phase) {
      return place / unit[static_cast<std::size_t>(phase)] % size_of(phase);
    };
    const auto with_digit = [&](int place, int phase, int value) {
      return place + (value - digit(place, phase)) * unit[static_cast<std::size_t>(phase)];
    };
    const auto share = [&](int phase) { // segments
      return unit[static_cast<std::size_t>(phase)] / owners.shared;
    };
    made_.segments = members / owners.shared;
    // The partner of the first one left over is place 0, and so on.
    const int left_over = plan_.cores - members;
    const auto left_over_in_group = [&](int place) {
      const int group = place % unit.front();
      return left_over / unit.front() + (group < left_over % unit.front() ? 1 : 0);
    };
    const int in_last = owners.sizes.back();
    const OwnersSlots slots(plan_);
    const int results = slots.results;
    const std::vector<int>& base = slots.phases;
    made_.slots = slots.all;
    const auto get_results = [&](int core, int like) { // like that place
      const int heads = made_.segments / in_last;
      for (int i = 0; i < heads; ++i) {
        const int first = (like / owners.shared / in_last + i) % heads * in_last;
        get_range(core, first, in_last, core_at(first * owners.shared + digit(like, phases)), results);
      }
    };

    // Flags are numbered as they come, alike for all members: one after the other for meetings, the first
    // ones for what a partner tells and hears.
    enum { parts_are_put, results_are_got, first_of_meetings };
    enum { parts_may_be_put, results_may_be_got };
    int flags = 0, single_flags = 0;
    // Everybody of a group hears that all of it have come: dissemination.
    const auto meet_group = [&](int place, int phase, std::vector<Step>* once = nullptr) {
      const int size = size_of(phase), self = digit(place, phase);
      for (int step = 0; 1 << step < size; ++step) {
        const int to = core_at(with_digit(place, phase, (self + (1 << step)) % size));
        int& number = once != nullptr ? single_flags : flags;
        auto& steps = once != nullptr ? *once : of(core_at(place)).round;
        steps.push_back({Step::tell, number, to});
        steps.push_back({Step::hear, number});
        ++number;
      }
    };
    const auto meet_all = [&](int place, std::vector<Step>* once = nullptr) {
      for (int phase = 0; phase <= phases; ++phase) meet_group(place, phase, once);
    };
    const auto build_member = [&](int place) {
      const int core = core_at(place), segment = place / owners.shared;
      const int partner = place < left_over ? core_at(members + place) : -1;
      const bool leads = digit(place, phases) == 0;
      Program& program = of(core);
      flags = left_over > 0 ? first_of_meetings : 0, single_flags = 0;
      // With two parts of a buffer, the meetings of the round before tell what this one has to know.
      meet_all(place, plan_.parts > 1 ? &program.begin : nullptr);
      if (partner >= 0) program.round.push_back({Step::tell, parts_may_be_put, partner});
      for (int phase = 0; phase < phases; ++phase) {
        const int size = size_of(phase), count = share(phase), self = digit(place, phase);
        const int slot = base[static_cast<std::size_t>(phase)];
        const int own = segment / count * count; // first of the segments with the place's digits so far
        for (int i = 1; i < size; ++i) {
          const int other = (self + i) % size;
          put_range(core, own + (other - self) * count, count, core_at(with_digit(place, phase, other)),
                    slot + (self < other ? self : self - 1) * count);
        }
        if (phase == 0 && partner >= 0) program.round.push_back({Step::hear, parts_are_put});
        meet_group(place, phase);
        const int operands = size - 1 + (phase == 0 ? left_over_in_group(place) : 0);
        if (operands > 0) add(core, own, count, operands, core, slot);
      }
      if (owners.shared > 1) {
        if (!leads)
          put_range(core, segment, 1, core_at(with_digit(place, phases, 0)),
                    base.back() + digit(place, phases) - 1);
        meet_group(place, phases);
        if (leads) add(core, segment, 1, owners.shared - 1, core, base.back());
      }
      if (to_all) {
        if (owners.shared > 1) {
          if (leads) put_range(core, segment, 1, core, base.back());
          meet_group(place, phases);
          if (!leads) get_range(core, segment, 1, core_at(with_digit(place, phases, 0)), base.back());
        }
        put_range(core, segment, 1, core_at(with_digit(place, phases - 1, 0)),
                  results + digit(place, phases - 1));
      } else {
        // Until the root has added the parts of the first phase.
        for (int phase = 0; phase < phases - 1; ++phase) meet_group(place, phase);
        if (leads && place > 0) put_range(core, segment, 1, core_at(0), results + segment);
      }
      meet_all(place);
      if (to_all) {
        if (partner >= 0) program.round.push_back({Step::tell, results_may_be_got, partner});
        get_results(core, place);
        if (partner >= 0) program.round.push_back({Step::hear, results_are_got});
        meet_all(place, &program.end);
      } else if (place == 0 && made_.segments > 1) {
        get_range(core, 1, made_.segments - 1, core, results + 1);
      }
    };
    const auto build_left_over = [&](int number) {
      const int core = core_at(members + number), partner = core_at(number);
      const int group = number % unit.front(), count = share(0);
      Program& program = of(core);
      program.round.push_back({Step::hear, parts_may_be_put});
      for (int i = 0; i < size_of(0); ++i) {
        const int owner = (number / unit.front() + i) % size_of(0);
        put_range(core, owner * count, count, core_at(owner * unit.front() + group),
                  (size_of(0) - 1 + number / unit.front()) * count);
      }
      program.round.push_back({Step::tell, parts_are_put, partner});
      if (!to_all) return;
      program.round.push_back({Step::hear, results_may_be_got});
      get_results(core, number);
      program.round.push_back({Step::tell, results_are_got, partner});
    };
    for (int place = 0; place < plan_.cores; ++place) {
      // A member's flags are counted as it is built.
      if (only >= 0 && core_at(place) != only && place > 0) continue;
      if (place < members)
        build_member(place);
      else
        build_left_over(place - members);
      made_.flags = std::max(made_.flags, flags);
      made_.single_flags = std::max(made_.single_flags, single_flags);
    }
  }

  void build_clusters(const Clusters& clusters) {
    clusters_ = &clusters;
    looks_ = clusters.looks;
    made_.own_area = clusters.own_area;
    made_.segments = clusters_->hosts;
    int begin = 0;
    for (const int size : clusters_->sizes) {
      begins_.push_back(begin);
      begin += size;
    }
    below_ = children_of(clusters_->tree);
    build_top();
    for (int cluster = 1; cluster < static_cast<int>(clusters_->sizes.size()); ++cluster)
      if (clusters_->meeting < 0)
        build_by_trees(cluster);
      else
        for (int member = 0; member < clusters_->sizes[static_cast<std::size_t>(cluster)]; ++member)
          build_member(cluster, member);
  }
  [[nodiscard]] int member_core(int cluster, int member) const {
    return core_at(begins_[static_cast<std::size_t>(cluster)] + member);
  }
  /// Cores that host the same segment in the clusters below.
  [[nodiscard]] std::vector<int> counterparts(int cluster, int member) const {
    std::vector<int> found;
    if (member < clusters_->hosts)
      for (const int child : below_[static_cast<std::size_t>(cluster)])
        found.push_back(member_core(child, member));
    return found;
  }
  [[nodiscard]] int start_of(int core) const {
    return clusters_->starts.empty() ? 0 : clusters_->starts[static_cast<std::size_t>(core)];
  }

  /// With three parts of a buffer a slot's readers can be heard when the round before has been told, which
  /// holds nobody up.
  [[nodiscard]] bool hears_late() const { return looks_ && plan_.parts > 2; }

  // The root's cluster. Hosts are its first places, `news` is a tree from the root on, whose place changes
  // with that of place 0.
  void build_top() {
    const int size = clusters_->sizes.front();
    int root_place = 0;
    while (member_core(0, root_place) != 0) ++root_place;
    const auto by_news = [&](int place) { // places of the tree: the root first
      return member_core(0, place == 0 ? root_place : place <= root_place ? place - 1 : place);
    };
    const auto told = children_of(clusters_->news);
    const auto reported = children_of(clusters_->receipts);
    std::vector<int> host_of(cores_.size(), -1);
    for (int host = 0; host < clusters_->hosts; ++host)
      host_of[static_cast<std::size_t>(member_core(0, host))] = host;
    for (int host = 0; host < clusters_->hosts && !clusters_->own_area; ++host)
      if (const int core = member_core(0, host); core != 0) {
        tell_once(of(core).begin, core, 0, entered);
        hear_once(of(0).begin, 0, core, entered);
      }
    for (int place = 0; place < size; ++place) {
      const int core = by_news(place), host = host_of[static_cast<std::size_t>(core)];
      const auto below = host < 0 ? std::vector<int>{} : counterparts(0, host);
      std::vector<int> mates;
      for (const int one : told[static_cast<std::size_t>(place)]) mates.push_back(by_news(one));
      const auto hand_on = [&] {
        if (looks_) {
          std::vector<int> all = mates;
          for (const int one : below)
            if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
          return tell_all(core, all, data);
        }
        if (clusters_->news_first) tell_all(core, mates, news);
        tell_all(core, below, data);
        if (!clusters_->news_first) tell_all(core, mates, news);
      };
      const auto collect = [&](int offset) {
        // Those with less below them, which were told last, are done first.
        const auto& reports = reported[static_cast<std::size_t>(place)];
        for (auto one = reports.rbegin(); one != reports.rend(); ++one)
          hear(core, by_news(*one), receipt, offset);
        for (const int one : below) hear(core, one, space, offset);
      };
      if (place == 0) {
        if (!hears_late()) collect(-plan_.parts);
        for (int segment = 0; segment < clusters_->hosts; ++segment) put(0, segment, member_core(0, segment));
      } else {
        hear_of(core, by_news(clusters_->news[static_cast<std::size_t>(place)]), news);
      }
      hand_on();
      if (place == 0 && hears_late()) collect(1 - plan_.parts);
      if (place > 0) {
        for (int i = 0; i < clusters_->hosts; ++i) {
          const int segment = (start_of(core) + i) % clusters_->hosts;
          get(core, segment, member_core(0, segment));
        }
        collect(0);
        tell(core, by_news(clusters_->receipts[static_cast<std::size_t>(place)]), receipt);
      }
    }
    for (int host = 0; host < clusters_->hosts && !clusters_->own_area; ++host)
      if (const int core = member_core(0, host); core != 0) {
        tell_once(of(0).end, 0, core, over);
        hear_once(of(core).end, core, 0, over);
      }
  }

  /// With the segment of the next round that a host has got, or copies now.
  void fill_own_slot(int core, int segment, int from) {
    if (clusters_->copies)
      of(core).round.push_back({.kind = Step::copy, .number = segment, .core = from, .offset = 1});
    else
      put(core, segment, core, 1);
  }

  // Another cluster, in which its first host collects that all segments are there and passes the news on as
  // the root does in its own, and lets the others know when all have read.
  void build_by_trees(int cluster) {
    const int size = clusters_->sizes[static_cast<std::size_t>(cluster)], head = member_core(cluster, 0);
    const bool like_top = static_cast<std::size_t>(size) == clusters_->news.size();
    const Tree news_tree = like_top ? clusters_->news : postal_tree(size, 1, 1),
               receipt_tree = like_top ? clusters_->receipts : news_tree;
    const auto told = children_of(news_tree), reported = children_of(receipt_tree);
    for (int place = 0; place < size; ++place) {
      const int core = member_core(cluster, place);
      const auto at = static_cast<std::size_t>(place);
      const bool hosts = place < clusters_->hosts;
      const auto below = counterparts(cluster, place);
      const auto hand_down = [&] {
        if (!hosts) return;
        const int from = member_core(clusters_->tree[static_cast<std::size_t>(cluster)], place);
        hear_of(core, from, data, 1);
        if (!clusters_->copies) get(core, place, from, 1);
        if (place > 0) hear(core, head, over, 1 - plan_.parts);
        for (const int one : below) hear(core, one, space, 1 - plan_.parts);
        fill_own_slot(core, place, from);
        tell_all(core, below, data, 1);
        if (clusters_->copies) get(core, place, core, 1);
        if (place > 0) tell(core, head, entered, 1);
        tell(core, from, space, 1);
      };
      if (place > 0)
        hear(core, member_core(cluster, news_tree[at]), news);
      else
        for (int host = 1; host < clusters_->hosts; ++host) hear(core, member_core(cluster, host), entered);
      for (const int one : told[at]) tell(core, member_core(cluster, one), news);
      const int gets = clusters_->hosts - (hosts ? 1 : 0), down = std::min(clusters_->down, gets);
      for (int i = 0; i <= gets; ++i) {
        if (i == down) hand_down();
        if (i == gets) break;
        const int segment = ((hosts ? place + 1 : start_of(core)) + i) % clusters_->hosts;
        get(core, segment, member_core(cluster, segment));
      }
      for (auto one = reported[at].rbegin(); one != reported[at].rend(); ++one)
        hear(core, member_core(cluster, *one), receipt);
      if (place > 0)
        tell(core, member_core(cluster, receipt_tree[at]), receipt);
      else
        for (int host = 1; host < clusters_->hosts; ++host) tell(core, member_core(cluster, host), over);
    }
  }

  // A member of another cluster. Its word to the mates, "my segment of that round is there", is at the same
  // time one that it has read what the slot held `parts` rounds ago.
  void build_member(int cluster, int self) {
    const int size = clusters_->sizes[static_cast<std::size_t>(cluster)], core = member_core(cluster, self);
    const bool hosts = self < clusters_->hosts;
    const auto below = counterparts(cluster, self);
    const bool serves = size > 1 || !below.empty();
    int doublings = 0;
    while ((1 << doublings) < size) ++doublings;
    const auto ahead = [&](int step) { return member_core(cluster, (self + (1 << step)) % size); };
    const auto before = [&](int step) {
      return member_core(cluster, (self - (1 << step) % size + size) % size);
    };

    std::vector<int> segments; // in the order in which they come from mates
    for (int i = hosts ? 1 : 0; i < clusters_->hosts; ++i)
      segments.push_back(((hosts ? self : start_of(core)) + i) % clusters_->hosts);
    const int gets = static_cast<int>(segments.size()), down = std::min(clusters_->down, gets);
    std::vector<bool> heard(static_cast<std::size_t>(size), false);
    const auto need = [&](int other) { // has told of this round
      if (clusters_->meeting > 0 || other == self || heard[static_cast<std::size_t>(other)]) return;
      if (!hosts && other >= clusters_->hosts) return;
      heard[static_cast<std::size_t>(other)] = true;
      if (other < clusters_->hosts)
        hear_of(core, member_core(cluster, other), mate);
      else
        hear(core, member_core(cluster, other), mate);
    };
    // Steps of the meeting of a round: all but the first tell begin with a hear.
    const auto meeting_step = [&](int step, int offset) {
      if (step > 0) hear(core, before(step - 1), meet + step - 1, offset);
      if (step < doublings) tell(core, ahead(step), meet + step, offset);
    };
    const auto step_place = [&](int step) { return down + step * clusters_->meeting; };
    const auto hand_down = [&] {
      for (int other = 0; other < size; ++other) need(other);
      if (hosts) {
        const int from = member_core(clusters_->tree[static_cast<std::size_t>(cluster)], self);
        hear_of(core, from, data, 1);
        if (!clusters_->copies || !serves) get(core, self, from, 1);
        if (!hears_late())
          for (const int one : below) hear(core, one, space, 1 - plan_.parts);
        if (serves) fill_own_slot(core, self, from);
      }
      std::vector<int> mates;
      for (int i = 1; clusters_->meeting == 0 && i < size; ++i)
        if (const int other = (self + i) % size; hosts || other < clusters_->hosts)
          mates.push_back(member_core(cluster, other));
      if (hosts && looks_) {
        std::vector<int> all = below;
        all.insert(all.end(), mates.begin(), mates.end());
        tell_all(core, all, data, 1);
      } else {
        if (hosts) tell_all(core, below, data, 1);
        for (const int one : mates) tell(core, one, mate, 1);
      }
      if (hosts && serves && clusters_->copies) get(core, self, core, 1);
      for (std::size_t i = 0; hosts && hears_late() && i < below.size(); ++i)
        hear(core, below[i], space, 2 - plan_.parts);
      // Nobody waits for this as for the others.
      if (hosts) tell(core, member_core(clusters_->tree[static_cast<std::size_t>(cluster)], self), space, 1);
    };
    if (clusters_->meeting > 0)
      for (int step = 0; step <= doublings; ++step)
        if (step_place(step) > gets || step == doublings) meeting_step(step, 0);
    for (int i = 0; i <= gets; ++i) {
      if (i == down) hand_down();
      if (clusters_->meeting > 0)
        for (int step = 0; step < doublings; ++step)
          if (step_place(step) == i) meeting_step(step, 1);
      if (i == gets) break;
      const int segment = segments[static_cast<std::size_t>(i)];
      need(segment);
      get(core, segment, member_core(cluster, segment));
    }
    if (clusters_->own_area) return;
    // Whoever hosts stays until all have read. Those that host nothing know too little of each other to meet.
    Program& program = of(core);
    if (clusters_->meeting > 0 || size == clusters_->hosts) {
      for (int step = 0; step < doublings; ++step) {
        tell_once(program.end, core, ahead(step), meet + step);
        hear_once(program.end, core, before(step), meet + step);
      }
      return;
    }
    for (int i = 1; i < size; ++i)
      if (const int other = (self + i) % size; other < clusters_->hosts)
        tell_once(program.end, core, member_core(cluster, other), over);
    for (int i = 1; hosts && i < size; ++i)
      hear_once(program.end, core, member_core(cluster, (self + i) % size), over);
  }

  const Plan& plan_;
  const Clusters* clusters_ = nullptr; ///< the plan's clusters, if it is of that family
  bool looks_ = false;                 ///< as Clusters and Sums have it
  Schedule made_;
  /// By core, flags of rounds and single ones: numbers by teller and tag.
  std::vector<std::map<std::pair<int, int>, int>[2]> cores_;
  std::vector<int> begins_;             ///< places, by cluster
  std::vector<std::vector<int>> below_; ///< clusters by the one above
};

} // namespace algorithms::schedule
