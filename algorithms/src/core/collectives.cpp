// SPDX-License-Identifier: Apache-2.0
// The C functions: find an algorithm by its name, check the call, prepare it once, run it.
#include "algorithms/collectives.h"

#include <array>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <RCCE.h>
#include <RCCE_lib.h>
#include <rockcreek.h>

#include "core/automatic.hpp"
#include "core/decision.hpp"
#include "core/table.hpp"

namespace algorithms {
namespace {

// One per UE, as every variable of a program.
bool told; ///< about the present call: why it fails

/// In the order of rows(). On no heap, as the table of rows.
ROCKCREEK_WIDE std::array<State, most_rows> states;

/// The decision of the last call of each operation: the next call mostly wants the same.
std::array<Decision, ROCKCREEK_OPERATIONS> lasts;

State& state_of(const rockcreek_algorithm& row) {
  std::size_t index = 0;
  while (rows()[index] != &row) ++index;
  return states[index];
}

int refuse(const std::string& message) {
  return rockcreek_refuse("%s", message.c_str());
}

/// An error of a call that the algorithm makes: said unless the algorithm has. Of one rank alone, it says
/// which.
int passed_on(const char* function, const rockcreek_algorithm& row, int error) {
  if (error == RCCE_SUCCESS || told) return error;
  char text[RCCE_MAX_ERROR_STRING] = "";
  int length = 0;
  if (RCCE_error_string(error, text, &length) != RCCE_SUCCESS) length = 0;
  std::fprintf(stderr, "%s: rank %d: '%s' ends with error %d of a call that it makes%s%s\n", function,
               RCCE_ue(), row.name, error, length > 0 ? ": " : "",
               std::string(text, static_cast<std::size_t>(length)).c_str());
  return error;
}

/// RCCE_num_ues() is 0 before RCCE_init.
bool initialized(const char* function) {
  if (RCCE_num_ues() != 0) return true;
  refuse(std::string(function) + ": called before RCCE_init");
  return false;
}

bool is_rank(const char* function, int root) {
  if (root >= 0 && root < RCCE_num_ues()) return true;
  refuse(std::string(function) + ": root " + std::to_string(root) + " is out of range 0.." +
         std::to_string(RCCE_num_ues() - 1));
  return false;
}

int refuse_as(int error, const std::string& message) {
  refuse(message);
  return error;
}

/// The size of RCCE's element types; 0 for other numbers.
std::size_t element_bytes(int type) {
  switch (type) {
  case RCCE_INT:
    return sizeof(int);
  case RCCE_LONG:
    return sizeof(long);
  case RCCE_FLOAT:
    return sizeof(float);
  case RCCE_DOUBLE:
    return sizeof(double);
  default:
    return 0;
  }
}

/// Checks what a call has that combines elements, and fills in its bytes; RCCE_SUCCESS, or why not.
int check_elements(const char* function, rockcreek_call& call) {
  if (call.op < RCCE_SUM || call.op > RCCE_PROD)
    return refuse_as(RCCE_ERROR_ILLEGAL_OP,
                     std::string(function) + ": " + std::to_string(call.op) +
                         " is no operator; there are RCCE_SUM, RCCE_MIN, RCCE_MAX, RCCE_PROD");
  const std::size_t element = element_bytes(call.type);
  if (element == 0)
    return refuse_as(RCCE_ERROR_ILLEGAL_TYPE,
                     std::string(function) + ": " + std::to_string(call.type) +
                         " is no type; there are RCCE_INT, RCCE_LONG, RCCE_FLOAT, RCCE_DOUBLE");
  if (call.count > INT_MAX)
    return refuse(std::string(function) + ": " + std::to_string(call.count) + " elements are more than " +
                  std::to_string(INT_MAX) + "; reduce them in several calls");
  call.bytes = call.count * element;
  return RCCE_SUCCESS;
}

rockcreek_call of_blocks(const void* source, void* target, std::size_t bytes, int root) {
  rockcreek_call call{};
  call.buffer = static_cast<char*>(target);
  call.bytes = bytes;
  call.root = root;
  call.source = static_cast<const char*>(source);
  return call;
}

rockcreek_call of_elements(const void* source, void* target, std::size_t count, int type, int op, int root) {
  rockcreek_call call = of_blocks(source, target, 0, root);
  call.count = count;
  call.type = type;
  call.op = op;
  return call;
}

bool is_automatic(const char* name) {
  return name != nullptr && std::strcmp(name, "auto") == 0;
}

bool has_no_options(const char* function, const char* text) {
  if (text == nullptr || text[std::strspn(text, " ")] == '\0') return true;
  refuse(std::string(function) + ": options '" + text +
         "': 'auto' chooses them itself; leave them out, or name an algorithm");
  return false;
}

/// `operation` null: any. Null, and said, where there is none.
const rockcreek_algorithm* named(const char* function, const char* name,
                                 const rockcreek_operation* operation) {
  if (name == nullptr) name = "(null)";
  const auto fits = [&](const rockcreek_algorithm& row) {
    return operation == nullptr || row.operation == *operation;
  };
  if (const rockcreek_algorithm* row = find(name); row != nullptr && fits(*row)) return row;
  for (const Faulty& one : faulty_rows())
    if (one.row->name != nullptr && std::strcmp(one.row->name, name) == 0) {
      refuse(std::string(function) + ": algorithm '" + name + "' cannot be used: " + one.text());
      return nullptr;
    }
  Nearest nearest(name);
  std::string names;
  for (const rockcreek_algorithm* row : rows()) {
    if (!fits(*row)) continue;
    nearest.offer(row->name);
    names += (names.empty() ? "" : ", ") + std::string(row->name);
  }
  refuse(std::string(function) + ": there is no algorithm '" + name + "' for it" +
         nearest.before("there are ") + names + ", auto");
  return nullptr;
}

/// Collective. The state's options are those to prepare with.
int prepare(const char* function, const rockcreek_algorithm& row, State& state) {
  told = false;
  rockcreek_call call{};
  call.algorithm = &row;
  call.values = state.options.values();
  if (const int error = row.prepare == nullptr ? RCCE_SUCCESS : row.prepare(&call); error != RCCE_SUCCESS) {
    if (!told)
      refuse(std::string(function) + ": '" + row.name +
             "' cannot have the flags or counters it needs: error " + std::to_string(error) +
             "; prepare fewer algorithms in one program, or this one with a smaller fan_out or fewer stages");
    return error;
  }
  state.options.fix(row);
  state.prepared = true;
  return RCCE_SUCCESS;
}

int prepare(const char* function, const rockcreek_algorithm& row, State& state, const char* options) {
  if (state.prepared && state.options.are_of(options)) [[likely]]
    return RCCE_SUCCESS;
  if (const std::string fault = state.options.read(row, options); !fault.empty())
    return refuse(std::string(function) + ": " + fault);
  // Each schedule has flags of its own.
  const bool each = (row.needs & ROCKCREEK_EXACT_RANKS) != 0;
  return state.prepared && !each ? RCCE_SUCCESS : prepare(function, row, state);
}

} // namespace

int decide(const char* function, rockcreek_operation operation, const char* name, const char* options,
           std::size_t bytes, int root, Decision& decision) {
  if (is_automatic(name)) {
    if (!has_no_options(function, options)) return RCCE_ERROR_ID;
    const rockcreek_choice choice = automatic(operation, bytes, root);
    if (choice.algorithm == nullptr) {
      decision = {};
      return RCCE_SUCCESS;
    }
    name = choice.algorithm;
    options = choice.options;
  }
  if (decision.row == nullptr || name == nullptr || std::strcmp(decision.row->name, name) != 0) {
    const rockcreek_algorithm* const row = named(function, name, &operation);
    if (row == nullptr) return RCCE_ERROR_ID;
    decision = {row, &state_of(*row), nullptr};
  }
  decision.options = options;
  return RCCE_SUCCESS;
}

int prepare(const char* function, const Decision& decision) {
  return prepare(function, *decision.row, *decision.state, decision.options);
}

int run(const char* function, const Decision& decision, rockcreek_call& call) {
  const rockcreek_algorithm& row = *decision.row;
  if (std::size_t{row.lines} * RCCE_LINE_SIZE > RCCE_chunk && call.bytes > 0 && RCCE_num_ues() > 1)
    return rockcreek_refuse("%s: '%s' needs %u bytes for messages in each message-passing buffer, and the "
                            "program has left %zu; its "
                            "flags, iRCCE_malloc and prepared algorithms have the rest: allocate less, or "
                            "prepare fewer algorithms, or "
                            "this one with fewer stages or a smaller fan_out",
                            function, row.name, row.lines * RCCE_LINE_SIZE,
                            static_cast<std::size_t>(RCCE_chunk));
  rcce_collective(row.name, rockcreek_operations[row.operation].has_root != 0 ? call.root : -1, call.bytes);
  told = false;
  call.algorithm = &row;
  call.values = decision.state->options.values();
  return passed_on(function, row, row.run(&call));
}

} // namespace algorithms

