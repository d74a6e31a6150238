// SPDX-License-Identifier: Apache-2.0
// getopt(), getopt_long() and getopt_long_only() with the place in the argument vector kept per UE. The C
// library's own keep it in variables that cannot be reached, so that a UE would go on in another one's word
// "-abc". The public variables (optind, optarg, opterr, optopt) are the UE's: own_variables.hpp. Behaviour
// and messages are those of glibc: non-options are moved to the end unless '+' or POSIXLY_CORRECT says
// otherwise, '-' hands them out as option 1.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <utility>

#include "process/libc/exports.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

enum class Order { require, permute, in_place };

/// One call of a function of the family.
class Scan {
 public:
  Scan(CLibrary& c, int argc, char* const* argv, const char* letters, const option* longs, int* long_index,
       bool long_only)
      : own_(c.variables),
        place_(c.options),
        argc_(argc),
        argv_(const_cast<char**>(argv)),
        letters_(letters),
        longs_(longs),
        long_index_(long_index),
        long_only_(long_only) {
    if (own_.option_index == 0 || !place_.begun) {
      if (own_.option_index == 0) own_.option_index = 1;
      place_ = {nullptr, own_.option_index, own_.option_index, true};
    }
    if (*letters_ == '+' || (*letters_ != '-' && std::getenv("POSIXLY_CORRECT") != nullptr))
      order_ = Order::require;
    if (*letters_ == '-') order_ = Order::in_place;
    if (*letters_ == '+' || *letters_ == '-') ++letters_;
    quiet_ = *letters_ == ':';
  }

  int next() {
    own_.option_word = nullptr;
    if (place_.cluster == nullptr || *place_.cluster == '\0') {
      const int found = next_word();
      if (found != word_found) return found;
    }
    return next_letter();
  }

 private:
  static constexpr int word_found = -2;

  [[nodiscard]] bool is_option(const char* word) const { return word[0] == '-' && word[1] != '\0'; }
  [[nodiscard]] bool speaks() const { return own_.option_messages != 0 && !quiet_; }
  [[nodiscard]] int missing() const { return quiet_ ? ':' : '?'; }

  /// Moves the non-options that have been passed over behind the options that followed them.
  void exchange() {
    int bottom = place_.first_nonoption, middle = place_.last_nonoption;
    for (int i = middle; i < own_.option_index; ++i)
      for (int k = i; k > bottom + (i - middle); --k) std::swap(argv_[k], argv_[k - 1]);
    place_.first_nonoption += own_.option_index - middle;
    place_.last_nonoption = own_.option_index;
  }

  /// Goes to the next word that holds options; a long option is dealt with at once.
  int next_word() {
    if (place_.last_nonoption > own_.option_index) place_.last_nonoption = own_.option_index;
    if (place_.first_nonoption > own_.option_index) place_.first_nonoption = own_.option_index;
    if (order_ == Order::permute) {
      if (place_.first_nonoption != place_.last_nonoption && place_.last_nonoption != own_.option_index)
        exchange();
      else if (place_.last_nonoption != own_.option_index)
        place_.first_nonoption = own_.option_index;
      while (own_.option_index < argc_ && !is_option(argv_[own_.option_index])) ++own_.option_index;
      place_.last_nonoption = own_.option_index;
    }
    if (own_.option_index < argc_ && std::strcmp(argv_[own_.option_index], "--") == 0) {
      ++own_.option_index;
      if (place_.first_nonoption != place_.last_nonoption && place_.last_nonoption != own_.option_index)
        exchange();
      else if (place_.first_nonoption == place_.last_nonoption)
        place_.first_nonoption = own_.option_index;
      place_.last_nonoption = argc_;
      own_.option_index = argc_;
    }
    if (own_.option_index >= argc_) {
      if (place_.first_nonoption != place_.last_nonoption) own_.option_index = place_.first_nonoption;
      return -1;
    }
    char* word = argv_[own_.option_index];
    if (!is_option(word)) {
      if (order_ == Order::require) return -1;
      own_.option_word = argv_[own_.option_index++];
      return 1;
    }
    if (longs_ != nullptr) {
      if (word[1] == '-') return long_option(word + 2, "--");
      if (long_only_ && (word[2] != '\0' || std::strchr(letters_, word[1]) == nullptr)) {
        const int found = long_option(word + 1, "-");
        if (found != word_found) return found;
      }
    }
    place_.cluster = word + 1;
    return word_found;
  }

