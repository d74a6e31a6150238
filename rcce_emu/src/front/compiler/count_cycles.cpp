// SPDX-License-Identifier: Apache-2.0
// A pass for clang: a program counts the cycles that its own code takes on the chip's core (rccerun --compute
// blocks).
//
// Each basic block has the cycles that instruction_costs.hpp gives its instructions. The sum is kept in a
// register, as far as the compiler has one, and added to the word rockcreek_own_cycles before calls and
// returns. Where that has grown beyond a bound, rockcreek_counted() brings it to the core's clock and lets
// other cores run. A loop whose number of rounds is known when it begins, and that calls nothing, is charged
// there at once, so that nothing is left inside it and vectors are formed as ever. Stores that others may see
// are marked, as are loads and stores that may meet a message buffer (store_points.hpp), and loops that wait
// for an instant tell of it (clock_loops.hpp).
//
// Works on what the scalar optimisations have made, before vectors are formed. The -march of the host must
// not change the weights: from the front end to this pass functions are compiled for the plainest x86-64,
// then for the one that was asked for (PlainTarget, see below).
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
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
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "block_timing.hpp"
#include "clock_loops.hpp"
#include "rcce_emu/instruction_costs.hpp"
#include "shared_accesses.hpp"
#include "store_points.hpp"

namespace {

using namespace llvm;
using namespace rcce::passes;
namespace costs = rcce::costs;

/// Cycles to add before an instruction: so many, and `rounds` times more where that is given.
struct Charge {
  Instruction* before;
  std::uint64_t cycles;
  const SCEV* more = nullptr;
};

/// Under this name PlainTarget leaves the compiler's options that may change the code.
constexpr const char* flags_of_code = "rockcreek.flags";

/// Takes the compiler's command line out of the module (-frecord-command-line, which rccecc asks for): of it
/// the options that may change the code, apart from those of rccecc itself and from the level.
std::string take_flags(Module& module) {
  std::string flags;
  NamedMDNode* const line = module.getNamedMetadata("llvm.commandline");
  if (line == nullptr) return flags;
  for (const MDNode* one : line->operands()) {
    SmallVector<StringRef, 32> words;
    cast<MDString>(one->getOperand(0))->getString().split(words, ' ');
    for (const StringRef word : words) {
      constexpr const char* others[] = {"-fPIC",      "-fcommon",       "-fstack-clash-protection",
                                        "-fpass-",    "-frecord-",      "-fdiagnostics-",
                                        "-fdebug-",   "-fcolor-",       "-fno-color-",
                                        "-fmessage-", "-ffile-prefix-", "-fmacro-prefix-"};
      if (!word.startswith("-f") || word.find_first_of("\"\\") != StringRef::npos ||
          any_of(others, [&](StringRef other) { return word.startswith(other); }))
        continue;
      if (!flags.empty()) flags += ',';
      flags.append(word.data(), word.size());
    }
  }
  line->eraseFromParent();
  return flags;
}

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

  /// Leaves in the object that it counts, by which table, compiler and options. rccecc reads it when it
  /// links, the runtime in the program.
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
    std::string flags;
    if (const NamedMDNode* kept = module.getNamedMetadata(flags_of_code))
      flags = (" flags=" + cast<MDString>(kept->getOperand(0)->getOperand(0))->getString()).str();
    module.appendModuleInlineAsm(".pushsection .rockcreek_counts,\"MS\",@progbits,1\n.asciz \"table=" +
                                 std::to_string(costs::table_revision) +
                                 " compiler=clang-" LLVM_VERSION_STRING " level=" + level + flags +
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
      for (BasicBlock& block : function_) add_accesses(block);
      for (BasicBlock& block : function_) add_store_points(block);
      for (const Loop* loop : inner_first)
        if (const auto waits = ClockLoop::of(*loop)) clock_loops_.push_back(*waits);
      insert();
    }

   private:
    /// Removes what the optimiser has found out about memory: the function now writes the counter.
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
          {}; ///< counts of loops inside; true: in the last round too
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
        if (may_access_others(instruction)) up_to_there_[&instruction] = stretch->cycles();
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

