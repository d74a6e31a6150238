// SPDX-License-Identifier: Apache-2.0
#include "commands/search_moves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rccebench {
namespace {

using algorithms::schedule::Plan;
using algorithms::schedule::postal_tree;
using algorithms::schedule::Tree;
using algorithms::schedule::two_level_tree;

constexpr int line_bytes = 32, buffer_bytes = 8192;
/// Most bytes of a message whose plan may have an area of its own for good.
constexpr int most_bytes_of_own_area = 512;
constexpr int most_hosts = 16, most_cores_of_cluster = 256; ///< flags are 255 at most

/// 0 .. count-1.
int pick(lab::Random& random, int count) {
  return std::min(count - 1, static_cast<int>(random.uniform() * count));
}
bool chance(lab::Random& random, double of) {
  return random.uniform() < of;
}

template <class T>
T& at(std::vector<T>& list, int index) {
  return list[static_cast<std::size_t>(index)];
}

void hang_elsewhere(Tree& tree, lab::Random& random) {
  const auto places = static_cast<int>(tree.size());
  if (places < 3) return;
  const int place = 2 + pick(random, places - 2);
  // Mostly near by in the order of telling.
  const int reach = chance(random, 0.5) ? place : std::min(place, 4);
  at(tree, place) = chance(random, 0.5)
      ? std::clamp(at(tree, place) + pick(random, 2 * reach + 1) - reach, 0, place - 1)
      : pick(random, place);
}

Tree other_tree(int places, lab::Random& random) {
  const int gap = 1 + pick(random, 6), delay = 1 + pick(random, 8);
  return postal_tree(places, gap, delay);
}

/// A tree in which one line notifies many.
Tree broad_tree(int places, lab::Random& random) {
  if (chance(random, 0.5)) return two_level_tree(places, 2 + pick(random, 31));
  return postal_tree(places, 1, 4 + pick(random, 40));
}

/// Another value by a factor, in whole lines.
int scaled(int bytes, lab::Random& random, int most) {
  constexpr double factors[] = {0.5, 0.7, 0.85, 1.18, 1.4, 2};
  const double wanted = bytes * factors[pick(random, 6)];
  const int lines = std::max(1, static_cast<int>(std::lround(wanted / line_bytes)));
  return std::min(lines * line_bytes, most);
}

int least_parts(const Plan& plan) {
  if (plan.family == Plan::owners) return 1;
  return plan.family == Plan::clusters && plan.sizes.size() > 1 && plan.meeting >= 0 ? 3 : 2;
}

void keep_in_bounds(Plan& plan) {
  plan.parts = std::clamp(plan.parts, least_parts(plan), 6);
  plan.most_bytes =
      std::clamp(plan.most_bytes, line_bytes, buffer_bytes / plan.parts / line_bytes * line_bytes);
  plan.first_bytes = std::clamp(plan.first_bytes, line_bytes, plan.most_bytes);
  plan.growth_percent = std::clamp(plan.growth_percent, 100, 400);
}

void set_hosts(Plan& plan, int hosts, const SearchSpace& space) {
  plan.hosts = std::clamp(hosts, 1, std::min(most_hosts, *std::ranges::min_element(plan.sizes)));
  for (int core = 0; core < plan.cores; ++core)
    at(plan.starts, core) = core / space.mesh.cores_per_tile % plan.hosts;
}

void change_rounds(Plan& plan, lab::Random& random) {
  switch (pick(random, 4)) {
  case 0:
    plan.first_bytes = scaled(plan.first_bytes, random, buffer_bytes);
    break;
  case 1:
    plan.most_bytes = scaled(plan.most_bytes, random, buffer_bytes);
    break;
  case 2:
    plan.growth_percent += 10 * (pick(random, 9) - 4);
    break;
  default:
    plan.parts += chance(random, 0.5) ? 1 : -1;
    plan.most_bytes = buffer_bytes;
  }
}

void change_pushes(Plan& plan, lab::Random& random) {
  const int places = plan.cores;
  if (places < 3) return;
  const double which = random.uniform();
  if (which < 0.45) {
    std::swap(at(plan.order, 1 + pick(random, places - 1)), at(plan.order, 1 + pick(random, places - 1)));
  } else if (which < 0.9) {
    hang_elsewhere(plan.tree, random);
  } else {
    plan.tree = other_tree(places, random);
  }
}

void change_sums(Plan& plan, lab::Random& random) {
  if (plan.cores < 3) return;
  const bool to_all = plan.operation == algorithms::schedule::Operation::allreduce;
  Tree& tree = to_all && chance(random, 0.4) ? plan.news : plan.tree;
  const double which = random.uniform();
  if (which < 0.4)
    std::swap(at(plan.order, 1 + pick(random, plan.cores - 1)),
              at(plan.order, 1 + pick(random, plan.cores - 1)));
  else if (which < 0.8)
    hang_elsewhere(tree, random);
  else if (which < 0.93)
    tree = other_tree(plan.cores, random);
  else if (to_all && which < 0.96)
    plan.looks = !plan.looks;
  else
    plan.into_parent = !plan.into_parent;
}

/// OwnerGroups of owners: sizes of one to three phases, and how many own a segment together.
struct OwnerGroups {
  std::vector<int> sizes;
  int shared;
};
std::vector<OwnerGroups> owner_groups_of(int cores) {
  constexpr int most_shared = 32;
  std::vector<OwnerGroups> all;
  for (int shared = 1; shared <= std::min(most_shared, cores / 2); ++shared) {
    if (cores % shared != 0) continue;
    const int owners = cores / shared;
    all.push_back({{owners}, shared});
    for (int a = 2; a < owners; ++a) {
      if (owners % a != 0) continue;
      all.push_back({{a, owners / a}, shared});
      for (int b = 2; b < owners / a; ++b)
        if (owners / a % b == 0) all.push_back({{a, b, owners / a / b}, shared});
    }
  }
  return all;
}

void change_owners(Plan& plan, lab::Random& random) {
  if (plan.cores < 3) return;
  if (chance(random, 0.5)) {
    std::swap(at(plan.order, 1 + pick(random, plan.cores - 1)),
              at(plan.order, 1 + pick(random, plan.cores - 1)));
    return;
  }
  auto groups = owner_groups_of(plan.cores);
  const OwnerGroups& other = at(groups, pick(random, static_cast<int>(groups.size())));
  plan.sizes = other.sizes;
  plan.shared = other.shared;
}

/// The first place of a cluster.
int begin_of(const Plan& plan, int cluster) {
  return std::accumulate(plan.sizes.begin(), plan.sizes.begin() + cluster, 0);
}

void swap_clusters(Plan& plan, lab::Random& random) {
  const auto clusters = static_cast<int>(plan.sizes.size());
  if (clusters < 3) return;
  const int a = 1 + pick(random, clusters - 1), b = 1 + pick(random, clusters - 1);
  if (at(plan.sizes, a) != at(plan.sizes, b)) return;
  const auto begin = plan.order.begin();
  if (a != b)
    std::swap_ranges(begin + begin_of(plan, a), begin + begin_of(plan, a) + at(plan.sizes, a),
                     begin + begin_of(plan, b));
}

void change_clusters(Plan& plan, const SearchSpace& space, lab::Random& random) {
  const auto clusters = static_cast<int>(plan.sizes.size());
  switch (pick(random, 15)) {
  case 0:
    hang_elsewhere(plan.tree, random);
    break;
  case 1:
    plan.tree =
        plan.looks && chance(random, 0.5) ? broad_tree(clusters, random) : other_tree(clusters, random);
    break;
  case 2:
    swap_clusters(plan, random);
    break;
  case 3:
    hang_elsewhere(plan.news, random);
    break;
  case 4:
    plan.news = other_tree(plan.sizes.front(), random);
    break;
  case 5:
    plan.down = std::clamp(plan.down + pick(random, 5) - 2, 0, plan.hosts);
    break;
  case 6:
    plan.meeting = std::max(-1, pick(random, 6) - 2);
    break;
  case 7:
    if (chance(random, 0.5))
      hang_elsewhere(plan.receipts, random);
    else
      plan.receipts = chance(random, 0.5) ? other_tree(plan.sizes.front(), random)
                                          : two_level_tree(plan.sizes.front(), 1 + pick(random, 16));
    break;
  case 8:
    plan.news_first = !plan.news_first;
    break;
  case 9:
    at(plan.starts, pick(random, plan.cores)) = pick(random, plan.hosts);
    break;
  case 10: {
    const int cluster = chance(random, 0.5) ? 0 : pick(random, clusters), size = at(plan.sizes, cluster);
    const int begin = begin_of(plan, cluster);
    std::swap(at(plan.order, begin + pick(random, size)), at(plan.order, begin + pick(random, size)));
    break;
  }
  case 11:
    set_hosts(plan, plan.hosts + (chance(random, 0.5) ? 1 : -1), space);
    break;
  case 12:
    plan.looks = !plan.looks;
    break;
  case 13:
    plan.copies = !plan.copies;
    break;
  default:
    if (space.bytes <= most_bytes_of_own_area) plan.own_area = !plan.own_area;
  }
}

/// Each core of the plan's clusters looks at the first of them, and these at the root.
Plan two_levels_of_blocks(Plan plan) {
  const auto root = std::ranges::find(plan.order, 0) - plan.order.begin();
  std::rotate(plan.order.begin(), plan.order.begin() + root, plan.order.begin() + root + 1);
  plan.tree.clear();
  for (const int size : plan.sizes) {
    const auto first = static_cast<int>(plan.tree.size());
    plan.tree.push_back(first == 0 ? -1 : 0);
    plan.tree.insert(plan.tree.end(), static_cast<std::size_t>(size - 1), first);
  }
  plan.sizes.assign(static_cast<std::size_t>(plan.cores), 1);
  plan.news = plan.receipts = {-1};
  plan.meeting = 0;
  return plan;
}

std::vector<Plan> starts_of_reductions(const SearchSpace& space) {
  std::vector<Plan> plans;
  Plan plain = algorithms::schedule::plain_plan(space.cores, space.operation);
  plain.most_bytes = buffer_bytes;
  for (const auto& [gap, delay] : {std::pair(1, 1), {2, 1}, {1, 2}, {1, space.cores}, {space.cores, 1}})
    for (const bool into_parent : {false, true}) {
      Plan plan = plain;
      plan.tree = postal_tree(space.cores, gap, delay);
      plan.news = plan.tree;
      plan.into_parent = into_parent;
      plans.push_back(std::move(plan));
    }
  for (const OwnerGroups& groups : owner_groups_of(space.cores)) {
    // With less owners than needed most of the time; the search tries the others.
    if (groups.shared > 2 && space.cores / groups.shared > 64) continue;
    Plan plan = plain;
    plan.family = Plan::owners;
    plan.sizes = groups.sizes;
    plan.shared = groups.shared;
    plan.parts = 1;
    plan.first_bytes = buffer_bytes;
    plans.push_back(std::move(plan));
  }
  for (Plan& plan : plans) keep_in_bounds(plan);
  return plans;
}

} // namespace

