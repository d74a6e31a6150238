// SPDX-License-Identifier: Apache-2.0
#include "lab/point.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "lab/backend.hpp"
#include "lab/compiled_programs.hpp"
#include "lab/identity.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/units.hpp"

namespace lab {
namespace {

/// A file is what is in it.
void name_files_by_content(std::string& text, const Point& point) {
  for (const Parameter& parameter : point.row().parameters) {
    const std::string value = parameter.or_file ? point.value(parameter) : "";
    const std::string option = parameter.name + "=" + value;
    const std::size_t at = text.find(option);
    if (value.empty() || at == std::string::npos ||
        std::ranges::find(parameter.words, value) != parameter.words.end())
      continue;
    text.replace(at, option.size(), parameter.name + "=" + digest_of(text_of_file(value)));
  }
}

/// By division: the nearest number to the exact one, which has at most six decimals.
double us_of(double picoseconds) {
  return picoseconds / mesh::picoseconds_per_microsecond;
}
double us_of(std::int64_t picoseconds) {
  return us_of(static_cast<double>(picoseconds));
}

} // namespace

const Row& Point::row() const {
  return backend->row(algorithm);
}

std::string Point::value(const Parameter& parameter) const {
  const auto asked = options.find(parameter.name);
  return asked != options.end() ? asked->second : parameter.default_text();
}

std::string Point::options_text() const {
  std::string text;
  for (const Parameter& parameter : row().parameters)
    if (const std::string one = value(parameter);
        !one.empty() && !(parameter.of_call && one == parameter.default_text()))
      text += (text.empty() ? "" : " ") + parameter.name + "=" + one;
  return text;
}

std::string Point::asked_text() const {
  std::string text;
  for (const Parameter& parameter : row().parameters)
    if (const auto asked = options.find(parameter.name); asked != options.end())
      text += (text.empty() ? "" : " ") + parameter.name + "=" + asked->second;
  return text;
}

std::string Point::title() const {
  const std::string call = call_text();
  return fmt::format("{} on {} {}{}{}", algorithm, cores, backend->ranks(), call.empty() ? "" : ", ", call);
}

std::string Point::call_text() const {
  std::string text = operation().has_message ? mesh::counted(bytes, "byte") : "";
  if (operation().has_root) text += fmt::format("{}root {}", text.empty() ? "" : ", ", root);
  return text;
}

std::string Point::run_name() const {
  std::string name = fmt::format("{} {} cores={}", machine_name, algorithm, cores);
  if (operation().has_message) name += fmt::format(" bytes={}", bytes);
  if (operation().has_root && root != 0) name += fmt::format(" root={}", root);
  if (const std::string text = options_text(); !text.empty()) name += " " + text;
  std::replace(name.begin(), name.end(), ' ', ':');
  return name;
}

std::string Point::key() const {
  std::string text = run_name();
  name_files_by_content(text, *this);
  const auto add = [&text](bool differs, const std::string& what) {
    if (differs) text += ":" + what;
  };
  add(operation().combines, type + "," + op);
  add(!spread.is_none(), "spread=" + spread.identity());
  add(seed != 1, fmt::format("seed={}", seed));
  add(generation != Generation::rcce20, "rcce=1.0");
  add(copies != "own", "copies=" + copies);
  add(!reads, "unread");
  add(!fills_mesh, "no_mesh");
  add(checks, "checked");
  add(timed_singly, "timed_singly");
  add(!moves_payload, "payload=none");
  add(warm_up != backend->usual_warm_up(*this), fmt::format("warm_up={}", warm_up));
  add(repetitions != 1, fmt::format("repetitions={}", repetitions));
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::string text_of(const Fault& fault, const Operation& operation, int root) {
  std::string text = fmt::format("rank {}", fault.rank);
  if (!operation.has_message) return text + " left before the last one came";
  if (fault.against == Fault::Against::rank_0) return text + " gets other bits than rank 0 in the same call";
  if (fault.against == Fault::Against::other_order)
    text +=
        " gets other bits if the ranks arrive in another order, against ROCKCREEK_FIXED_ORDER in the row:";
  else if (fault.of_operand == fault.wrong)
    text += " has its own operand changed:";
  else if (operation.only_root_target && fault.rank != root)
    text += " is not the root and its target was written:";
  else
    text += " has";
  return text +
      fmt::format(" {}, the first of them byte {}", mesh::counted(fault.wrong, "wrong byte"), fault.first);
}

Result refuted(std::string found) {
  Result result;
  result.of_ranks = false;
  result.wrong_bytes = 1;
  result.found = std::move(found);
  return result;
}

void Summary::add(int repetition, int rank, std::int64_t arrived, std::int64_t done) {
  Repetition& one = of_[repetition];
  one.least = std::min(one.least, done);
  if (done > one.most || (done == one.most && rank < one.last)) {
    one.most = done;
    one.last = rank;
  }
  one.sum += done;
  one.last_arrival = std::max(one.last_arrival, arrived);
  one.arrivals += arrived;
  one.ends.push_back(done);
}

void Summary::write(Result& to, bool average) const {
  const Repetition* fastest = nullptr;
  double sum = 0;
  const auto time = [average](const Repetition& one) { return one.most - (average ? 0 : one.last_arrival); };
  for (const auto& [number, one] : of_) {
    if (fastest == nullptr || time(one) < time(*fastest)) fastest = &one;
    sum += static_cast<double>(one.most - one.last_arrival);
    if (of_.size() > 1) to.repetitions_us.push_back(us_of(one.most - one.last_arrival));
  }
  const auto count = static_cast<double>(of_.size());
  for (const auto& [number, one] : of_) {
    if (&one == fastest) {
      to.fastest = number;
      to.last_rank = one.last;
    }
    if (!average && &one != fastest) continue;
    const double share = average ? 1 / count : 1;
    const auto ranks = static_cast<std::int64_t>(one.ends.size());
    std::vector<std::int64_t> ends = one.ends;
    const auto middle = ends.begin() + (ranks - 1) / 2;
    std::ranges::nth_element(ends, middle);
    to.median_us += share * us_of(*middle - one.last_arrival);
    to.min_us += share * us_of(one.least - one.last_arrival);
    to.avg_us +=
        share * us_of(static_cast<double>(one.sum - ranks * one.last_arrival) / static_cast<double>(ranks));
    to.max_us += share * us_of(one.most - one.last_arrival);
    to.spent_us += share * us_of(one.sum - one.arrivals);
  }
  to.mean_us = us_of(sum / count);
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace lab
