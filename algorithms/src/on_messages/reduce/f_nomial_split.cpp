// SPDX-License-Identifier: Apache-2.0
// reduce/f_nomial_split
//
// Idea: for long vectors. In each split, both halves of a group of ranks exchange halves of their vectors, so
// that each half of the ranks goes on with half of the elements; then every group reduces its segment by a
// tree of its own, and the groups' roots hand the segments to the root.
//
// n = 7, 2 elements, 1 split, f = 2 (virtual ranks; the root is 0; a -> b : element):
//
//     split     0<->4:1,0   1<->5:1,0   2<->6:1,0   3->6:1
//     phase 0   1->0:0  3->2:0   5->4:1
//     phase 1   2->0:0           6->4:1
//     gather    4->0:1
//
// Cost for S splits of V elements: S exchanges of V/2, V/4 ... elements, a tree over n/2^S ranks of V/2^S
// elements, and 2^S - 1 messages of so many elements to the root. Combining of a segment goes on at 2^S
// places at the same time.
//
// Hops: partners of a split are half a group apart.
//
// Restrictions: any n, any root; as many splits as leave every group a rank and an element. Operands are
// combined across the groups' borders, in a fixed order that is not that of the ranks: the operation has to
// be commutative, as all of RCCE's are.
//
// Buffers and flags: those of RCCE_send; two vectors of memory.
//
// Source: Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters (SC'03),
// which draws 8 ranks and 2 elements; the general form is ours.
#include <RCCE.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/f_nomial.hpp"
#include "algorithms/shapes/f_nomial_split.hpp"
#include "algorithms/shapes/message.hpp"
#include "on_messages/degree.hpp"
#include "on_messages/reduction.hpp"

namespace algorithms {
namespace {

using f_nomial_split::Exchange;
using f_nomial_split::Group;
using f_nomial_split::Split;

/// One reduction on one UE.
class Run {
 public:
  explicit Run(const rockcreek_call& call)
      : call_(call),
        own_(call),
        ranks_(RCCE_num_ues()),
        self_(virtual_rank(RCCE_ue(), call.root, ranks_)),
        group_{0, ranks_, 0, call.count} {}

  int all() {
    if (const int error = own_.prepare_partial(2)) return error;
    incoming_ = own_.partial(0);
    target_ = self_ == 0 ? call_.buffer : own_.partial(1);
    own_.copy(target_, own_.source());
    const int asked = static_cast<int>(rockcreek_value(&call_, "splits"));
    const int splits = f_nomial_split::splits_of(asked, ranks_, call_.count);
    for (int step = 0; step < splits; ++step)
      if (const int error = split()) return error;
    if (const int error = reduce_segment()) return error;
    return gather(splits);
  }

 private:
  [[nodiscard]] int real(int v) const { return real_rank(v, call_.root, ranks_); }

  int split() {
    const Split split(group_);
    const Exchange exchange = split.exchange_of(self_);
    const Group kept = split.half_of(self_);
    const int partner = real(exchange.partner);
    const auto send = [&] { return own_.send(target_, exchange.send_begin, exchange.send_end, partner); };
    const auto take = [&](int rank) { return own_.take(target_, incoming_, kept.begin, kept.end, rank); };
    int error = exchange.sends_first ? send() : own_.receive(incoming_, kept.begin, kept.end, partner);
    if (error != RCCE_SUCCESS) return error;
    if (exchange.sends_first && exchange.receives) {
      error = take(partner);
    } else if (exchange.receives) {
      // The other half leaves before anything is combined: the partner waits for it.
      error = send();
      if (error == RCCE_SUCCESS) error = own_.combine(target_, incoming_, kept.begin, kept.end);
    }
    const int extra = split.extra_of(self_);
    if (error == RCCE_SUCCESS && extra >= 0) error = take(real(extra));
    group_ = kept;
    return error;
  }

  /// The group's segment, to its first rank.
  int reduce_segment() {
    const f_nomial::Shape shape(group_.size, degree_of(call_));
    const int place = self_ - group_.first;
    for (int index = 0; index < shape.children(place); ++index) {
      const int child = real(group_.first + shape.child(place, index));
      if (const int error = own_.take(target_, incoming_, group_.begin, group_.end, child)) return error;
    }
    if (place == 0) return RCCE_SUCCESS;
    return own_.send(target_, group_.begin, group_.end, real(group_.first + shape.parent(place)));
  }

  int gather(int splits) {
    if (self_ != 0)
      return self_ == group_.first ? own_.send(target_, group_.begin, group_.end, real(0)) : RCCE_SUCCESS;
    for (int first = group_.size; first < ranks_;) {
      const Group group = f_nomial_split::group_of(first, ranks_, call_.count, splits);
      if (const int error = own_.receive(target_, group.begin, group.end, real(first))) return error;
      first += group.size;
    }
    return RCCE_SUCCESS;
  }

  const rockcreek_call& call_;
  Reduction own_;
  int ranks_, self_;
  Group group_; ///< the own one, after the splits so far
  char* incoming_ = nullptr;
  char* target_ = nullptr;
};

int run(const rockcreek_call* call) {
  return Run(*call).all();
}

} // namespace

ROCKCREEK_ALGORITHM(
    reduce_f_nomial_split, .name = "reduce/f_nomial_split", .operation = ROCKCREEK_REDUCE,
    .summary = "ranks and vector halved together, then a tree for each segment; for long vectors",
    .cost = "S exchanges of V/2, V/4 ..., a tree over n/2^S ranks of V/2^S elements, 2^S - 1 messages of so "
            "many to the root",
    .source =
        "Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters (SC'03); the "
        "general form is ours",
    .parameters = {ROCKCREEK_DEGREE,
                   {.name = "splits",
                    .least = 0,
                    .most = 16,
                    .default_value = 3,
                    .tried = "1-6:1",
                    .help = "halvings of the vector; as many as leave every group a rank and an element"}},
    .needs = ROCKCREEK_FIXED_ORDER, .lines = 1, .run = run);

} // namespace algorithms
