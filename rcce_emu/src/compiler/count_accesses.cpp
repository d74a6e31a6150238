// SPDX-License-Identifier: Apache-2.0
// A pass for clang (rccecc --memory): the program's own loads and stores go through the caches of the chip's
// core (rccerun --compute cache).
//
// The image keeps, for each set of the first-level cache, the line that was used last there. An access to
// that line changes nothing in the caches and costs nothing more:
//     if ((rockcreek_lines[line % 128] | 1) != (line << 1 | 1)) rockcreek_access_memory(address, bytes);
// Bit 0 says that the line may be written without asking. An innermost loop whose rounds are known when it
// begins, and whose addresses advance by the same each round, tells of all of them there:
//     rockcreek_access_in_loop(rounds, streams, number of streams);
// Nothing is left inside it, and it becomes vectors as ever. Works where count_cycles does, behind it, so
// that the accesses are those that the cycles are counted for. Volatile and atomic accesses are left out:
// waiting loops pay for theirs (wait_loops).
#include <cstdint>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "rcce_emu/instruction_costs.hpp"

namespace {

using namespace llvm;

constexpr unsigned sets = 128, line_shift = 5; ///< of the first-level cache that the filter stands for

struct MemoryAccess {
  Instruction* before;
  Value* address;
  Value* bytes; ///< null: those of `type`
  Type* type;
  bool write;
};

/// Bit 0: a store; above, the cycles that the core works until the next one.
std::uint32_t how(const MemoryAccess& access) {
  const MDNode* until = access.before->getMetadata(rcce::costs::until_next_store);
  if (!access.write || until == nullptr) return access.write ? 1 : 0;
  return 1 |
      static_cast<std::uint32_t>(mdconst::extract<ConstantInt>(until->getOperand(0))->getZExtValue()) << 1;
}

/// Of one whose size is its type's.
std::int64_t size_of(const MemoryAccess& access) {
  return static_cast<std::int64_t>(
      access.before->getModule()->getDataLayout().getTypeStoreSize(access.type).getFixedSize());
}

/// A function of the image (waiting.h).
FunctionCallee runtime_function(Module& module, StringRef name, ArrayRef<Type*> arguments) {
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(Type::getVoidTy(module.getContext()), arguments, false));
  auto* function = cast<Function>(callee.getCallee());
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->setDoesNotThrow();
  return callee;
}

/// Loops that tell of all their accesses where they begin.
class StreamLoops {
 public:
  StreamLoops(Function& function, FunctionAnalysisManager& analyses)
      : function_(function),
        loops_(analyses.getResult<LoopAnalysis>(function)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(function)) {}

  /// Takes what it tells of out of `accesses`.
  void run(SmallVectorImpl<MemoryAccess>& accesses) {
    DenseMap<const Loop*, SmallVector<MemoryAccess, 16>> of_loop;
    SmallVector<const Loop*, 8> in_order; // addresses have none
    for (const MemoryAccess& access : accesses) {
      const Loop* loop = loops_.getLoopFor(access.before->getParent());
      if (loop == nullptr || !loop->isInnermost()) continue;
      if (of_loop[loop].empty()) in_order.push_back(loop);
      of_loop[loop].push_back(access);
    }
    SmallPtrSet<const Loop*, 8> told;
    for (const Loop* loop : in_order)
      if (tell(*loop, of_loop[loop])) told.insert(loop);
    erase_if(accesses, [&](const MemoryAccess& access) {
      return told.contains(loops_.getLoopFor(access.before->getParent()));
    });
  }

 private:
  struct Stream {
    const SCEV *start, *step;
    std::int64_t from, bytes; ///< from `start` on
    std::uint32_t how;
  };

