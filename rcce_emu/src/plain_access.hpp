// A load or store of the program's own, as code compiled by rccecc --observe tells it before it acts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rcce {

struct PlainAccess {
  const std::byte* address = nullptr;
  std::size_t bytes = 0;
  bool write = false;
  bool look = false;                 ///< a read that a loop makes again and again to decide something
  bool wait = false;                 ///< ... of a loop that does nothing else
  bool atomic = false;               ///< with `write`: both
  bool known = false;                ///< what is written: `source`, or all bytes are `filled`
  const std::byte* source = nullptr; ///< null: filled
  std::byte filled{};
  std::uintptr_t code = 0; ///< where, in the program file; 0: not known
};

} // namespace rcce
