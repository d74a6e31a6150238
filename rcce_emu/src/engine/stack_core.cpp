// SPDX-License-Identifier: Apache-2.0
#include "engine/stack_core.hpp"

namespace rcce {

void StackCore::live(std::span<std::byte> stack, std::function<void()> body) {
  stack_ = std::make_unique<mesh::OwnStack>(stack);
  stack_->run(std::move(body));
}

void StackCore::exit() {
  stack_->leave();
}

} // namespace rcce
