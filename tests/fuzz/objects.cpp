// SPDX-License-Identifier: Apache-2.0
// Object files and archives as rccecc reads them. Files that it does not understand are the linker's
// business: it never complains of one.
#include "front/compiler/object_records.hpp"
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  const fuzz::File input(data, bytes);
  std::size_t told = 0;
  for (const auto& record : rcce::compiler::read_records(input.path()))
    told += record.text.size() <= bytes ? 0 : 1;
  FUZZ_CHECK(told == 0);
  static_cast<void>(rcce::compiler::is_stub_archive(input.path()));
  rcce::compiler::add_debug_entry(input.path());
  return 0;
}
