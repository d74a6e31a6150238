// SPDX-License-Identifier: Apache-2.0
#include "watch/record/code_places.hpp"

#include <array>
#include <cstddef>
#include <unwind.h>
#include <utility>

#include "process/process.hpp"

namespace rcce::record {
namespace {

constexpr std::size_t deepest = 64; ///< frames of a stack; those further out are left

/// Return addresses, the innermost first.
struct Walk {
  std::array<const char*, deepest> places;
  std::size_t found = 0;
};

_Unwind_Reason_Code walk_frame(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  walk.places[walk.found++] = reinterpret_cast<const char*>(_Unwind_GetIP(context));
  return walk.found == walk.places.size() ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/// The innermost frame and the one that has called it.
struct Search {
  const Ue& ue;
  std::array<process::CodeLocation, 2> found;
  std::size_t count = 0;
};

/// A function that rccecc has put into the program to tell the runtime of it, not one of the program's own.
bool is_hook(const CodePlaces::Functions& frame) {
  return !frame.empty() && frame.front().function.starts_with("rockcreek_");
}

/// The return address lies behind the call, which may be another line.
process::CodeLocation call_before(const Ue& ue, const char* place) {
  return process::place_of(ue, place - 1);
}

_Unwind_Reason_Code search_frame(_Unwind_Context* context, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const process::CodeLocation place =
      call_before(search.ue, reinterpret_cast<const char*>(_Unwind_GetIP(context)));
  if (place.file != nullptr) search.found[search.count++] = place;
  return search.count == search.found.size() ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

} // namespace

int CodePlaces::stack(const Ue& ue) {
  Walk walk;
  _Unwind_Backtrace(&walk_frame, &walk);
  int frame = -1;
  for (std::size_t i = walk.found; i > 0; --i)
    if (const process::CodeLocation place = call_before(ue, walk.places[i - 1]); place.file != nullptr)
      frame = number_of({frame, place.file, place.offset});
  return frame;
}

int CodePlaces::innermost(const Ue& ue) {
  Search search{ue, {}};
  _Unwind_Backtrace(&search_frame, &search);
  int frame = -1;
  for (std::size_t i = search.count; i > 0; --i)
    frame = number_of({frame, search.found[i - 1].file, search.found[i - 1].offset});
  return frame;
}

int CodePlaces::number_of(const Frame& frame) {
  const auto [known, added] = numbers_.try_emplace(frame, static_cast<int>(frames_.size()));
  if (added) frames_.push_back(frame);
  return known->second;
}

std::vector<CodePlaces::Functions> CodePlaces::functions() const {
  std::map<std::string, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < frames_.size(); ++i) by_file[*frames_[i].file].push_back(i);
  std::vector<Functions> functions(frames_.size());
  for (const auto& [file, frames] : by_file) {
    std::vector<std::uintptr_t> offsets;
    for (const std::size_t frame : frames) offsets.push_back(frames_[frame].offset);
    std::vector<Functions> found = host::positions_of(file, offsets);
    for (std::size_t i = 0; i < frames.size(); ++i) functions[frames[i]] = std::move(found[i]);
  }
  for (Functions& frame : functions)
    if (is_hook(frame)) frame.clear();
  return functions;
}

} // namespace rcce::record
