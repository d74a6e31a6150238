// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_core.hpp"

#include <cstdlib>

namespace rcce {

void ThreadCore::live(std::span<std::byte> stack, std::function<void()> body) {
  stack_ = std::make_unique<mesh::OwnStack>(stack);
  stack_->run(std::move(body));
  fabric_.waiting().end();
}

void ThreadCore::exit() {
  stack_->leave();
}

} // namespace rcce
