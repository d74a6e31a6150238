// SPDX-License-Identifier: Apache-2.0
// A pass for clang: a program counts the cycles that its own code takes on the chip's core (rccerun --compute
// blocks).
//
// Each basic block has the cycles that instruction_costs.hpp gives its instructions. The sum is kept in a
// register, as far as the compiler has one, and added to the word rockcreek_own_cycles before calls and
// returns. Where that has grown beyond a bound, rockcreek_counted() brings it to the core's clock and lets
// other cores run. A loop whose number of rounds is known when it begins, and that calls nothing, is charged
// there at once, so that nothing is left inside it and vectors are formed as ever.
//
// Works on what the scalar optimisations have made, before vectors are formed. The -march of the host must
// not change the weights: from the front end to this pass functions are compiled for the plainest x86-64,
// then for the one that was asked for (PlainTarget, see below).
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "rcce_emu/instruction_costs.hpp"

namespace {

using namespace llvm;
namespace costs = rcce::costs;

constexpr StringRef own_prefix = "rockcreek_";
/// Cycles after which a core that calls nothing lets the others run: 2 ms at 533 MHz.
constexpr std::uint64_t most_cycles = std::uint64_t{1} << 20;

// --- what an instruction costs
// -----------------------------------------------------------------------------------------------------

/// A function of libm or libc of the table, where the module does not bring one of that name itself.
const costs::Function* known_function(const CallBase& call) {
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

const costs::Function* function_named(StringRef name) {
  for (const costs::Function& one : costs::functions)
    if (name == StringRef(one.name.data(), one.name.size())) return &one;
  return nullptr;
}

/// The libm function that an intrinsic stands for.
const costs::Function* function_of(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sin:
    return function_named("sin");
  case Intrinsic::cos:
    return function_named("cos");
  case Intrinsic::pow:
  case Intrinsic::powi:
    return function_named("pow");
  case Intrinsic::exp:
    return function_named("exp");
  case Intrinsic::exp2:
    return function_named("exp2");
  case Intrinsic::log:
    return function_named("log");
  case Intrinsic::log2:
    return function_named("log2");
  case Intrinsic::log10:
    return function_named("log10");
  case Intrinsic::floor:
    return function_named("floor");
  case Intrinsic::ceil:
    return function_named("ceil");
  case Intrinsic::trunc:
    return function_named("trunc");
  case Intrinsic::round:
    return function_named("round");
  case Intrinsic::rint:
    return function_named("rint");
  case Intrinsic::nearbyint:
    return function_named("nearbyint");
  case Intrinsic::minnum:
    return function_named("fmin");
  case Intrinsic::maxnum:
    return function_named("fmax");
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
    return function_named("memcpy");
  case Intrinsic::memmove:
    return function_named("memmove");
  case Intrinsic::memset:
    return function_named("memset");
  default:
    return nullptr;
  }
}

const costs::Function* work_of(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee != nullptr && callee->isIntrinsic()) return function_of(callee->getIntrinsicID());
  return known_function(call);
}

