// SPDX-License-Identifier: Apache-2.0
// How long a basic block takes on the chip's core by the table of instruction_costs.hpp: its instructions, in
// the compiler's intermediate form, go through the two pipes of a P54C. For the pass count_cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Operator.h>

#include "rcce_emu/instruction_costs.hpp"

namespace rcce::passes {

using namespace llvm;

constexpr StringRef own_prefix = "rockcreek_";

/// A function of libm or libc of the table, where the module does not bring one of that name itself.
inline const costs::Function* known_function(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return nullptr;
  const StringRef name = callee->getName();
  for (const costs::Function& one : costs::functions) {
    const StringRef known(one.name.data(), one.name.size());
    if (name == known) return &one;
    if (one.math && name.size() == known.size() + 1 && name.startswith(known) &&
        (name.back() == 'f' || name.back() == 'l'))
      return &one;
  }
  return nullptr;
}

inline const costs::Function* function_named(StringRef name) {
  for (const costs::Function& one : costs::functions)
    if (name == StringRef(one.name.data(), one.name.size())) return &one;
  return nullptr;
}

/// The libm function that an intrinsic stands for.
inline const costs::Function* function_of(Intrinsic::ID id) {
  static constexpr std::pair<Intrinsic::ID, const char*> names[] = {{Intrinsic::sin, "sin"},
                                                                    {Intrinsic::cos, "cos"},
                                                                    {Intrinsic::pow, "pow"},
                                                                    {Intrinsic::powi, "pow"},
                                                                    {Intrinsic::exp, "exp"},
                                                                    {Intrinsic::exp2, "exp2"},
                                                                    {Intrinsic::log, "log"},
                                                                    {Intrinsic::log2, "log2"},
                                                                    {Intrinsic::log10, "log10"},
                                                                    {Intrinsic::floor, "floor"},
                                                                    {Intrinsic::ceil, "ceil"},
                                                                    {Intrinsic::trunc, "trunc"},
                                                                    {Intrinsic::round, "round"},
                                                                    {Intrinsic::rint, "rint"},
                                                                    {Intrinsic::nearbyint, "nearbyint"},
                                                                    {Intrinsic::minnum, "fmin"},
                                                                    {Intrinsic::maxnum, "fmax"},
                                                                    {Intrinsic::memcpy, "memcpy"},
                                                                    {Intrinsic::memcpy_inline, "memcpy"},
                                                                    {Intrinsic::memmove, "memmove"},
                                                                    {Intrinsic::memset, "memset"}};
  const auto* const found = std::ranges::find(names, id, &std::pair<Intrinsic::ID, const char*>::first);
  return found == std::end(names) ? nullptr : function_named(found->second);
}

inline const costs::Function* work_of(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee != nullptr && callee->isIntrinsic()) return function_of(callee->getIntrinsicID());
  return known_function(call);
}

/// True if the call can lead to the runtime or to code that counts by itself. All cycles counted so far must
/// be in the counter before it.
inline bool leads_out(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call == nullptr || call->isInlineAsm() || isa<IntrinsicInst>(call)) return false;
  const costs::Function* known = known_function(*call);
  return known == nullptr || known->sorts;
}

/// Code that the other passes of rccecc have put in costs nothing on the chip.
class OwnCode {
 public:
  bool is_own(const Instruction& instruction) {
    bool own = false;
    if (const auto* call = dyn_cast<CallBase>(&instruction)) {
      const Function* callee = call->getCalledFunction();
      own = callee != nullptr && callee->getName().startswith(own_prefix);
    } else if (!isa<PHINode>(instruction)) {
      own = any_of(instruction.operands(), [&](const Use& operand) {
        return own_.contains(operand.get()) ||
            (isa<GlobalVariable>(operand) && operand->getName().startswith(own_prefix));
      });
    }
    if (own) own_.insert(&instruction);
    return own;
  }

 private:
  SmallPtrSet<const Value*, 8> own_;
};

