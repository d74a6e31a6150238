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

OwnStack::~OwnStack() {
  if (own_fiber_ != nullptr) __tsan_destroy_fiber(own_fiber_);
}

void OwnStack::run(std::function<void()> body) {
  body_ = std::move(body);
  inside_ = make_fiber(stack_, &Entry::enter);
  if (tsan::present()) {
    if (own_fiber_ != nullptr) __tsan_destroy_fiber(own_fiber_);
    own_fiber_ = __tsan_create_fiber(0);
  }
  go_on();
}

void OwnStack::go_on() {
  asan::Departure departure;
  departure.to_stack(stack_);
  if (tsan::present()) {
    outside_fiber_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_fiber_, 0);
  }
  inside_ = jump(inside_, this).from;
  departure.returned();
}

void OwnStack::pause() noexcept {
  asan::Departure departure;
  departure.to_outside();
  if (tsan::present()) __tsan_switch_to_fiber(outside_fiber_, 0);
  outside_ = jump(outside_, nullptr).from;
  departure.returned();
}

void OwnStack::leave() noexcept {
  pause();
  std::abort(); // nobody comes back
}

} // namespace mesh
