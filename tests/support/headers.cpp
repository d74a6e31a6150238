// SPDX-License-Identifier: Apache-2.0
// Nothing but what the precompiled header of the unit tests is made with.
