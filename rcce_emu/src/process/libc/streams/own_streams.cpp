// SPDX-License-Identifier: Apache-2.0
#include "process/libc/streams/own_streams.hpp"

#include <array>
#include <climits>
#include <cstdio>
#include <cwchar>
#include <istream>
#include <new>
#include <ostream>
#include <streambuf>

#include "process/image/image.hpp"
#include "process/libc/state/standard_streams.hpp"
#include "process/libc/state/unbuffered.hpp"
#include "process/process.hpp"
#include "process/run/output.hpp"

namespace rcce::libc {
namespace {

/// Hands text over to the job's output.
class OutputBuffer final : public Unbuffered<char> {
 public:
  OutputBuffer(Ue& ue, int fd) : ue_(ue), fd_(fd) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize bytes) override {
    return write_text(ue_, fd_, {text, static_cast<std::size_t>(bytes)}) ? bytes : 0;
  }

 private:
  Ue& ue_;
  int fd_;
};

/// The same for wide characters, in the encoding of the UE's locale.
class WideOutputBuffer final : public Unbuffered<wchar_t> {
 public:
  WideOutputBuffer(Ue& ue, int fd) : ue_(ue), fd_(fd) {}

 protected:
  std::streamsize xsputn(const wchar_t* text, std::streamsize count) override {
    std::string bytes;
    for (std::streamsize i = 0; i < count; ++i) {
      std::array<char, MB_LEN_MAX> one{};
      const std::size_t length = std::wcrtomb(one.data(), text[i], &state_);
      if (length == static_cast<std::size_t>(-1)) return 0;
      bytes.append(one.data(), length);
    }
    return write_text(ue_, fd_, bytes) ? count : 0;
  }

 private:
  Ue& ue_;
  int fd_;
  std::mbstate_t state_{};
};

/// Reads by the UE's `stdin`, of which it takes no more than it is asked for: both can be read in turns.
class InputBuffer final : public std::streambuf {
 public:
  explicit InputBuffer(FILE* const& input) : input_(input) {}

 protected:
  int_type underflow() override { return std::ungetc(std::getc(input_), input_); }
  int_type uflow() override { return last_ = std::getc(input_); }
  int_type pbackfail(int_type c) override {
    const int back = traits_type::eq_int_type(c, traits_type::eof()) ? last_ : c;
    last_ = traits_type::eof();
    return std::ungetc(back, input_);
  }
  std::streamsize xsgetn(char* text, std::streamsize bytes) override {
    const std::size_t read = std::fread(text, 1, static_cast<std::size_t>(bytes), input_);
    last_ = read > 0 ? traits_type::to_int_type(text[read - 1]) : traits_type::eof();
    return static_cast<std::streamsize>(read);
  }

 private:
  FILE* const& input_;
  int_type last_ = traits_type::eof(); ///< character read, as long as it can be put back
};

/// The same for wide characters; one is kept.
class WideInputBuffer final : public std::wstreambuf {
 public:
  explicit WideInputBuffer(FILE* const& input) : input_(input) {}

 protected:
  int_type underflow() override {
    for (int c = std::getc(input_); c != EOF; c = std::getc(input_)) {
      const char byte = static_cast<char>(c);
      const std::size_t length = std::mbrtowc(&next_, &byte, 1, &state_);
      if (length == static_cast<std::size_t>(-1)) break;
      if (length == static_cast<std::size_t>(-2)) continue; // more bytes are to come
      setg(&next_, &next_, &next_ + 1);
      return traits_type::to_int_type(next_);
    }
    return traits_type::eof();
  }

 private:
  FILE* const& input_;
  wchar_t next_ = 0;
  std::mbstate_t state_{};
};

struct OwnStreams {
  explicit OwnStreams(Ue& ue)
      : in_buffer(ue.process->c.variables.input),
        out_buffer(ue, 1),
        error_buffer(ue, 2),
        wide_in_buffer(ue.process->c.variables.input),
        wide_out_buffer(ue, 1),
        wide_error_buffer(ue, 2) {
    in.tie(&out);
    error.tie(&out);
    error.setf(std::ios_base::unitbuf);
    wide_in.tie(&wide_out);
    wide_error.tie(&wide_out);
    wide_error.setf(std::ios_base::unitbuf);
  }

  InputBuffer in_buffer;
  OutputBuffer out_buffer, error_buffer;
  WideInputBuffer wide_in_buffer;
  WideOutputBuffer wide_out_buffer, wide_error_buffer;
  std::istream in{&in_buffer};
  std::ostream out{&out_buffer}, error{&error_buffer}, log{&error_buffer};
  std::wistream wide_in{&wide_in_buffer};
  std::wostream wide_out{&wide_out_buffer}, wide_error{&wide_error_buffer}, wide_log{&wide_error_buffer};
};

/// std::cin, std::cout, std::cerr, std::clog, and the wide ones.
constexpr std::array<std::string_view, 8> names{"_ZSt3cin",  "_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",
                                                "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"};

} // namespace

std::vector<process::VariableReference> stream_references(const image::ImageFile& file) {
  return process::references_to(names, file);
}

void give_streams(Ue& ue, image::Image& image, const std::vector<process::VariableReference>& references) {
  if (references.empty()) return;
  auto& storage = ue.process->c.streams;
  // Never destroyed: a facet that it holds by then is the program's code.
  if (!storage) {
    storage = std::make_unique<std::byte[]>(sizeof(OwnStreams));
    new (storage.get()) OwnStreams(ue);
  }
  auto& own = *std::launder(reinterpret_cast<OwnStreams*>(storage.get()));
  const std::array<void*, names.size()> addresses{
      &own.in, &own.out, &own.error, &own.log, &own.wide_in, &own.wide_out, &own.wide_error, &own.wide_log};
  process::lead(image, references, addresses);
}

} // namespace rcce::libc
