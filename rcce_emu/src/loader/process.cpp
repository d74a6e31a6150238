// Construction and destruction of a UE's process state.
#include "loader/process.hpp"

#include "loader/heap_check.hpp"
#include "loader/image.hpp"

namespace rcce::loader {

Process::Process() = default;
Process::~Process() = default;

} // namespace rcce::loader
