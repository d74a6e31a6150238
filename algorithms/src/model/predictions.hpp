// One prediction for each row of the table: microseconds from the release of all ranks until the last has
// everything.
#pragma once

#include "algorithms/model.hpp"

namespace algorithms::model {

double predict_linear(const Platform& platform, const Call& call);
double predict_binomial(const Platform& platform, const Call& call);
double predict_scatter_allgather(const Platform& platform, const Call& call);
double predict_cube(const Platform& platform, const Call& call);
double predict_dopl(const Platform& platform, const Call& call);
double predict_mcast(const Platform& platform, const Call& call);
double predict_oc_tree(const Platform& platform, const Call& call);
double predict_staged_pull(const Platform& platform, const Call& call);

double predict_barrier_linear(const Platform& platform, const Call& call);
double predict_barrier_dissemination(const Platform& platform, const Call& call);
double predict_barrier_tree(const Platform& platform, const Call& call);
double predict_barrier_test_and_set(const Platform& platform, const Call& call);
double predict_barrier_atomic_counter(const Platform& platform, const Call& call);

} // namespace algorithms::model
