// SPDX-License-Identifier: Apache-2.0
// bcast/schedule
//
// Idea: what each core puts, gets and tells in a round is data, in a file or in the library; this row carries
// it out. A search over such schedules (`rccebench search`) finds what nobody has drawn.
//
// n = 5, the plain schedule, a tree of puts, one round; virtual ranks:
//
//     space       1 -> 0   2 -> 0   3 -> 1   4 -> 0       (what was there before has been read)
//     put, told   0 -> 1   0 -> 2   1 -> 3   0 -> 4
//     get         each from its own MPB
//
// Cost: what the schedule says; nothing for reading it in the timed part.
//
// Restrictions: a schedule is for one number of ranks. For another root than the file's the two change
// places. Ranks are taken for core numbers: another mapping is slower, not wrong. A message in every round
// has as many segments as the schedule says; short ones have empty segments, of which flags are told all the
// same.
//
// Buffers and flags: the payload area of the MPBs that the schedule names, cut into its parts and slots; its
// flags of rounds once for each part, its single flags once. A flag is turned over with each use, so nobody
// has to clear it. Before another schedule, and before another root, all clear their flags and meet.
//
// Source: this project; algorithms/SCHEDULES.md.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <RCCE.h>
#include <RCCE_lib.h>

#include "algorithms/algorithm.h"
#include "algorithms/shapes/schedule.hpp"
#include "algorithms/shapes/schedule_check.hpp"
#include "algorithms/shapes/schedule_plan.hpp"
#include "on_messages/flags.hpp"
#include "on_messages/meetings.hpp"
#include "on_messages/mpb_copy.hpp"
#include "schedules.inc"

namespace algorithms {
namespace {

using schedule::Schedule;
using schedule::Step;

/// Of the library: ROCKCREEK_KEPT_SCHEDULES of schedules.inc names them.
struct Kept {
  const char *name, *text;
};
constexpr Kept kept[] = {ROCKCREEK_KEPT_TEXTS{nullptr, nullptr}};

/// What a UE keeps between broadcasts.
struct State {
  std::string name;                           ///< of the schedule that flags are clear for; empty: none
  std::string file;                           ///< its text, where it is one
  std::string_view text;                      ///< empty: the plain schedule
  int root = -1;                              ///< for whom this UE knows its part; -1: nobody yet
  Schedule schedule;                          ///< with this UE's program alone, but for the plain one
  std::vector<RCCE_FLAG> flags, single_flags; ///< [part][number]; by number
  long long rounds = 0, calls = 0;            ///< since flags were clear; all UEs count alike
};

State& state() {
  static State all; // one per UE, as every variable of a program
  return all;
}

/// Takes the flags that are missing. Collective.
int take_flags(std::vector<RCCE_FLAG>& flags, int count) {
  for (auto i = static_cast<int>(flags.size()); i < count; ++i) {
    RCCE_FLAG flag;
    if (const int error = RCCE_flag_alloc(&flag)) return error;
    flags.push_back(flag);
  }
  return RCCE_SUCCESS;
}

/// Nobody's flag is written before its owner has cleared it. Collective.
int clear_flags() {
  State& own = state();
  for (auto* flags : {&own.flags, &own.single_flags})
    for (RCCE_FLAG& flag : *flags)
      if (const int error = RCCE_flag_write(&flag, RCCE_FLAG_UNSET, RCCE_ue())) return error;
  own.rounds = own.calls = 0;
  direct_meetings().meet();
  return RCCE_SUCCESS;
}

/// Rank 0 looks at the whole of a file for all. Empty where it is right.
std::string fault_of(std::string_view text) {
  if (RCCE_ue() != 0) return {};
  if (text.empty()) return "there is no such file, or nothing in it";
  Schedule whole;
  if (std::string fault = schedule::Reader::read(text, whole); !fault.empty()) return fault;
  return whole.checked == schedule::digest(whole) ? "" : schedule::Checker::fault_of(whole);
}

/// All UEs go over to a schedule. Collective.
int load(const rockcreek_call& call, std::string_view asked) {
  State& own = state();
  own.name.clear();
  own.root = -1;
  own.text = {};
  const auto* const one = std::find_if(std::begin(kept), std::end(kept),
                                       [&](const Kept& k) { return k.name != nullptr && asked == k.name; });
  if (one != std::end(kept)) {
    own.text = one->text;
  } else if (asked != "plain") {
    std::ifstream file{std::string(asked)};
    own.file.assign(std::istreambuf_iterator<char>(file), {});
    own.text = own.file;
    // Nobody goes on with a schedule that rank 0 has found wrong.
    const std::string fault = fault_of(own.text);
    std::array<char, 4> wrong{fault.empty() ? '\0' : '\1'};
    if (const int error = RCCE_bcast(wrong.data(), wrong.size(), 0, RCCE_COMM_WORLD)) return error;
    if (wrong[0] != '\0')
      return rockcreek_refuse("%s: schedule '%s': %s", call.algorithm->name, std::string(asked).c_str(),
                              fault.c_str());
  }
  if (own.text.empty())
    own.schedule = schedule::Builder::schedule_of(schedule::plain_plan(RCCE_num_ues()));
  else
    (void)schedule::Reader::read(own.text, own.schedule, RCCE_ue());
  if (own.schedule.cores != RCCE_num_ues())
    return rockcreek_refuse(
        "%s: schedule '%s' is for %d cores, and the program has %d UEs; rccebench search finds "
        "one for them",
        call.algorithm->name, std::string(asked).c_str(), own.schedule.cores, RCCE_num_ues());
  int error = take_flags(own.flags, own.schedule.flags * own.schedule.parts);
  if (error == RCCE_SUCCESS) error = take_flags(own.single_flags, own.schedule.single_flags);
  if (error == RCCE_SUCCESS) error = clear_flags();
  if (error == RCCE_SUCCESS) own.name = asked;
  return error;
}

/// Local: this UE's part where that rank is the root.
const schedule::Program& program_for(int root) {
  State& own = state();
  const int self = schedule::role(RCCE_ue(), root, own.schedule.root);
  if (root != own.root && !own.text.empty()) (void)schedule::Reader::read(own.text, own.schedule, self);
  own.root = root;
  return own.schedule.programs[static_cast<std::size_t>(self)];
}

/// One broadcast on one UE.
class Run {
 public:
  Run(State& own, const schedule::Program& program, const rockcreek_call& call, std::size_t slot_bytes)
      : own_(own),
        program_(program),
        call_(call),
        part_bytes_(own.schedule.part_bytes(static_cast<std::size_t>(RCCE_chunk))),
        slot_bytes_(slot_bytes),
        rounds_(own.schedule.rounds(call.bytes, slot_bytes)) {}