/// Whether the call can lead to the runtime or to code that counts by itself: what has been counted so far
/// has to be in its word before.
bool leads_out(const Instruction& instruction) {
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

  /// Of a loop that consists of this block: a round cannot be shorter than what its results wait for.
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

// --- where it is counted
// -------------------------------------------------------------------------------------------------------------

/// Cycles to add before an instruction: so many, and `rounds` times more where that is given.
struct Charge {
  Instruction* before;
  std::uint64_t cycles;
  const SCEV* more = nullptr;
};

class CountCycles : public PassInfoMixin<CountCycles> {
 public:
  explicit CountCycles(OptimizationLevel level) : level_(level) {}

  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    mark(*function.getParent());
    if (!function.hasFnAttribute(Attribute::Naked))
      Counting(function, analyses.getResult<LoopAnalysis>(function),
               analyses.getResult<ScalarEvolutionAnalysis>(function),
               analyses.getResult<DominatorTreeAnalysis>(function))
          .run();
    // What is known of the target never counts as outdated.
    if (restore_target(function)) analyses.clear(function, function.getName());
    return PreservedAnalyses::none();
  }

  /// -O0 too.
  static bool isRequired() { return true; }

  static constexpr const char* kept_attributes[] = {"target-cpu", "tune-cpu", "target-features"};

  /// From the front end to here.
  static void make_plain(Function& function) {
    for (const char* name : kept_attributes) {
      if (!function.hasFnAttribute(name)) continue;
      function.addFnAttr(("rockcreek-" + Twine(name)).str(),
                         function.getFnAttribute(name).getValueAsString());
      function.removeFnAttr(name);
    }
    function.addFnAttr("target-cpu", "x86-64");
  }

 private:
  static bool restore_target(Function& function) {
    if (!function.hasFnAttribute("rockcreek-target-cpu")) return false;
    function.removeFnAttr("target-cpu");
    for (const char* name : kept_attributes) {
      const std::string kept = ("rockcreek-" + Twine(name)).str();
      if (!function.hasFnAttribute(kept)) continue;
      function.addFnAttr(name, function.getFnAttribute(kept).getValueAsString());
      function.removeFnAttr(kept);
    }
    return true;
  }

  /// Leaves in the object that it counts, by which table and compiler. rccecc reads it when it links, the
  /// runtime in the program.
  void mark(Module& module) const {
    constexpr const char* done = "rockcreek.counts";
    if (module.getNamedMetadata(done) != nullptr) return;
    module.getOrInsertNamedMetadata(done);
    const std::string level = level_ == OptimizationLevel::O0 ? "O0"
        : level_ == OptimizationLevel::O1                     ? "O1"
        : level_ == OptimizationLevel::O2                     ? "O2"
        : level_ == OptimizationLevel::O3                     ? "O3"
        : level_ == OptimizationLevel::Os                     ? "Os"
                                                              : "Oz";
    module.appendModuleInlineAsm(".pushsection .rockcreek_counts,\"MS\",@progbits,1\n.asciz \"table=" +
                                 std::to_string(costs::table_revision) +
                                 " compiler=clang-" LLVM_VERSION_STRING " level=" + level +
                                 "\"\n.popsection");
  }

  /// One function.
  class Counting {
   public:
    Counting(Function& function, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators)
        : function_(function), loops_(loops), evolution_(evolution), dominators_(dominators) {}

    void run() {
      writes_memory();
      for (BasicBlock& block : function_) add_block(block);
      SmallVector<Loop*, 8> inner_first(reverse(loops_.getLoopsInPreorder()));
      for (Loop* loop : inner_first) add_loop(*loop);
      insert();
    }

   private:
    /// What the optimiser has found out about memory holds no more: the function writes the word.
    void writes_memory() {
      loses_memory_attributes(function_);
      for (BasicBlock& block : function_) {
        for (Instruction& instruction : block) {
          if (!leads_out(instruction)) continue;
          auto& call = cast<CallBase>(instruction);
          for (const Attribute::AttrKind kind : memory_attributes) call.removeFnAttr(kind);
          if (Function* callee = call.getCalledFunction()) loses_memory_attributes(*callee);
        }
      }
    }

    static constexpr Attribute::AttrKind memory_attributes[] = {Attribute::ReadNone,
                                                                Attribute::ReadOnly,
                                                                Attribute::WriteOnly,
                                                                Attribute::ArgMemOnly,
                                                                Attribute::Speculatable,
                                                                Attribute::InaccessibleMemOnly,
                                                                Attribute::InaccessibleMemOrArgMemOnly};
    static void loses_memory_attributes(Function& function) {
      for (const Attribute::AttrKind kind : memory_attributes) function.removeFnAttr(kind);
    }

    /// A loop that is charged where it begins. Only for loops that nothing leaves in the middle.
    struct CountedLoop {
      BasicBlock* exiting;
      const SCEV* back;                 ///< times that the loop goes back, 64 bits
      std::uint64_t whole = 0, cut = 0; ///< cycles of each round, and of each but the last
      SmallVector<std::pair<const SCEV*, bool>, 2> inner =
          {}; ///< of loops inside; true: in the last round too
    };

    /// Null where the loop has to count its rounds itself.
    CountedLoop* counted(const Loop* loop) {
      if (loop == nullptr) return nullptr;
      const auto [place, fresh] = counted_.try_emplace(loop);
      std::optional<CountedLoop>& made = place->second;
      if (!fresh) return made ? &*made : nullptr;
      BasicBlock* exiting = loop->getExitingBlock();
      if (exiting == nullptr || loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr)
        return nullptr;
      for (const BasicBlock* block : loop->blocks())
        if (any_of(*block, leads_out)) return nullptr;
      const SCEV* back = evolution_.getBackedgeTakenCount(loop);
      if (isa<SCEVCouldNotCompute>(back) ||
          !isSafeToExpandAt(back, loop->getLoopPreheader()->getTerminator(), evolution_))
        return nullptr;
      made = CountedLoop{.exiting = exiting, .back = evolution_.getTruncateOrZeroExtend(back, int64())};
      return &*made;
    }

    Type* int64() { return Type::getInt64Ty(function_.getContext()); }

    /// How often the loop passes the block in terms of its rounds, where that is known.
    enum class Passes { each_round, each_but_last, unknown };
    Passes passes(const Loop& loop, const CountedLoop& counts, const BasicBlock* block) const {
      if (!dominators_.dominates(block, loop.getLoopLatch())) return Passes::unknown;
      if (dominators_.dominates(block, counts.exiting)) return Passes::each_round;
      return Passes::each_but_last;
    }

    void add_block(BasicBlock& block) {
      Loop* loop = loops_.getLoopFor(&block);
      OwnCode own;
      auto stretch = std::make_unique<Stretch>(loops_, evolution_, own);
      if (&block == &function_.getEntryBlock())
        charges_.push_back({&*block.getFirstInsertionPt(), static_cast<std::uint64_t>(costs::enter.cycles)});
      Instruction* last_out = nullptr;
      std::size_t sized_before = 0; // the last call that leads out
      for (Instruction& instruction : block) {
        stretch->add(instruction);
        if (const auto* call = dyn_cast<CallBase>(&instruction)) add_size(*call);
        if (!leads_out(instruction)) continue;
        sized_before = sized_.size();
        charge(&instruction, stretch->cycles());
        stretch->note_stores(false);
        flushes_.push_back(&instruction);
        last_out = &instruction;
        stretch = std::make_unique<Stretch>(loops_, evolution_, own);
      }
      const bool alone = loop != nullptr && loop->getNumBlocks() == 1 && last_out == nullptr;
      stretch->note_stores(alone);
      Instruction* end = block.getTerminator();
      if (isa<ReturnInst>(end) || isa<ResumeInst>(end)) {
        // Behind the last call nothing is added: it stays a jump where it was one.
        charge(last_out != nullptr ? last_out : end, stretch->cycles());
        if (last_out == nullptr || sized_.size() > sized_before) returns_.push_back(end);
        return;
      }
      if (last_out == end) return; // an invoke
      int cycles = stretch->cycles();
      if (alone) cycles = stretch->round(block);
      CountedLoop* counts = last_out == nullptr ? counted(loop) : nullptr;
      const Passes how = counts == nullptr ? Passes::unknown : passes(*loop, *counts, &block);
      if (how == Passes::each_round)
        counts->whole += static_cast<std::uint64_t>(cycles);
      else if (how == Passes::each_but_last)
        counts->cut += static_cast<std::uint64_t>(cycles);
      else
        charge(end, cycles);
    }

    void charge(Instruction* before, int cycles) {
      if (cycles > 0) charges_.push_back({before, static_cast<std::uint64_t>(cycles)});
    }

    /// Work that grows with an argument or the result.
    void add_size(const CallBase& call) {
      const costs::Function* work = work_of(call);
      if (work == nullptr || work->size == costs::Size::none || work->per_eight == 0) return;
      if (isa<IntrinsicInst>(call))
        if (const auto* bytes = dyn_cast<ConstantInt>(call.getArgOperand(2));
            bytes && bytes->getZExtValue() <= 64)
          return;
      sized_.push_back({const_cast<CallBase*>(&call), work});
    }

    /// Innermost loops come first.
    void add_loop(Loop& loop) {
      CountedLoop* counts = counted(&loop);
      if (counts == nullptr) {
        SmallVector<BasicBlock*, 2> latches;
        loop.getLoopLatches(latches);
        for (BasicBlock* latch : latches) checks_.insert(latch->getTerminator());
        return;
      }
      const SCEV* total = total_of(*counts);
      BasicBlock* before = loop.getLoopPreheader();
      Loop* outer = loop.getParentLoop();
      CountedLoop* outer_counts = counted(outer);
      if (outer_counts != nullptr && evolution_.isLoopInvariant(total, outer)) {
        const Passes how = passes(*outer, *outer_counts, before);
        if (how != Passes::unknown) {
          outer_counts->inner.push_back({total, how == Passes::each_round});
          return;
        }
      }
      charges_.push_back({before->getTerminator(), 0, total});
    }

    const SCEV* total_of(const CountedLoop& counts) {
      const auto constant = [&](std::uint64_t value) { return evolution_.getConstant(int64(), value); };
      const SCEV* rounds = evolution_.getAddExpr(counts.back, constant(1));
      const SCEV* whole = constant(counts.whole);
      const SCEV* cut = constant(counts.cut);
      for (const auto& [inner, in_last] : counts.inner) {
        const SCEV*& sum = in_last ? whole : cut;
        sum = evolution_.getAddExpr(sum, inner);
      }
      return evolution_.getAddExpr(evolution_.getMulExpr(whole, rounds),
                                   evolution_.getMulExpr(cut, counts.back),
                                   constant(static_cast<std::uint64_t>(costs::loop_exit.cycles)));
    }

    GlobalVariable* word() {
      Module& module = *function_.getParent();
      return cast<GlobalVariable>(module.getOrInsertGlobal("rockcreek_own_cycles", int64()));
    }

    void insert() {
      sum_ = IRBuilder<>(&function_.getEntryBlock(), function_.getEntryBlock().begin())
                 .CreateAlloca(int64(), nullptr, "cycles");
      SCEVExpander expander(evolution_, function_.getParent()->getDataLayout(), "rounds");
      for (Charge& one : charges_) {
        Value* amount = ConstantInt::get(int64(), one.cycles);
        if (one.more != nullptr) amount = expander.expandCodeFor(one.more, int64(), one.before);
        add_to_sum(one.before, amount);
      }
      for (const auto& [call, work] : sized_) add_sized(*call, *work);
      auto* first = IRBuilder<>(cast<Instruction>(sum_)->getNextNode()).CreateStore(zero(), sum_);
      (void)first;
      for (Instruction* end : returns_) flush(*end, false);
      for (Instruction* call : flushes_) flush(*call, true);
      for (Instruction* back : checks_) check(*back);
      DominatorTree dominators(function_);
      PromoteMemToReg({sum_}, dominators);
    }

    Constant* zero() { return ConstantInt::get(int64(), 0); }

    void add_to_sum(Instruction* before, Value* amount) {
      IRBuilder<> build(before);
      build.SetCurrentDebugLocation(DebugLoc());
      build.CreateStore(build.CreateAdd(build.CreateLoad(int64(), sum_), amount), sum_);
    }

    void add_sized(CallBase& call, const costs::Function& work) {
      const bool by_result = work.size == costs::Size::result;
      if (by_result && call.isTerminator()) return;
      Instruction* place = by_result ? call.getNextNode() : &call;
      IRBuilder<> build(place);
      Value* size = by_result ? static_cast<Value*>(&call)
                              : call.getArgOperand(work.size == costs::Size::second_argument ? 1 : 2);
      if (!size->getType()->isIntegerTy()) return;
      Value* amount = build.CreateZExtOrTrunc(size, int64());
      if (work.sorts) {
        Value* zeros = build.CreateBinaryIntrinsic(Intrinsic::ctlz, amount, build.getFalse());
        amount = build.CreateMul(amount, build.CreateSub(build.getInt64(64), zeros));
      }
      amount =
          build.CreateLShr(build.CreateMul(amount, build.getInt64(static_cast<unsigned>(work.per_eight))), 3);
      add_to_sum(place, amount);
    }

    /// Adds the sum to the word; lets others run where that has grown much.
    void flush(Instruction& before, bool and_check) {
      IRBuilder<> build(&before);
      build.SetCurrentDebugLocation(DebugLoc());
      Value* all = build.CreateAdd(build.CreateLoad(int64(), word()), build.CreateLoad(int64(), sum_));
      build.CreateStore(all, word());
      build.CreateStore(zero(), sum_);
      if (and_check) call_beyond_bound(all, before);
    }

    /// At the end of a round of a loop that counts its rounds itself: the word stays out of it.
    void check(Instruction& back) {
      IRBuilder<> build(&back);
      Value* sum = build.CreateLoad(int64(), sum_);
      Instruction* cold = call_beyond_bound(sum, back);
      flush(*cold, false);
    }

    /// Returns the call.
    Instruction* call_beyond_bound(Value* cycles, Instruction& before) {
      Module& module = *function_.getParent();
      LLVMContext& context = module.getContext();
      FunctionCallee counted = module.getOrInsertFunction("rockcreek_counted", Type::getVoidTy(context));
      auto* callee = cast<Function>(counted.getCallee());
      callee->setVisibility(GlobalValue::HiddenVisibility);
      callee->setDSOLocal(true);
      callee->addFnAttr(Attribute::Cold);
      callee->setDoesNotThrow();
      IRBuilder<> build(&before);
      Value* much = build.CreateICmpUGT(cycles, build.getInt64(most_cycles));
      Instruction* cold =
          SplitBlockAndInsertIfThen(much, &before, false, MDBuilder(context).createBranchWeights(1, 1 << 20));
      CallInst* call = CallInst::Create(counted, "", cold);
      call->setDebugLoc(before.getDebugLoc());
      return call;
    }

    Function& function_;
    LoopInfo& loops_;
    ScalarEvolution& evolution_;
    DominatorTree& dominators_;
    AllocaInst* sum_ = nullptr;
    SmallVector<Charge, 32> charges_;
    SmallVector<std::pair<CallBase*, const costs::Function*>, 4> sized_;
    SmallVector<Instruction*, 16> flushes_, returns_;
    SetVector<Instruction*> checks_; ///< a block can go back to several loops
    std::map<const Loop*, std::optional<CountedLoop>>
        counted_; ///< never gone through: addresses have no order
  };

  OptimizationLevel level_;
};

/// Weights must be those of any -march: functions lose their target until CountCycles gives it back. Not in
/// modules with functions for targets of their own, which are left as they are.
class PlainTarget : public PassInfoMixin<PlainTarget> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    StringRef features;
    bool first = true;
    for (const Function& function : module) {
      if (function.isDeclaration()) continue;
      const StringRef here = function.getFnAttribute("target-features").getValueAsString();
      if (!first && here != features) return PreservedAnalyses::all();
      features = here;
      first = false;
    }
    for (Function& function : module) CountCycles::make_plain(function);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "count-cycles", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(PlainTarget()); });
            builder.registerVectorizerStartEPCallback(
                [](FunctionPassManager& passes, OptimizationLevel level) {
                  passes.addPass(LoopSimplifyPass()); // which gives each loop a place before it
                  passes.addPass(CountCycles(level));
                });
          }};
}
