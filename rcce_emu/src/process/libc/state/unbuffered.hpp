// SPDX-License-Identifier: Apache-2.0
// What the runtime's stream buffers for output have in common.
#pragma once

#include <streambuf>

namespace rcce::libc {

/// Keeps nothing back: a single character goes the way of all text, xsputn().
template <class Character>
class Unbuffered : public std::basic_streambuf<Character> {
 protected:
  using typename std::basic_streambuf<Character>::int_type;
  using typename std::basic_streambuf<Character>::traits_type;

  int_type overflow(int_type c) final {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const Character character = traits_type::to_char_type(c);
    return this->xsputn(&character, 1) == 1 ? c : traits_type::eof();
  }
};

} // namespace rcce::libc
