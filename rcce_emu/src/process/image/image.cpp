// SPDX-License-Identifier: Apache-2.0
#include "process/image/image.hpp"

namespace rcce::image {

namespace {

using Destructor = void (*)();

template <class Function>
std::span<const Function> functions(const std::byte* base, ImageFile::Range array) {
  return {reinterpret_cast<const Function*>(base + array.begin), array.bytes() / sizeof(Function)};
}

} // namespace

void Image::construct(int argc, char** argv, char** environment) const {
  using Constructor = void (*)(int, char**, char**);
  if (file_.init()) reinterpret_cast<Constructor>(base_ + *file_.init())(argc, argv, environment);
  for (const auto constructor : functions<Constructor>(base_, file_.init_array()))
    constructor(argc, argv, environment);
}

std::size_t Image::destructors() const noexcept {
  return functions<Destructor>(base_, file_.fini_array()).size() + (file_.fini() ? 1 : 0);
}

void Image::destruct(std::size_t which) const {
  const auto array = functions<Destructor>(base_, file_.fini_array());
  if (which < array.size())
    array[array.size() - 1 - which]();
  else
    reinterpret_cast<Destructor>(base_ + *file_.fini())();
}

void Image::write(std::span<const Word> words) {
  for (const Word& word : words) *reinterpret_cast<std::uint64_t*>(base_ + word.address) = word.value;
}

} // namespace rcce::image
