// SPDX-License-Identifier: Apache-2.0
// Instructions of the program whose effect others may see: stores, and accesses that may meet a message
// buffer. For the pass count_cycles.
#pragma once

#include <cstdint>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "block_timing.hpp"
#include "rcce_emu/instruction_costs.hpp"
#include "store_points.hpp"
#include "waiting_loop.hpp"

namespace rcce::passes {

using namespace llvm;

/// Assembler that says that it changes memory may find the place anywhere.
inline Value* stored_to(const CallBase& call, const InlineAsm& assembler) {
  if (is_harmless(assembler) || !call.mayWriteToMemory()) return nullptr;
  Value* const anywhere = Constant::getNullValue(Type::getInt8PtrTy(call.getContext()));
  if (clobbers_memory(assembler)) return anywhere;
  Value* to = nullptr;
  for (Value* argument : call.args())
    if (argument->getType()->isPointerTy() && may_be_shared(argument))
      to = to == nullptr ? argument : anywhere;
  return to;
}

/// The target of a store that others may see, or of a pointer handed to code that nobody has counted.
/// Null: any target.
inline Value* stored_to(Instruction& instruction) {
  Value* to = nullptr;
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    to = store->getPointerOperand();
  else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    to = update->getPointerOperand();
  else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    to = exchange->getPointerOperand();
  else if (auto* fill = dyn_cast<MemIntrinsic>(&instruction))
    to = fill->getDest();
  else if (auto* call = dyn_cast<CallBase>(&instruction);
           call != nullptr && !leads_out(instruction) && !isa<IntrinsicInst>(call)) {
    if (const auto* assembler = dyn_cast<InlineAsm>(call->getCalledOperand()))
      return stored_to(*call, *assembler);
    if (call->arg_size() > 0 && call->getArgOperand(0)->getType()->isPointerTy())
      to = call->getArgOperand(0); // memcpy() as a call
  }
  return to != nullptr && may_be_shared(to) ? to : nullptr;
}

/// A load or store that may meet a message buffer.
struct BufferAccess {
  Value* address;
  Value* bytes; ///< null: `length`
  std::int64_t length;
  bool write;
  Value* other = nullptr; ///< the other side of a copy
};

inline void add_access(const Instruction& of, Value* address, Type* type, bool write,
                       SmallVectorImpl<BufferAccess>& to) {
  if (!may_be_shared(address)) return;
  const TypeSize bytes = of.getModule()->getDataLayout().getTypeStoreSize(type);
  to.push_back({address, nullptr, static_cast<std::int64_t>(bytes.getFixedSize()), write});
}
inline void add_access(Value* address, Value* bytes, bool write, Value* other,
                       SmallVectorImpl<BufferAccess>& to) {
  if (may_be_shared(address)) to.push_back({address, bytes, 0, write, other});
}

inline void accesses_of(Instruction& instruction, SmallVectorImpl<BufferAccess>& to) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    add_access(instruction, load->getPointerOperand(), load->getType(), false, to);
  } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    add_access(instruction, store->getPointerOperand(), store->getValueOperand()->getType(), true, to);
  } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    for (const bool write : {false, true})
      add_access(instruction, update->getPointerOperand(), update->getValOperand()->getType(), write, to);
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    for (const bool write : {false, true})
      add_access(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), write,
                 to);
  } else if (auto* copy = dyn_cast<MemTransferInst>(&instruction)) {
    add_access(copy->getSource(), copy->getLength(), false, copy->getDest(), to);
    add_access(copy->getDest(), copy->getLength(), true, copy->getSource(), to);
  } else if (auto* fill = dyn_cast<MemSetInst>(&instruction)) {
    add_access(fill->getDest(), fill->getLength(), true, nullptr, to);
  } else if (auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && !isa<IntrinsicInst>(call)) {
    const costs::Function* work = known_function(*call);
    if (work == nullptr || work->size != costs::Size::third_argument || call->arg_size() < 3) return;
    const bool compares = work->name == "memcmp", fills = work->name == "memset";
    Value *const first = call->getArgOperand(0), *const second = call->getArgOperand(1),
                 *const bytes = call->getArgOperand(2);
    const bool copies = !fills && !compares;
    if (!fills && second->getType()->isPointerTy())
      add_access(second, bytes, false, copies ? first : nullptr, to);
    if (first->getType()->isPointerTy()) add_access(first, bytes, !compares, copies ? second : nullptr, to);
  }
}

/// Code that is neither the program's nor the runtime's.
inline bool leaves_unseen(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return false;
  const StringRef name = callee->getName();
  return !name.startswith("RCCE_") && !name.startswith("iRCCE_") && !name.startswith("rcce_") &&
      !name.startswith(own_prefix);
}

} // namespace rcce::passes