  void all() {
    schedule::walk(program_, static_cast<int>(rounds_.size()),
                   [this](const Step& step, int round) { carry_out(step, round); });
    own_.rounds += static_cast<long long>(rounds_.size());
    ++own_.calls;
  }

 private:
  void carry_out(const Step& step, int round) {
    switch (step.kind) {
    case Step::tell:
      return void(RCCE_flag_write(&flag(step, round), value(round), rank(step.core)));
    case Step::hear:
      return void(RCCE_wait_until(flag(step, round), value(round)));
    case Step::put:
    case Step::get:
    case Step::copy:
      break;
    }
    const clusters::Block block = rounds_[static_cast<std::size_t>(round)].block(step.number);
    if (block.bytes == 0) return;
    const t_vcharp slot = place(round, step.slot);
    if (step.kind == Step::put)
      put(slot, call_.buffer + block.offset, block.bytes, rank(step.core));
    else if (step.kind == Step::get)
      get(call_.buffer + block.offset, slot, block.bytes, rank(step.core));
    else
      get(place(round, step.into), slot, block.bytes, rank(step.core));
  }

  [[nodiscard]] int rank(int core) const { return schedule::role(core, own_.root, own_.schedule.root); }
  [[nodiscard]] int part(int round) const {
    return static_cast<int>((own_.rounds + round) % own_.schedule.parts);
  }
  [[nodiscard]] t_vcharp place(int round, int slot) const {
    return RCCE_buff_ptr + static_cast<std::size_t>(part(round)) * part_bytes_ +
        static_cast<std::size_t>(slot) * slot_bytes_;
  }
  [[nodiscard]] RCCE_FLAG& flag(const Step& step, int round) const {
    const auto number = static_cast<std::size_t>(step.number);
    return round < 0 ? own_.single_flags[number]
                     : own_.flags[static_cast<std::size_t>(part(round) * own_.schedule.flags) + number];
  }
  /// Of a flag's use: turned over each time.
  [[nodiscard]] RCCE_FLAG_STATUS value(int round) const {
    const long long uses = round < 0 ? own_.calls : (own_.rounds + round) / own_.schedule.parts;
    return uses % 2 == 0 ? RCCE_FLAG_SET : RCCE_FLAG_UNSET;
  }

  State& own_;
  const schedule::Program& program_;
  const rockcreek_call& call_;
  std::size_t part_bytes_, slot_bytes_;
  std::vector<clusters::Round> rounds_;
};

int prepare(const rockcreek_call* call) {
  if (RCCE_num_ues() == 1) return RCCE_SUCCESS;
  if (const int error = direct_meetings().allocate()) return error;
  return load(*call, rockcreek_text(call, "schedule"));
}

int run(const rockcreek_call* call) {
  if (call->bytes == 0 || RCCE_num_ues() == 1) return RCCE_SUCCESS;
  State& own = state();
  int error = RCCE_SUCCESS;
  if (const char* const asked = rockcreek_text(call, "schedule"); own.name != asked)
    error = load(*call, asked);
  else if (call->root != own.root && own.calls > 0)
    error = clear_flags();
  if (error != RCCE_SUCCESS) return error;
  const schedule::Program& program = program_for(call->root);
  const std::size_t slot_bytes = own.schedule.slot_bytes(static_cast<std::size_t>(RCCE_chunk));
  if (slot_bytes == 0)
    return rockcreek_refuse(
        "%s: schedule '%s' cuts an MPB into %d slots of a line at least, and %zu bytes are left "
        "for messages; prepare fewer algorithms, or search one with fewer parts",
        call->algorithm->name, own.name.c_str(), own.schedule.parts * own.schedule.slots,
        static_cast<std::size_t>(RCCE_chunk));
  Run(own, program, *call, slot_bytes).all();
  return RCCE_SUCCESS;
}

} // namespace

ROCKCREEK_ALGORITHM(
    bcast_schedule, .name = "bcast/schedule", .operation = ROCKCREEK_BCAST,
    .summary = "carries out a schedule from a file or the library: who puts, gets and tells what, by rounds",
    .cost = "what the schedule says; kept ones were found by rccebench search", .source = "this project",
    .parameters =
        {{.name = "schedule",
          .words = "plain" ROCKCREEK_KEPT_SCHEDULES,
          .or_file = 1,
          .help = "one that the library keeps, or a file; plain: a tree of puts for any number of ranks"}},
    .needs = ROCKCREEK_OWN_COPIES | ROCKCREEK_EXACT_RANKS, .prepare = prepare, .run = run);

} // namespace algorithms
