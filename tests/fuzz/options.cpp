// SPDX-License-Identifier: Apache-2.0
// The options of rccerun, one word per line. What is accepted can be handed on to the program: it is read
// there to the same job.
#include <algorithm>
#include <string>
#include <vector>

#include "front/launcher/options.hpp"
#include "fuzz.hpp"
#include "mesh_sim/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  std::string text(fuzz::text(data, bytes));
  std::replace(text.begin(), text.end(), '/', '_'); // no file of the host is read
  std::vector<std::string> words{{}};
  for (const char c : text) {
    if (c == '\n')
      words.emplace_back();
    else if (c != '\0' && c != rcce::option_separator)
      words.back() += c;
  }
  try {
    const rcce::LaunchOptions options = rcce::parse_job_options(words);
    FUZZ_CHECK(options.used <= words.size());
    FUZZ_CHECK(!options.ues || *options.ues > 0);
    FUZZ_CHECK(options.job.timeout_seconds >= 0);
    const rcce::LaunchOptions again = rcce::parse_job_options(options.forwarded);
    FUZZ_CHECK(again.used == options.forwarded.size());
    FUZZ_CHECK(again.forwarded == options.forwarded);
    FUZZ_CHECK(again.job.engine.stack_bytes == options.job.engine.stack_bytes &&
               again.job.engine.kind == options.job.engine.kind);
  } catch (const mesh::UserError& error) {
    FUZZ_CHECK(*error.what() != '\0');
  }
  return 0;
}
