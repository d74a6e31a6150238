// SPDX-License-Identifier: Apache-2.0
// Flags that are looked at together lie in as few lines as there can be, wherever the flags before them end.
#include <cstddef>
#include <vector>

#include "on_messages/gathered_flags.hpp"
#include "ue_check.h"

int RCCE_APP(int argc, char** argv) {
  using algorithms::GatheredFlags;
  RCCE_init(&argc, &argv);
  for (const int writers : {1, 8, 31, 32, 33, 47}) {
    for (int own = 0; own < 3; ++own) {
      RCCE_FLAG before;
      CHECK_INT(RCCE_flag_alloc(&before), RCCE_SUCCESS);
      GatheredFlags flags;
      CHECK_INT(flags.allocate("test", writers), RCCE_SUCCESS);
      const std::size_t per_line = GatheredFlags::of_bytes ? GatheredFlags::line : 1;
      CHECK_INT(static_cast<int>(flags.bytes()),
                static_cast<int>((static_cast<std::size_t>(writers) + per_line - 1) / per_line *
                                 GatheredFlags::line));
      // Each is the writer's own, and unset.
      for (int writer = 0; writer < writers; ++writer)
        CHECK(flags.test(writer, 0), "writer %d of %d", writer, writers);
      flags.tell(writers - 1, 300, RCCE_ue());
      for (int writer = 0; writer < writers; ++writer)
        CHECK(flags.test(writer, writer == writers - 1 ? 300 : 0), "writer %d of %d", writer, writers);
    }
  }
  RCCE_finalize();
  return check_end();
}
