// The image that `rccerun --collectives` loads beside a program: this library's algorithms in place of
// RCCE_bcast, RCCE_reduce, RCCE_allreduce and RCCE_barrier (rcce_emu/substitutes.h).
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include <iRCCE.h>
#include <RCCE.h>

#include "algorithms/collectives.h"
#include "core/options.hpp"
#include "core/table.hpp"
#include "rcce_emu/image.h"
#include "rcce_emu/substitutes.h"

namespace {

using algorithms::Nearest;

/// What stands for an operation; no name: the library's own.
struct Choice {
  std::string name, options;
};
// One set per UE, as every variable of a program.
std::array<Choice, ROCKCREEK_OPERATIONS> choices;
bool began = false;

int refuse(const std::string& text) {
  if (RCCE_ue() == 0) std::fprintf(stderr, "rccerun: --collectives: %s\n", text.c_str());
  return RCCE_ERROR_ID;
}

std::string all_names() {
  std::string names;
  for (const rockcreek_algorithm* row : algorithms::rows()) names += std::string(row->name) + ", ";
  return names + "auto, original";
}

/// "auto", "bcast/cube" or "bcast/cube:part=4096:...".
int choose(std::string_view word) {
  if (word == "auto") {
    for (Choice& choice : choices)
      if (choice.name.empty()) choice.name = "auto";
    return 0;
  }
  const std::string_view name = word.substr(0, word.find(':'));
  const rockcreek_algorithm* row = algorithms::find(name);
  if (row == nullptr) {
    Nearest nearest(name);
    for (const rockcreek_algorithm* other : algorithms::rows()) nearest.offer(other->name);
    return refuse("there is no algorithm '" + std::string(name) + "'" + nearest.text() + "; there are " +
                  all_names());
  }
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

/// Runs `act(name, options)` for an operation, prepared: what preparing takes of the buffers, the library has
/// noted in the program's image.
template <class Act>
int run(rockcreek_operation operation, size_t bytes, int root, Act&& act) {
  const Choice& choice = choices[operation];
  if (choice.name.empty()) return ROCKCREEK_NOT_SUBSTITUTED;
  if (!began) {
    iRCCE_init();
    began = true;
  }
  rockcreek_choice chosen{choice.name.c_str(), choice.options.c_str()};
  if (choice.name == "auto") {
    const char* const name = rockcreek_operations[operation].name;
    if (const int error = rockcreek_choose(name, bytes, root, &chosen); error != RCCE_SUCCESS) return error;
    if (chosen.algorithm == nullptr) return ROCKCREEK_NOT_SUBSTITUTED;
  }
  if (const int error = rockcreek_prepare(chosen.algorithm, chosen.options); error != RCCE_SUCCESS)
    return error;
  rockcreek_follow(rockcreek_image.ue);
  return act(chosen.algorithm, chosen.options);
}

size_t bytes_of(int type, int count) {
  const size_t element = type == RCCE_INT ? sizeof(int) : type == RCCE_FLOAT ? sizeof(float) : sizeof(double);
  return count < 0 ? 0 : element * static_cast<size_t>(count);
}

/// Counts and types that the library refuses, it refuses itself.
bool is_right(int count, int type, int op) {
  return count >= 0 && type >= RCCE_INT && type <= RCCE_DOUBLE && op >= RCCE_SUM && op <= RCCE_PROD;
}

int bcast(char* buffer, size_t bytes, int root) {
  if (root < 0 || root >= RCCE_num_ues()) return ROCKCREEK_NOT_SUBSTITUTED;
  return run(ROCKCREEK_BCAST, bytes, root, [&](const char* name, const char* options) {
    return rockcreek_bcast(name, buffer, bytes, root, options);
  });
}

int reduce(const char* source, char* target, int count, int type, int op, int root) {
  if (root < 0 || root >= RCCE_num_ues() || !is_right(count, type, op)) return ROCKCREEK_NOT_SUBSTITUTED;
  return run(ROCKCREEK_REDUCE, bytes_of(type, count), root, [&](const char* name, const char* options) {
    return rockcreek_reduce(name, source, target, static_cast<size_t>(count), type, op, root, options);
  });
}

int allreduce(const char* source, char* target, int count, int type, int op) {
  if (!is_right(count, type, op)) return ROCKCREEK_NOT_SUBSTITUTED;
  return run(ROCKCREEK_ALLREDUCE, bytes_of(type, count), 0, [&](const char* name, const char* options) {
    return rockcreek_allreduce(name, source, target, static_cast<size_t>(count), type, op, options);
  });
}

int barrier() {
  return run(ROCKCREEK_BARRIER, 0, 0,
             [](const char* name, const char* options) { return rockcreek_barrier(name, options); });
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
