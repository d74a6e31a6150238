// SPDX-License-Identifier: Apache-2.0
// Passes for clang: waiting loops of a program let the other cores run, and the processor's time stamp
// counter is the simulated core's (time_stamps.hpp).
//
// All cores of a job run on one thread, and a core goes on until it calls the library. A program that waits
// by reading memory again and again (a flag in a buffer, a word of shared memory) would wait for ever. So
// each read that others may answer counts one down, and every 64th calls rockcreek_spin(), which charges the
// reads and lets the others run. Such reads are
//   - volatile and atomic accesses through a pointer: the object is neither a local variable nor one of the
//   program's
//     own globals, which no other core can change;
//   - rounds of a loop that does nothing but read through pointers: no store, no call. Without `volatile`
//   compilers may
//     take the read out of it; the call put into the loop keeps it in.
//
// A loop that reads the same words in each round, to decide whether it goes on, and does nothing else, says
// so each time that it goes back: rockcreek_poll() sleeps through the rounds in which nobody changes these.
//
// Computing code has neither and is left as it is. The pass works on what the front end makes, before any
// optimisation, and counts accesses that no optimisation may drop: the number of rounds does not depend on
// -O.
//
// Counting accesses rather than back edges covers waiting in a function that a loop calls, loops made of
// gotos, and recursion, with the same code.
#include <algorithm>
#include <cstdint>
#include <optional>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "time_stamps.hpp"
#include "waiting_loop.hpp"

namespace {

using namespace llvm;
using namespace rcce::passes;

/// True if another core may change what the pointer leads to.
bool is_shared(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  if (const auto* argument = dyn_cast<Argument>(object); argument != nullptr && argument->hasByValAttr())
    return false;
  return !isa<AllocaInst>(object) && !isa<GlobalVariable>(object);
}

/// A volatile or atomic read of shared memory.
bool is_counted(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) {
    return (load->isVolatile() || load->isAtomic()) && is_shared(load->getPointerOperand());
  }
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return is_shared(update->getPointerOperand());
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return is_shared(exchange->getPointerOperand());
  return false;
}

/// Calls that stand for no code of others: debug and lifetime marks, pause, compiler barriers.
bool is_harmless_call(const CallBase& call) {
  return isa<IntrinsicInst>(call) || call.isInlineAsm();
}

/// A loop that does nothing but read what others may change, and in which nothing is counted yet.
bool only_reads(const Loop& loop) {
  bool reads_shared = false;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (is_counted(instruction) || isa<StoreInst>(instruction) || isa<FenceInst>(instruction)) return false;
      if (const auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && !is_harmless_call(*call))
        return false;
      if (const auto* load = dyn_cast<LoadInst>(&instruction))
        reads_shared |= is_shared(load->getPointerOperand());
    }
  }
  return reads_shared;
}

/// Reads of the time decide, too.
bool reads_clock(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const auto* assembler = call == nullptr ? nullptr : dyn_cast<InlineAsm>(call->getCalledOperand());
  return assembler != nullptr && !StringRef(assembler->getConstraintString()).startswith("~") &&
      !assembler->getConstraintString().empty();
}

