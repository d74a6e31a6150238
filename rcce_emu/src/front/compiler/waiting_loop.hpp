// SPDX-License-Identifier: Apache-2.0
// Loops that can only end because somebody else changes memory, in what the front end makes: the passes
// wait_loops and observe know them.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace rcce::passes {

using namespace llvm;

/// True if others, or a library in the background, may access what the pointer leads to: all but scalar local
/// variables, constants and the runtime's own words.
inline bool is_watched(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* global = dyn_cast<GlobalVariable>(object))
    return !global->isConstant() && !global->isThreadLocal() && !global->getName().startswith("rockcreek_") &&
        global->getValueType()->isAggregateType();
  if (const auto* local = dyn_cast<AllocaInst>(object)) return local->getAllocatedType()->isArrayTy();
  return !isa<Constant>(object);
}

/// A value as far as it is only handed on: through conversions, bit masks and one local variable.
inline bool decides(const Value* value, unsigned depth = 0) {
  if (depth > 6) return false;
  for (const User* user : value->users()) {
    if (isa<CmpInst>(user) || isa<SwitchInst>(user) || isa<BranchInst>(user) || isa<ReturnInst>(user))
      return true;
    if (const auto* store = dyn_cast<StoreInst>(user)) {
      const auto* local = dyn_cast<AllocaInst>(store->getPointerOperand());
      if (local == nullptr || store->getValueOperand() != value) continue;
      for (const User* reader : local->users())
        if (isa<LoadInst>(reader) && decides(reader, depth + 2)) return true;
      continue;
    }
    const auto* binary = dyn_cast<BinaryOperator>(user);
    const bool mask = binary != nullptr && (binary->isBitwiseLogicOp() || binary->isShift());
    if ((mask || isa<CastInst>(user) || isa<SelectInst>(user) || isa<PHINode>(user)) &&
        decides(user, depth + 1))
      return true;
  }
  return false;
}

/// True if the address is the same in each round, as far as it is made of local variables.
inline bool same_in_each_round(const Value* value, const Loop& loop, unsigned depth = 0) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || !loop.contains(instruction)) return true;
  if (depth > 12 || isa<PHINode>(instruction)) return false;
  if (const auto* load = dyn_cast<LoadInst>(instruction)) {
    const Value* from = load->getPointerOperand();
    if (!isa<AllocaInst>(from) && !isa<GlobalVariable>(from)) return false;
    for (const User* user : from->users())
      if (const auto* store = dyn_cast<StoreInst>(user); store != nullptr && loop.contains(store))
        return false;
    return true;
  }
  for (const Value* operand : instruction->operands())
    if (!same_in_each_round(operand, loop, depth + 1)) return false;
  return isa<CastInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
      isa<BinaryOperator>(instruction);
}

inline bool is_of_runtime(const Value* value) {
  return value->getName().startswith("rockcreek_");
}

/// Assembler that accesses no memory of the program's: pauses, fences, clocks, and the empty one.
inline bool is_harmless(const InlineAsm& assembler) {
  SmallVector<StringRef, 4> lines;
  SplitString(assembler.getAsmString(), lines, ";\n\t");
  return llvm::all_of(lines, [](StringRef line) {
    return StringSwitch<bool>(line.trim())
        .Cases("", "rep", "nop", "rep nop", "pause", true)
        .Cases("mfence", "lfence", "sfence", "rdtsc", "rdtscp", "cpuid", true)
        .Default(false);
  });
}

inline bool clobbers_memory(const InlineAsm& assembler) {
  return StringRef(assembler.getConstraintString()).contains("~{memory}");
}

/// A pause, a fence or a mark: nothing that the compiler's own functions do otherwise.
inline bool is_harmless(const IntrinsicInst& call) {
  if (isa<DbgInfoIntrinsic>(call) || call.isLifetimeStartOrEnd() || !call.mayWriteToMemory()) return true;
  return StringSwitch<bool>(Intrinsic::getBaseName(call.getIntrinsicID()))
      .Cases("llvm.x86.sse2.pause", "llvm.x86.sse.sfence", "llvm.x86.sse2.lfence", "llvm.x86.sse2.mfence",
             true)
      .Cases("llvm.assume", "llvm.sideeffect", "llvm.donothing", true)
      .Default(false);
}

/// A value that the loop makes of what it finds in memory, and of nothing that an earlier round has left.
inline bool of_this_round(const Value* value, const Loop& loop, const DominatorTree& dominators,
                          unsigned depth = 0) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || !loop.contains(instruction)) return true;
  if (depth > 12 || isa<PHINode>(instruction)) return false;
  if (const auto* load = dyn_cast<LoadInst>(instruction))
    if (const auto* local = dyn_cast<AllocaInst>(load->getPointerOperand())) {
      bool kept = false, made = false;
      for (const User* user : local->users())
        if (const auto* store = dyn_cast<StoreInst>(user); store != nullptr && loop.contains(store))
          kept = true, made = made || dominators.dominates(store, load);
      return !kept || made;
    }
  return all_of(instruction->operands(), [&](const Use& operand) {
    return of_this_round(operand.get(), loop, dominators, depth + 1);
  });
}

/// An instruction that a loop may hold which does nothing but wait.
inline bool may_be_in_wait(const Instruction& instruction, const Loop& loop,
                           const DominatorTree& dominators) {
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return is_of_runtime(store->getPointerOperand()) ||
        (isa<AllocaInst>(store->getPointerOperand()) && !isa<AllocaInst>(store->getValueOperand()) &&
         of_this_round(store->getValueOperand(), loop, dominators));
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) return false;
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr) return true;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(call)) return is_harmless(*intrinsic);
  if (const auto* assembler = dyn_cast<InlineAsm>(call->getCalledOperand())) return is_harmless(*assembler);
  return call->getCalledFunction() != nullptr && is_of_runtime(call->getCalledFunction());
}

/// A loop that can only end because others change memory, which it reads at the same places in each round.
inline bool only_waits(const Loop& loop, const DominatorTree& dominators) {
  if (!loop.getSubLoops().empty() || loop.getLoopPredecessor() == nullptr) return false;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (!may_be_in_wait(instruction, loop, dominators)) return false;
      const auto* load = dyn_cast<LoadInst>(&instruction);
      if (load != nullptr && is_watched(load->getPointerOperand()) &&
          !(decides(load) && same_in_each_round(load->getPointerOperand(), loop)))
        return false;
    }
  }
  return true;
}

} // namespace rcce::passes
