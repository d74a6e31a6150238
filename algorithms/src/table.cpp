// The rows of the table of algorithms.
#include "algorithms/table.hpp"

#include <array>

#ifdef ROCKCREEK_RCCE // by rccecc: part of a program, which leaves predictions to the runtime
#define PREDICTED_BY(function) nullptr
#else
#include "model/predictions.hpp"
#define PREDICTED_BY(function) model::function
#endif

namespace algorithms {
namespace {

// Part sizes of cube and dopl are those of the SCC broadcast thesis' measurements.
constexpr std::array rows{
    Algorithm{.name = "bcast/linear",
              .operation = Operation::bcast,
              .summary = "the root sends to one rank after the other, as RCCE_bcast does; the yardstick",
              .source = "Intel, RCCE 2.0 (2010), RCCE_bcast",
              .predict_us = PREDICTED_BY(predict_linear)},
    Algorithm{.name = "bcast/binomial",
              .operation = Operation::bcast,
              .summary = "the number of holders doubles in each round; for messages of one buffer or less",
              .source = "folklore; Thakur, Rabenseifner, Gropp: Optimization of Collective Communication "
                        "Operations in MPICH (2005)",
              .predict_us = PREDICTED_BY(predict_binomial)},
    Algorithm{
        .name = "bcast/scatter_allgather",
        .operation = Operation::bcast,
        .summary = "blocks dealt out along a tree, then passed round a ring; for long messages",
        .source =
            "Barnett, Shuler, van de Geijn et al.: Interprocessor Collective Communication Library (1994)",
        .predict_us = PREDICTED_BY(predict_scatter_allgather)},
    Algorithm{.name = "bcast/cube",
              .operation = Operation::bcast,
              .summary = "parts exchanged across a hypercube, one-port optimal in rounds; for long messages",
              .source = "Bin Jia: Process Cooperation in Multiple Message Broadcast (2009)",
              .part_bytes = 4096,
              .predict_us = PREDICTED_BY(predict_cube)},
    Algorithm{.name = "bcast/dopl",
              .operation = Operation::bcast,
              .summary =
                  "lines of the mesh as pipelines, the dimension changing every round; for long messages",
              .source = "the SCC broadcast thesis, DOPL",
              .part_bytes = 8192,
              .pipe_bytes = 2048,
              .nonblocking = true,
              .own_copies = true,
              .whole_mesh = true,
              .predict_us = PREDICTED_BY(predict_dopl)},
    Algorithm{.name = "bcast/mcast",
              .operation = Operation::bcast,
              .summary = "iRCCE_mcast: everybody fetches out of the root's buffer, a barrier per piece",
              .source = "Clauss et al.: iRCCE user manual 2.0 (2013)",
              .own_copies = true,
              .predict_us = PREDICTED_BY(predict_mcast)},
    Algorithm{.name = "bcast/oc_tree",
              .operation = Operation::bcast,
              .summary =
                  "k-ary tree of one-sided gets from MPB to MPB, double-buffered; low latency at any length",
              .source = "Petrovic, Shahmirzadi, Ropars, Schiper: High-performance RMA-based broadcast on the "
                        "Intel SCC (SPAA 2012)",
              .part_bytes = 3072,
              .own_copies = true,
              .predict_us = PREDICTED_BY(predict_oc_tree)},
    Algorithm{.name = "bcast/staged_pull",
              .operation = Operation::bcast,
              .summary =
                  "the root puts the message into a few MPBs in the middle, everybody gets it from there",
              .source = "this project",
              .own_copies = true,
              .predict_us = PREDICTED_BY(predict_staged_pull)},
    Algorithm{.name = "barrier/linear",
              .operation = Operation::barrier,
              .summary = "RCCE_barrier: rank 0 gathers and releases one by one",
              .source = "Intel, RCCE 2.0 (2010), RCCE_barrier",
              .predict_us = PREDICTED_BY(predict_barrier_linear)},
    Algorithm{.name = "barrier/dissemination",
              .operation = Operation::barrier,
              .summary = "everybody notifies others at growing distances; fewest steps",
              .source = "Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization (1988)",
              .predict_us = PREDICTED_BY(predict_barrier_dissemination)},
    Algorithm{.name = "barrier/tree",
              .operation = Operation::barrier,
              .summary = "reports go up a tree, releases down; fewest flag writes",
              .source = "Mellor-Crummey, Scott: Algorithms for Scalable Synchronization (1991)",
              .predict_us = PREDICTED_BY(predict_barrier_tree)},
    Algorithm{
        .name = "barrier/test_and_set",
        .operation = Operation::barrier,
        .summary = "a token runs along the cores' test-and-set registers and back; no buffer memory",
        .source =
            "after Reble, Lankes, Clauss, Bemmerl: A Fast Inter-Kernel Communication and Synchronization "
            "Layer for MetalSVM (2011)",
        .uses_registers = true,
        .predict_us = PREDICTED_BY(predict_barrier_test_and_set)},
    Algorithm{.name = "barrier/atomic_counter",
              .operation = Operation::barrier,
              .summary = "one increment of an off-chip counter each; the last one starts the release",
              .source = "after Clauss et al.: iRCCE user manual 2.0 (2013)",
              .uses_registers = true,
              .predict_us = PREDICTED_BY(predict_barrier_atomic_counter)},
};

} // namespace

std::span<const Algorithm> table() {
  return rows;
}

const Algorithm* find(std::string_view name) {
  for (const Algorithm& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

} // namespace algorithms