using namespace algorithms;

int rockcreek_refuse(const char* format, ...) {
  told = true;
  if (RCCE_ue() != 0 && RCCE_num_ues() != 0) return RCCE_ERROR_ID;
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fputc('\n', stderr);
  return RCCE_ERROR_ID;
}

const char* rockcreek_text(const rockcreek_call* call, const char* parameter) {
  const long long value = rockcreek_value(call, parameter);
  for (const rockcreek_parameter& one : parameters_of(*call->algorithm))
    if (std::string_view(one.name) == parameter)
      if (const char* const text = text_of(one, value)) return text;
  std::fprintf(stderr, "rockcreek_text: parameter '%s' of '%s' is a number; read it by rockcreek_value\n",
               parameter, call->algorithm->name);
  std::abort();
}

long long rockcreek_value(const rockcreek_call* call, const char* parameter) {
  const auto parameters = parameters_of(*call->algorithm);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (std::string_view(parameters[i].name) == parameter) return call->values[i];
  std::fprintf(stderr, "rockcreek_value: '%s' has no parameter '%s'; add it to its row\n",
               call->algorithm->name, parameter);
  std::abort();
}

int rockcreek_prepare(const char* algorithm, const char* options) {
  constexpr const char* function = "rockcreek_prepare";
  if (!initialized(function)) return RCCE_ERROR_ID;
  if (is_automatic(algorithm)) {
    if (!has_no_options(function, options)) return RCCE_ERROR_ID;
    for (int operation = 0; operation < ROCKCREEK_OPERATIONS; ++operation)
      if (const int error = for_each_choice(static_cast<rockcreek_operation>(operation),
                                            [](const rockcreek_choice& choice) {
                                              return rockcreek_prepare(choice.algorithm, choice.options);
                                            }))
        return error;
    return RCCE_SUCCESS;
  }
  const rockcreek_algorithm* row = named(function, algorithm, nullptr);
  return row == nullptr ? RCCE_ERROR_ID : prepare(function, *row, state_of(*row), options);
}

