// Construction and destruction of a UE's process state.
#include "libc/process.hpp"

#include "heap/check.hpp"
#include "image/image.hpp"

namespace rcce::loader {

Process::Process() = default;
Process::~Process() = default;

} // namespace rcce::loader
