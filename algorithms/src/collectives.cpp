// The C functions: find an algorithm's runner by name, check the call, run it.
#include "algorithms/collectives.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

#include <RCCE.h>

#include "automatic.hpp"
#include "runner.hpp"

namespace algorithms {

namespace {

bool told; // about the present call: why it fails; one per UE, as every variable of a program

} // namespace

int refuse(const std::string& message) {
  if (RCCE_ue() == 0 || RCCE_num_ues() == 0) std::fprintf(stderr, "%s\n", message.c_str());
  told = true;
  return RCCE_ERROR_ID;
}

namespace {

/// An error of a call that the algorithm makes: said unless the algorithm has. Of one rank alone, it says
/// which.
int passed_on(const char* function, std::string_view name, int error) {
  if (error == RCCE_SUCCESS || told) return error;
  char text[RCCE_MAX_ERROR_STRING] = "";
  int length = 0;
  if (RCCE_error_string(error, text, &length) != RCCE_SUCCESS) length = 0;
  std::fprintf(stderr, "%s: rank %d: '%s' ends with error %d of a call that it makes%s%s\n", function,
               RCCE_ue(), name.data(), error, length > 0 ? ": " : "",
               std::string(text, static_cast<std::size_t>(length)).c_str());
  return error;
}

struct Runner {
  std::string_view name;
  int (*prepare)(const rockcreek_options&); ///< null: nothing to allocate
  int (*bcast)(const Broadcast&);
  int (*barrier)(const rockcreek_options&);
};

constexpr Runner runners[] = {
    {"bcast/linear", nullptr, bcast_linear, nullptr},
    {"bcast/binomial", nullptr, bcast_binomial, nullptr},
    {"bcast/scatter_allgather", nullptr, bcast_scatter_allgather, nullptr},
    {"bcast/cube", nullptr, bcast_cube, nullptr},
    {"bcast/dopl", nullptr, bcast_dopl, nullptr},
    {"bcast/mcast", nullptr, bcast_mcast, nullptr},
    {"bcast/oc_tree", prepare_oc_tree, bcast_oc_tree, nullptr},
    {"bcast/staged_pull", prepare_staged_pull, bcast_staged_pull, nullptr},
    {"barrier/linear", nullptr, nullptr, barrier_linear},
    {"barrier/dissemination", prepare_barrier_dissemination, nullptr, barrier_dissemination},
    {"barrier/tree", prepare_barrier_tree, nullptr, barrier_tree},
    {"barrier/test_and_set", prepare_barrier_test_and_set, nullptr, barrier_test_and_set},
    {"barrier/atomic_counter", prepare_barrier_atomic_counter, nullptr, barrier_atomic_counter},
};

bool prepared[std::size(runners)]; // one per UE, as every variable of a program

rockcreek_options options_or_defaults(const rockcreek_options* options) {
  rockcreek_options result{};
  if (options != nullptr) result = *options;
  result.fan_out = std::min(result.fan_out, RCCE_num_ues()); // more are everybody
  return result;
}

/// RCCE_num_ues() is 0 before RCCE_init.
int refuse_root(const char* function, int root) {
  if (RCCE_num_ues() == 0) return refuse(std::string(function) + ": called before RCCE_init");
  return refuse(std::string(function) + ": root " + std::to_string(root) + " is out of range 0.." +
                std::to_string(RCCE_num_ues() - 1));
}
bool is_rank(int root) {
  return root >= 0 && root < RCCE_num_ues();
}

const Runner* find_runner(const char* name) {
  if (name == nullptr) return nullptr;
  for (const Runner& runner : runners)
    if (runner.name == name) return &runner;
  return nullptr;
}

std::string names(Operation operation) {
  std::string text;
  for (const Algorithm& row : table()) {
    if (row.operation != operation || find_runner(std::string(row.name).c_str()) == nullptr) continue;
    text += (text.empty() ? "" : ", ") + std::string(row.name);
  }
  return text;
}

int refuse_name(const char* function, const char* name, const std::string& valid) {
  return refuse(std::string(function) + ": there is no algorithm '" + (name != nullptr ? name : "(null)") +
                "' for it; there are " + valid);
}

/// Whether a runner has what it needs; says so if not.
bool ready(const char* function, const Runner& runner) {
  if (runner.prepare == nullptr || prepared[&runner - runners]) return true;
  refuse(std::string(function) + ": '" + std::string(runner.name) +
         "' has not been prepared; call rockcreek_prepare with that name on every UE before its first use");
  return false;
}

constexpr std::string_view automatic_name = "auto";

bool is_automatic(const char* name) {
  return name != nullptr && name == automatic_name;
}

bool runs(const algorithms::Algorithm& row) {
  return find_runner(row.name.data()) != nullptr;
}

bool runs_now(const algorithms::Algorithm& row) {
  const Runner* runner = find_runner(row.name.data());
  return runner != nullptr && (runner->prepare == nullptr || prepared[runner - runners]);
}

int prepare_automatic(const rockcreek_options* options) {
  const auto prepare = [&](const rockcreek_choice& choice) {
    return choice.algorithm == nullptr ? RCCE_SUCCESS : rockcreek_prepare(choice.algorithm, options);
  };
  const rockcreek_options& asked = options_or_defaults(options);
  for (const std::size_t bytes : {32U, 1024U, 8192U, 65536U, 524288U})
    if (const int error = prepare(algorithms::automatic(Operation::bcast, bytes, 0, asked, runs)))
      return error;
  return prepare(algorithms::automatic(Operation::barrier, 0, 0, asked, runs));
}

} // namespace
} // namespace algorithms

