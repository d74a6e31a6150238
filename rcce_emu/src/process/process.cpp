// SPDX-License-Identifier: Apache-2.0
#include "process/process.hpp"

#include <functional>
#include <sys/syscall.h>
#include <unistd.h>

#include "image/image.hpp"
#include "process/heap_check.hpp"

namespace rcce::process {

Process::Process() = default;
Process::~Process() = default;

Surroundings::~Surroundings() {
  if (directory >= 0) syscall(SYS_close, directory); // close() is the runtime's, and acts on a UE
}

Place place_of(const Ue& ue, const void* address) noexcept {
  if (ue.process == nullptr) return {};
  const auto* at = static_cast<const std::byte*>(address);
  for (const image::Image* image : {ue.process->image.get(), ue.process->beside.get()}) {
    if (image == nullptr) continue;
    const auto all = image->all();
    if (std::less<>{}(at, all.data()) || !std::less<>{}(at, all.data() + all.size())) continue;
    return {&image->file().absolute_path(), static_cast<std::uintptr_t>(at - image->base())};
  }
  return {};
}

Picoseconds alarm_time(const Ue& ue) noexcept {
  const Alarm* alarm = ue.process->c.alarm.get();
  return alarm == nullptr ? INT64_MAX : alarm->at;
}

} // namespace rcce::process
