// SPDX-License-Identifier: Apache-2.0
// Statement 17: collectives between the model's bounds, and by which of its terms those that are not lie
// outside.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/shapes/dissemination.hpp"
#include "xeon_phi/claims.hpp"
#include "xeon_phi/collectives.hpp"

namespace rccebench::xeon_phi {

namespace {

namespace cost = algorithms::in_memory::cost;
using cost::Bound;

/// How many of a kind lie between the bounds, and how many where one term is counted as the machine has it.
struct Kind {
  const char *id, *statement;
  int inside = 0, mended = 0, all = 0;
};

class Bounds {
 public:
  explicit Bounds(const Times& times) : t_(times), p_(published_parameters()) {}

  void add(Claims& claims) {
    for (const int n : thread_counts) {
      add_broadcast(n);
      add_reduction(n);
      for (const int partners : partner_counts) add_barrier(n, partners);
    }
    tell(claims, bcast_,
         fmt::format("the min model adds the acknowledgements of every level; here a level's come while the "
                     "levels below copy, and only the last level's are behind everybody's copy: with its "
                     "term alone {} of {} lie between. Term by term: figure terms",
                     bcast_.mended, bcast_.all));
    tell(claims, reduce_, "term by term: figure terms");
    tell(claims, barrier_,
         fmt::format("the min model counts m notices a round; partners beyond the number of threads are left "
                     "out: with the notices that are sent {} of {} lie between. Term by term: figure terms",
                     barrier_.mended, barrier_.all));
  }
  [[nodiscard]] std::vector<reproduce::Figure> figures() && {
    return {std::move(bounds_), std::move(terms_)};
  }

 private:
  static void tell(Claims& claims, const Kind& kind, std::string reason) {
    const bool holds = kind.inside == kind.all;
    claims.push_back({kind.id, kind.statement, Cell("all"),
                      Cell(fmt::format("{} of {}", kind.inside, kind.all)), "", "all", holds, true,
                      holds ? std::string() : std::move(reason)});
  }
  /// `mended`: the lower bound with the term in question as the machine has it.
  void bound(Kind& kind, int n, const std::string& shape, double least, double simulated, double most,
             double mended) {
    const bool between = least <= simulated && simulated <= most;
    kind.inside += between ? 1 : 0;
    kind.mended += std::min(least, mended) <= simulated && simulated <= most ? 1 : 0;
    ++kind.all;
    bounds_.table.rows.push_back(
        {std::string(kind.id).substr(3), std::int64_t{n}, shape, least, simulated, most, between});
  }
  void term(const Kind& kind, int n, const std::string& shape, const char* what, double model,
            double simulated) {
    terms_.table.rows.push_back(
        {std::string(kind.id).substr(3), std::int64_t{n}, shape, what, model, simulated});
  }

  void add_broadcast(int n) {
    const auto tree = tree_of(n, false);
    const std::string shape = fmt::format("{}", fmt::join(tree, ", ")), name = fmt::format("bcast {}", n);
    const auto depth = static_cast<double>(tree.size());
    const double forward = (depth + 1) * p_.memory + 2 * depth * p_.own;
    double copies = 0, told = 0;
    for (const int k : tree) copies += p_.contention(k), told += cost::notification(p_, k + 1, Bound::min);
    const double last = cost::notification(p_, tree.back() + 1, Bound::min);
    const double all = t_.at(name), payload = all - t_.at(fmt::format("bcast empty {}", n)),
                 behind = all - t_.leaves_at(name);
    bound(bcast_, n, shape, forward + copies + told, all, cost::broadcast(p_, tree, Bound::max),
          forward + copies + last);
    term(bcast_, n, shape, "forwarding: structures from memory", forward, all - payload - behind);
    term(bcast_, n, shape, "copies: k readers of a line", copies, payload);
    term(bcast_, n, shape, "acknowledgements, all levels; simulated: behind the last copy", told, behind);
  }
  void add_reduction(int n) {
    const auto tree = tree_of(n, true);
    const std::string shape = fmt::format("{}", fmt::join(tree, ", "));
    const double simulated = t_.at(fmt::format("reduce {}", n)),
                 overlapping = t_.at(fmt::format("reduce {} overlapping", n));
    const double least = cost::reduction(p_, tree, Bound::min);
    bound(reduce_, n, shape, least, simulated, cost::reduction(p_, tree, Bound::max), least);
    term(reduce_, n, shape, "all terms; simulated: the parent's loads all at once", least, overlapping);
  }
  void add_barrier(int n, int partners) {
    const int rounds = cost::rounds_of(n, partners + 1);
    const algorithms::dissemination::Shape shape(n, partners);
    int sent = 0;
    for (int round = 0; round < shape.rounds(); ++round)
      for (int index = 0; index < partners && shape.distance(round, index) > 0; ++index) ++sent;
    const double simulated = t_.at(fmt::format("barrier {} {}", partners, n));
    const double counted = rounds * partners * p_.remote, notices = sent * p_.remote,
                 flags = rounds * (p_.own + p_.remote);
    const std::string name = fmt::format("m = {}", partners);
    bound(barrier_, n, name, counted + flags, simulated, cost::barrier(p_, partners, rounds, Bound::max),
          notices + flags);
    term(barrier_, n, name, "notices: m a round; simulated: those that are sent", counted, notices);
    term(barrier_, n, name, "flags: one read a round; simulated: the rest", flags, simulated - notices);
  }

  const Times& t_;
  cost::Parameters p_;
  Kind bcast_{"17-bcast", "small broadcasts between min and max model"},
      reduce_{"17-reduce", "small reductions between min and max model"},
      barrier_{"17-barrier", "barriers between min and max model"};
  reproduce::Figure bounds_{"bounds",
                            {"simulated beside the model's bounds",
                             {{"Operation", "", 0},
                              {"Threads", "", 0},
                              {"Shape", "", 0},
                              {"Min", "ns", 0},
                              {"Simulated", "ns", 0},
                              {"Max", "ns", 0},
                              {"Between", "", 0}},
                             {}}};
  reproduce::Figure terms_{"terms",
                           {"the min model's terms beside what they are in the simulation",
                            {{"Operation", "", 0},
                             {"Threads", "", 0},
                             {"Shape", "", 0},
                             {"Term", "", 0},
                             {"Min model", "ns", 0},
                             {"Simulated", "ns", 0}},
                            {}}};
};

} // namespace

std::vector<reproduce::Figure> add_bound_claims(const Times& times, Claims& claims) {
  Bounds bounds(times);
  bounds.add(claims);
  return std::move(bounds).figures();
}

} // namespace rccebench::xeon_phi
