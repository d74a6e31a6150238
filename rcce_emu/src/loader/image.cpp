#include "loader/image.hpp"

namespace rcce::loader {

namespace {

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

void Image::destruct() const {
  using Destructor = void (*)();
  const auto destructors = functions<Destructor>(base_, file_.fini_array());
  for (std::size_t i = destructors.size(); i > 0; --i) destructors[i - 1]();
  if (file_.fini()) reinterpret_cast<Destructor>(base_ + *file_.fini())();
}

} // namespace rcce::loader
