// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/observe/observers.hpp"

#include <mutex>

namespace mesh {

struct Observers::Mutex {
  std::mutex mutex;
};

Observers::Observers() = default;
Observers::~Observers() = default;

void Observers::be_told_concurrently() {
  alone_ = std::make_unique<Mutex>();
}

Observers::Alone::Alone(const Observers& observers) : mutex_(observers.alone_.get()) {
  if (mutex_ != nullptr) mutex_->mutex.lock();
}

Observers::Alone::~Alone() {
  if (mutex_ != nullptr) mutex_->mutex.unlock();
}

int Observers::call_kind(std::string_view name) {
  const Alone guard(*this);
  const auto found = call_kinds_.find(name);
  if (found != call_kinds_.end()) return found->second;
  call_names_.emplace_back(name);
  return call_kinds_.emplace(name, static_cast<int>(call_names_.size()) - 1).first->second;
}

} // namespace mesh
