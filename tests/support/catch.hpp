// SPDX-License-Identifier: Apache-2.0
// Catch2 under one name: the single header of version 2 or the collected header of version 3. Test sources
// include this.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