/// The two pipes of the core, while a stretch of code goes through.
class Pipes {
 public:
  int issue(const costs::Instruction& kind, int operands_ready) {
    const bool second = beside_ && operands_ready <= next_ - 1 &&
        (kind.pairing == costs::Pairing::both || kind.pairing == costs::Pairing::last);
    const int at = second ? next_ - 1 : std::max(next_, operands_ready);
    if (!second) next_ = at + kind.cycles;
    beside_ = !second && kind.cycles == 1 &&
        (kind.pairing == costs::Pairing::both || kind.pairing == costs::Pairing::first);
    return at;
  }
  void wait(int cycles) {
    next_ += cycles;
    beside_ = false;
  }
  [[nodiscard]] int cycles() const { return next_; }

 private:
  int next_ = 0;        ///< cycle in which the next instruction enters U
  bool beside_ = false; ///< V is free in the cycle before
};

/// A stretch of a block: from one call that leads out, or the block's beginning, to the next or its end.
class Stretch {
 public:
  Stretch(const LoopInfo& loops, ScalarEvolution& evolution, OwnCode& own)
      : loops_(loops), evolution_(evolution), own_(own) {}

  void add(Instruction& instruction) {
    if (own_.is_own(instruction) || isa<PHINode>(instruction)) return;
    if (auto* store = dyn_cast<StoreInst>(&instruction)) stores_.emplace_back(store, pipes_.cycles());
    if (const auto* call = dyn_cast<CallBase>(&instruction))
      add_call(*call);
    else
      add_plain(instruction);
  }

  [[nodiscard]] int cycles() const { return pipes_.cycles(); }

