// SPDX-License-Identifier: Apache-2.0
#include "process/run/ending.hpp"

#include <unistd.h>
#include <utility>

#include "process/process.hpp"
#include "process/run/output.hpp"
#include "process/run/own_signals.hpp"

namespace rcce::run {

void leave_ue(Ue& ue) {
  process::Process& process = *ue.process;
  charge_own_code(ue);
  if (ue.library != nullptr) ue.library->leave();
  for (const int fd : {1, 2}) {
    process.c.output->end_line(ue, fd);
    process::OutputStream& stream = process.c.stream[static_cast<std::size_t>(fd - 1)];
    if (stream.target == 0 && stream.file >= 0) ::close(stream.file);
    stream.file = -1;
  }
  if (process.c.input.file >= 0) ::close(std::exchange(process.c.input.file, -1));
  forget_signals(ue);
  process.ended = true;
  process.end = ue.core->now();
  ue.core->exit();
  __builtin_unreachable();
}

} // namespace rcce::run
