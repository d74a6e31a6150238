// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/kernel/own_stack.hpp"

#include <cstdlib>
#include <utility>

#include "kernel/asan.hpp"
#include "kernel/tsan.hpp"
#include "mesh_sim/kernel/fiber.hpp"

namespace mesh {

struct OwnStack::Entry {
  static void enter(FiberJump from) {
    auto* self = static_cast<OwnStack*>(from.data);
    asan::first_arrival(true);
    self->outside_ = from.from;
    self->body_();
    self->leave();
  }
};

void OwnStack::run(std::function<void()> body) {
  body_ = std::move(body);
  asan::Departure departure;
  departure.to_stack(stack_);
  const FiberHandle fiber = make_fiber(stack_, &Entry::enter);
  if (tsan::present()) {
    outside_fiber_ = __tsan_get_current_fiber();
    own_fiber_ = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(own_fiber_, 0);
  }
  jump(fiber, this);
  departure.returned();
  if (tsan::present()) __tsan_destroy_fiber(own_fiber_);
}

void OwnStack::leave() noexcept {
  asan::Departure departure;
  departure.to_outside();
  if (tsan::present()) __tsan_switch_to_fiber(outside_fiber_, 0);
  jump(outside_, nullptr);
  std::abort(); // nobody comes back
}

} // namespace mesh
