// SPDX-License-Identifier: Apache-2.0
// Where a program's own code stores to memory that other cores may read, it gives way before: a store is made
// when all that comes before it in simulated time has happened, and no reader sees it early.
//
// count_cycles marks such places by a call that is none,
//     rockcreek_store_mark(address, cycles, step, rounds, how);
// with the cycles that the function has counted up to there and not yet handed over. Behind the last pass
// that counts anything, StorePoints makes of each
//     if (address < 4 GiB) rockcreek_store(cycles);
// or, where `how` is not 0, as for loads and stores that cost what a line of a get or put costs if they meet
// a message buffer,
//     if (address < 4 GiB) rockcreek_buffer(address, cycles, step, rounds, how);
// Buffers and shared memory lie below, where pointers of 32 bits lead to them; all memory of one UE lies
// above; the null pointer stands for a store that may be anywhere. Before a loop whose cycles are charged
// where it begins stands one for each object that it stores to, so that nothing is left inside and vectors
// are formed as ever.
#pragma once

#include <cstdint>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace rcce::passes {

using namespace llvm;

/// Set in a module whose accesses are counted, too (count_accesses): the last pass that counts makes the
/// points.
constexpr const char* counts_accesses = "rockcreek.accesses";
constexpr const char* store_mark = "rockcreek_store_mark";

/// Not a call: a place.
inline bool is_store_mark(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
      call->getCalledFunction()->getName() == store_mark;
}

/// True if other cores may see what a store through the pointer changes.
inline bool may_be_shared(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* argument = dyn_cast<Argument>(object)) return !argument->hasByValAttr();
  if (isa<AllocaInst>(object) || isa<Constant>(object)) return false;
  const auto* call = dyn_cast<CallBase>(object);
  if (call == nullptr || call->getCalledFunction() == nullptr) return true;
  const StringRef from = call->getCalledFunction()->getName();
  return from != "malloc" && from != "calloc" && from != "_Znwm" && from != "_Znam";
}

class StorePoints : public PassInfoMixin<StorePoints> {
 public:
  /// `accesses`: for the pass that counts accesses too, not cycles alone.
  explicit StorePoints(bool accesses) : accesses_(accesses) {}

  PreservedAnalyses run(Function& function, FunctionAnalysisManager&) {
    Module& module = *function.getParent();
    if ((module.getNamedMetadata(counts_accesses) != nullptr) != accesses_) return PreservedAnalyses::all();
    SmallVector<CallInst*, 16> marks;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block)
        if (is_store_mark(instruction)) marks.push_back(cast<CallInst>(&instruction));
    for (CallInst* mark : marks) make_point(*mark, module);
    return marks.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

 private:
  static void make_point(CallInst& mark, Module& module) {
    IRBuilder<> build(&mark);
    build.SetCurrentDebugLocation(DebugLoc());
    Type* word = build.getInt64Ty();
    Value* inside = build.CreateICmpEQ(
        build.CreateLShr(build.CreatePtrToInt(mark.getArgOperand(0), word), 32), build.getInt64(0));
    Instruction* cold = SplitBlockAndInsertIfThen(inside, &mark, false,
                                                  MDBuilder(build.getContext()).createBranchWeights(1, 1000));
    const auto* how = dyn_cast<ConstantInt>(mark.getArgOperand(4));
    const bool is_store_point = how != nullptr && how->isZero();
    FunctionCallee store = is_store_point
        ? module.getOrInsertFunction("rockcreek_store", build.getVoidTy(), word)
        : module.getOrInsertFunction("rockcreek_buffer", build.getVoidTy(), build.getInt8PtrTy(), word, word,
                                     word, word);
    auto* callee = cast<Function>(store.getCallee());
    callee->setVisibility(GlobalValue::HiddenVisibility);
    callee->setDSOLocal(true);
    callee->addFnAttr(Attribute::Cold);
    callee->setDoesNotThrow();
    SmallVector<Value*, 5> arguments(mark.args());
    if (is_store_point) arguments = {mark.getArgOperand(1)};
    CallInst::Create(store, arguments, "", cold)->setDebugLoc(mark.getDebugLoc());
    mark.eraseFromParent();
  }

  bool accesses_;
};

} // namespace rcce::passes