int rockcreek_run(rockcreek_operation operation, const char* algorithm, const rockcreek_call* arguments,
                  const char* options) {
  const rockcreek_operation_description& what = rockcreek_operations[operation];
  rockcreek_call call = *arguments;
  if (what.combines != 0)
    if (const int error = check_elements(what.function, call)) return error;
  if (!initialized(what.function) || (what.has_root != 0 && !is_rank(what.function, call.root)))
    return RCCE_ERROR_ID;
  Decision& last = lasts[operation];
  if (const int error = decide(what.function, operation, algorithm, options, call.bytes,
                               what.has_root != 0 ? call.root : 0, last))
    return error;
  if (last.row == nullptr) { // the table has none: as for a name that nobody knows
    named(what.function, nullptr, &operation);
    return RCCE_ERROR_ID;
  }
  const Decision decision = last; // the algorithm may make calls of its own
  if (const int error = prepare(what.function, decision)) return error;
  return run(what.function, decision, call);
}

int rockcreek_bcast(const char* algorithm, char* buffer, size_t bytes, int root, const char* options) {
  const rockcreek_call call{.buffer = buffer, .bytes = bytes, .root = root};
  return rockcreek_run(ROCKCREEK_BCAST, algorithm, &call, options);
}

int rockcreek_barrier(const char* algorithm, const char* options) {
  const rockcreek_call call{};
  return rockcreek_run(ROCKCREEK_BARRIER, algorithm, &call, options);
}