  /// False where the loop's accesses cannot be known before it begins.
  bool tell(const Loop& loop, ArrayRef<MemoryAccess> accesses) {
    const BasicBlock* exiting = loop.getExitingBlock();
    BasicBlock* before = loop.getLoopPreheader();
    if (exiting == nullptr || before == nullptr || loop.getLoopLatch() == nullptr) return false;
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block)
        if (const auto* call = dyn_cast<CallBase>(&instruction);
            call != nullptr && !isa<DbgInfoIntrinsic>(call) && !call->doesNotAccessMemory())
          return false;
    const SCEV* back = evolution_.getBackedgeTakenCount(&loop);
    if (!known_before(back, loop)) return false;
    SmallVector<Stream, 16> streams;
    for (const MemoryAccess& access : accesses)
      if (!dominators_.dominates(access.before->getParent(), exiting) || !add(access, loop, streams))
        return false;
    if (streams.size() > most_streams) return false;
    insert(back, streams, *before->getTerminator());
    return true;
  }

  bool known_before(const SCEV* value, const Loop& loop) {
    return !isa<SCEVCouldNotCompute>(value) && evolution_.isLoopInvariant(value, &loop) &&
        isSafeToExpandAt(value, loop.getLoopPreheader()->getTerminator(), evolution_);
  }

  bool add(const MemoryAccess& access, const Loop& loop, SmallVectorImpl<Stream>& to) {
    if (access.bytes != nullptr) return false;
    const SCEV *start = evolution_.getSCEV(access.address), *step = zero();
    if (const auto* advancing = dyn_cast<SCEVAddRecExpr>(start)) {
      if (advancing->getLoop() != &loop || !advancing->isAffine()) return false;
      start = advancing->getStart();
      step = advancing->getStepRecurrence(evolution_);
    }
    if (!known_before(start, loop) || !known_before(step, loop)) return false;
    const std::int64_t bytes = size_of(access);
    if (!access.write)
      for (Stream& other : to)
        if (joins(other, start, step, bytes)) return true;
    to.push_back({start, step, 0, bytes, how(access)});
    return true;
  }

  /// A load within a line's length of another is part of that.
  bool joins(Stream& other, const SCEV* start, const SCEV* step, std::int64_t bytes) {
    constexpr std::int64_t line = 1 << line_shift;
    if ((other.how & 1) != 0 || other.step != step) return false;
    const auto* apart = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(start, other.start));
    if (apart == nullptr || apart->getAPInt().getSignificantBits() > 16) return false;
    const std::int64_t at = apart->getAPInt().getSExtValue();
    const std::int64_t from = std::min(other.from, at), to = std::max(other.from + other.bytes, at + bytes);
    if (to - from > line) return false;
    other.from = from;
    other.bytes = to - from;
    return true;
  }

  /// Fills in an array of rockcreek_stream (image.h).
  void insert(const SCEV* back, ArrayRef<Stream> streams, Instruction& place) {
    LLVMContext& context = function_.getContext();
    SCEVExpander expander(evolution_, function_.getParent()->getDataLayout(), "stream");
    IRBuilder<> build(&place);
    build.SetCurrentDebugLocation(DebugLoc());
    Type* const number = build.getInt32Ty();
    auto* const type = StructType::get(context, {word(), word(), number, number});
    auto* const array = ArrayType::get(type, streams.size());
    Value* const all =
        IRBuilder<>(&function_.getEntryBlock(), function_.getEntryBlock().begin()).CreateAlloca(array);
    const auto put = [&](unsigned stream, unsigned member, Value* value) {
      build.CreateStore(value,
                        build.CreateInBoundsGEP(
                            array, all, {build.getInt32(0), build.getInt32(stream), build.getInt32(member)}));
    };
    for (unsigned i = 0; i < streams.size(); ++i) {
      const Stream& one = streams[i];
      Value* start = expander.expandCodeFor(one.start, one.start->getType(), &place);
      if (start->getType()->isPointerTy()) start = build.CreatePtrToInt(start, word());
      put(i, 0, build.CreateAdd(start, build.getInt64(static_cast<std::uint64_t>(one.from))));
      put(i, 1, expander.expandCodeFor(evolution_.getTruncateOrSignExtend(one.step, word()), word(), &place));
      put(i, 2, build.getInt32(static_cast<std::uint32_t>(one.bytes)));
      put(i, 3, build.getInt32(one.how));
    }
    const SCEV* rounds =
        evolution_.getAddExpr(evolution_.getTruncateOrZeroExtend(back, word()), evolution_.getOne(word()));
    Value* count = expander.expandCodeFor(rounds, word(), &place);
    build.CreateCall(
        runtime_function(*function_.getParent(), "rockcreek_access_in_loop",
                         {word(), Type::getInt8PtrTy(context), word()}),
        {count, build.CreatePointerCast(all, Type::getInt8PtrTy(context)), build.getInt64(streams.size())});
  }

  Type* word() { return Type::getInt64Ty(function_.getContext()); }
  const SCEV* zero() { return evolution_.getZero(word()); }

  static constexpr std::size_t most_streams = 64;

  Function& function_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
};

