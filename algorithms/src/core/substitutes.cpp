// SPDX-License-Identifier: Apache-2.0
// The image that `rccerun --collectives` loads beside a program: this library's algorithms in place of
// RCCE_bcast, RCCE_reduce, RCCE_allreduce and RCCE_barrier (rcce_emu/substitutes.h).
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include <iRCCE.h>
#include <RCCE.h>

#include "core/decision.hpp"
#include "core/table.hpp"
#include "rcce_emu/image.h"
#include "rcce_emu/substitutes.h"

namespace {

using algorithms::Nearest;

/// The substitute of an operation; no name: the library's own.
struct Choice {
  std::string name, options;
  algorithms::Decision decision; ///< once it is
  std::size_t bytes = 0;         ///< bytes of the call that it was for
  bool from_first = true;        ///< the root is rank 0
  bool decided = false;
  [[nodiscard]] bool holds_for(std::size_t size, int root) const {
    return decided && ((bytes == size && from_first == (root == 0)) || name != "auto");
  }
};
// One set per UE, as every variable of a program.
std::array<Choice, ROCKCREEK_OPERATIONS> choices;
bool began = false;

int refuse(const std::string& text) {
  if (RCCE_ue() == 0) std::fprintf(stderr, "rccerun: --collectives: %s\n", text.c_str());
  return RCCE_ERROR_ID;
}

/// True of the operations that RCCE has, which `offer` below replaces.
bool is_of_rcce(const rockcreek_algorithm& row) {
  return row.operation == ROCKCREEK_BCAST || row.operation == ROCKCREEK_BARRIER ||
      row.operation == ROCKCREEK_REDUCE || row.operation == ROCKCREEK_ALLREDUCE;
}

std::string all_names() {
  std::string names;
  for (const rockcreek_algorithm* row : algorithms::rows())
    if (is_of_rcce(*row)) names += std::string(row->name) + ", ";
  return names + "auto; original stands alone";
}

/// "auto", "bcast/cube" or "bcast/cube:part=4096:...".
int choose(std::string_view word) {
  if (word == "auto") {
    for (Choice& choice : choices)
      if (choice.name.empty()) choice.name = "auto";
    return 0;
  }
  if (word == "original") return refuse("'original' stands alone; leave it out, or the other names");
  const std::string_view name = word.substr(0, word.find(':'));
  const rockcreek_algorithm* row = algorithms::find(name);
  if (row == nullptr) {
    Nearest nearest(name);
    for (const rockcreek_algorithm* other : algorithms::rows())
      if (is_of_rcce(*other)) nearest.offer(other->name);
    return refuse("there is no algorithm '" + std::string(name) + "'" + nearest.before("there are ") +
                  all_names());
  }
  if (!is_of_rcce(*row))
    return refuse(std::string(name) + " is of an operation that RCCE does not have; there are " +
                  all_names());
  if (rockcreek_image.smallflags != 0 && name == "barrier/test_and_set")
    return refuse(
        "barrier/test_and_set keeps the locks under which flags of single bits are changed; choose another "
        "barrier, or compile the program without -DSINGLEBITFLAGS");
  Choice& choice = choices[row->operation];
  if (!choice.name.empty() && choice.name != "auto")
    return refuse("two algorithms for one operation: " + choice.name + " and " + std::string(name));
  choice.name = name;
  choice.options = word.substr(std::min(word.size(), name.size() + 1));
  for (char& letter : choice.options)
    if (letter == ':') letter = ' ';
  const std::string fault = algorithms::Options().read(*row, choice.options.c_str());
  return fault.empty() ? 0 : refuse(fault);
}

int begin(const char* wish) {
  for (std::string_view rest = wish; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (const int error = choose(word); error != 0) return error;
  }
  return 0;
}

/// Decides for calls of so many bytes from a root, 0 where there is none. What preparing takes of the
/// buffers, the library has noted in the program's image.
int decide(const char* function, rockcreek_operation operation, Choice& choice, std::size_t bytes, int root) {
  if (!began) {
    iRCCE_init();
    began = true;
  }
  choice.decided = false;
  if (const int error = algorithms::decide(function, operation, choice.name.c_str(), choice.options.c_str(),
                                           bytes, root, choice.decision);
      error != RCCE_SUCCESS)
    return error;
  if (choice.decision.row != nullptr) {
    if (const int error = algorithms::prepare(function, choice.decision); error != RCCE_SUCCESS) return error;
    rockcreek_follow(rockcreek_image.ue);
  }
  choice.bytes = bytes;
  choice.from_first = root == 0;
  choice.decided = true;
  return RCCE_SUCCESS;
}

int run(const char* function, rockcreek_operation operation, rockcreek_call& call) {
  Choice& choice = choices[operation];
  if (choice.name.empty()) return ROCKCREEK_NOT_SUBSTITUTED;
  const int root = rockcreek_operations[operation].has_root != 0 ? call.root : 0;
  if (!choice.holds_for(call.bytes, root))
    if (const int error = decide(function, operation, choice, call.bytes, root); error != RCCE_SUCCESS)
      return error;
  if (choice.decision.row == nullptr) return ROCKCREEK_NOT_SUBSTITUTED;
  // Another operation's algorithm may have run this one with options of its own.
  if (const int error = algorithms::prepare(function, choice.decision); error != RCCE_SUCCESS) return error;
  return algorithms::run(function, choice.decision, call);
}

size_t bytes_of(int type, int count) {
  const size_t element = type == RCCE_INT ? sizeof(int) : type == RCCE_FLOAT ? sizeof(float) : sizeof(double);
  return count < 0 ? 0 : element * static_cast<size_t>(count);
}

/// Counts and types that the library refuses, it refuses itself.
bool is_right(int count, int type, int op) {
  return count >= 0 && type >= RCCE_INT && type <= RCCE_DOUBLE && op >= RCCE_SUM && op <= RCCE_PROD;
}

rockcreek_call reduction(const char* source, char* target, int count, int type, int op) {
  rockcreek_call call{};
  call.source = source;
  call.buffer = target;
  call.count = static_cast<size_t>(count);
  call.bytes = bytes_of(type, count);
  call.type = type;
  call.op = op;
  return call;
}

int bcast(char* buffer, size_t bytes, int root) {
  if (root < 0 || root >= RCCE_num_ues()) return ROCKCREEK_NOT_SUBSTITUTED;
  rockcreek_call call{};
  call.buffer = buffer;
  call.bytes = bytes;
  call.root = root;
  return run("RCCE_bcast", ROCKCREEK_BCAST, call);
}

int reduce(const char* source, char* target, int count, int type, int op, int root) {
  if (root < 0 || root >= RCCE_num_ues() || !is_right(count, type, op)) return ROCKCREEK_NOT_SUBSTITUTED;
  rockcreek_call call = reduction(source, target, count, type, op);
  call.root = root;
  return run("RCCE_reduce", ROCKCREEK_REDUCE, call);
}

int allreduce(const char* source, char* target, int count, int type, int op) {
  if (!is_right(count, type, op)) return ROCKCREEK_NOT_SUBSTITUTED;
  rockcreek_call call = reduction(source, target, count, type, op);
  return run("RCCE_allreduce", ROCKCREEK_ALLREDUCE, call);
}

int barrier() {
  rockcreek_call call{};
  return run("RCCE_barrier", ROCKCREEK_BARRIER, call);
}

constexpr rockcreek_substitutes offer{begin, bcast, reduce, allreduce, barrier};

[[gnu::constructor]] void offer_them() {
  rockcreek_substitute(rockcreek_image.ue, &offer);
}

} // namespace

/// Never run: the image is loaded for the functions above.
int RCCE_APP(int, char**) {
  std::fputs("this file is loaded by rccerun --collectives beside a program; it is no program itself\n",
             stderr);
  return 2;
}
