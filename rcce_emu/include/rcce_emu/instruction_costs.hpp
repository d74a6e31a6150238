// SPDX-License-Identifier: Apache-2.0
// What the program's own instructions cost on the chip's core, a P54C, in core cycles: the table by which
// rccecc's pass `count_cycles` gives each basic block its time (rccerun --compute blocks). `rcceinfo
// instructions` prints it.
//
// How a block is timed: its instructions enter the two pipes U and V in their order. Two simple ones enter in
// one cycle if both may pair and the second does not need the first; a number whose operands are not ready
// waits for them. Floating-point instructions never pair. Loads and stores hit the first-level cache. (With
// --compute cache they may miss: a load waits for its line, mesh_sim/machines/scc/costs.hpp; for stores see
// `until_next_store`.) An
// address that was computed in the cycle before costs one cycle more. Numbers that only say where memory is
// accessed cost nothing if they advance by the same each round of the loop. `long` is 32 bits wide on the
// chip: integers of 64 bits count as those of 32. A loop's round is no shorter than what its results wait for
// (loops of one block).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rcce::costs {

/// Raised with every change that moves a number: objects compiled by another table count nothing.
inline constexpr unsigned table_revision = 1;

enum class Pairing : std::uint8_t {
  both,  ///< enters either pipe
  first, ///< enters U only; another may enter V beside it
  last,  ///< enters V beside another, or U alone
  alone,
};

struct Instruction {
  std::string_view name;
  int cycles;  ///< until the next instruction that does not pair may enter
  int latency; ///< until its result can be used
  Pairing pairing;
  std::string_view origin;
};

inline constexpr std::string_view fog =
    "A. Fog, How to optimize for the Pentium family of microprocessors, 2004, section 21";
inline constexpr std::string_view estimated = "estimated";

// --- integers ---
inline constexpr Instruction simple{"add, sub, and, or, xor, cmp, lea", 1, 1, Pairing::both, fog};
inline constexpr Instruction shift{"shift by a constant", 1, 1, Pairing::first, fog};
inline constexpr Instruction variable_shift{"shift by a register", 4, 4, Pairing::alone, fog};
inline constexpr Instruction multiply{"imul", 9, 9, Pairing::alone, fog};
inline constexpr Instruction divide{"idiv, 32 bits", 46, 46, Pairing::alone, fog};
inline constexpr Instruction divide_unsigned{"div, 32 bits", 41, 41, Pairing::alone, fog};
inline constexpr Instruction widen{"movsx, movzx of 8 or 16 bits", 3, 3, Pairing::alone, fog};
inline constexpr Instruction set_condition{"setcc", 1, 1, Pairing::alone, fog};
inline constexpr Instruction choose{"choice of two values: cmp, jcc, mov", 3, 3, Pairing::alone,
                                    "no cmov on the P54C; one branch in four mispredicted (estimated)"};
inline constexpr Instruction scan{"bsf, bsr", 20, 20, Pairing::alone, fog};
inline constexpr Instruction locked{"lock-prefixed instruction", 25, 25, Pairing::alone, estimated};

// --- memory, first-level hits ---
inline constexpr Instruction load{"mov register, memory", 1, 1, Pairing::both, fog};
inline constexpr Instruction store{"mov memory, register", 1, 1, Pairing::both, fog};
inline constexpr Instruction further_index{"second and further variable index of an address", 1, 1,
                                           Pairing::both, "an add or lea each (estimated)"};

/// The metadata with which count_cycles marks each store: the cycles until the next store. They decide what a
/// store costs that misses the first-level cache, which allocates nothing (rccerun --compute cache).
/// - It is one transfer on the core's bus of 64 bits, whether of 4 or of 8 bytes (Intel, Pentium Processor
///   Family Developer's Manual, volume 1). Copies by rep movs and rep stos make one for each 4 bytes.
/// - The transfer lasts as long as a load from the line's place: l2_read_cycles if it hits the second-level
///   cache, one access to DRAM otherwise. The next one starts when it is acknowledged: a core has one request
///   outstanding (Reble et al., MARC Symposium at RWTH Aachen, November 2012).
/// - The core continues meanwhile: the pipes U and V have a store buffer each, written out in order (Intel 64
///   and IA-32 Software Developer's Manual, volume 3, "Store Buffers and Memory Ordering"). x87 stores enter
///   U only, so the next store waits for the buffer, and the work until then is hidden. V's buffer could hide
///   more of integer stores; this is left out, and so is a load that misses in between.
/// - The plain copies of RCCE V1.0.13 agree, without being used here: they take 90 and 425 cycles for 4 bytes
///   in L2 and DRAM (iRCCE manual V2.0, Fig. 5). By this rule 4 single bytes take 4 x (18 + a loop of 4) = 88
///   and 4 x 101 = 404: that library copied byte by byte.
inline constexpr const char until_next_store[] = "rockcreek.until_next_store";