class CountAccesses : public PassInfoMixin<CountAccesses> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    SmallVector<MemoryAccess, 32> accesses;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block) collect(instruction, accesses);
    if (accesses.empty()) return PreservedAnalyses::all();
    StreamLoops(function, analyses).run(accesses);
    for (const MemoryAccess& access : accesses) tell(access);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  /// Variables of the runtime.
  static bool is_own(const Value* address) {
    const auto* variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address));
    return variable != nullptr && variable->getName().startswith("rockcreek_");
  }

  static void collect(Instruction& instruction, SmallVectorImpl<MemoryAccess>& to) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (load->isSimple() && !is_own(load->getPointerOperand()))
        to.push_back({load, load->getPointerOperand(), nullptr, load->getType(), false});
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      if (store->isSimple() && !is_own(store->getPointerOperand()))
        to.push_back({store, store->getPointerOperand(), nullptr, store->getValueOperand()->getType(), true});
    } else if (auto* copy = dyn_cast<MemTransferInst>(&instruction)) {
      to.push_back({copy, copy->getSource(), copy->getLength(), nullptr, false});
      to.push_back({copy, copy->getDest(), copy->getLength(), nullptr, true});
    } else if (auto* fill = dyn_cast<MemSetInst>(&instruction)) {
      to.push_back({fill, fill->getDest(), fill->getLength(), nullptr, true});
    }
  }

  static void tell(const MemoryAccess& access) {
    Module& module = *access.before->getModule();
    LLVMContext& context = module.getContext();
    Type* const word = Type::getInt64Ty(context);
    IRBuilder<> build(access.before);
    build.SetCurrentDebugLocation(DebugLoc());
    Instruction* at = access.before;
    if (access.bytes == nullptr) {
      auto* table = ArrayType::get(word, sets);
      auto* lines = cast<GlobalVariable>(module.getOrInsertGlobal("rockcreek_lines", table));
      Value* line = build.CreateLShr(build.CreatePtrToInt(access.address, word), line_shift);
      Value* place = build.CreateInBoundsGEP(
          table, lines, {build.getInt64(0), build.CreateAnd(line, build.getInt64(sets - 1))});
      Value* known = build.CreateLoad(word, place);
      if (!access.write) known = build.CreateOr(known, build.getInt64(1));
      Value* wanted = build.CreateOr(build.CreateShl(line, 1), build.getInt64(1));
      at = SplitBlockAndInsertIfThen(build.CreateICmpNE(known, wanted), access.before, false,
                                     MDBuilder(context).createBranchWeights(1, 20));
    }
    IRBuilder<> call(at);
    call.SetCurrentDebugLocation(access.before->getDebugLoc());
    Value* bytes = access.bytes != nullptr ? call.CreateZExtOrTrunc(access.bytes, word)
                                           : call.getInt64(static_cast<std::uint64_t>(size_of(access)));
    Type* const pointer = Type::getInt8PtrTy(context);
    FunctionCallee callee =
        runtime_function(module, "rockcreek_access_memory", {pointer, word, Type::getInt32Ty(context)});
    call.CreateCall(callee,
                    {call.CreatePointerCast(access.address, pointer), bytes, call.getInt32(how(access))});
  }
};

/// Leaves in the object that it is compiled so.
class Mark : public PassInfoMixin<Mark> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    module.appendModuleInlineAsm(".pushsection .rockcreek,\"e\",@progbits\n.asciz \"memory=1\"\n.popsection");
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "count-accesses", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(Mark()); });
            builder.registerVectorizerStartEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
              passes.addPass(LoopSimplifyPass()); // which gives each loop a place before it
              passes.addPass(CountAccesses());
            });
          }};
}
