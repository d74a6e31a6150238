// SPDX-License-Identifier: Apache-2.0
// Host files: which cores take part, one core number per line. Ranks follow ascending core numbers whatever
// the order here; the order decides which cores are taken when there are more than UEs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rcce {

struct Hosts {
  std::vector<int> cores;
  std::vector<std::string> texts; ///< the same as written: programs see them so before RCCE_init
};

/// The first `ues` cores of a host file's text. Blank lines and what follows a '#' do not count, and neither
/// does anything behind the lines that are needed. Throws mesh::UserError "hostfile 'NAME' line N: ..." for
/// what is no core of a machine with `cores` cores or is there twice, and the original's words if there are
/// too few.
[[nodiscard]] Hosts read_hosts(std::string_view text, std::string_view name, int ues, int cores);

/// The same from a file. Throws mesh::UserError with the original's words if it cannot be read.
[[nodiscard]] Hosts read_host_file(const std::string& path, int ues, int cores);

/// All that a file lists, in its order.
[[nodiscard]] Hosts read_all_hosts(const std::string& path, int cores);

/// Cores 0 ... ues-1, two digits each.
[[nodiscard]] Hosts first_hosts(int ues);

} // namespace rcce