class WaitLoops : public PassInfoMixin<WaitLoops> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
    const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    SmallVector<Instruction*, 16> places;
    SmallVector<Poll, 4> polls;
    SmallPtrSet<const Loop*, 4> polling;
    for (const Loop* loop : loops.getLoopsInPreorder()) {
      if (const std::optional<Poll> poll = poll_of(*loop, dominators)) {
        polls.push_back(*poll);
        polling.insert(loop);
        // Its first round is one of those that are counted.
        places.append(poll->reads, loop->getLoopPredecessor()->getTerminator());
      } else if (only_reads(*loop)) {
        places.push_back(&*loop->getHeader()->getFirstInsertionPt());
      }
    }
    for (BasicBlock& block : function) {
      if (polling.contains(loops.getLoopFor(&block))) continue;
      for (Instruction& instruction : block)
        if (is_counted(instruction)) places.push_back(&instruction);
    }
    for (const Poll& poll : polls) tell(poll);
    for (Instruction* place : places) count_before(place);
    return places.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }

  /// -O0 too.
  static bool isRequired() { return true; }

 private:
  /// Limits of the arguments of rockcreek_poll(): process/image/part/entries.h.
  static constexpr unsigned most_words = 4, most_bytes = 8, bits_of_reads = 8, bits_of_bytes = 4;

  struct Poll {
    const Loop* loop;
    Instruction* back;
    SmallVector<Value*, most_words> words = {};
    unsigned what = 0, reads = 0;
  };

  static std::optional<Poll> poll_of(const Loop& loop, const DominatorTree& dominators) {
    BasicBlock* const latch = loop.getLoopLatch();
    if (latch == nullptr || !only_waits(loop, dominators)) return {};
    Poll poll{.loop = &loop, .back = latch->getTerminator()};
    bool reads_shared = false;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        if (reads_clock(instruction)) return {};
        auto* const load = dyn_cast<LoadInst>(&instruction);
        if (load == nullptr || !is_watched(load->getPointerOperand())) continue;
        const std::uint64_t bytes = load->getModule()->getDataLayout().getTypeStoreSize(load->getType());
        if (poll.words.size() == most_words || bytes > most_bytes) return {};
        poll.what |= static_cast<unsigned>(bytes) << (bits_of_reads + bits_of_bytes * poll.words.size());
        poll.words.push_back(load->getPointerOperand());
        poll.reads += is_counted(instruction) ? 1 : 0;
        reads_shared |= is_shared(load->getPointerOperand());
      }
    if (!reads_shared) return {};
    poll.reads = std::max(poll.reads, 1u);
    poll.what |= poll.reads;
    return poll;
  }

  static FunctionCallee runtime_function(Module& module, const char* name, ArrayRef<Type*> arguments) {
    FunctionCallee callee = module.getOrInsertFunction(
        name, FunctionType::get(Type::getVoidTy(module.getContext()), arguments, false));
    auto* function = cast<Function>(callee.getCallee());
    function->setVisibility(GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
    function->addFnAttr(Attribute::Cold);
    function->setDoesNotThrow();
    return callee;
  }

  /// The address of a word, computed there: it is the same in each round (same_in_each_round).
  static Value* address_at(Value* address, Instruction& before, const Loop& loop) {
    auto* const instruction = dyn_cast<Instruction>(address);
    if (instruction == nullptr || !loop.contains(instruction)) return address;
    Instruction* const copy = instruction->clone();
    for (Use& operand : copy->operands()) operand.set(address_at(operand.get(), before, loop));
    copy->insertBefore(&before);
    return copy;
  }

  static void tell(const Poll& poll) {
    IRBuilder<> build(poll.back);
    Type* const pointer = build.getInt8PtrTy();
    SmallVector<Value*, most_words + 1> arguments{build.getInt32(poll.what)};
    for (Value* word : poll.words)
      arguments.push_back(build.CreatePointerCast(address_at(word, *poll.back, *poll.loop), pointer));
    arguments.resize(most_words + 1, Constant::getNullValue(pointer));
    build.CreateCall(runtime_function(*poll.back->getModule(), "rockcreek_poll",
                                      {build.getInt32Ty(), pointer, pointer, pointer, pointer}),
                     arguments);
  }

  /// if (--rockcreek_rounds == 0) rockcreek_spin(); which sets it anew.
  static void count_before(Instruction* place) {
    Module& module = *place->getModule();
    LLVMContext& context = module.getContext();
    auto* type = Type::getInt32Ty(context);
    auto* rounds = cast<GlobalVariable>(module.getOrInsertGlobal("rockcreek_rounds", type));
    rounds->setVisibility(GlobalValue::HiddenVisibility);
    rounds->setDSOLocal(true);
    FunctionCallee spin = runtime_function(module, "rockcreek_spin", {});

    IRBuilder<> build(place);
    Value* left = build.CreateSub(build.CreateLoad(type, rounds), build.getInt32(1));
    build.CreateStore(left, rounds);
    Instruction* cold = SplitBlockAndInsertIfThen(build.CreateICmpEQ(left, build.getInt32(0)), place, false,
                                                  MDBuilder(context).createBranchWeights(1, 63));
    CallInst* call = CallInst::Create(spin, "", cold);
    call->setDebugLoc(place->getDebugLoc());
  }
};

class TimeStamps : public PassInfoMixin<TimeStamps> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& /*analyses*/) {
    bool changed = false;
    for (BasicBlock& block : function)
      for (Instruction& instruction : llvm::make_early_inc_range(block))
        if (auto* call = dyn_cast<CallInst>(&instruction)) changed |= TimeStamp::replace(*call);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  /// -O0 too.
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "wait-loops", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
              passes.addPass(createModuleToFunctionPassAdaptor(TimeStamps()));
              passes.addPass(createModuleToFunctionPassAdaptor(WaitLoops()));
            });
          }};
}
