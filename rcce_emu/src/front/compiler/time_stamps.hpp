// SPDX-License-Identifier: Apache-2.0
// Instructions that read the processor's time stamp counter: a program's own assembler, compilers' built-in
// functions, and what <x86intrin.h> makes of __rdtsc(). They count the simulated core's cycles, as
// rcce_cycles() does. For the pass wait_loops.
//
// Programs for the chip write the assembler in many ways. Known are those that do nothing but read the
// counter: an instruction that waits for earlier ones before and behind it, moves of its halves to results,
// and the halves joined in one register. "=A" is both halves, as on the chip. Of the others the user is told.
#pragma once

#include <array>
#include <string>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace rcce::passes {

using namespace llvm;

class TimeStamp {
 public:
  /// Counts the simulated core's cycles in place of a call that reads the counter. False for any other call.
  static bool replace(CallInst& call) {
    if (const auto* assembler = dyn_cast<InlineAsm>(call.getCalledOperand())) {
      if (!names_counter(assembler->getAsmString())) return false;
      TimeStamp known;
      if (!known.read(assembler->getAsmString()) || !known.find_results(*assembler, *call.getType())) {
        call.getContext().diagnose(DiagnosticInfoInlineAsm(
            call,
            "rdtsc counts the host's cycles here: beside it stands more than moves of eax and edx; _rdtsc() "
            "of RCCE_lib.h counts the chip's",
            DS_Warning));
        return false;
      }
      known.put_in_place_of(call);
      return true;
    }
    const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (intrinsic == nullptr) return false;
    TimeStamp known;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::readcyclecounter:
    case Intrinsic::x86_rdtsc:
      known.results_ = {Part::whole};
      break;
    case Intrinsic::x86_rdtscp: // and which processor it was
      known.results_ = {Part::whole, Part::nothing};
      break;
    default:
      return false;
    }
    known.put_in_place_of(call);
    return true;
  }

 private:
  /// The part of the counter in a register or a result.
  enum class Part : std::uint8_t {
    unknown,
    nothing, ///< 0
    low,
    high,
    shifted, ///< the high half, at its place
    whole,
  };
  static constexpr std::size_t most_results = 8;

  static bool is_counter(StringRef statement) {
    statement.consume_front("rep ");
    if (statement.consume_front(".byte")) {
      std::string bytes = statement.str();
      llvm::erase_if(bytes, [](char c) { return c == ' ' || c == '\t'; });
      return bytes == "0x0f,0x31" || bytes == "0xf,0x31" || bytes == "15,49";
    }
    return statement == "rdtsc" || statement == "rdtscp";
  }

  template <class Visit>
  static void for_each_statement(StringRef text, Visit visit) {
    SmallVector<StringRef, 8> lines;
    text.split(lines, '\n', -1, false);
    for (const StringRef line : lines) {
      SmallVector<StringRef, 8> statements;
      line.split(statements, ';', -1, false);
      for (const StringRef statement : statements)
        if (const std::string one = statement.trim().lower(); !one.empty()) visit(StringRef(one));
    }
  }

  static bool names_counter(StringRef text) {
    bool named = false;
    for_each_statement(text, [&](StringRef statement) {
      named = named || is_counter(statement) || statement.contains("rdtsc");
    });
    return named;
  }

  /// False where the assembler does something else.
  bool read(StringRef text) {
    bool known = true;
    for_each_statement(text, [&](StringRef statement) { known = known && step(statement); });
    return known && read_;
  }

  bool step(StringRef statement) {
    if (is_counter(statement)) {
      if (read_) return false;
      read_ = true;
      low_ = Part::low;
      high_ = Part::high;
      return true;
    }
    if (statement == "lfence" || statement == "mfence" || statement == "sfence" || statement == "nop")
      return true;
    if (statement == "cpuid") {
      low_ = high_ = Part::unknown;
      return true;
    }
    SmallVector<StringRef, 3> words;
    const auto [name, operands] = statement.split(statement.find('\t') < statement.find(' ') ? '\t' : ' ');
    operands.split(words, ',', -1, false);
    for (StringRef& word : words) word = word.trim();
    if (words.size() != 2) return false;
    if (name.startswith("xor") && words[0] == words[1] && !read_) return part(words[0]) != nullptr;
    Part* const from = part(words[0]);
    if (name == "mov" || name == "movl" || name == "movq") return from != nullptr && moved(*from, words[1]);
    Part* const to = part(words[1]);
    if (to == nullptr || !words[1].startswith("%r")) return false;
    if (name == "shl" || name == "shlq" || name == "salq") {
      if (*to != Part::high || (words[0] != "$$32" && words[0] != "$$0x20")) return false;
      *to = Part::shifted;
      return true;
    }
    if (name != "or" && name != "orq" && name != "add" && name != "addq") return false;
    const bool joined = from != nullptr &&
        ((*from == Part::shifted && *to == Part::low) || (*from == Part::low && *to == Part::shifted));
    if (joined) *to = Part::whole;
    return joined;
  }

  /// The register of that name, of 32 or of 64 bits; null: another one.
  Part* part(StringRef name) {
    if (name == "%eax" || name == "%rax") return &low_;
    if (name == "%edx" || name == "%rdx") return &high_;
    return nullptr;
  }

  /// `to`: "$0", "${0:k}".
  bool moved(Part from, StringRef to) {
    if (!to.consume_front("$")) return false;
    to.consume_front("{");
    std::size_t number = 0;
    if (to.consumeInteger(10, number) || number >= most_results) return false;
    written_[number] = from;
    return from != Part::unknown;
  }

  /// False where a result is no number, or in a place that is not known, or where there is none: then what
  /// follows takes it out of the registers.
  bool find_results(const InlineAsm& assembler, const Type& type) {
    const auto is_number = [](const Type* one) { return one->isIntegerTy(); };
    if (!is_number(&type) && !(type.isStructTy() && llvm::all_of(type.subtypes(), is_number))) return false;
    std::size_t number = 0;
    for (const InlineAsm::ConstraintInfo& one : assembler.ParseConstraints()) {
      if (one.isIndirect) return false;
      if (one.Type != InlineAsm::isOutput) continue;
      if (number == most_results || one.Codes.size() != 1) return false;
      const StringRef code = one.Codes[0];
      const Part found = code == "{ax}" ? low_
          : code == "{dx}"              ? high_
          : code == "{cx}"              ? Part::nothing
          : code == "A"                 ? Part::whole
                                        : written_[number];
      if (found == Part::unknown || found == Part::shifted) return false;
      results_.push_back(found);
      ++number;
    }
    return true;
  }

  void put_in_place_of(CallInst& call) const {
    Module& module = *call.getModule();
    IRBuilder<> build(&call);
    Type* const number = build.getInt64Ty();
    Value* const cycles = build.CreateCall(module.getOrInsertFunction("rcce_cycles", number));
    Type* const type = call.getType();
    const auto* const several = dyn_cast<StructType>(type);
    Value* all = several != nullptr ? UndefValue::get(type) : nullptr;
    for (unsigned i = 0; i < results_.size(); ++i) {
      Type* const wanted = several != nullptr ? several->getElementType(i) : type;
      Value* const one = build.CreateZExtOrTrunc(part_of(build, cycles, results_[i]), wanted);
      all = several != nullptr ? build.CreateInsertValue(all, one, i) : one;
    }
    if (!type->isVoidTy()) call.replaceAllUsesWith(all);
    call.eraseFromParent();
  }

  static Value* part_of(IRBuilder<>& build, Value* cycles, Part part) {
    if (part == Part::nothing) return build.getInt64(0);
    if (part == Part::high) return build.CreateLShr(cycles, 32);
    return part == Part::low ? build.CreateAnd(cycles, build.getInt64(UINT32_MAX)) : cycles;
  }

  bool read_ = false;                               ///< the counter, already
  Part low_ = Part::unknown, high_ = Part::unknown; ///< eax and edx
  std::array<Part, most_results> written_{};        ///< by moves to results
  SmallVector<Part, 2> results_;
};

} // namespace rcce::passes
