// SPDX-License-Identifier: Apache-2.0
// What is known of a crash while its report is being made, which may need what the crash has destroyed.
#pragma once

#include <cstdint>
#include <string>

#include "engine/ue/ue.hpp"

namespace rcce::run {

/// A crash of this UE has been caught. True for the first one, whose words are the last ones: UEs on threads
/// may crash at once.
[[nodiscard]] bool note_crash(const Ue& ue, int signal) noexcept;
/// Its report has been made, and is to be shown.
void note_report(const std::string& text) noexcept;
/// A second fault while a report is being made: says so and ends the process.
[[noreturn]] void end_without_report(int signal) noexcept;

/// A crash may have destroyed what its report needs, the runtime's heap for instance. Until the report has
/// been shown, a further fault anywhere in the process shows what is known and ends it.
void report_was_shown() noexcept;
/// Shows what is known of a crash whose report has not been shown, and ends the process; returns where there
/// is none. In any context, whatever locks are held.
void end_by_last_words() noexcept;
/// From the watchdog: does the same where the report of a crash has not been made for seconds.
void check_report(std::int64_t now) noexcept;

/// True if a crash has been caught whose report has not been shown.
[[nodiscard]] bool is_crash_told() noexcept;

} // namespace rcce::run
