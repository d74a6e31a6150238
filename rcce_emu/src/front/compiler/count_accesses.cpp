// SPDX-License-Identifier: Apache-2.0
// A pass for clang (rccecc --memory): the program's own loads and stores go through the caches of the chip's
// core (rccerun --compute cache).
//
// The image keeps, for each set of the first-level cache, the line that was used last there. An access to
// that line changes nothing in the caches and costs nothing more:
//     if ((rockcreek_lines[line % 128] | 1) != (line << 1 | 1)) rockcreek_access_memory(address, bytes);
// Bit 0 says that the line may be written without asking. Accesses of a block with no call in between are
// checked together, lines at known distances from one address once. An innermost loop whose rounds are known
// when it begins, and whose addresses advance by the same each round, tells of all of them there:
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

#include "rcce_emu/image.h"
#include "rcce_emu/instruction_costs.hpp"
#include "store_points.hpp"

namespace {

using namespace llvm;
using namespace rcce::passes;

constexpr unsigned sets = 128, line_shift = 5; ///< shape of the first-level cache that the filter stands for

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

/// Size of an access that has its type's size.
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
        if (const auto* call = dyn_cast<CallBase>(&instruction); call != nullptr &&
            !isa<DbgInfoIntrinsic>(call) && !call->doesNotAccessMemory() && !is_store_mark(*call))
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

/// Accesses of a block between which nothing can change the caches: one check stands for all of them, behind
/// the last. Where each line is the one used last in its set, none of them does anything, in whatever order.
/// Else the runtime takes them one by one.
class AccessRuns {
 public:
  AccessRuns(Function& function, FunctionAnalysisManager& analyses)
      : module_(*function.getParent()),
        function_(function),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)) {}

  void run(ArrayRef<MemoryAccess> accesses) {
    for (const MemoryAccess& access : accesses) {
      if (runs_.empty() || !continues(runs_.back(), access)) runs_.emplace_back();
      add(runs_.back(), access);
    }
    for (const Run& one : runs_) {
      if (one.accesses.size() == 1)
        tell_one(one.accesses.front(), *one.accesses.front().before);
      else
        tell_all(one);
    }
  }

 private:
  /// Addresses at known distances from the first one of them.
  struct Group {
    Value* first;
    const SCEV* address;
  };
  struct Run {
    SmallVector<MemoryAccess, 16> accesses;
    SmallVector<Group, 8> groups;
    SmallVector<std::pair<unsigned, std::int64_t>, 16> places; ///< group and distance of each access
  };

  static constexpr std::size_t most_accesses = ROCKCREEK_ACCESSES;
  static constexpr std::int64_t line_bytes = 1 << line_shift, furthest = sets / 2 * line_bytes;

  static bool changes_caches(const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return call != nullptr && !is_store_mark(*call) && (!isa<IntrinsicInst>(call) || isa<MemIntrinsic>(call));
  }

  static bool continues(const Run& run, const MemoryAccess& access) {
    const MemoryAccess& last = run.accesses.back();
    if (run.accesses.size() == most_accesses || last.bytes != nullptr || access.bytes != nullptr ||
        last.before->getParent() != access.before->getParent())
      return false;
    for (const Instruction* one = last.before; one != access.before; one = one->getNextNode())
      if (changes_caches(*one)) return false;
    return true;
  }

  void add(Run& run, const MemoryAccess& access) {
    run.accesses.push_back(access);
    const SCEV* address = evolution_.getSCEV(access.address);
    for (unsigned i = 0; i < run.groups.size(); ++i) {
      const SCEV* apart = evolution_.getMinusSCEV(address, run.groups[i].address);
      const auto* known = dyn_cast<SCEVConstant>(apart);
      if (known == nullptr || known->getAPInt().getSignificantBits() > 32) continue;
      const std::int64_t distance = known->getAPInt().getSExtValue();
      if (distance < -furthest || distance > furthest) continue;
      run.places.emplace_back(i, distance);
      return;
    }
    run.places.emplace_back(run.groups.size(), 0);
    run.groups.push_back({access.address, address});
  }

  /// First bytes of accesses of a group, no further from each other than a line's length: each line between
  /// the lowest and the highest is accessed.
  struct Stretch {
    unsigned group;
    std::int64_t lowest, highest;
  };

  /// The stretches of the run's loads, or of its stores.
  static SmallVector<Stretch, 16> stretches(const Run& run, bool stores) {
    SmallVector<std::pair<unsigned, std::int64_t>, 16> places;
    for (std::size_t i = 0; i < run.places.size(); ++i)
      if (run.accesses[i].write == stores) places.push_back(run.places[i]);
    llvm::sort(places);
    SmallVector<Stretch, 16> result;
    for (const auto& [group, at] : places) {
      if (!result.empty() && result.back().group == group && at - result.back().highest <= line_bytes)
        result.back().highest = at;
      else
        result.push_back({group, at, at});
    }
    return result;
  }

  static bool covers(ArrayRef<Stretch> stretches, const Stretch& other) {
    return any_of(stretches, [&](const Stretch& one) {
      return one.group == other.group && one.lowest <= other.lowest && one.highest >= other.highest;
    });
  }

  IntegerType* word() { return Type::getInt64Ty(module_.getContext()); }

  /// 0 where the line of the address is known; for a load in all bits but the lowest.
  Value* differs(IRBuilder<>& build, Value* address, bool store) {
    auto* table = ArrayType::get(word(), sets);
    auto* lines = cast<GlobalVariable>(module_.getOrInsertGlobal("rockcreek_lines", table));
    Value* set = build.CreateAnd(build.CreateLShr(address, line_shift), build.getInt64(sets - 1));
    Value* known = build.CreateLoad(word(), build.CreateInBoundsGEP(table, lines, {build.getInt64(0), set}));
    Value* wanted = build.CreateLShr(address, line_shift - 1);
    if (store) wanted = build.CreateOr(wanted, build.getInt64(1));
    return build.CreateXor(known, wanted);
  }

  /// Ored into `all`, which may be null.
  Value* differ(IRBuilder<>& build, const Stretch& stretch, ArrayRef<Value*> addresses, bool store,
                Value* all) {
    for (std::int64_t at = stretch.lowest;; at = std::min(at + line_bytes, stretch.highest)) {
      Value* address =
          build.CreateAdd(addresses[stretch.group], build.getInt64(static_cast<std::uint64_t>(at)));
      Value* one = differs(build, address, store);
      all = all == nullptr ? one : build.CreateOr(all, one);
      if (at == stretch.highest) return all;
    }
  }

  /// The place behind a condition that seldom holds.
  Instruction* seldom(Value* condition, Instruction& before) {
    return SplitBlockAndInsertIfThen(condition, &before, false,
                                     MDBuilder(module_.getContext()).createBranchWeights(1, 20));
  }

  Value* any_bit_but_lowest(IRBuilder<>& build, Value* value) {
    return build.CreateAnd(value, build.getInt64(~std::uint64_t{1}));
  }

  /// Before `place`.
  void tell_one(const MemoryAccess& access, Instruction& place) {
    IRBuilder<> build(&place);
    build.SetCurrentDebugLocation(DebugLoc());
    Instruction* at = &place;
    if (access.bytes == nullptr) {
      Value* unknown = differs(build, build.CreatePtrToInt(access.address, word()), access.write);
      if (!access.write) unknown = any_bit_but_lowest(build, unknown);
      at = seldom(build.CreateICmpNE(unknown, build.getInt64(0)), place);
    }
    IRBuilder<> call(at);
    call.SetCurrentDebugLocation(access.before->getDebugLoc());
    Value* bytes = access.bytes != nullptr ? call.CreateZExtOrTrunc(access.bytes, word())
                                           : call.getInt64(static_cast<std::uint64_t>(size_of(access)));
    Type* const pointer = Type::getInt8PtrTy(module_.getContext());
    FunctionCallee callee = runtime_function(module_, "rockcreek_access_memory",
                                             {pointer, word(), Type::getInt32Ty(module_.getContext())});
    call.CreateCall(callee,
                    {call.CreatePointerCast(access.address, pointer), bytes, call.getInt32(how(access))});
  }

  void tell_all(const Run& run) {
    Instruction* behind = run.accesses.back().before->getNextNode();
    IRBuilder<> build(behind);
    build.SetCurrentDebugLocation(DebugLoc());
    SmallVector<Value*, 8> addresses;
    for (const Group& group : run.groups) addresses.push_back(build.CreatePtrToInt(group.first, word()));
    const SmallVector<Stretch, 16> stored = stretches(run, true);
    Value *loads = nullptr, *all = nullptr;
    for (const Stretch& one : stretches(run, false))
      if (!covers(stored, one)) loads = differ(build, one, addresses, false, loads);
    if (loads != nullptr) all = any_bit_but_lowest(build, loads);
    for (const Stretch& one : stored) all = differ(build, one, addresses, true, all);
    IRBuilder<> call(seldom(build.CreateICmpNE(all, build.getInt64(0)), *behind));
    call.SetCurrentDebugLocation(run.accesses.front().before->getDebugLoc());
    auto* const array = ArrayType::get(word(), addresses.size());
    Value* const bases = IRBuilder<>(&function_.getEntryBlock(), function_.getEntryBlock().begin())
                             .CreateAlloca(array, nullptr, "bases");
    for (unsigned i = 0; i < addresses.size(); ++i)
      call.CreateStore(addresses[i],
                       call.CreateInBoundsGEP(array, bases, {call.getInt32(0), call.getInt32(i)}));
    Type* const pointer = Type::getInt8PtrTy(module_.getContext());
    call.CreateCall(runtime_function(module_, "rockcreek_access_in_run", {pointer, word(), pointer}),
                    {call.CreatePointerCast(list_of(run), pointer), call.getInt64(run.accesses.size()),
                     call.CreatePointerCast(bases, pointer)});
  }

  /// An array of rockcreek_access (image.h).
  Constant* list_of(const Run& run) {
    Type* const number = Type::getInt32Ty(module_.getContext());
    auto* const type = StructType::get(module_.getContext(), {number, number, number, number});
    const auto constant = [&](std::int64_t value) {
      return ConstantInt::get(number, static_cast<std::uint64_t>(value), true);
    };
    SmallVector<Constant*, 16> rows;
    for (std::size_t i = 0; i < run.accesses.size(); ++i) {
      const MemoryAccess& access = run.accesses[i];
      const auto [group, distance] = run.places[i];
      rows.push_back(ConstantStruct::get(
          type, {constant(group), constant(distance), constant(size_of(access)), constant(how(access))}));
    }
    auto* const array = ArrayType::get(type, rows.size());
    auto* const list = new GlobalVariable(module_, array, true, GlobalValue::PrivateLinkage,
                                          ConstantArray::get(array, rows), "accesses");
    list->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return list;
  }

  Module& module_;
  Function& function_;
  ScalarEvolution& evolution_;
  SmallVector<Run, 16> runs_;
};

class CountAccesses : public PassInfoMixin<CountAccesses> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    SmallVector<MemoryAccess, 32> accesses;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block) collect(instruction, accesses);
    if (accesses.empty()) return PreservedAnalyses::all();
    StreamLoops(function, analyses).run(accesses);
    AccessRuns(function, analyses).run(accesses);
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
};

/// Leaves in the object that it is compiled so.
class Mark : public PassInfoMixin<Mark> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    module.appendModuleInlineAsm(".pushsection .rockcreek,\"e\",@progbits\n.asciz \"memory=1\"\n.popsection");
    module.getOrInsertNamedMetadata(counts_accesses);
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
              passes.addPass(StorePoints(true));
            });
          }};
}
