// Weak stand-ins for the parts of the runtime that are not built in.
#include "rcce_emu/costs.hpp"

namespace rcce {

[[gnu::weak]] SoftwareCosts::SoftwareCosts() : rcce10{}, rcce20{} {}
[[gnu::weak]] mesh::ParameterTable SoftwareCosts::parameters() {
  return {};
}

} // namespace rcce
