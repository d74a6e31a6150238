// SPDX-License-Identifier: Apache-2.0
// A pass for clang (rccecc --observe): tells the runtime of a program's own loads and stores to memory that
// other cores may see.
//
// Before each access whose address is not known to be the UE's own,
//     if (address - rockcreek_observed_begin < rockcreek_observed_bytes) rockcreek_access(...);
// is put in. The two words are 0 unless somebody watches, and then enclose shared memory and the
// message-passing buffers (MPBs). Where a call gets such an address and leads out of the program (strcpy),
// rockcreek_gives() says so.
//
// What the access is for says more than that it is one: a read in a loop that asks the same word again and
// again to find its way ("look") is how UEs wait for each other. A loop that does nothing else ("wait") ends
// because another has stored something. Each time that the program enters such a loop it counts up
// rockcreek_wait_loops, which tells the reads of one waiting from those of the next. What the front end makes
// shows best which loops these are: MarkLooks notes it at their reads, before any optimisation.
//
// What inline assembler does with memory nobody can tell: an address that it gets is told as one that is
// given to code outside the program. So are addresses that instructions of the processor's own get which the
// compiler has as functions (intrinsics): masked and scattered vectors. The same holds for a pointer within a
// structure that such a call gets or in one that this leads to, and for one that is stored in what another
// module has defined. Instructions that give something else in each run (rdrand) are told by name.
//
// All else is put in behind the passes that count. So an observed program has the code, the cycles and the
// accesses of one that is not.
#include <algorithm>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
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
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "waiting_loop.hpp"