// --- control ---
inline constexpr Instruction branch{"jcc, predicted", 1, 1, Pairing::last, fog};
inline constexpr Instruction jump_table{"switch: cmp, ja, jmp through a table", 7, 7, Pairing::alone,
                                        "Fog; the jump taken as mispredicted (estimated)"};
inline constexpr Instruction call{"call", 1, 1, Pairing::last, fog};
inline constexpr Instruction argument{"push of an argument", 1, 1, Pairing::both, fog};
inline constexpr Instruction enter{"function entry: push ebp; mov; sub", 3, 3, Pairing::alone, fog};
inline constexpr Instruction leave{"function end: leave; ret", 5, 5, Pairing::alone, fog};
inline constexpr Instruction loop_exit{"misprediction where a loop is left", 4, 4, Pairing::alone, fog};
inline constexpr Instruction data_branch{"misprediction of a branch inside a loop, one in four", 1, 1,
                                         Pairing::alone, "4 cycles (Fog) times an estimated quarter"};

// --- x87, 64-bit significands as Linux sets them ---
inline constexpr Instruction float_load{"fld of 4 or 8 bytes", 1, 1, Pairing::alone, fog};
inline constexpr Instruction float_operand{"memory operand of fadd, fsub, fmul, fdiv", 0, 0, Pairing::alone,
                                           fog};
inline constexpr Instruction float_copy{"fld st(i), where an operand is needed again", 1, 1, Pairing::alone,
                                        fog};
inline constexpr Instruction float_store{"fstp of 4 or 8 bytes; its value a cycle earlier", 2, 2,
                                         Pairing::alone, fog};
inline constexpr Instruction float_add{"fadd, fsub", 1, 3, Pairing::alone, fog};
inline constexpr Instruction float_multiply{"fmul; a second one two cycles later", 1, 3, Pairing::alone, fog};
inline constexpr Instruction float_divide{"fdiv", 39, 39, Pairing::alone, fog};
inline constexpr Instruction float_root{"fsqrt", 70, 70, Pairing::alone, fog};
inline constexpr Instruction float_sign{"fchs, fabs", 1, 1, Pairing::alone, fog};
inline constexpr Instruction float_compare{"fcom; fnstsw ax; test", 8, 8, Pairing::alone, fog};
inline constexpr Instruction from_integer{"mov memory, register; fild", 4, 6, Pairing::alone, fog};
inline constexpr Instruction to_integer{"fnstcw; fldcw; fistp; fldcw; mov", 25, 25, Pairing::alone, fog};
inline constexpr Instruction float_remainder{"fprem", 64, 64, Pairing::alone, fog};

inline constexpr const Instruction* instructions[] = {
    &simple,     &shift,         &variable_shift, &multiply,       &divide,         &divide_unsigned,
    &widen,      &set_condition, &choose,         &scan,           &locked,         &load,
    &store,      &further_index, &branch,         &jump_table,     &call,           &argument,
    &enter,      &leave,         &loop_exit,      &data_branch,    &float_load,     &float_operand,
    &float_copy, &float_store,   &float_add,      &float_multiply, &float_divide,   &float_root,
    &float_sign, &float_compare, &from_integer,   &to_integer,     &float_remainder};

/// The argument or result that gives the size of a function's work.
enum class Size : std::uint8_t {
  none,
  second_argument, ///< bytes, or elements where the function sorts
  third_argument,
  result, ///< the returned number
};

/// A function of libm or libc: its own work, in cycles.
struct Function {
  std::string_view name; ///< its name; in libm also for float and long double (sinf, sinl)
  int cycles;            ///< beside what grows with the size
  int per_eight;         ///< for each 8 bytes, or elements and halvings where it sorts
  Size size = Size::none;
  bool math = false;
  bool sorts = false; ///< per_eight / 8 for each element and each halving of their number
  std::string_view origin;
};

inline constexpr std::string_view x87 = "Fog: the x87 instruction, and an estimated 30 cycles around it";
inline constexpr std::string_view strings = "Fog: rep movs 12 + n, rep stos 9 + n words of 4 bytes";
inline constexpr std::string_view bytes = "Fog: about 5 cycles a byte (scas, cmps)";

