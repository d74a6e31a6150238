// SPDX-License-Identifier: Apache-2.0
// What a report's page is put together from, as text: the files of rcce_emu/report and the charts' library,
// which embed.cmake turns into C++. The last three are empty where that library was not there.
#pragma once

#include <string_view>

namespace rcce::record::report_sources {

extern const std::string_view page, style, programs;
extern const std::string_view charts, charts_style, charts_licence;

} // namespace rcce::record::report_sources
