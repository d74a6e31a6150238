// SPDX-License-Identifier: Apache-2.0
// main() of the unit tests where Catch2 is version 2, which brings none; compiled once because it takes long.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
