// SPDX-License-Identifier: Apache-2.0
// A hash over memory of which most may never have been touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rcce::explore {

/// Pages of zeros do not change it, and those that were never touched are not touched.
[[nodiscard]] std::uint64_t contents_hash(const std::byte* memory, std::size_t bytes);

} // namespace rcce::explore
