// SPDX-License-Identifier: Apache-2.0
// Ends the UE whose heap is damaged.
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/ue/job_state.hpp"
#include "process/heap/heap.hpp"
#include "process/process.hpp"
#include "process/run/faults.hpp"
#include "rcce_emu/process_options.hpp"

namespace rcce::heap {

void end_by_heap_fault(const std::string& text) {
  if (Ue* ue = process::calling_ue()) run::abort_ue(*ue, "heap: " + text);
  // No UE's call: a block that was handed to another thread, or that outlives its UE.
  const std::string line = fmt::format("rccerun: heap: {}\n", text);
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
  std::abort();
}

void end_by_heap_fault(const HeapFault& fault) {
  const Ue* ue = process::calling_ue();
  const bool checked = ue != nullptr && ue->job->process_options().check_heap;
  end_by_heap_fault(fault_text(fault) +
                    (checked ? "" : "; --check heap says where blocks were allocated and freed"));
}

} // namespace rcce::heap
