// SPDX-License-Identifier: Apache-2.0
// A pass for clang (rccecc --memory): the program's own loads and stores go through the caches of the chip's
// core (rccerun --compute cache).
//
// The image keeps, for each set of the first-level cache, the line that was used last there. An access to
// that line changes nothing in the caches and costs nothing more:
//     if ((rockcreek_lines[line % 128] | 1) != (line << 1 | 1)) rockcreek_access_memory(address, bytes);
// Bit 0 says that the line may be written without asking. Works where count_cycles does, behind it, so that
// the accesses are those that the cycles are counted for. Volatile and atomic accesses are left out: waiting
// loops pay for theirs (wait_loops).
#include <cstdint>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

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

class CountAccesses : public PassInfoMixin<CountAccesses> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager&) {
    SmallVector<MemoryAccess, 32> accesses;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block) collect(instruction, accesses);
    for (const MemoryAccess& access : accesses) tell(access);
    return accesses.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
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

  /// Bit 0: a store; above, the cycles that the core works until the next one.
  static std::uint32_t how(const MemoryAccess& access) {
    const MDNode* until = access.before->getMetadata(rcce::costs::until_next_store);
    if (!access.write || until == nullptr) return access.write ? 1 : 0;
    return 1 |
        static_cast<std::uint32_t>(mdconst::extract<ConstantInt>(until->getOperand(0))->getZExtValue()) << 1;
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
    const std::uint64_t size =
        access.bytes != nullptr ? 0 : module.getDataLayout().getTypeStoreSize(access.type).getFixedSize();
    Value* bytes = access.bytes != nullptr ? call.CreateZExtOrTrunc(access.bytes, word) : call.getInt64(size);
    Type* const pointer = Type::getInt8PtrTy(context);
    FunctionCallee callee = module.getOrInsertFunction("rockcreek_access_memory", Type::getVoidTy(context),
                                                       pointer, word, Type::getInt32Ty(context));
    auto* function = cast<Function>(callee.getCallee());
    function->setVisibility(GlobalValue::HiddenVisibility);
    function->setDSOLocal(true);
    function->setDoesNotThrow();
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
            builder.registerVectorizerStartEPCallback(
                [](FunctionPassManager& passes, OptimizationLevel) { passes.addPass(CountAccesses()); });
          }};
}