inline constexpr Function functions[] = {
    {"sqrt", 75, 0, Size::none, true, false, x87},
    {"sin", 120, 0, Size::none, true, false, x87},
    {"cos", 120, 0, Size::none, true, false, x87},
    {"tan", 180, 0, Size::none, true, false, x87},
    {"asin", 220, 0, Size::none, true, false, x87},
    {"acos", 220, 0, Size::none, true, false, x87},
    {"atan", 150, 0, Size::none, true, false, x87},
    {"atan2", 160, 0, Size::none, true, false, x87},
    {"sinh", 300, 0, Size::none, true, false, estimated},
    {"cosh", 300, 0, Size::none, true, false, estimated},
    {"tanh", 300, 0, Size::none, true, false, estimated},
    {"exp", 150, 0, Size::none, true, false, x87},
    {"exp2", 130, 0, Size::none, true, false, x87},
    {"expm1", 150, 0, Size::none, true, false, x87},
    {"log", 135, 0, Size::none, true, false, x87},
    {"log2", 135, 0, Size::none, true, false, x87},
    {"log10", 135, 0, Size::none, true, false, x87},
    {"log1p", 135, 0, Size::none, true, false, x87},
    {"pow", 290, 0, Size::none, true, false, x87},
    {"cbrt", 200, 0, Size::none, true, false, estimated},
    {"hypot", 120, 0, Size::none, true, false, estimated},
    {"floor", 45, 0, Size::none, true, false, "Fog: frndint 9-20 between two fldcw of 8"},
    {"ceil", 45, 0, Size::none, true, false, "Fog: frndint 9-20 between two fldcw of 8"},
    {"trunc", 45, 0, Size::none, true, false, "Fog: frndint 9-20 between two fldcw of 8"},
    {"round", 60, 0, Size::none, true, false, estimated},
    {"rint", 20, 0, Size::none, true, false, "Fog: frndint 9-20"},
    {"nearbyint", 20, 0, Size::none, true, false, "Fog: frndint 9-20"},
    {"fmod", 80, 0, Size::none, true, false, "Fog: fprem 16-64"},
    {"fmin", 15, 0, Size::none, true, false, estimated},
    {"fmax", 15, 0, Size::none, true, false, estimated},
    {"ldexp", 40, 0, Size::none, true, false, "Fog: fscale 20-32"},
    {"memcpy", 20, 2, Size::third_argument, false, false, strings},
    {"memmove", 24, 2, Size::third_argument, false, false, strings},
    {"memset", 16, 2, Size::third_argument, false, false, strings},
    {"memcmp", 16, 40, Size::third_argument, false, false, bytes},
    {"strlen", 12, 40, Size::result, false, false, bytes},
    {"strcpy", 60, 0, Size::none, false, false, estimated},
    {"strcat", 80, 0, Size::none, false, false, estimated},
    {"strcmp", 40, 0, Size::none, false, false, estimated},
    {"strncmp", 40, 0, Size::none, false, false, estimated},
    {"strchr", 40, 0, Size::none, false, false, estimated},
    {"malloc", 120, 0, Size::none, false, false, estimated},
    {"calloc", 140, 2, Size::second_argument, false, false, estimated},
    {"realloc", 200, 0, Size::none, false, false, estimated},
    {"free", 80, 0, Size::none, false, false, estimated},
    {"_Znwm", 130, 0, Size::none, false, false, estimated},
    {"_Znam", 130, 0, Size::none, false, false, estimated},
    {"_ZdlPv", 90, 0, Size::none, false, false, estimated},
    {"_ZdlPvm", 90, 0, Size::none, false, false, estimated},
    {"_ZdaPv", 90, 0, Size::none, false, false, estimated},
    {"rand", 40, 0, Size::none, false, false, estimated},
    {"drand48", 80, 0, Size::none, false, false, estimated},
    {"qsort", 200, 160, Size::second_argument, false, true, "20 cycles an element and halving (estimated)"},
    {"printf", 3000, 0, Size::none, false, false, estimated},
    {"fprintf", 3000, 0, Size::none, false, false, estimated},
    {"sprintf", 2000, 0, Size::none, false, false, estimated},
    {"snprintf", 2000, 0, Size::none, false, false, estimated},
    {"puts", 1500, 0, Size::none, false, false, estimated},
    {"fputs", 1500, 0, Size::none, false, false, estimated},
    {"putchar", 300, 0, Size::none, false, false, estimated},
    {"fwrite", 1500, 0, Size::none, false, false, estimated},
};

} // namespace rcce::costs
