// SPDX-License-Identifier: Apache-2.0
#include "process/process.hpp"

#include <map>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/host/symbols.hpp"
#include "process/heap_check.hpp"
#include "process/image/image.hpp"

namespace rcce::process {

Process::Process() = default;
Process::~Process() = default;

ProcessState::~ProcessState() {
  if (directory >= 0) syscall(SYS_close, directory); // close() is the runtime's, and acts on a UE
}

const image::Image* image_of(const Ue& ue, const void* address) noexcept {
  if (ue.process == nullptr) return nullptr;
  const auto holds = [at = static_cast<const std::byte*>(address)](const image::Image* image) {
    if (image == nullptr) return false;
    const auto all = image->all();
    return !std::less<>{}(at, all.data()) && std::less<>{}(at, all.data() + all.size());
  };
  for (const image::Image* image : {ue.process->image.get(), ue.process->beside.get()})
    if (holds(image)) return image;
  for (const auto& library : ue.process->libraries)
    if (holds(library->image.get())) return library->image.get();
  return nullptr;
}

void write_table(const Ue& ue, std::span<int> table, const std::function<int(std::size_t)>& value) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const int wanted = value(i);
    if (table[i] == wanted) continue;
    table[i] = wanted;
    ++written;
  }
  const image::Image* const image = written > table.size() / 2 ? image_of(ue, table.data()) : nullptr;
  if (image != nullptr) image->share(std::as_bytes(table));
}

CodeLocation place_of(const Ue& ue, const void* address) noexcept {
  const image::Image* const image = image_of(ue, address);
  if (image == nullptr) return {};
  return {&image->file().absolute_path(),
          static_cast<std::uintptr_t>(static_cast<const std::byte*>(address) - image->base())};
}

std::vector<std::string> describe(const std::vector<CodeLocation>& places) {
  std::map<std::string, std::vector<std::uintptr_t>> offsets; // a file is asked about once
  for (const CodeLocation& place : places) offsets[*place.file].push_back(place.offset);
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& [file, its] : offsets) names[file] = host::describe_offsets(file, its);
  std::map<std::string, std::size_t> next;
  std::vector<std::string> told;
  for (const CodeLocation& place : places) told.push_back(names[*place.file][next[*place.file]++]);
  return told;
}

Timer* next_timer(const Ue& ue) noexcept {
  const Timers* const timers = ue.process->c.alarm.get();
  Timer* next = nullptr;
  for (std::size_t i = 0; timers != nullptr && i < timers->end; ++i) {
    Timer* const one = timers->all[i].get();
    if (one == nullptr || one->signal == 0 || one->waits || one->at == INT64_MAX) continue;
    if (next == nullptr || one->at < next->at) next = one;
  }
  return next;
}

Picoseconds alarm_time(const Ue& ue) noexcept {
  const Timer* const next = next_timer(ue);
  return next == nullptr ? INT64_MAX : next->at.load();
}

} // namespace rcce::process