  int next_letter() {
    const char letter = *place_.cluster++;
    const char* known = letter == ':' || letter == ';' ? nullptr : std::strchr(letters_, letter);
    if (*place_.cluster == '\0') ++own_.option_index;
    if (known == nullptr) {
      if (speaks()) std::fprintf(stderr, "%s: invalid option -- '%c'\n", argv_[0], letter);
      own_.option_letter = letter;
      return '?';
    }
    if (known[1] != ':') return letter;
    if (*place_.cluster != '\0') {
      own_.option_word = const_cast<char*>(place_.cluster);
      ++own_.option_index;
    } else if (known[2] != ':') {
      if (own_.option_index >= argc_) {
        if (speaks()) std::fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv_[0], letter);
        own_.option_letter = letter;
        place_.cluster = nullptr;
        return missing();
      }
      own_.option_word = argv_[own_.option_index++];
    }
    place_.cluster = nullptr;
    return letter;
  }

  /// The long option of that name, which may be shortened as long as it is unambiguous; -1: none, -2:
  /// several.
  [[nodiscard]] int find(const char* name, std::size_t length) const {
    int found = -1;
    bool ambiguous = false;
    for (int i = 0; longs_[i].name != nullptr; ++i) {
      if (std::strncmp(longs_[i].name, name, length) != 0) continue;
      if (std::strlen(longs_[i].name) == length) return i;
      if (found < 0)
        found = i;
      else if (long_only_ || longs_[i].has_arg != longs_[found].has_arg ||
               longs_[i].flag != longs_[found].flag || longs_[i].val != longs_[found].val)
        ambiguous = true;
    }
    return ambiguous ? -2 : found;
  }

  int long_option(const char* name, const char* prefix) {
    const std::size_t length = std::strcspn(name, "=");
    const int index = find(name, length);
    if (index == -2) {
      if (speaks()) tell_ambiguous(name, length, prefix);
      return leave_word('?', 0);
    }
    if (index == -1) {
      // With one dash it may be meant as letters.
      if (long_only_ && prefix[1] == '\0' && std::strchr(letters_, *name) != nullptr) return word_found;
      if (speaks()) std::fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv_[0], prefix, name);
      return leave_word('?', 0);
    }
    const option& chosen = longs_[index];
    ++own_.option_index;
    place_.cluster = nullptr;
    if (name[length] == '=') {
      if (chosen.has_arg == no_argument) {
        if (speaks())
          std::fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv_[0], prefix,
                       chosen.name);
        own_.option_letter = chosen.val;
        return '?';
      }
      own_.option_word = const_cast<char*>(name + length + 1);
    } else if (chosen.has_arg == required_argument) {
      if (own_.option_index >= argc_) {
        if (speaks())
          std::fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv_[0], prefix, chosen.name);
        own_.option_letter = chosen.val;
        return missing();
      }
      own_.option_word = argv_[own_.option_index++];
    }
    if (long_index_ != nullptr) *long_index_ = index;
    if (chosen.flag == nullptr) return chosen.val;
    *chosen.flag = chosen.val;
    return 0;
  }

  int leave_word(int result, int letter) {
    place_.cluster = nullptr;
    ++own_.option_index;
    own_.option_letter = letter;
    return result;
  }

  void tell_ambiguous(const char* name, std::size_t length, const char* prefix) const {
    std::fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv_[0], prefix, name);
    for (int i = 0; longs_[i].name != nullptr; ++i)
      if (std::strncmp(longs_[i].name, name, length) == 0)
        std::fprintf(stderr, " '%s%s'", prefix, longs_[i].name);
    std::fprintf(stderr, "\n");
  }

  process::OwnVariables& own_;
  process::OptionScan& place_;
  int argc_;
  char** argv_;
  const char* letters_;
  const option* longs_;
  int* long_index_;
  bool long_only_;
  Order order_ = Order::permute;
  bool quiet_ = false;
};

} // namespace

extern "C" {

int getopt(int argc, char* const* argv, const char* letters) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"getopt", decltype(getopt)>()(argc, argv, letters);
  return argc < 1 ? -1 : Scan(*c, argc, argv, letters, nullptr, nullptr, false).next();
}

int getopt_long(int argc, char* const* argv, const char* letters, const struct option* longs,
                int* index) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr)
    return library_function<"getopt_long", decltype(getopt_long)>()(argc, argv, letters, longs, index);
  return argc < 1 ? -1 : Scan(*c, argc, argv, letters, longs, index, false).next();
}

int getopt_long_only(int argc, char* const* argv, const char* letters, const struct option* longs,
                     int* index) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr)
    return library_function<"getopt_long_only", decltype(getopt_long_only)>()(argc, argv, letters, longs,
                                                                              index);
  return argc < 1 ? -1 : Scan(*c, argc, argv, letters, longs, index, true).next();
}

} // extern "C"
