// SPDX-License-Identifier: Apache-2.0
// Loops that wait for an instant: that ask for the time, and do nothing but compare it. For the pass
// count_cycles.
//
//     while (RCCE_wtime() - start < 1e-3) {}
//
// Each round takes the time of its call, so that a long wait takes many rounds. Before the call such a loop
// stores in rockcreek_waits_until what the call returns when the loop ends, and 0 behind it: the runtime
// leads it on by whole rounds. Found where what is compared is a linear function of the time and of values
// that the loop does not change; a loop that counts, sums or keeps what it is told is none.
#pragma once

#include <cmath>
#include <optional>

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace rcce::passes {

using namespace llvm;

class ClockLoop {
 public:
  /// Nothing where the loop does not wait for an instant alone.
  static std::optional<ClockLoop> of(const Loop& loop) {
    ClockLoop found(loop);
    return found.find() ? std::optional(found) : std::nullopt;
  }

  /// Tells the runtime, around the call.
  void tell() const {
    IRBuilder<> build(call_);
    build.SetCurrentDebugLocation(DebugLoc());
    Type* number = build.getDoubleTy();
    Value* word = call_->getModule()->getOrInsertGlobal("rockcreek_waits_until", number);
    Value* until = build.CreateFSub(as_double(build, limit_), sum(build, value_.fixed));
    until = build.CreateFDiv(until, ConstantFP::get(number, value_.per_time));
    // What is cut off a number can end the loop earlier by as much.
    until = build.CreateFSub(until, ConstantFP::get(number, cut_ / std::abs(value_.per_time)));
    build.CreateStore(until, word);
    build.SetInsertPoint(call_->getNextNode());
    build.CreateStore(ConstantFP::get(number, 0), word);
  }

 private:
  /// A part that the loop does not change.
  struct Fixed {
    Value* value;
    double factor;
  };
  /// per_time * time + the sum of what is fixed. What a structure tells in two members is one time where
  /// their factors fit.
  struct Linear {
    double per_time = 0, per_whole = 0, per_part = 0;
    SmallVector<Fixed, 4> fixed = {};
  };

  explicit ClockLoop(const Loop& loop) : loop_(&loop) {}

  bool find() {
    BasicBlock* exiting = loop_->getExitingBlock();
    if (exiting == nullptr || !loop_->getSubLoops().empty() || !loop_->getHeader()->phis().empty())
      return false;
    for (BasicBlock* block : loop_->blocks())
      for (Instruction& instruction : *block)
        if (!is_harmless(instruction)) return false;
    if (call_ == nullptr || !loads_are_of_clock()) return false;
    const auto* branch = dyn_cast<BranchInst>(exiting->getTerminator());
    if (branch == nullptr || !branch->isConditional()) return false;
    const auto* compare = dyn_cast<CmpInst>(branch->getCondition());
    if (compare == nullptr || loop_->isLoopInvariant(compare)) return false;
    const bool goes_on = loop_->contains(branch->getSuccessor(0));
    return ends(goes_on ? compare->getPredicate() : compare->getInversePredicate(), compare->getOperand(0),
                compare->getOperand(1));
  }

  /// Notes the call that asks for the time, the only one that there may be.
  bool is_harmless(Instruction& instruction) {
    if (auto* call = dyn_cast<CallInst>(&instruction)) {
      if (isa<DbgInfoIntrinsic>(call) || call->isLifetimeStartOrEnd()) return true;
      if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call)) return intrinsic->doesNotAccessMemory();
      if (call_ != nullptr || !is_clock(*call)) return false;
      call_ = call;
      return true;
    }
    if (const auto* load = dyn_cast<LoadInst>(&instruction)) return !load->isVolatile() && !load->isAtomic();
    return !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory();
  }

  /// Also says what it returns, or writes.
  bool is_clock(CallInst& call) {
    const Function* callee = call.getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) return false;
    const StringRef name = callee->getName();
    if (name == "RCCE_wtime" || name == "rcce_picoseconds" || name == "rcce_cycles" || name == "clock")
      return call.arg_empty();
    const unsigned parts = StringSwitch<unsigned>(name)
                               .Case("gettimeofday", 1'000'000)
                               .Case("clock_gettime", 1'000'000'000)
                               .Default(0);
    if (parts == 0 || call.arg_size() != 2) return false;
    parts_ = parts;
    told_ = getUnderlyingObject(call.getArgOperand(parts == 1'000'000 ? 0 : 1), 0);
    return isa<AllocaInst>(told_);
  }

  bool loads_are_of_clock() const {
    for (const BasicBlock* block : loop_->blocks())
      for (const Instruction& instruction : *block)
        if (isa<LoadInst>(instruction) && member(&instruction) < 0) return false;
    return true;
  }

  /// 0: the whole seconds of the structure that the call fills in, 8: the rest. -1: something else.
  std::int64_t member(const Value* value) const {
    const auto* load = dyn_cast<LoadInst>(value);
    if (load == nullptr || told_ == nullptr || !load->getType()->isIntegerTy(64)) return -1;
    std::int64_t offset = 0;
    const Value* base = GetPointerBaseWithConstantOffset(load->getPointerOperand(), offset,
                                                         load->getModule()->getDataLayout());
    return base == told_ && (offset == 0 || offset == 8) ? offset : -1;
  }

  /// True if the loop runs while left < right, or its like, and therefore ends at an instant.
  bool ends(CmpInst::Predicate while_so, Value* left, Value* right) {
    switch (while_so) {
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGT:
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_UGE:
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
      std::swap(left, right);
      break;
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT:
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_ULE:
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
      break;
    default:
      return false;
    }
    // left < right: with the time on the right its factor changes its sign, and so does the sum.
    const bool on_left = loop_->isLoopInvariant(right);
    if (!on_left && !loop_->isLoopInvariant(left)) return false;
    limit_ = on_left ? right : left;
    if (!add(on_left ? left : right, 1, 0)) return false;
    if (value_.per_whole != 0) {
      if (std::abs(value_.per_part * parts_ - value_.per_whole) > 1e-6 * std::abs(value_.per_whole) &&
          value_.per_part != 0)
        return false;
      value_.per_time += value_.per_whole;
    } else if (value_.per_part != 0) {
      return false;
    }
    return on_left ? value_.per_time > 0 : value_.per_time < 0;
  }

  /// Adds the value times the factor to what is compared; false where it is no linear function.
  bool add(Value* value, double factor, unsigned depth) {
    constexpr unsigned deepest = 16;
    if (depth > deepest) return false;
    if (loop_->isLoopInvariant(value)) {
      if (!value->getType()->isIntegerTy() && !value->getType()->isFloatingPointTy()) return false;
      value_.fixed.push_back({value, factor});
      return true;
    }
    if (value == call_) {
      value_.per_time += factor;
      return true;
    }
    if (const std::int64_t offset = member(value); offset >= 0) {
      (offset == 0 ? value_.per_whole : value_.per_part) += factor;
      return true;
    }
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr) return false;
    switch (instruction->getOpcode()) {
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::FPExt:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Freeze:
      if (isa<FPToSIInst>(instruction) || isa<FPToUIInst>(instruction)) cut_ += std::abs(factor);
      return add(instruction->getOperand(0), factor, depth + 1);
    case Instruction::FNeg:
      return add(instruction->getOperand(0), -factor, depth + 1);
    case Instruction::Add:
    case Instruction::FAdd:
      return add(instruction->getOperand(0), factor, depth + 1) &&
          add(instruction->getOperand(1), factor, depth + 1);
    case Instruction::Sub:
    case Instruction::FSub:
      return add(instruction->getOperand(0), factor, depth + 1) &&
          add(instruction->getOperand(1), -factor, depth + 1);
    case Instruction::Mul:
    case Instruction::FMul:
      for (unsigned i = 0; i < 2; ++i)
        if (const auto by = number(instruction->getOperand(i)))
          return *by != 0 && add(instruction->getOperand(1 - i), factor * *by, depth + 1);
      return false;
    case Instruction::SDiv:
    case Instruction::UDiv:
      cut_ += std::abs(factor);
      [[fallthrough]];
    case Instruction::FDiv:
      if (const auto by = number(instruction->getOperand(1)))
        return *by != 0 && add(instruction->getOperand(0), factor / *by, depth + 1);
      return false;
    case Instruction::Call: {
      const auto* intrinsic = dyn_cast<IntrinsicInst>(instruction);
      if (intrinsic == nullptr || intrinsic->getIntrinsicID() != Intrinsic::fmuladd) return false;
      for (unsigned i = 0; i < 2; ++i)
        if (const auto by = number(intrinsic->getArgOperand(i)))
          return *by != 0 && add(intrinsic->getArgOperand(1 - i), factor * *by, depth + 1) &&
              add(intrinsic->getArgOperand(2), factor, depth + 1);
      return false;
    }
    default:
      return false;
    }
  }

  static std::optional<double> number(const Value* value) {
    if (const auto* whole = dyn_cast<ConstantInt>(value))
      return whole->getBitWidth() <= 64 ? std::optional(static_cast<double>(whole->getSExtValue()))
                                        : std::nullopt;
    const auto* real = dyn_cast<ConstantFP>(value);
    if (real == nullptr || !(real->getType()->isDoubleTy() || real->getType()->isFloatTy())) return {};
    return real->getType()->isDoubleTy() ? real->getValueAPF().convertToDouble()
                                         : static_cast<double>(real->getValueAPF().convertToFloat());
  }

  static Value* as_double(IRBuilder<>& build, Value* value) {
    if (value->getType()->isIntegerTy()) return build.CreateSIToFP(value, build.getDoubleTy());
    return build.CreateFPCast(value, build.getDoubleTy());
  }

  static Value* sum(IRBuilder<>& build, ArrayRef<Fixed> parts) {
    Value* all = ConstantFP::get(build.getDoubleTy(), 0);
    for (const Fixed& one : parts)
      all = build.CreateFAdd(
          all,
          build.CreateFMul(as_double(build, one.value), ConstantFP::get(build.getDoubleTy(), one.factor)));
    return all;
  }

  const Loop* loop_;
  CallInst* call_ = nullptr;
  const Value* told_ = nullptr; ///< the structure that the call fills in
  unsigned parts_ = 1;          ///< parts of a second that the second member counts
  Value* limit_ = nullptr;
  Linear value_;
  double cut_ = 0; ///< the most that conversions to whole numbers cut off the compared value
};

} // namespace rcce::passes