namespace {

using namespace llvm;
using namespace rcce::passes;

/// As process/image/part/entries.h has them.
enum How : unsigned {
  write = 1,
  look = 2,
  wait = 4,
  atomic = 8,
  fill = 16,
  copy = 32,
  keeps = 64,
  within = 128,
  stored_value = 256,
  asks = 512,
  pointed = 1024
};
constexpr unsigned read_from = 56; ///< shift of the number of a wait's read in its word
/// Shift of the number of pointers in the bytes of what is pointed to.
constexpr unsigned pointed_number = 32;
constexpr unsigned vectors = 1; ///< who gets an address: an instruction; null: inline assembler

/// An intrinsic function that reads or writes what the program keeps in memory, other than the usual ones.
bool accesses_memory(const IntrinsicInst& intrinsic) {
  if (!intrinsic.mayReadOrWriteMemory() || isa<MemIntrinsic>(intrinsic) || intrinsic.isLifetimeStartOrEnd() ||
      isa<DbgInfoIntrinsic>(intrinsic) || intrinsic.isAssumeLikeIntrinsic())
    return false;
  const StringRef name = intrinsic.getCalledFunction()->getName();
  if (name.startswith("llvm.va_") || name.startswith("llvm.stack") || name.startswith("llvm.eh.") ||
      name.startswith("llvm.prefetch") || name.contains(".clflush") || name.contains(".clwb"))
    return false;
  return llvm::any_of(intrinsic.args(),
                      [](const Use& argument) { return argument->getType()->isPtrOrPtrVectorTy(); });
}

bool holds_pointers(const Type* type) {
  if (type->isPointerTy()) return true;
  return llvm::any_of(type->subtypes(), [type](const Type* part) {
    return (type->isStructTy() || type->isArrayTy()) && holds_pointers(part);
  });
}

/// The instruction of the processor's that gives something else in each run: "rdrand"; empty: it is none.
StringRef chance_of(const CallBase& call) {
  const auto* assembler = dyn_cast<InlineAsm>(call.getCalledOperand());
  const StringRef text = assembler != nullptr ? StringRef(assembler->getAsmString())
      : isa<IntrinsicInst>(call)              ? call.getCalledFunction()->getName()
                                              : StringRef();
  for (const char* const name : {"rdrand", "rdseed", "rdtsc"})
    if (text.contains(name)) return name;
  return text.contains("readcyclecounter") ? "rdtsc" : StringRef();
}

/// The type that a pointer leads to, if it has a size and holds pointers; null otherwise. A stream of the C
/// library is the library's own: what setvbuf() and its kind get is told of by itself.
Type* structure_of(Value* pointer) {
  Value* object = getUnderlyingObject(pointer, 0);
  Type* type = pointer->getType()->getPointerElementType();
  if (const auto* local = dyn_cast<AllocaInst>(object)) type = local->getAllocatedType();
  if (const auto* global = dyn_cast<GlobalVariable>(object)) type = global->getValueType();
  if (auto* bits = dyn_cast<BitCastOperator>(pointer); bits != nullptr && object == pointer)
    type = bits->getSrcTy()->getPointerElementType();
  const auto* named = dyn_cast<StructType>(type);
  if (named != nullptr && named->hasName() && named->getName() == "struct._IO_FILE") return nullptr;
  return type->isSized() && holds_pointers(type) ? type : nullptr;
}

/// A store there may be to the memory of another module.
bool may_be_elsewhere(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  const auto* global = dyn_cast<GlobalVariable>(object);
  return global != nullptr ? global->isDeclaration() : !isa<AllocaInst>(object);
}

struct WatchedAccess {
  Instruction* before;
  Value* address;
  Value* bytes; ///< null: of `type`
  Type* type;
  unsigned how;
  Value* value; ///< source of a store, fill or copy; number of the read of a wait; null: nothing
};

/// At a read that is a look; with two operands at one of a loop that only waits: which loop, and which of its
/// reads.
constexpr const char* look_mark = "rockcreek.look";

class MarkLooks : public PassInfoMixin<MarkLooks> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
    const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    LLVMContext& context = function.getContext();
    DenseMap<const Loop*, MDNode*> waits;
    for (const Loop* loop : loops.getLoopsInPreorder())
      if (only_waits(*loop, dominators)) waits[loop] = MDNode::getDistinct(context, {});
    DenseMap<const Loop*, unsigned> reads;
    for (BasicBlock& block : function) {
      const Loop* const loop = loops.getLoopFor(&block);
      for (Instruction& instruction : block) {
        auto* const load = dyn_cast<LoadInst>(&instruction);
        if (load == nullptr || !is_watched(load->getPointerOperand()) || !is_look(*load, loop)) continue;
        SmallVector<Metadata*, 2> operands;
        if (MDNode* const wait = waits.lookup(loop)) {
          auto* const number =
              ConstantInt::get(Type::getInt64Ty(context), std::min(reads[loop]++, most_reads));
          operands = {wait, ConstantAsMetadata::get(number)};
        }
        load->setMetadata(look_mark, MDNode::get(context, operands));
      }
    }
    return PreservedAnalyses::all();
  }

  static bool isRequired() { return true; }

 private:
  static constexpr unsigned most_reads = (1u << (64 - read_from)) - 1;

  static bool is_look(const LoadInst& load, const Loop* loop) {
    if (loop == nullptr) return load.hasOneUse() && isa<ReturnInst>(*load.user_begin()); // a getter
    return decides(&load) && same_in_each_round(load.getPointerOperand(), *loop);
  }
};

/// A read of a loop that only waits, as the optimiser has left it.
struct Wait {
  LoadInst* load;
  const Loop* loop; ///< which may be around that loop, where its first round stands before it
};

