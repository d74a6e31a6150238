// SPDX-License-Identifier: Apache-2.0
// Program files as the launcher and the loader read them. What is accepted holds only addresses within its
// segments.
#include "fuzz.hpp"
#include "mesh_sim/errors.hpp"
#include "process/image/file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  const fuzz::File input(data, bytes);
  try {
    const rcce::image::ImageFile file(input.path());
    const auto inside = [&](std::uint64_t address, std::uint64_t size) {
      return address >= file.span().begin && address <= file.span().end && file.span().end - address >= size;
    };
    FUZZ_CHECK(file.contents().size() == bytes);
    FUZZ_CHECK(file.variables().generation == 10 || file.variables().generation == 20);
    FUZZ_CHECK(inside(file.main(), 1));
    FUZZ_CHECK(inside(file.variables_address(), sizeof(struct rockcreek_image)));
    FUZZ_CHECK(file.init_array().empty() || inside(file.init_array().begin, file.init_array().bytes()));
    FUZZ_CHECK(file.fini_array().empty() || inside(file.fini_array().begin, file.fini_array().bytes()));
    for (const Elf64_Rela& relocation : file.relocations()) {
      FUZZ_CHECK(inside(relocation.r_offset, sizeof(std::uint64_t)));
      const std::size_t index = ELF64_R_SYM(relocation.r_info);
      if (index != 0) static_cast<void>(file.symbol_name(file.symbol(index)));
    }
  } catch (const mesh::UserError& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
