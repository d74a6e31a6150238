// SPDX-License-Identifier: Apache-2.0
// lgamma() and its kind: the sign goes to the variable `signgam` of the UE.
#include <cmath>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

/// The target for the sign of a result; outside any UE it is a dummy.
int* sign() noexcept {
  CLibrary* c = calling_library();
  return c == nullptr ? &signgam : &c->variables.gamma_sign;
}

} // namespace

extern "C" {

double lgamma(double x) noexcept {
  return lgamma_r(x, sign());
}
float lgammaf(float x) noexcept {
  return lgammaf_r(x, sign());
}
long double lgammal(long double x) noexcept {
  return lgammal_r(x, sign());
}

// Of the same meaning, by their older names.
double gamma(double x) noexcept {
  return lgamma_r(x, sign());
}
float gammaf(float x) noexcept {
  return lgammaf_r(x, sign());
}
long double gammal(long double x) noexcept {
  return lgammal_r(x, sign());
}

} // extern "C"