  /// Notes at each store how long the core works until it comes to the next one, in core cycles: that much of
  /// a store that misses is hidden (count_accesses passes it on). `repeats`: behind the last comes the first.
  void note_stores(bool repeats) const {
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      const bool last = i + 1 == stores_.size();
      const int next = !last ? stores_[i + 1].second : cycles() + (repeats ? stores_.front().second : 0);
      LLVMContext& context = stores_[i].first->getContext();
      auto* number = ConstantInt::get(Type::getInt32Ty(context), next - stores_[i].second);
      stores_[i].first->setMetadata(costs::until_next_store,
                                    MDNode::get(context, ConstantAsMetadata::get(number)));
    }
  }

  /// Cycles of a round of a loop that consists of this block. A round cannot be shorter than what its results
  /// wait for.
  [[nodiscard]] int round(const BasicBlock& block) const {
    int cycles = pipes_.cycles();
    for (const PHINode& phi : block.phis()) {
      const Value* next = phi.getIncomingValueForBlock(&block);
      const auto made = ready_.find(next);
      const auto used = first_use_.find(&phi);
      if (made != ready_.end() && used != first_use_.end())
        cycles = std::max(cycles, made->second - used->second);
    }
    return cycles;
  }

 private:
  int operands_ready(const Instruction& instruction) const {
    int ready = 0;
    for (const Use& operand : instruction.operands())
      if (const auto found = ready_.find(operand.get()); found != ready_.end())
        ready = std::max(ready, found->second);
    return ready;
  }

  void issue(const Instruction& instruction, const costs::Instruction& kind, int later = 0) {
    int ready = operands_ready(instruction) + later;
    const bool multiplies = &kind == &costs::float_multiply;
    if (multiplies) ready = std::max(ready, multiplier_free_);
    const int at = pipes_.issue(kind, ready);
    if (multiplies) multiplier_free_ = at + 2;
    ready_[&instruction] = at + kind.latency;
    for (const Use& operand : instruction.operands())
      if (isa<PHINode>(operand)) first_use_.try_emplace(operand.get(), at);
  }

  /// No instruction on the chip: its value is there when its operands are.
  void pass(const Instruction& instruction) { ready_[&instruction] = operands_ready(instruction); }

  /// Vectors of the program's own are worked on one element after the other.
  static unsigned elements(const Type* type) {
    const auto* vector = dyn_cast<FixedVectorType>(type);
    return vector == nullptr ? 1 : vector->getNumElements();
  }

  void issue_each(const Instruction& instruction, const costs::Instruction& kind, const Type* type,
                  int later = 0) {
    for (unsigned i = 0; i < elements(type); ++i) issue(instruction, kind, later);
  }

  /// An address that this stretch computes is there a cycle later than a number.
  int address_delay(const Value* address) const { return ready_.lookup(address) > 0 ? 1 : 0; }

  static bool is_float(const Type* type) { return type->isFPOrFPVectorTy(); }

  static bool multiplies_and_adds(const Value* value) {
    const auto* call = dyn_cast<IntrinsicInst>(value);
    return call != nullptr &&
        (call->getIntrinsicID() == Intrinsic::fmuladd || call->getIntrinsicID() == Intrinsic::fma);
  }

  /// Each x87 operation takes one operand from memory.
  bool becomes_operand(const LoadInst& load) {
    if (!load.hasOneUse()) return false;
    const auto* user = cast<Instruction>(*load.user_begin());
    if (user->getParent() != load.getParent()) return false;
    if (isa<BinaryOperator>(user)) return folded_.insert(user).second;
    if (!multiplies_and_adds(user)) return false;
    const bool addend = user->getOperand(2) == &load;
    return folded_.insert(addend ? &user->getOperandUse(2) : &user->getOperandUse(0)).second;
  }

  /// x87 operations overwrite an operand: one that is needed again is copied before.
  void copy_operand(const Instruction& operation) {
    const unsigned operands = multiplies_and_adds(&operation) ? 2 : operation.getNumOperands();
    for (unsigned i = 0; i < operands; ++i) {
      const auto* operand = dyn_cast<Instruction>(operation.getOperand(i));
      const bool in_memory =
          isa_and_nonnull<LoadInst>(operand) && ready_.count(operand) != 0 && loaded_.count(operand) == 0;
      if (operand != nullptr && !in_memory && operand->hasOneUse() &&
          operand->getParent() == operation.getParent())
        return;
    }
    pipes_.issue(costs::float_copy, 0);
  }

  /// Numbers that only say where memory is accessed, and that advance by the same each round of the loop: the
  /// chip's compilers make them part of the access. So is what is added to them at compile time.
  bool belongs_to_access(const Instruction& instruction) {
    if (!evolution_.isSCEVable(instruction.getType()) || !only_for_addresses(instruction, 0)) return false;
    if (const Loop* loop = loops_.getLoopFor(instruction.getParent()))
      if (const auto* steps =
              dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Instruction*>(&instruction))))
        if (steps->getLoop() == loop && steps->isAffine()) return true;
    return instruction.getOpcode() == Instruction::Add && isa<Constant>(instruction.getOperand(1));
  }

  static bool only_for_addresses(const Instruction& instruction, int depth) {
    constexpr int deepest = 6;
    if (isa<GetElementPtrInst>(instruction)) return true;
    if (depth > deepest || instruction.use_empty()) return false;
    return all_of(instruction.users(), [&](const User* user) {
      const auto* next = dyn_cast<Instruction>(user);
      if (next == nullptr) return false;
      if (isa<GetElementPtrInst>(next)) return true;
      return (isa<BinaryOperator>(next) || isa<SExtInst>(next) || isa<ZExtInst>(next)) &&
          only_for_addresses(*next, depth + 1);
    });
  }

  void add_load(const LoadInst& load) {
    const int later = address_delay(load.getPointerOperand());
    if (is_float(load.getType()) && becomes_operand(load)) return pass(load);
    const costs::Instruction& kind = is_float(load.getType()) ? costs::float_load : costs::load;
    loaded_.insert(&load);
    issue_each(load, kind, load.getType(), later);
  }

  void add_store(const StoreInst& store) {
    const Type* type = store.getValueOperand()->getType();
    if (!is_float(type))
      return issue_each(store, costs::store, type, address_delay(store.getPointerOperand()));
    issue_each(store, costs::float_store, type, ready_.count(store.getValueOperand()) != 0 ? 1 : 0);
  }

  /// The first variable index is part of the access.
  void add_address(const GetElementPtrInst& address) {
    unsigned variable = 0;
    for (const Use& index : address.indices()) variable += isa<Constant>(index) ? 0 : 1;
    pass(address);
    if (variable < 2 || belongs_to_access(address)) return;
    for (unsigned i = 1; i < variable; ++i) issue(address, costs::further_index);
  }

  void add_branch(const Instruction& branch) {
    if (branch.getNumSuccessors() < 2) return;
    // A comparison and the jump that depends on it enter together.
    const auto* jump = dyn_cast<BranchInst>(&branch);
    const bool compares = jump != nullptr && isa<ICmpInst>(jump->getCondition());
    issue(branch, costs::branch, compares ? -1 : 0);
    // Both ways stay in the loop: which one depends on data.
    const Loop* loop = loops_.getLoopFor(branch.getParent());
    if (loop == nullptr) return;
    for (const BasicBlock* next : successors(&branch))
      if (!loop->contains(next) || next == loop->getHeader()) return;
    pipes_.wait(costs::data_branch.cycles);
  }

  static const costs::Instruction* arithmetic(const Instruction& instruction) {
    const bool by_constant = instruction.getNumOperands() == 2 && isa<Constant>(instruction.getOperand(1));
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return &costs::simple;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return by_constant ? &costs::shift : &costs::variable_shift;
    case Instruction::Mul:
      return &costs::multiply;
    case Instruction::SDiv:
    case Instruction::SRem:
      return &costs::divide;
    case Instruction::UDiv:
    case Instruction::URem:
      return &costs::divide_unsigned;
    case Instruction::FAdd:
    case Instruction::FSub:
      return &costs::float_add;
    case Instruction::FMul:
      return &costs::float_multiply;
    case Instruction::FDiv:
      return &costs::float_divide;
    case Instruction::FRem:
      return &costs::float_remainder;
    case Instruction::FNeg:
      return &costs::float_sign;
    case Instruction::ICmp:
      return &costs::simple;
    case Instruction::FCmp:
      return &costs::float_compare;
    case Instruction::Select:
      return &costs::choose;
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      return &costs::from_integer;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return &costs::to_integer;
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg:
    case Instruction::Fence:
      return &costs::locked;
    case Instruction::InsertElement:
    case Instruction::ExtractElement:
    case Instruction::ShuffleVector:
      return &costs::simple;
    default:
      return nullptr;
    }
  }

  /// Division by a power of two is a shift, or two and an add; by another constant a multiplication.
  static const costs::Instruction* by_constant(const Instruction& instruction) {
    const auto* divisor = dyn_cast<ConstantInt>(instruction.getOperand(1));
    const unsigned opcode = instruction.getOpcode();
    if (divisor == nullptr) return nullptr;
    if (opcode == Instruction::SDiv || opcode == Instruction::SRem || opcode == Instruction::UDiv ||
        opcode == Instruction::URem)
      return divisor->getValue().isPowerOf2() ? &costs::shift : &costs::multiply;
    const std::uint64_t factor = divisor->getValue().getLimitedValue();
    if (opcode == Instruction::Mul && (factor == 3 || factor == 5 || factor == 9)) return &costs::simple;
    return nullptr;
  }

  void add_plain(const Instruction& instruction) {
    if (const auto* load = dyn_cast<LoadInst>(&instruction)) return add_load(*load);
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) return add_store(*store);
    if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return add_address(*address);
    if (isa<BranchInst>(instruction)) return add_branch(instruction);
    if (isa<SwitchInst>(instruction) || isa<IndirectBrInst>(instruction))
      return issue(instruction, costs::jump_table);
    if (isa<ReturnInst>(instruction)) return issue(instruction, costs::leave);
    if (isa<ZExtInst>(instruction) || isa<SExtInst>(instruction)) return add_widening(instruction);
    const costs::Instruction* kind = arithmetic(instruction);
    if (kind == nullptr || (instruction.getType()->isIntegerTy() && belongs_to_access(instruction)))
      return pass(instruction);
    if (is_float(instruction.getType()) && isa<BinaryOperator>(instruction)) copy_operand(instruction);
    if (instruction.getNumOperands() == 2)
      if (const costs::Instruction* cheaper = by_constant(instruction)) kind = cheaper;
    issue_each(instruction, *kind, instruction.getType());
  }

  void add_widening(const Instruction& instruction) {
    const unsigned bits = instruction.getOperand(0)->getType()->getScalarSizeInBits();
    if (bits == 1) return issue_each(instruction, costs::set_condition, instruction.getType());
    if (bits >= 32) return pass(instruction); // the host's registers only
    issue_each(instruction, costs::widen, instruction.getType());
  }

  void add_call(const CallBase& call) {
    if (call.isInlineAsm()) return issue(call, costs::simple);
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) return add_intrinsic(*intrinsic);
    for (const Use& argument : call.args()) {
      (void)argument;
      pipes_.issue(costs::argument, 0);
    }
    issue(call, costs::call);
    if (const costs::Function* work = known_function(call)) pipes_.wait(work->cycles);
    ready_[&call] = pipes_.cycles();
  }

  void add_intrinsic(const IntrinsicInst& call) {
    if (const costs::Function* work = function_of(call.getIntrinsicID())) {
      const auto* bytes =
          work->size == costs::Size::third_argument ? dyn_cast<ConstantInt>(call.getArgOperand(2)) : nullptr;
      // Few bytes are moved by single instructions: a load and a store of 4 bytes enter together.
      constexpr std::uint64_t few = 64;
      if (bytes != nullptr && bytes->getZExtValue() <= few)
        pipes_.wait(static_cast<int>((bytes->getZExtValue() + 3) / 4));
      else
        pipes_.wait(work->cycles);
      ready_[&call] = pipes_.cycles();
      return;
    }
    switch (call.getIntrinsicID()) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
      copy_operand(call);
      issue(call, costs::float_multiply);
      return issue_after(call, costs::float_add);
    case Intrinsic::sqrt:
      return issue(call, costs::float_root);
    case Intrinsic::fabs:
      return issue(call, costs::float_sign);
    case Intrinsic::copysign:
      return issue(call, costs::float_compare);
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return issue(call, costs::choose);
    case Intrinsic::abs:
      return issue(call, costs::choose);
    case Intrinsic::ctlz:
    case Intrinsic::cttz:
    case Intrinsic::ctpop:
      return issue(call, costs::scan);
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return issue(call, costs::variable_shift);
    case Intrinsic::bswap:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::usub_with_overflow:
      return issue(call, costs::simple);
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow:
      return issue(call, costs::multiply);
    default:
      return pass(call); // marks, and what is rare
    }
  }

  void issue_after(const Instruction& instruction, const costs::Instruction& kind) {
    ready_[&instruction] = pipes_.issue(kind, ready_.lookup(&instruction)) + kind.latency;
  }

  const LoopInfo& loops_;
  ScalarEvolution& evolution_;
  OwnCode& own_;
  Pipes pipes_;
  int multiplier_free_ = 0;
  DenseMap<const Value*, int> ready_, first_use_;
  SmallPtrSet<const void*, 8> folded_;                ///< operations that have their operand in memory
  SmallVector<std::pair<StoreInst*, int>, 8> stores_; ///< and when the pipes came to them
  SmallPtrSet<const Value*, 8> loaded_;               ///< numbers that have been loaded before they are used
};

} // namespace rcce::passes