class Observe : public PassInfoMixin<Observe> {
 public:
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    places_.clear();
    gifts_.clear();
    structures_.clear();
    chances_.clear();
    waits_.clear();
    const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
    for (BasicBlock& block : function)
      for (Instruction& instruction : block) find(instruction, loops.getLoopFor(&block));
    SetVector<Instruction*> entries;
    for (const auto& [loop, reads] : waits_) find_entries(reads, loops, entries);
    for (Instruction* entry : entries) count_wait(*entry);
    for (const WatchedAccess& place : places_) tell(place);
    for (const auto& [call, address] : gifts_) tell_given(*call, address);
    for (const auto& [call, address] : structures_) tell_structure(*call, address);
    for (CallBase* const call : chances_) tell_chance(*call);
    return places_.empty() && gifts_.empty() && structures_.empty() && chances_.empty()
        ? PreservedAnalyses::all()
        : PreservedAnalyses::none();
  }

  static bool isRequired() { return true; }

 private:
  void add(Instruction& before, Value* address, Type* type, unsigned how, Value* value = nullptr) {
    if (is_watched(address)) places_.push_back({&before, address, nullptr, type, how, value});
  }

  void find(Instruction& instruction, const Loop* loop) {
    if (auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && !chance_of(*call).empty())
      chances_.push_back(call);
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (!is_watched(load->getPointerOperand())) return;
      unsigned how = load->isAtomic() ? atomic : 0u;
      Value* read = nullptr;
      if (const MDNode* const mark = load->getMetadata(look_mark)) {
        how |= look;
        if (mark->getNumOperands() != 0) {
          how |= wait;
          read = mdconst::extract<ConstantInt>(mark->getOperand(1));
          waits_[mark->getOperand(0).get()].push_back({load, loop});
        }
      }
      add(instruction, load->getPointerOperand(), load->getType(), how, read);
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      Value *value = store->getValueOperand(), *to = store->getPointerOperand();
      add(instruction, to, value->getType(), write | (store->isAtomic() ? atomic : 0u), value);
      if (value->getType()->isPointerTy() && is_watched(value) && may_be_elsewhere(to))
        places_.push_back({store, value, nullptr, value->getType(), keeps, to});
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      add(instruction, update->getPointerOperand(), update->getType(), write | atomic);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
          write | atomic);
    } else if (auto* set = dyn_cast<MemSetInst>(&instruction)) {
      if (is_watched(set->getDest()))
        places_.push_back({set, set->getDest(), set->getLength(), nullptr, write | fill, set->getValue()});
    } else if (auto* move = dyn_cast<MemTransferInst>(&instruction)) {
      if (is_watched(move->getSource()))
        places_.push_back({move, move->getSource(), move->getLength(), nullptr, 0, nullptr});
      if (is_watched(move->getDest()))
        places_.push_back(
            {move, move->getDest(), move->getLength(), nullptr, write | copy, move->getSource()});
    } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
      if (accesses_memory(*intrinsic)) find_gifts_of_intrinsic(*intrinsic);
    } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
      find_gifts(*call);
    }
  }

  /// An instruction that gathers or scatters makes addresses of its own.
  void find_gifts_of_intrinsic(IntrinsicInst& call) {
    const StringRef name = call.getCalledFunction()->getName();
    if (name.contains("gather") || name.contains("scatter")) return gifts_.push_back({&call, nullptr});
    for (Value* argument : call.args())
      if (argument->getType()->isPointerTy() && is_watched(argument)) gifts_.push_back({&call, argument});
  }

  /// Addresses that leave the program's own code by this call.
  void find_gifts(CallBase& call) {
    const auto* assembler = dyn_cast<InlineAsm>(call.getCalledOperand());
    if (assembler != nullptr && is_harmless(*assembler)) return;
    if (assembler == nullptr && call.getCalledFunction() != nullptr &&
        (!call.getCalledFunction()->isDeclaration() || is_of_runtime(call.getCalledFunction())))
      return;
    for (Value* argument : call.args()) {
      const bool number = assembler != nullptr && argument->getType()->isIntegerTy(64);
      if (number || (argument->getType()->isPointerTy() && is_watched(argument)))
        gifts_.push_back({&call, argument});
      if (assembler == nullptr && argument->getType()->isPointerTy() && structure_of(argument) != nullptr)
        structures_.push_back({&call, argument});
    }
    if (assembler != nullptr && clobbers_memory(*assembler)) gifts_.push_back({&call, nullptr});
  }

  static GlobalVariable* word(Module& module, const char* name) {
    auto* type = Type::getInt64Ty(module.getContext());
    auto* variable = cast<GlobalVariable>(module.getOrInsertGlobal(name, type));
    variable->setVisibility(GlobalValue::HiddenVisibility);
    variable->setDSOLocal(true);
    return variable;
  }

  /// Finds the entries to the loop of these reads. The function may have several copies of the loop. Its
  /// first round may stand before it, as a condition of its own.
  static void find_entries(ArrayRef<Wait> reads, const LoopInfo& loops, SetVector<Instruction*>& entries) {
    SmallPtrSet<const Loop*, 4> copies;
    for (const Wait& read : reads) {
      const bool around = any_of(reads, [&](const Wait& other) {
        return other.loop != read.loop && read.loop != nullptr && read.loop->contains(other.loop);
      });
      if (read.loop != nullptr && !around) copies.insert(read.loop);
    }
    SmallPtrSet<const LoadInst*, 8> begun;
    for (const Wait& read : reads) {
      if (!copies.contains(read.loop)) continue;
      begun.insert(read.load);
      BasicBlock* block = read.loop->getLoopPredecessor();
      if (block == nullptr) continue;
      Instruction* entry = block->getTerminator();
      for (; block != nullptr && loops.getLoopFor(block) == read.loop->getParentLoop();
           block = block->getSinglePredecessor())
        for (Instruction& instruction : reverse(*block))
          if (any_of(reads, [&](const Wait& other) { return other.load == &instruction; }))
            begun.insert(cast<LoadInst>(entry = &instruction));
      entries.insert(entry);
    }
    for (const Wait& read : reads)
      if (!begun.contains(read.load)) entries.insert(read.load);
  }

  static void count_wait(Instruction& before) {
    IRBuilder<> build(&before);
    GlobalVariable* count = word(*before.getModule(), "rockcreek_wait_loops");
    build.CreateStore(build.CreateAdd(build.CreateLoad(build.getInt64Ty(), count), build.getInt64(1)), count);
  }

  /// The rare case where the address lies in what is watched.
  static Instruction* where_watched(Instruction& before, Value* address) {
    Module& module = *before.getModule();
    IRBuilder<> build(&before);
    auto* type = build.getInt64Ty();
    if (address->getType()->isPointerTy()) address = build.CreatePtrToInt(address, type);
    Value* distance =
        build.CreateSub(address, build.CreateLoad(type, word(module, "rockcreek_observed_begin")));
    Value* inside =
        build.CreateICmpULT(distance, build.CreateLoad(type, word(module, "rockcreek_observed_bytes")));
    return SplitBlockAndInsertIfThen(inside, &before, false,
                                     MDBuilder(module.getContext()).createBranchWeights(1, 1000));
  }

  static void call(Instruction* at, const DebugLoc& place, const char* name, ArrayRef<Value*> arguments) {
    Module& module = *at->getModule();
    SmallVector<Type*, 5> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    auto* type = FunctionType::get(Type::getVoidTy(module.getContext()), types, false);
    FunctionCallee callee = module.getOrInsertFunction(name, type);
    if (auto* function = dyn_cast<Function>(callee.getCallee())) {
      function->setVisibility(GlobalValue::HiddenVisibility);
      function->setDSOLocal(true);
      function->addFnAttr(Attribute::Cold);
      function->setDoesNotThrow();
    }
    CallInst::Create(callee, arguments, "", at)->setDebugLoc(place);
  }

  /// The bits of a value of at most 8 bytes; of a larger one nothing is told.
  static Value* bits_of(IRBuilder<>& build, Value* value, const DataLayout& layout) {
    Type* type = value->getType();
    const std::uint64_t bits = layout.getTypeSizeInBits(type);
    if (bits > 64) return nullptr;
    if (type->isPointerTy()) return build.CreatePtrToInt(value, build.getInt64Ty());
    if (!type->isIntegerTy() && !type->isFloatingPointTy() && !type->isVectorTy()) return nullptr;
    return build.CreateZExt(build.CreateBitCast(value, build.getIntNTy(static_cast<unsigned>(bits))),
                            build.getInt64Ty());
  }

  static void tell(const WatchedAccess& place) {
    const DataLayout& layout = place.before->getModule()->getDataLayout();
    Instruction* at = where_watched(*place.before, place.address);
    IRBuilder<> build(at);
    Value* bytes = place.bytes != nullptr ? build.CreateZExtOrTrunc(place.bytes, build.getInt64Ty())
                                          : build.getInt64(layout.getTypeStoreSize(place.type));
    unsigned how = place.how;
    Value* value = build.getInt64(0);
    if ((how & wait) != 0) {
      value = build.CreateLoad(build.getInt64Ty(), word(*at->getModule(), "rockcreek_wait_loops"));
      value = build.CreateOr(build.CreateShl(place.value, read_from), value);
    } else if ((how & fill) != 0) {
      value = build.CreateZExt(place.value, build.getInt64Ty());
    } else if ((how & (copy | keeps)) != 0) {
      value = build.CreatePtrToInt(place.value, build.getInt64Ty());
    } else if (place.value != nullptr) {
      if (Value* stored = bits_of(build, place.value, layout)) {
        value = stored;
        how |= stored_value;
      }
    }
    call(at, place.before->getDebugLoc(), "rockcreek_access",
         {build.CreatePointerCast(place.address, build.getInt8PtrTy()), bytes, build.getInt32(how), value});
  }

  /// No address: any.
  static void tell_given(CallBase& given, Value* address) {
    if (address == nullptr)
      address = IRBuilder<>(&given).CreateLoad(Type::getInt64Ty(given.getContext()),
                                               word(*given.getModule(), "rockcreek_observed_begin"));
    Instruction* at = where_watched(given, address);
    IRBuilder<> build(at);
    auto* type = build.getInt8PtrTy();
    Value* function = given.isInlineAsm() ? Constant::getNullValue(type)
        : isa<IntrinsicInst>(given)       ? build.CreateIntToPtr(build.getInt64(vectors), type)
                                          : build.CreatePointerCast(given.getCalledOperand(), type);
    call(at, given.getDebugLoc(), "rockcreek_gives",
         {address->getType()->isPointerTy() ? build.CreatePointerCast(address, type)
                                            : build.CreateIntToPtr(address, type),
          function});
  }

  /// Tells the runtime of a structure that the call gets: it may hold such addresses.
  static void tell_structure(CallBase& given, Value* structure) {
    Type* type = structure_of(structure);
    Value* object = getUnderlyingObject(structure, 0);
    if (isa<AllocaInst>(object) || isa<GlobalVariable>(object)) structure = object; // the whole of it
    IRBuilder<> build(&given);
    Value* begin = build.CreateLoad(build.getInt64Ty(), word(*given.getModule(), "rockcreek_observed_begin"));
    Instruction* at = where_watched(given, begin);
    build.SetInsertPoint(at);
    Value* bytes = build.getInt64(given.getModule()->getDataLayout().getTypeAllocSize(type));
    const Function* callee = given.getCalledFunction();
    const bool counted = callee != nullptr && given.arg_size() > 2 &&
        (callee->getName().contains("readv") || callee->getName().contains("writev"));
    if (counted && !isa<AllocaInst>(object) && !isa<GlobalVariable>(object))
      bytes = build.CreateMul(bytes, build.CreateZExtOrTrunc(given.getArgOperand(2), build.getInt64Ty()));
    structure = build.CreatePointerCast(structure, build.getInt8PtrTy());
    tell_within(build, given, structure, bytes, within);
    SmallVector<PointerField, 8> fields;
    find_pointers(type, 0, given.getModule()->getDataLayout(), fields);
    for (const PointerField& field : fields)
      tell_within(build, given, build.CreateGEP(build.getInt8Ty(), structure, build.getInt64(field.offset)),
                  build.getInt64(field.bytes | field.number_bytes << pointed_number), within | pointed);
  }

  static void tell_within(IRBuilder<>& build, CallBase& given, Value* address, Value* bytes, unsigned how) {
    call(&*build.GetInsertPoint(), given.getDebugLoc(), "rockcreek_access",
         {address, bytes, build.getInt32(how),
          build.CreatePtrToInt(given.getCalledOperand(), build.getInt64Ty())});
  }

  /// A pointer within a structure that leads to what holds pointers, too. The runtime reads it: the structure
  /// itself may be missing.
  struct PointerField {
    std::uint64_t offset;
    std::uint64_t bytes; ///< size of an object that it leads to
    /// Size of the integer behind it, which may say how many objects there are; 0: none.
    std::uint64_t number_bytes;
  };
  static constexpr std::uint64_t most_members = 64; ///< members of an array that are examined

  static void find_pointers(Type* type, std::uint64_t offset, const DataLayout& layout,
                            SmallVectorImpl<PointerField>& found) {
    if (auto* array = dyn_cast<ArrayType>(type)) {
      const std::uint64_t each = layout.getTypeAllocSize(array->getElementType());
      for (std::uint64_t i = 0; i < std::min(array->getNumElements(), most_members); ++i)
        find_pointers(array->getElementType(), offset + i * each, layout, found);
    }
    auto* structure = dyn_cast<StructType>(type);
    if (structure == nullptr) return;
    const StructLayout& places = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      Type* const member = structure->getElementType(i);
      const std::uint64_t place = places.getElementOffset(i);
      if (!member->isPointerTy()) {
        find_pointers(member, offset + place, layout, found);
        continue;
      }
      Type* const to = member->getPointerElementType();
      if (!to->isSized() || !holds_pointers(to)) continue;
      Type* const next = i + 1 < structure->getNumElements() ? structure->getElementType(i + 1) : nullptr;
      const bool counted = next != nullptr && next->isIntegerTy() &&
          layout.getTypeStoreSize(next) <= sizeof(std::uint64_t) &&
          places.getElementOffset(i + 1) == place + layout.getPointerSize();
      found.push_back({offset + place, std::min<std::uint64_t>(layout.getTypeAllocSize(to), most_bytes),
                       counted ? layout.getTypeStoreSize(next).getFixedSize() : 0});
    }
  }
  static constexpr std::uint64_t most_bytes = (std::uint64_t{1} << pointed_number) - 1;

  static void tell_chance(CallBase& asking) {
    IRBuilder<> build(&asking);
    Value* begin =
        build.CreateLoad(build.getInt64Ty(), word(*asking.getModule(), "rockcreek_observed_begin"));
    Instruction* at = where_watched(asking, begin);
    build.SetInsertPoint(at);
    call(at, asking.getDebugLoc(), "rockcreek_access",
         {Constant::getNullValue(build.getInt8PtrTy()), build.getInt64(1), build.getInt32(asks),
          build.CreatePtrToInt(build.CreateGlobalStringPtr(chance_of(asking)), build.getInt64Ty())});
  }

  MapVector<const Metadata*, SmallVector<Wait, 4>> waits_; ///< by the loop that the front end has made
  SmallVector<WatchedAccess, 32> places_;
  SmallVector<std::pair<CallBase*, Value*>, 16> gifts_, structures_;
  SmallVector<CallBase*, 4> chances_;
};

/// Leaves in the object that it is compiled so; rccecc reads it when it links.
class Mark : public PassInfoMixin<Mark> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    module.appendModuleInlineAsm(
        ".pushsection .rockcreek,\"e\",@progbits\n.asciz \"observed=1\"\n.popsection");
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "observe", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](ModulePassManager& passes, OptimizationLevel) {
              passes.addPass(createModuleToFunctionPassAdaptor(MarkLooks()));
              passes.addPass(Mark());
            });
            builder.registerVectorizerStartEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
              passes.addPass(LoopSimplifyPass()); // which gives each loop a place before it
              passes.addPass(Observe());
            });
          }};
}
