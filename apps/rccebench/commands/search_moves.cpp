// SPDX-License-Identifier: Apache-2.0
#include "commands/search_moves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace rccebench {
namespace {

using algorithms::schedule::Clusters, algorithms::schedule::Owners, algorithms::schedule::Plan,
    algorithms::schedule::Pushes, algorithms::schedule::Sums;
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
  if (plan.as<Owners>()) return 1;
  const auto* const clusters = plan.as<Clusters>();
  return clusters && clusters->sizes.size() > 1 && clusters->meeting >= 0 ? 3 : 2;
}

void keep_in_bounds(Plan& plan) {
  plan.parts = std::clamp(plan.parts, least_parts(plan), 6);
  plan.most_bytes =
      std::clamp(plan.most_bytes, line_bytes, buffer_bytes / plan.parts / line_bytes * line_bytes);
  plan.first_bytes = std::clamp(plan.first_bytes, line_bytes, plan.most_bytes);
  plan.growth_percent = std::clamp(plan.growth_percent, 100, 400);
}

void set_hosts(Clusters& clusters, int hosts, const SearchSpace& space) {
  clusters.hosts = std::clamp(hosts, 1, std::min(most_hosts, *std::ranges::min_element(clusters.sizes)));
  for (int core = 0; core < space.cores; ++core)
    at(clusters.starts, core) = core / space.mesh.cores_per_tile % clusters.hosts;
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

void change(Plan& plan, Pushes& pushes, const SearchSpace& /*space*/, lab::Random& random) {
  const int places = plan.cores;
  if (places < 3) return;
  const double which = random.uniform();
  if (which < 0.45) {
    std::swap(at(plan.order, 1 + pick(random, places - 1)), at(plan.order, 1 + pick(random, places - 1)));
  } else if (which < 0.9) {
    hang_elsewhere(pushes.tree, random);
  } else {
    pushes.tree = other_tree(places, random);
  }
}

void change(Plan& plan, Sums& sums, const SearchSpace& /*space*/, lab::Random& random) {
  if (plan.cores < 3) return;
  const bool to_all = plan.operation == algorithms::schedule::Operation::allreduce;
  Tree& tree = to_all && chance(random, 0.4) ? sums.result : sums.tree;
  const double which = random.uniform();
  if (which < 0.4)
    std::swap(at(plan.order, 1 + pick(random, plan.cores - 1)),
              at(plan.order, 1 + pick(random, plan.cores - 1)));
  else if (which < 0.8)
    hang_elsewhere(tree, random);
  else if (which < 0.93)
    tree = other_tree(plan.cores, random);
  else if (to_all && which < 0.96)
    sums.looks = !sums.looks;
  else
    sums.into_parent = !sums.into_parent;
}

/// One to three phases, and how many own a segment together.
std::vector<Owners> owner_groups_of(int cores) {
  constexpr int most_shared = 32;
  std::vector<Owners> all;
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

void change(Plan& plan, Owners& owners, const SearchSpace& /*space*/, lab::Random& random) {
  if (plan.cores < 3) return;
  if (chance(random, 0.5)) {
    std::swap(at(plan.order, 1 + pick(random, plan.cores - 1)),
              at(plan.order, 1 + pick(random, plan.cores - 1)));
    return;
  }
  auto groups = owner_groups_of(plan.cores);
  owners = at(groups, pick(random, static_cast<int>(groups.size())));
}

/// The first place of a cluster.
int begin_of(const Clusters& clusters, int cluster) {
  return std::accumulate(clusters.sizes.begin(), clusters.sizes.begin() + cluster, 0);
}

void swap_clusters(Plan& plan, Clusters& of, lab::Random& random) {
  const auto clusters = static_cast<int>(of.sizes.size());
  if (clusters < 3) return;
  const int a = 1 + pick(random, clusters - 1), b = 1 + pick(random, clusters - 1);
  if (at(of.sizes, a) != at(of.sizes, b)) return;
  const auto begin = plan.order.begin();
  if (a != b)
    std::swap_ranges(begin + begin_of(of, a), begin + begin_of(of, a) + at(of.sizes, a),
                     begin + begin_of(of, b));
}

void change(Plan& plan, Clusters& of, const SearchSpace& space, lab::Random& random) {
  const auto clusters = static_cast<int>(of.sizes.size());
  switch (pick(random, 15)) {
  case 0:
    hang_elsewhere(of.tree, random);
    break;
  case 1:
    of.tree = of.looks && chance(random, 0.5) ? broad_tree(clusters, random) : other_tree(clusters, random);
    break;
  case 2:
    swap_clusters(plan, of, random);
    break;
  case 3:
    hang_elsewhere(of.news, random);
    break;
  case 4:
    of.news = other_tree(of.sizes.front(), random);
    break;
  case 5:
    of.down = std::clamp(of.down + pick(random, 5) - 2, 0, of.hosts);
    break;
  case 6:
    of.meeting = std::max(-1, pick(random, 6) - 2);
    break;
  case 7:
    if (chance(random, 0.5))
      hang_elsewhere(of.receipts, random);
    else
      of.receipts = chance(random, 0.5) ? other_tree(of.sizes.front(), random)
                                        : two_level_tree(of.sizes.front(), 1 + pick(random, 16));
    break;
  case 8:
    of.news_first = !of.news_first;
    break;
  case 9:
    at(of.starts, pick(random, plan.cores)) = pick(random, of.hosts);
    break;
  case 10: {
    const int cluster = chance(random, 0.5) ? 0 : pick(random, clusters), size = at(of.sizes, cluster);
    const int begin = begin_of(of, cluster);
    std::swap(at(plan.order, begin + pick(random, size)), at(plan.order, begin + pick(random, size)));
    break;
  }
  case 11:
    set_hosts(of, of.hosts + (chance(random, 0.5) ? 1 : -1), space);
    break;
  case 12:
    of.looks = !of.looks;
    break;
  case 13:
    of.copies = !of.copies;
    break;
  default:
    if (space.bytes <= most_bytes_of_own_area) of.own_area = !of.own_area;
  }
}

/// Each core of the plan's clusters looks at the first of them, and these at the root.
Plan two_levels_of_blocks(Plan plan) {
  auto& of = std::get<Clusters>(plan.family);
  const auto root = std::ranges::find(plan.order, 0) - plan.order.begin();
  std::rotate(plan.order.begin(), plan.order.begin() + root, plan.order.begin() + root + 1);
  of.tree.clear();
  for (const int size : of.sizes) {
    const auto first = static_cast<int>(of.tree.size());
    of.tree.push_back(first == 0 ? -1 : 0);
    of.tree.insert(of.tree.end(), static_cast<std::size_t>(size - 1), first);
  }
  of.sizes.assign(static_cast<std::size_t>(plan.cores), 1);
  of.news = of.receipts = {-1};
  of.meeting = 0;
  return plan;
}

std::vector<Plan> starts_of_reductions(const SearchSpace& space) {
  std::vector<Plan> plans;
  Plan plain = algorithms::schedule::plain_plan(space.cores, space.operation);
  plain.most_bytes = buffer_bytes;
  for (const auto& [gap, delay] : {std::pair(1, 1), {2, 1}, {1, 2}, {1, space.cores}, {space.cores, 1}})
    for (const bool into_parent : {false, true}) {
      Plan plan = plain;
      const Tree tree = postal_tree(space.cores, gap, delay);
      plan.family = Sums{tree, tree, into_parent};
      plans.push_back(std::move(plan));
    }
  for (const Owners& groups : owner_groups_of(space.cores)) {
    // With less owners than needed most of the time; the search tries the others.
    if (groups.shared > 2 && space.cores / groups.shared > 64) continue;
    Plan plan = plain;
    plan.family = groups;
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
      plan.family = Pushes{postal_tree(space.cores, gap, delay)};
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
      auto& of = plan.family.emplace<Clusters>();
      plan.cores = space.cores;
      of.hosts = hosts;
      plan.first_bytes = 128;
      plan.most_bytes = buffer_bytes;
      algorithms::schedule::place_in_clusters(plan, space.mesh, width, height, hosts);
      const int members = of.sizes.front();
      // The receipts of long messages come in while gets go on, and deep trees hold the next rounds up.
      if (!is_short) of.receipts = two_level_tree(members, static_cast<int>(std::lround(std::sqrt(members))));
      of.down = hosts / 2;
      // Few flags each while all can tell all.
      of.meeting = members > 2 * hosts ? -1 : 0;
      keep_in_bounds(plan);
      plans.push_back(plan);
      // One line serves all who look at it, so trees are broad.
      of.looks = true;
      of.own_area = is_short;
      of.news = two_level_tree(members, 1);
      if (is_short) of.receipts = of.news, plan.parts = 3;
      if (members > algorithms::schedule::most_readers) continue;
      plans.push_back(plan);
      const auto clusters = static_cast<int>(of.sizes.size());
      if (is_short && size == 1)
        for (const int delay : {4, 12, 40}) {
          of.tree = postal_tree(clusters, 1, delay);
          plans.push_back(plan);
        }
      else if (is_short && clusters > 1 && size >= 8)
        for (const bool copies : {false, true}) {
          plans.push_back(two_levels_of_blocks(plan));
          std::get<Clusters>(plans.back().family).copies = copies;
        }
      else if (!is_short && clusters > 8)
        for (const int row : {1, static_cast<int>(std::lround(std::sqrt(clusters)))}) {
          of.tree = two_level_tree(clusters, row);
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
  const auto* const owners = plan.as<Owners>();
  const auto* const clusters = plan.as<Clusters>();
  const int width = owners ? plan.cores / owners->shared : clusters ? clusters->hosts : 1;
  const bool one_round = space.bytes <= static_cast<std::int64_t>(line_bytes) * width;
  do {
    if (!one_round && chance(random, 0.4))
      change_rounds(next, random);
    else
      std::visit([&](auto& family) { change(next, family, space, random); }, next.family);
  } while (chance(random, 0.35));
  keep_in_bounds(next);
  return next;
}

} // namespace rccebench