std::vector<Plan> starts_of(const SearchSpace& space) {
  if (space.operation != algorithms::schedule::Operation::bcast) return starts_of_reductions(space);
  std::vector<Plan> plans;
  const bool is_short = space.bytes <= 512;
  if (is_short)
    for (const auto& [gap, delay] : {std::pair(1, 1), {2, 1}, {1, 2}}) {
      Plan plan = algorithms::schedule::plain_plan(space.cores);
      plan.tree = postal_tree(space.cores, gap, delay);
      plans.push_back(std::move(plan));
    }
  const int per_tile = space.mesh.cores_per_tile, columns = space.mesh.columns;
  const std::pair<int, int> mesh{columns, space.rows};
  std::vector blocks{mesh};
  for (const std::pair<int, int>& block :
       {std::pair(8, 8), {8, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 1}, {1, 1}, {0, 0}})
    if (block != mesh && block.first <= columns && block.second <= space.rows) blocks.push_back(block);
  for (const auto& [width, height] : blocks) {
    const bool whole = std::pair(width, height) == mesh;
    const int size = std::max(1, width * height * per_tile);
    for (const int hosts : is_short ? std::vector{1} : whole ? std::vector{2, 4, 8} : std::vector{4, 8}) {
      if (size < hosts || size > most_cores_of_cluster || space.cores < hosts) continue;
      Plan plan;
      plan.family = Plan::clusters;
      plan.cores = space.cores;
      plan.hosts = hosts;
      plan.first_bytes = 128;
      plan.most_bytes = buffer_bytes;
      algorithms::schedule::place_in_clusters(plan, space.mesh, width, height, hosts);
      const int members = plan.sizes.front();
      // The receipts of long messages come in while gets go on, and deep trees hold the next rounds up.
      if (!is_short)
        plan.receipts = two_level_tree(members, static_cast<int>(std::lround(std::sqrt(members))));
      plan.down = hosts / 2;
      // Few flags each while all can tell all.
      plan.meeting = members > 2 * hosts ? -1 : 0;
      keep_in_bounds(plan);
      plans.push_back(plan);
      // One line serves all who look at it, so trees are broad.
      plan.looks = true;
      plan.own_area = is_short;
      plan.news = two_level_tree(members, 1);
      if (is_short) plan.receipts = plan.news, plan.parts = 3;
      if (members > algorithms::schedule::most_readers) continue;
      plans.push_back(plan);
      const auto clusters = static_cast<int>(plan.sizes.size());
      if (is_short && size == 1)
        for (const int delay : {4, 12, 40}) {
          plan.tree = postal_tree(clusters, 1, delay);
          plans.push_back(plan);
        }
      else if (is_short && clusters > 1 && size >= 8)
        for (const bool copies : {false, true}) {
          plans.push_back(two_levels_of_blocks(plan));
          plans.back().copies = copies;
        }
      else if (!is_short && clusters > 8)
        for (const int row : {1, static_cast<int>(std::lround(std::sqrt(clusters)))}) {
          plan.tree = two_level_tree(clusters, row);
          plans.push_back(plan);
        }
    }
  }
  return plans;
}

