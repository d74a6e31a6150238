// SPDX-License-Identifier: Apache-2.0
// Host files. The first byte is the number of UEs.
#include <set>

#include "fuzz.hpp"
#include "mesh_sim/errors.hpp"
#include "rcce_emu/host_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  constexpr int cores = 48;
  const int ues = data[0] % cores + 1;
  try {
    const rcce::Hosts hosts = rcce::read_hosts(fuzz::text(data + 1, bytes - 1), "hosts", ues, cores);
    FUZZ_CHECK(hosts.cores.size() == static_cast<std::size_t>(ues) &&
               hosts.texts.size() == hosts.cores.size());
    const std::set<int> distinct(hosts.cores.begin(), hosts.cores.end());
    FUZZ_CHECK(distinct.size() == hosts.cores.size() && *distinct.begin() >= 0 && *distinct.rbegin() < cores);
  } catch (const mesh::UserError& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
