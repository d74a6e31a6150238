// SPDX-License-Identifier: Apache-2.0
#include "process/image/tls.hpp"

#include <cstring>

#include "mesh_sim/errors.hpp"
#include "process/heap/heap.hpp"

namespace rcce::image {

namespace {

/// Set in the module number of our blocks, whose other bits are the block's address; the dynamic linker
/// counts from 1.
constexpr std::uint64_t own_bit = std::uint64_t{1} << 63;

struct Variable {
  std::uint64_t module;
  std::uint64_t offset;
};

} // namespace

extern "C" void* __tls_get_addr(void* variable);

extern "C" void* rockcreek_tls_get_addr(void* variable) {
  const auto [module, offset] = *static_cast<const Variable*>(variable);
  if (module & own_bit) return reinterpret_cast<void*>((module & ~own_bit) + offset);
  return __tls_get_addr(variable);
}

std::uint64_t thread_local_module(const std::byte* block) noexcept {
  return reinterpret_cast<std::uint64_t>(block) | own_bit;
}

std::uint64_t thread_local_function() noexcept {
  return reinterpret_cast<std::uint64_t>(&rockcreek_tls_get_addr);
}

bool is_own_module(const ImageFile& file, const Elf64_Rela& relocation) {
  if (ELF64_R_TYPE(relocation.r_info) != R_X86_64_DTPMOD64) return false;
  const std::size_t index = ELF64_R_SYM(relocation.r_info);
  return index == 0 || file.symbol(index).st_shndx != SHN_UNDEF;
}

bool is_thread_local_function(const ImageFile& file, const Elf64_Rela& relocation) {
  const auto type = ELF64_R_TYPE(relocation.r_info);
  if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) return false;
  return file.symbol_name(file.symbol(ELF64_R_SYM(relocation.r_info))) == "__tls_get_addr";
}

std::byte* allocate_thread_locals(const ImageFile& file, heap::Heap& heap) {
  const auto& wanted = file.thread_local_block();
  if (wanted.bytes == 0) return nullptr;
  void* block = heap.allocate_aligned(wanted.alignment, wanted.bytes);
  if (block == nullptr)
    throw mesh::UserError(file.title() + " has " + std::to_string(wanted.bytes) +
                          " bytes of thread-local variables, which the heap of " +
                          std::to_string(heap.bytes()) +
                          " bytes per UE cannot hold; choose a larger --heap-size");
  return static_cast<std::byte*>(block);
}

void fill_thread_locals(const ImageFile& file, const std::byte* base, std::byte* block) noexcept {
  if (block == nullptr) return;
  const auto& wanted = file.thread_local_block();
  std::memcpy(block, base + wanted.initial.begin, wanted.initial.bytes());
  std::memset(block + wanted.initial.bytes(), 0, wanted.bytes - wanted.initial.bytes());
}

} // namespace rcce::image
