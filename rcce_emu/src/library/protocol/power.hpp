// SPDX-License-Identifier: Apache-2.0
// Power management: frequency of a tile, voltage of a domain of 2x2 tiles. Changes act on the simulated
// machine.
#pragma once

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// RCCE_REQUEST as programs know it.
struct PowerRequest {
  int release;
  int old_voltage_level;
  int new_voltage_level;
  int old_frequency_divider;
  int new_frequency_divider;
  long long start_cycle;
};

/// Splits the domain communicators (collective) and says on stdout who belongs together. Part of RCCE_init.
int power_begin(Library& library);

[[nodiscard]] int power_domain(const Library& library);
[[nodiscard]] int power_domain_master(const Library& library);
[[nodiscard]] int power_domain_size(const Library& library);
int iset_power(Library& library, int divider, PowerRequest& request, int& new_divider, int& new_level);
int wait_power(Library& library, PowerRequest& request);
int set_frequency_divider(Library& library, int divider, int& new_divider);
void print_dividers(Library& library);

/// Least voltage level (0 ... 6) that allows 1600 MHz / divider; -1 for none.
[[nodiscard]] int least_level(int divider);
[[nodiscard]] double volts_of_level(int level, unsigned generation);

/// The nominal clock, which RC_REFCLOCKGHZ tells programs; 533 MHz where it tells none.
[[nodiscard]] double clock_mhz(const Library& library);
/// Cycles of the nominal clock since the start of the run.
[[nodiscard]] long long nominal_cycles(const Library& library);

} // namespace rcce::protocol
