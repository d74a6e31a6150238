// SPDX-License-Identifier: Apache-2.0
// Points and results as JSON: what other programs ask the laboratory for, and what it answers.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/point.hpp"

namespace lab {

/// Reads an array of objects; `files` as backend_of() takes them. Members, of which only `algorithm` has to
/// be there:
///
///     algorithm     "bcast/cube"
///     machine       name or file of a machine, or "host"; "scc"
///     set           values of the machine's parameters: {"mesh.clock": 1600}
///     cores         ranks: cores, threads or nodes; all that the machine usually takes
///     bytes         of the message or vector; 8192, on clusters 8, 0 where the operation has none
///     options       values of the algorithm's parameters: {"part": 4096}
///     root, type, op, spread, seed, reads, warm_up, repetitions, rcce, copies
///                   as the options of `rccebench reduce` of these names
///
/// Throws mesh::UserError, which begins with the point's number, for unknown members and values, and for
/// points that do not fit their machine.
[[nodiscard]] std::vector<Point> read_points(const nlohmann::json& points,
                                             const std::vector<std::string>& files);

/// One of these objects. Throws mesh::UserError.
[[nodiscard]] Point read_point(const nlohmann::json& entry);

/// Members: key, machine, algorithm, cores, bytes, options, then times in microseconds: us of the operation,
/// us_first_rank and us_mean_rank where ranks are told apart, us_mean over the repetitions, us_lower and
/// us_upper quartile of wall-clock times; clock (simulated or host), repetitions, right, wrong_bytes, digest
/// of clusters.
[[nodiscard]] nlohmann::ordered_json to_json(const Point& point, const Result& result);

} // namespace lab