using namespace algorithms;

int rockcreek_choose(const char* operation, size_t bytes, int root, const rockcreek_options* options,
                     rockcreek_choice* choice) {
  const std::string_view asked = operation != nullptr ? operation : "";
  if (asked != "bcast" && asked != "barrier")
    return refuse("rockcreek_choose: there is no operation '" + std::string(asked) +
                  "'; there are bcast, barrier");
  if (choice == nullptr)
    return refuse("rockcreek_choose: no place for the choice: the last argument is NULL");
  const bool bcast = asked == "bcast";
  if (!is_rank(bcast ? root : 0)) return refuse_root("rockcreek_choose", root);
  *choice = bcast ? automatic(Operation::bcast, bytes, root, options_or_defaults(options), runs_now)
                  : automatic(Operation::barrier, 0, 0, options_or_defaults(options), runs_now);
  return RCCE_SUCCESS;
}

int rockcreek_prepare(const char* algorithm, const rockcreek_options* options) {
  if (RCCE_num_ues() == 0) return refuse_root("rockcreek_prepare", 0);
  if (is_automatic(algorithm)) return prepare_automatic(options);
  const Runner* runner = find_runner(algorithm);
  if (runner == nullptr)
    return refuse_name("rockcreek_prepare", algorithm,
                       names(Operation::bcast) + ", " + names(Operation::barrier));
  bool& done = prepared[runner - runners];
  if (done || runner->prepare == nullptr) return RCCE_SUCCESS;
  told = false;
  const int error = runner->prepare(options_or_defaults(options));
  if (error != RCCE_SUCCESS) {
    if (!told)
      refuse("rockcreek_prepare: '" + std::string(runner->name) +
             "' cannot have the flags or counters it needs: error " + std::to_string(error) +
             "; prepare fewer algorithms in one program, or this one with a smaller fan_out or fewer stages");
    return error;
  }
  done = true;
  algorithms::forget_choices();
  return RCCE_SUCCESS;
}

int rockcreek_bcast(const char* algorithm, char* buffer, size_t bytes, int root,
                    const rockcreek_options* options) {
  if (!is_rank(root)) return refuse_root("rockcreek_bcast", root);
  rockcreek_options chosen = options_or_defaults(options);
  if (is_automatic(algorithm)) {
    const rockcreek_choice choice = automatic(Operation::bcast, bytes, root, chosen, runs_now);
    algorithm = choice.algorithm;
    chosen.part_bytes = choice.part_bytes;
    chosen.pipe_bytes = choice.pipe_bytes;
  }
  const Runner* runner = find_runner(algorithm);
  if (runner == nullptr || runner->bcast == nullptr)
    return refuse_name("rockcreek_bcast", algorithm, names(Operation::bcast));
  if (!ready("rockcreek_bcast", *runner)) return RCCE_ERROR_ID;
  rcce_collective(runner->name.data(), root, bytes);
  told = false;
  return passed_on("rockcreek_bcast", runner->name,
                   runner->bcast({buffer, bytes, root, chosen, *find(runner->name)}));
}

int rockcreek_barrier(const char* algorithm, const rockcreek_options* options) {
  if (RCCE_num_ues() == 0) return refuse_root("rockcreek_barrier", 0);
  const rockcreek_options chosen = options_or_defaults(options);
  if (is_automatic(algorithm)) algorithm = automatic(Operation::barrier, 0, 0, chosen, runs_now).algorithm;
  const Runner* runner = find_runner(algorithm);
  if (runner == nullptr || runner->barrier == nullptr)
    return refuse_name("rockcreek_barrier", algorithm, names(Operation::barrier));
  if (!ready("rockcreek_barrier", *runner)) return RCCE_ERROR_ID;
  rcce_collective(runner->name.data(), -1, 0);
  told = false;
  return passed_on("rockcreek_barrier", runner->name, runner->barrier(chosen));
}
