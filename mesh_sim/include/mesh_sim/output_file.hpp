// SPDX-License-Identifier: Apache-2.0
// Files that results are written to, in one way for every command.
//
// A regular file appears under its name when all of it has been written: until then it is written beside its
// name. What is no regular file (a device, a named pipe, /dev/stdout, the /dev/fd/63 of a process
// substitution) is written directly and needs no rights on its folder. A symbolic link to nothing is not
// followed unless files may be overwritten.
#pragma once

#include <string>
#include <string_view>

namespace mesh {

/// In place of a file's name: standard output.
inline constexpr std::string_view standard_output = "-";

/// The file's name, `standard_output` where it names that: /dev/stdout, /dev/fd/1.
[[nodiscard]] std::string output_name(const std::string& file);

/// Why the file cannot be written, to stand behind its name; empty where it can be. Overwrites what is there.
/// Found out before the work, not after.
[[nodiscard]] std::string why_unwritable(const std::string& file, bool overwrite);
/// The same of a file that must not be there yet, unless it may be overwritten.
[[nodiscard]] std::string why_not_new(const std::string& file, bool overwrite);

/// True if two outputs would overwrite each other: both names are of one file, also by links, "./" and "../".
/// A device takes several outputs, one behind the other.
[[nodiscard]] bool same_file(const std::string& one, const std::string& other);

/// Writes all of the text. Throws UserError, which names option, file and reason; a regular file is then as
/// it was before.
void write_output(const char* option, const std::string& file, std::string_view text);
/// The same of a file of our own, as those of a cache: what is under its name is replaced and never followed
/// or written to, be it a link, a named pipe or a file of several names.
void replace_output(const char* option, const std::string& file, std::string_view text);
/// To standard error. Throws UserError.
void write_error(const char* option, std::string_view text);
/// To the file, to standard error where none is named. Throws UserError.
void write_text(const char* option, const std::string& file, std::string_view text);
/// Opens the file for what writes to it bit by bit. Returns a descriptor of the caller's own, or -1 with
/// errno.
[[nodiscard]] int open_output(const std::string& file);
/// Throws the UserError of write_output().
[[noreturn]] void throw_unwritten(const char* option, const std::string& file, int error,
                                  std::string_view rest = {});

/// Writes all of it; returns 0 or the number of the error. By system calls, so that it works inside of a
/// program that has functions of these names. Beyond `ulimit -f` it fails and does not end the process.
[[nodiscard]] int write_whole(int fd, std::string_view text) noexcept;

/// While it lives, a write beyond the limit of a file's size fails in this thread, in place of SIGXFSZ.
class SizeLimitFails {
 public:
  SizeLimitFails() noexcept;
  ~SizeLimitFails();
  SizeLimitFails(const SizeLimitFails&) = delete;
  SizeLimitFails& operator=(const SizeLimitFails&) = delete;

 private:
  unsigned long before_ = 0; ///< signals that were blocked, one bit for each
  bool blocks_ = false;
};

} // namespace mesh