bool fits(const algorithms::schedule::Schedule& schedule) {
  constexpr int most_slots = buffer_bytes / line_bytes * 3 / 4; // the rest is for flags
  return std::max(schedule.flags, schedule.single_flags) <= algorithms::schedule::most_number &&
      std::ranges::none_of(
             schedule.readers,
             [](const auto& some) { return some.size() > algorithms::schedule::most_readers; }) &&
      schedule.slots <= algorithms::schedule::most_number && schedule.parts * schedule.slots <= most_slots;
}

Plan neighbour_of(const Plan& plan, const SearchSpace& space, lab::Random& random) {
  Plan next = plan;
  const int width = plan.family == Plan::owners ? plan.cores / plan.shared : plan.hosts;
  const bool one_round = space.bytes <= static_cast<std::int64_t>(line_bytes) * width;
  do {
    if (!one_round && chance(random, 0.4))
      change_rounds(next, random);
    else
      switch (next.family) {
      case Plan::pushes:
        change_pushes(next, random);
        break;
      case Plan::clusters:
        change_clusters(next, space, random);
        break;
      case Plan::sums:
        change_sums(next, random);
        break;
      case Plan::owners:
        change_owners(next, random);
        break;
      }
  } while (chance(random, 0.35));
  keep_in_bounds(next);
  return next;
}

} // namespace rccebench
