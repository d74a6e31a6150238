// SPDX-License-Identifier: Apache-2.0
#include "front/launcher/option_values.hpp"

#include <cstdint>

namespace rcce {

using mesh::UserError;

[[noreturn]] void fail(std::string_view option, std::string_view value, std::string_view why) {
  throw UserError(fmt::format("{} '{}': {}", option, value, why));
}

double positive(std::string_view option, std::string_view value, std::string_view written, double most,
                std::string_view allowed) {
  const double result = number<double>(option, value, written, allowed);
  if (!(result > 0 && result <= most)) fail(option, value, allowed);
  return result;
}

std::size_t size(std::string_view option, std::string_view value, std::size_t least) {
  constexpr std::string_view allowed = "bytes, with K, M or G behind the number for powers of 1024";
  std::uint64_t count = 0;
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, count);
  std::string_view unit(end, static_cast<std::size_t>(last - end));
  unsigned shift = 0;
  if (!unit.empty()) {
    const std::string_view letters = "kKmMgG";
    const std::size_t at = letters.find(unit[0]);
    if (at != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(at) / 2 + 1);
      unit.remove_prefix(1);
    }
    if (unit == "B" || unit == "iB") unit = {};
  }
  if (error != std::errc() || !unit.empty()) fail(option, value, fmt::format("not a size; {}", allowed));
  if (count > (std::uint64_t{1} << 46) >> shift)
    fail(option, value, "more than the 64 TB that a process can address");
  if (count << shift < least) fail(option, value, fmt::format("takes at least {}K", least >> 10));
  return static_cast<std::size_t>(count << shift);
}

} // namespace rcce
