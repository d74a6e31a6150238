// SPDX-License-Identifier: Apache-2.0
// A pass for clang: waiting loops of a program let the other cores run.
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
// Computing code has neither and is left as it is. The pass works on what the front end makes, before any
// optimisation, and counts accesses that no optimisation may drop: the number of rounds does not depend on
// -O.
//
// Counting accesses rather than back edges covers waiting in a function that a loop calls, loops made of
// gotos, and recursion, with the same code.
#include <llvm/ADT/SmallPtrSet.h>
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

namespace {

using namespace llvm;

/// Whether another core may change what the pointer leads to.
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

/// A loop that can only end because others change memory, and in which nothing is counted yet.
bool only_waits(const Loop& loop) {
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

class WaitLoops : public PassInfoMixin<WaitLoops> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    SmallVector<Instruction*, 16> places;
    for (BasicBlock& block : function) {
      for (Instruction& instruction : block) {
        if (is_counted(instruction)) places.push_back(&instruction);
      }
    }
    for (const Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
      if (only_waits(*loop)) places.push_back(&*loop->getHeader()->getFirstInsertionPt());
    }
    for (Instruction* place : places) count_before(place);
    return places.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }

  /// -O0 too.
  static bool isRequired() { return true; }

 private:
  /// if (--rockcreek_rounds == 0) rockcreek_spin(); which sets it anew.
  static void count_before(Instruction* place) {
    Module& module = *place->getModule();
    LLVMContext& context = module.getContext();
    auto* type = Type::getInt32Ty(context);
    auto* rounds = cast<GlobalVariable>(module.getOrInsertGlobal("rockcreek_rounds", type));
    rounds->setVisibility(GlobalValue::HiddenVisibility);
    rounds->setDSOLocal(true);
    FunctionCallee spin = module.getOrInsertFunction("rockcreek_spin", Type::getVoidTy(context));
    auto* callee = cast<Function>(spin.getCallee());
    callee->setVisibility(GlobalValue::HiddenVisibility);
    callee->setDSOLocal(true);
    callee->addFnAttr(Attribute::Cold);
    callee->setDoesNotThrow();

    IRBuilder<> build(place);
    Value* left = build.CreateSub(build.CreateLoad(type, rounds), build.getInt32(1));
    build.CreateStore(left, rounds);
    Instruction* cold = SplitBlockAndInsertIfThen(build.CreateICmpEQ(left, build.getInt32(0)), place, false,
                                                  MDBuilder(context).createBranchWeights(1, 63));
    CallInst* call = CallInst::Create(spin, "", cold);
    call->setDebugLoc(place->getDebugLoc());
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "wait-loops", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
              passes.addPass(createModuleToFunctionPassAdaptor(WaitLoops()));
            });
          }};
}