int rockcreek_gather(const char* algorithm, const void* source, void* target, size_t bytes, int root,
                     const char* options) {
  const rockcreek_call call = of_blocks(source, target, bytes, root);
  return rockcreek_run(ROCKCREEK_GATHER, algorithm, &call, options);
}

int rockcreek_scatter(const char* algorithm, const void* source, void* target, size_t bytes, int root,
                      const char* options) {
  const rockcreek_call call = of_blocks(source, target, bytes, root);
  return rockcreek_run(ROCKCREEK_SCATTER, algorithm, &call, options);
}

int rockcreek_allgather(const char* algorithm, const void* source, void* target, size_t bytes,
                        const char* options) {
  const rockcreek_call call = of_blocks(source, target, bytes, 0);
  return rockcreek_run(ROCKCREEK_ALLGATHER, algorithm, &call, options);
}

int rockcreek_alltoall(const char* algorithm, const void* source, void* target, size_t bytes,
                       const char* options) {
  const rockcreek_call call = of_blocks(source, target, bytes, 0);
  return rockcreek_run(ROCKCREEK_ALLTOALL, algorithm, &call, options);
}

int rockcreek_reduce(const char* algorithm, const void* source, void* target, size_t count, int type, int op,
                     int root, const char* options) {
  const rockcreek_call call = of_elements(source, target, count, type, op, root);
  return rockcreek_run(ROCKCREEK_REDUCE, algorithm, &call, options);
}

int rockcreek_allreduce(const char* algorithm, const void* source, void* target, size_t count, int type,
                        int op, const char* options) {
  const rockcreek_call call = of_elements(source, target, count, type, op, 0);
  return rockcreek_run(ROCKCREEK_ALLREDUCE, algorithm, &call, options);
}

int rockcreek_reduce_scatter(const char* algorithm, const void* source, void* target, size_t count, int type,
                             int op, const char* options) {
  const rockcreek_call call = of_elements(source, target, count, type, op, 0);
  return rockcreek_run(ROCKCREEK_REDUCE_SCATTER, algorithm, &call, options);
}

int rockcreek_scan(const char* algorithm, const void* source, void* target, size_t count, int type, int op,
                   const char* options) {
  const rockcreek_call call = of_elements(source, target, count, type, op, 0);
  return rockcreek_run(ROCKCREEK_SCAN, algorithm, &call, options);
}

int rockcreek_choose(const char* operation, size_t bytes, int root, rockcreek_choice* choice) {
  constexpr const char* function = "rockcreek_choose";
  if (!initialized(function)) return RCCE_ERROR_ID;
  if (choice == nullptr)
    return refuse("rockcreek_choose: no place for the choice: the last argument is NULL");
  const std::string_view asked = operation != nullptr ? operation : "";
  Nearest nearest(asked);
  std::string names;
  for (int i = 0; i < ROCKCREEK_OPERATIONS; ++i) {
    const rockcreek_operation_description& what = rockcreek_operations[i];
    nearest.offer(what.name);
    names += (names.empty() ? "" : ", ") + std::string(what.name);
    if (asked != what.name) continue;
    if (what.has_root != 0 && !is_rank(function, root)) return RCCE_ERROR_ID;
    *choice = automatic(static_cast<rockcreek_operation>(i), what.has_message != 0 ? bytes : 0,
                        what.has_root != 0 ? root : 0);
    return RCCE_SUCCESS;
  }
  return refuse("rockcreek_choose: there is no operation '" + std::string(asked) + "'" +
                nearest.before("there are ") + names);
}