    /// `for (;;);` parks a core: nothing but jumps, which are free elsewhere. Others have to run meanwhile.
    static bool only_jumps(const Loop& loop) {
      return all_of(loop.blocks(), [](const BasicBlock* block) {
        return all_of(*block, [](const Instruction& one) {
          return (isa<BranchInst>(one) && one.getNumSuccessors() == 1) || isa<PHINode>(one) ||
              isa<DbgInfoIntrinsic>(one);
        });
      });
    }

    /// Innermost loops come first.
    void add_loop(Loop& loop) {
      CountedLoop* counts = counted(&loop);
      if (counts == nullptr) {
        SmallVector<BasicBlock*, 2> latches;
        loop.getLoopLatches(latches);
        for (BasicBlock* latch : latches) {
          Instruction* const back = latch->getTerminator();
          checks_.insert(back);
          if (!only_jumps(loop)) continue;
          if (!back->getDebugLoc()) back->setDebugLoc(loop.getStartLoc()); // reports say where it is parked
          charge(back, 1);
        }
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
          charged_with_outer_.insert(&loop);
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

    bool may_access_others(Instruction& instruction) const {
      SmallVector<BufferAccess, 2> found;
      accesses_of(instruction, found);
      return !found.empty() || stored_to(instruction) != nullptr;
    }

    struct AccessPoint {
      Instruction* before;
      const SCEV *start, *step, *rounds; ///< null: `access.address`, once
      BufferAccess access;
      std::int64_t from; ///< from the address on
      std::uint64_t cycles;
      std::tuple<Value*, Value*, Value*> stream = {}; ///< start, step, rounds
    };

    /// One for each access of a loop that is charged where it begins, there, as far as its addresses are
    /// known by then; else one where it is. Accesses of a stretch at known distances of a line at most are
    /// one.
    void add_accesses(BasicBlock& block) {
      Loop* const loop = loops_.getLoopFor(&block);
      const Instruction* const charged_before = charged_before_last_call(block);
      bool charged = is_charged(loop, block);
      std::size_t first = access_points_.size();
      for (Instruction& instruction : block) {
        if (leads_out(instruction)) {
          first = access_points_.size();
          charged = charged || &instruction == charged_before;
        }
        SmallVector<BufferAccess, 2> found;
        accesses_of(instruction, found);
        for (const BufferAccess& access : found) {
          if (!may_be_shared(base_of(access.address)) || add_stream(access, loop, block)) continue;
          const auto cycles = static_cast<std::uint64_t>(charged ? 0 : up_to_there_.lookup(&instruction));
          if (!join_stretch(access, first))
            access_points_.push_back({&instruction, nullptr, nullptr, nullptr, access, 0, cycles});
        }
      }
    }

    /// Makes a point cover an access of its kind that begins so far from it, if that is near.
    static bool join(AccessPoint& point, const BufferAccess& access, const SCEV* distance) {
      const auto* apart = dyn_cast<SCEVConstant>(distance);
      if (point.access.bytes != nullptr || access.bytes != nullptr || point.access.write != access.write ||
          apart == nullptr || apart->getAPInt().getSignificantBits() > 16)
        return false;
      constexpr std::int64_t line = 32;
      const std::int64_t at = apart->getAPInt().getSExtValue(), end = point.from + point.access.length;
      if (at > end + line || at + access.length < point.from - line) return false;
      const std::int64_t from = std::min(point.from, at);
      point.access.length = std::max(end, at + access.length) - from;
      point.from = from;
      return true;
    }

    /// With one of the points from the number `first` on, which are of the same stretch.
    bool join_stretch(const BufferAccess& access, std::size_t first) {
      if (!evolution_.isSCEVable(access.address->getType())) return false;
      const SCEV* address = evolution_.getSCEV(access.address);
      for (std::size_t i = first; i < access_points_.size(); ++i) {
        AccessPoint& point = access_points_[i];
        if (point.start == nullptr && evolution_.isSCEVable(point.access.address->getType()) &&
            join(point, access, evolution_.getMinusSCEV(address, evolution_.getSCEV(point.access.address))))
          return true;
      }
      return false;
    }

    bool add_stream(const BufferAccess& access, Loop* loop, const BasicBlock& block) {
      CountedLoop* counts = counted(loop);
      if (counts == nullptr || access.bytes != nullptr || !evolution_.isSCEVable(access.address->getType()) ||
          passes(*loop, *counts, &block) == Passes::unknown)
        return false;
      Instruction* const before = loop->getLoopPreheader()->getTerminator();
      const SCEV *start = evolution_.getSCEV(access.address), *step = evolution_.getConstant(int64(), 0);
      if (const auto* advancing = dyn_cast<SCEVAddRecExpr>(start);
          advancing != nullptr && advancing->getLoop() == loop && advancing->isAffine()) {
        start = advancing->getStart();
        step = evolution_.getTruncateOrSignExtend(advancing->getStepRecurrence(evolution_), int64());
      }
      for (const SCEV* value : {start, step})
        if (!evolution_.isLoopInvariant(value, loop) || !isSafeToExpandAt(value, before, evolution_))
          return false;
      for (AccessPoint& point : access_points_)
        if (point.before == before && point.start != nullptr && point.step == step &&
            join(point, access, evolution_.getMinusSCEV(start, point.start)))
          return true;
      const SCEV* rounds = evolution_.getAddExpr(counts->back, evolution_.getConstant(int64(), 1));
      access_points_.push_back({before, start, step, rounds, access, 0, 0});
      return true;
    }

    /// Behind the last call of a function that ends with this block all is charged before that: add_block.
    static const Instruction* charged_before_last_call(BasicBlock& block) {
      const Instruction* last = nullptr;
      if (isa<ReturnInst>(block.getTerminator()) || isa<ResumeInst>(block.getTerminator()))
        for (Instruction& instruction : block)
          if (leads_out(instruction)) last = &instruction;
      return last;
    }

    struct StorePoint {
      Instruction* before;
      Value* to;
      std::uint64_t cycles; ///< cycles of its stretch up to this point
    };

    /// One for each object that a stretch of code stores to, as late as the last of its stores; for volatile
    /// and atomic ones, by which cores wait for each other, one each.
    void add_store_points(BasicBlock& block) {
      DenseMap<const Value*, std::size_t> of_stretch;
      Loop* const loop = loops_.getLoopFor(&block);
      const Instruction* const charged_before = charged_before_last_call(block);
      bool charged = false;
      for (Instruction& instruction : block) {
        if (leads_out(instruction)) {
          if (const auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && leaves_unseen(*call))
            for (Value* argument : call->args())
              if (argument->getType()->isPointerTy() && may_be_shared(argument))
                store_points_.push_back({&instruction, argument, 0});
          of_stretch.clear();
          charged = &instruction == charged_before;
          continue;
        }
        Value* const to = stored_to(instruction);
        if (to == nullptr) continue;
        Value* const base = base_of(to);
        if (BasicBlock* before = before_counted(loop, base)) {
          if (before_loops_.insert({before, base}).second)
            store_points_.push_back({before->getTerminator(), base, 0});
          continue;
        }
        const auto cycles = static_cast<std::uint64_t>(up_to_there_.lookup(&instruction));
        const bool ordered = instruction.isVolatile() || instruction.isAtomic();
        const auto [place, first] = of_stretch.try_emplace(base, store_points_.size());
        if (!ordered && !first)
          store_points_[place->second].cycles = charged ? 0 : cycles;
        else
          store_points_.push_back({&instruction, to, charged || is_charged(loop, block) ? 0 : cycles});
      }
    }

    /// The object, as far as its address is a place in it.
    Value* base_of(Value* to) const {
      if (!evolution_.isSCEVable(to->getType())) return to;
      const auto* base = dyn_cast<SCEVUnknown>(evolution_.getPointerBase(evolution_.getSCEV(to)));
      return base == nullptr ? to : base->getValue();
    }

    /// The cycles of this block are those of its loop, which are charged before that.
    bool is_charged(const Loop* loop, const BasicBlock& block) {
      const CountedLoop* counts = counted(loop);
      return counts != nullptr && passes(*loop, *counts, &block) != Passes::unknown;
    }

    /// The place before the outermost loop that is charged where it begins, and to all of which the object is
    /// the same. Null: none.
    BasicBlock* before_counted(Loop* loop, const Value* base) {
      BasicBlock* before = nullptr;
      while (counted(loop) != nullptr && loop->isLoopInvariant(base)) {
        before = loop->getLoopPreheader();
        if (!charged_with_outer_.contains(loop)) break;
        loop = loop->getParentLoop();
      }
      return before;
    }

    GlobalVariable* word() {
      Module& module = *function_.getParent();
      return cast<GlobalVariable>(module.getOrInsertGlobal("rockcreek_own_cycles", int64()));
    }

    void insert() {
      sum_ = IRBuilder<>(&function_.getEntryBlock(), function_.getEntryBlock().begin())
                 .CreateAlloca(int64(), nullptr, "cycles");
      left_ = IRBuilder<>(cast<Instruction>(sum_)->getNextNode()).CreateAlloca(int64(), nullptr, "left");
      SCEVExpander expander(evolution_, function_.getParent()->getDataLayout(), "rounds");
      for (AccessPoint& point : access_points_) expand(point, expander);
      for (Charge& one : charges_) {
        Value* amount = ConstantInt::get(int64(), one.cycles);
        if (one.more != nullptr) amount = expander.expandCodeFor(one.more, int64(), one.before);
        add_to_sum(one.before, amount);
      }
      for (const auto& [call, work] : sized_) add_sized(*call, *work);
      auto* first = IRBuilder<>(cast<Instruction>(sum_)->getNextNode()).CreateStore(zero(), sum_);
      (void)first;
      for (Instruction* end : returns_) flush(*end);
      for (Instruction* call : flushes_) flush(*call);
      for (const AccessPoint& point : access_points_) mark_access(point);
      for (const StorePoint& point : store_points_) mark_store(point);
      for (const ClockLoop& loop : clock_loops_) loop.tell();
      keep_left();
      for (Instruction* back : checks_) check(*back);
      DominatorTree dominators(function_);
      PromoteMemToReg({sum_, left_}, dominators);
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

    void mark_store(const StorePoint& point) {
      mark(*point.before, point.to, point.cycles, {zero(), zero(), zero()});
    }

    /// Replaces the marks of a stream by their values, before any other code is inserted.
    void expand(AccessPoint& point, SCEVExpander& expander) {
      if (point.start == nullptr) return;
      point.stream = {expander.expandCodeFor(point.start, point.access.address->getType(), point.before),
                      expander.expandCodeFor(point.step, int64(), point.before),
                      expander.expandCodeFor(point.rounds, int64(), point.before)};
    }

    void mark_access(const AccessPoint& point) {
      IRBuilder<> build(point.before);
      const BufferAccess& access = point.access;
      Value *address = access.address, *step = zero(), *rounds = build.getInt64(1);
      if (point.start != nullptr) std::tie(address, step, rounds) = point.stream;
      if (access.other != nullptr) {
        step = build.CreatePtrToInt(access.other, int64());
        rounds = zero();
      }
      address = build.CreatePointerCast(address, build.getInt8PtrTy());
      if (point.from != 0)
        address = build.CreateGEP(build.getInt8Ty(), address,
                                  build.getInt64(static_cast<std::uint64_t>(point.from)));
      Value* bytes = access.bytes != nullptr ? build.CreateZExtOrTrunc(access.bytes, int64())
                                             : build.getInt64(static_cast<std::uint64_t>(access.length));
      Value* how = build.CreateOr(build.CreateShl(bytes, 1), build.getInt64(access.write ? 1 : 0));
      mark(*point.before, address, point.cycles, {step, rounds, how});
    }

    /// For store_points.hpp.
    void mark(Instruction& before, Value* to, std::uint64_t cycles, const std::array<Value*, 3>& access) {
      Module& module = *function_.getParent();
      IRBuilder<> build(&before);
      FunctionCallee mark = module.getOrInsertFunction(store_mark, build.getVoidTy(), build.getInt8PtrTy(),
                                                       int64(), int64(), int64(), int64());
      cast<Function>(mark.getCallee())->setDoesNotThrow();
      Value* counted = build.CreateLoad(int64(), sum_);
      if (cycles > 0) counted = build.CreateAdd(counted, ConstantInt::get(int64(), cycles));
      build
          .CreateCall(
              mark,
              {build.CreatePointerCast(to, build.getInt8PtrTy()), counted, access[0], access[1], access[2]})
          ->setDebugLoc(before.getDebugLoc());
    }

    /// Adds the sum to the word; lets others run where that has grown much, or tells of it at once where
    /// somebody wants to know which function has taken how long.
    void flush(Instruction& before) {
      IRBuilder<> build(&before);
      build.SetCurrentDebugLocation(DebugLoc());
      Value* all = empty_sum(build);
      Type* number = build.getInt32Ty();
      Value* most =
          build.CreateLoad(number, function_.getParent()->getOrInsertGlobal("rockcreek_most_cycles", number));
      call_runtime(build.CreateICmpUGT(all, build.CreateZExt(most, int64())), before);
    }

    /// Into the word, which is returned.
    Value* empty_sum(IRBuilder<>& build) {
      Value* all = build.CreateAdd(build.CreateLoad(int64(), word()), build.CreateLoad(int64(), sum_));
      build.CreateStore(all, word());
      build.CreateStore(zero(), sum_);
      return all;
    }

    /// At the end of a round of a loop that counts its rounds itself: the word stays out of it. Beyond as
    /// many cycles as are left until the UE's alarm, or until others have to run.
    void check(Instruction& back) {
      IRBuilder<> build(&back);
      Value* sum = build.CreateLoad(int64(), sum_);
      IRBuilder<> cold(call_runtime(build.CreateICmpUGT(sum, build.CreateLoad(int64(), left_)), back));
      cold.SetCurrentDebugLocation(DebugLoc());
      empty_sum(cold);
      cold.SetInsertPoint(cold.GetInsertPoint()->getNextNode());
      look_up_left(cold);
    }

    /// Only calls change it: kept in a register, as far as the compiler has one.
    void look_up_left(IRBuilder<>& build) {
      Type* number = build.getInt32Ty();
      Value* left =
          build.CreateLoad(number, function_.getParent()->getOrInsertGlobal("rockcreek_cycles_left", number));
      build.CreateStore(build.CreateZExt(left, int64()), left_);
    }

    void keep_left() {
      if (checks_.empty()) return;
      IRBuilder<> build(cast<Instruction>(left_)->getNextNode());
      look_up_left(build);
      for (Instruction* call : flushes_) {
        Instruction* behind = call->getNextNode();
        if (auto* invoke = dyn_cast<InvokeInst>(call))
          behind = &*invoke->getNormalDest()->getFirstInsertionPt();
        if (behind == nullptr || cast<CallBase>(call)->isMustTailCall()) continue;
        build.SetInsertPoint(behind);
        look_up_left(build);
      }
    }

    /// Calls the runtime where the condition holds, which is seldom. Returns the call.
    Instruction* call_runtime(Value* condition, Instruction& before) {
      Module& module = *function_.getParent();
      LLVMContext& context = module.getContext();
      FunctionCallee counted = module.getOrInsertFunction("rockcreek_counted", Type::getVoidTy(context));
      auto* callee = cast<Function>(counted.getCallee());
      callee->setVisibility(GlobalValue::HiddenVisibility);
      callee->setDSOLocal(true);
      callee->addFnAttr(Attribute::Cold);
      callee->setDoesNotThrow();
      Instruction* cold = SplitBlockAndInsertIfThen(condition, &before, false,
                                                    MDBuilder(context).createBranchWeights(1, 1 << 20));
      CallInst* call = CallInst::Create(counted, "", cold);
      call->setDebugLoc(before.getDebugLoc());
      return call;
    }

    Function& function_;
    LoopInfo& loops_;
    ScalarEvolution& evolution_;
    DominatorTree& dominators_;
    AllocaInst *sum_ = nullptr, *left_ = nullptr;
    SmallVector<Charge, 32> charges_;
    SmallVector<std::pair<CallBase*, const costs::Function*>, 4> sized_;
    SmallVector<Instruction*, 16> flushes_, returns_;
    DenseMap<const Instruction*, int> up_to_there_; ///< cycles of its stretch, with it
    SmallPtrSet<const Loop*, 8> charged_with_outer_;
    SmallVector<AccessPoint, 16> access_points_;
    SmallVector<StorePoint, 16> store_points_;
    std::set<std::pair<BasicBlock*, Value*>> before_loops_;
    SmallVector<ClockLoop, 2> clock_loops_;
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
    LLVMContext& context = module.getContext();
    if (const std::string flags = take_flags(module); !flags.empty())
      module.getOrInsertNamedMetadata(flags_of_code)
          ->addOperand(MDNode::get(context, MDString::get(context, flags)));
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
                  passes.addPass(StorePoints(false));
                });
          }};
}
