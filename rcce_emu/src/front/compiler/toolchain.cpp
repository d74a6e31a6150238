// SPDX-License-Identifier: Apache-2.0
#include "toolchain.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace rcce::compiler {
namespace {

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// "gcc-12" to "g++-12", "clang" to "clang++": the C++ driver beside a C one. Names of neither kind stay.
std::string cxx_name(const std::string& path) {
  const std::string folder = path.substr(0, path.size() - base_name(path).size());
  std::string name = base_name(path);
  if (name.find("++") != std::string::npos) return path;
  if (const std::size_t at = name.find("clang"); at != std::string::npos) {
    name.insert(at + 5, "++");
  } else if (const std::size_t gcc = name.find("gcc"); gcc != std::string::npos) {
    name.replace(gcc, 3, "g++");
  }
  return folder + name;
}

bool is_clang(const std::string& command) {
  const std::string name = base_name(command);
  if (name.find("clang") != std::string::npos) return true;
  if (name.find("gcc") != std::string::npos || name.find("g++") != std::string::npos) return false;
  return output_of({command, "--version"}).find("clang") != std::string::npos;
}

/// The pass is tied to the compiler's major version. A versioned name, as the default has, saves asking.
bool fits_pass(const std::string& command) {
  const std::string wanted = ROCKCREEK_PASS_LLVM;
  if (command.ends_with("-" + wanted)) return true;
  const std::string version = output_of({command, "-dumpversion"});
  return version.substr(0, version.find('.')) == wanted;
}

void append(Words& words, std::initializer_list<const char*> more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

} // namespace

Toolchain::Toolchain(const CommandLine& line, Language language, const Installation& here)
    : here_(here), language_(language) {
  const auto spelled = [&](const std::string& c_name) {
    return language == Language::cxx ? cxx_name(c_name) : c_name;
  };
  Words candidates;
  if (!line.compiler.empty()) {
    candidates = {line.compiler};
  } else {
    candidates = {ROCKCREEK_CLANG, "clang", "gcc"};
  }
  for (const std::string& candidate : candidates) {
    if (candidate.empty()) continue;
    if (find_program(spelled(candidate)).empty()) continue;
    command_ = spelled(candidate);
    break;
  }
  if (command_.empty()) {
    throw std::runtime_error(
        line.compiler.empty()
            ? std::string("neither clang nor gcc is installed; install one (Debian, Ubuntu: apt install "
                          "clang; Fedora: dnf install clang") +
                (*ROCKCREEK_PASS_LLVM == '\0' ? ""
                                              : "; with clang " ROCKCREEK_PASS_LLVM
                                                " a program's own code takes its time too") +
                "), or name a compiler with --cc PATH"
            : "--cc '" + line.compiler + "': there is no program '" + spelled(line.compiler) +
                "'; --cc takes clang, gcc or a path");
  }
  clang_ = is_clang(command_);
  const bool fits = clang_ && !here.pass.empty() && fits_pass(command_);
  if (fits) pass_ = here.pass;
  if (fits && !line.no_count) counting_pass_ = here.counting_pass;
  const bool lacks_pass =
      (line.observe && here.observing_pass.empty()) || (line.memory && here.memory_pass.empty());
  if ((line.observe || line.memory) && (!fits || lacks_pass)) {
    const std::string option = line.observe ? "--observe" : "--memory";
    throw std::runtime_error(option + ": '" + command_ +
                             "' takes no pass of this installation, which is built for clang " +
                             std::string(ROCKCREEK_PASS_LLVM[0] == '\0' ? "(none)" : ROCKCREEK_PASS_LLVM) +
                             "; compile with that (--cc clang-N), or leave " + option + " out");
  }
  if (line.observe) observing_pass_ = here.observing_pass;
  if (line.memory) memory_pass_ = here.memory_pass;
  spin_hooks_ = line.spin_hooks && pass_.empty();
}

Words Toolchain::compile_settings(Input::Kind kind, const CommandLine& line) const {
  // Before the user's -I: their paths lead to the original's headers. Our other headers are found below
  // <module>/, and last, because an installed tree may share their root with the system's.
  Words words{"-I" + here_.headers,
              "-I" + here_.ircce_headers,
              "-idirafter",
              here_.include,
              "-DROCKCREEK_IRCCE=" + std::to_string(line.ircce.value_or(Variant().ircce)),
              "-DROCKCREEK_RCCE=" + std::to_string(line.generation.value_or(Variant().generation)),
              "-fPIC"};
  if (line.asked.rwth) words.insert(words.end(), std::begin(rwth_macros), std::end(rwth_macros));
  if (clang_) // -Werror or not, the passes may say something of assembler
    append(words, {"-Qunused-arguments", "-Wno-unknown-warning-option", "-Wno-error=inline-asm"});
  if (kind == Input::Kind::c) {
    // What compilers of 2010 accepted with a warning, today's refuse; and variables without `extern` in a
    // header were one common variable.
    if (!line.address_sanitizer) append(words, {"-fcommon"}); // no red zones around common variables
    append(words,
           {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
            "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types"});
    if (clang_)
      append(words,
             {"-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-type",
              "-Wno-gnu-folding-constant"});
  }
  if (kind == Input::Kind::other) return words;
  // A large frame touches each of its pages in order: an overflow meets the guard instead of jumping over it.
  words.push_back("-fstack-clash-protection");
  if (!clang_) {
    append(words, {"-fno-semantic-interposition"});
    // Unique symbols would be one for all copies of the program.
    if (kind == Input::Kind::cxx) append(words, {"-fno-gnu-unique"});
  }
  if (!pass_.empty()) words.push_back("-fpass-plugin=" + pass_);
  if (!counting_pass_.empty()) // behind what others add; it takes the command line out again
    append(words, {"-fpass-plugin=" + counting_pass_, "-frecord-command-line"});
  if (!memory_pass_.empty()) words.push_back("-fpass-plugin=" + memory_pass_); // behind that one
  if (!observing_pass_.empty())                                                // behind all that count
    words.push_back("-fpass-plugin=" + observing_pass_);
  if (spin_hooks_) append(words, {"-fsanitize-coverage=trace-pc"});
  return words;
}

namespace {

/// Options by which gcc tunes its code, with and without no-: clang ends with an error at them.
bool tunes_gcc(std::string_view option) {
  constexpr std::string_view beginnings[] = {
      "-ftree-",          "-fipa-",         "-fira-",       "-fsched",       "-fsel-sched",
      "-fselective-",     "-floop-",        "-fgraphite",   "-fif-conv",     "-fmove-loop-",
      "-fsplit-loops",    "-fsplit-paths",  "-fsplit-wide", "-fpeephole",    "-fthread-jumps",
      "-fcrossjumping",   "-fcse-",         "-frerun-",     "-fpredictive",  "-fguess-branch",
      "-freorder-",       "-fcprop-",       "-fgcse",       "-fforward-p",   "-fpartial-inlining",
      "-fearly-inlining", "-fshrink-wrap",  "-ftoplevel",   "-fvpt",         "-maccumulate-outgoing",
      "-mpush-args",      "-malign-string", "-mcld",        "-m128bit-long", "-minline-stringops-",
      "-mstringop-strat", "-mveclibabi",    "-mieee-fp",    "-mwide-mul"};
  std::string word(option);
  if (option.starts_with("-fno-") || option.starts_with("-mno-")) word.erase(2, 3);
  return word != "-ftree-vectorize" && word != "-ftree-slp-vectorize" &&
      std::ranges::any_of(beginnings, [&](std::string_view one) { return word.starts_with(one); });
}

/// A standard of the other language: gcc has a warning for it, clang an error.
bool is_other_standard(std::string_view option, Input::Kind kind) {
  if (!option.starts_with("-std=") || (kind != Input::Kind::c && kind != Input::Kind::cxx)) return false;
  return (option.find("++") != std::string_view::npos) != (kind == Input::Kind::cxx);
}

} // namespace

Words Toolchain::accepted(const Words& options, Input::Kind kind) const {
  Words result;
  std::string known;
  for (const std::string& option : options) {
    if (option == "-fpermissive" && kind != Input::Kind::cxx) continue;
    if (clang_ && (tunes_gcc(option) || is_other_standard(option, kind))) continue;
    const bool warning =
        option.starts_with("-W") && option.size() > 2 && option.find_first_of(",=") == std::string::npos;
    if (warning && !clang_ && !option.starts_with("-Wno-") && option != "-Wall" && option != "-Wextra" &&
        option != "-Werror") {
      // gcc ends with an error at a -W that it does not know.
      if (known.empty())
        known = output_of({command_, "--help=warnings,^joined", "--help=warnings,joined"}) + ' ';
      if (known.find(option + ' ') == std::string::npos && known.find(option + '\n') == std::string::npos)
        continue;
    }
    result.push_back(option);
  }
  return result;
}

std::string Toolchain::missing_library() const {
  if (output_of({command_, "-print-file-name=Scrt1.o"}).starts_with('/')) return "";
  return "'" + command_ +
      "' finds no C library to compile for; install its headers (Debian, Ubuntu: apt install libc6-dev; "
      "Fedora: dnf install glibc-devel)";
}

Words Toolchain::own_names(const CommandLine& line) const {
  // A checker has to see all calls, and the linker takes one such script without a version.
  const auto script = [](const Input& input) {
    return std::ranges::any_of(input.words, [](const std::string& word) {
      return word.find("-version-script") != std::string::npos;
    });
  };
  if (here_.own_names.empty() || line.sanitizer || std::ranges::any_of(line.inputs, script)) return {};
  return {"-Wl,--version-script=" + here_.own_names};
}

Words Toolchain::link_settings(const CommandLine& line) const {
  // A shared object with start code, so that it runs by itself and can be loaded once per core. Names that
  // are nowhere defined are errors, as for any program; the program's own names lead to its own copy.
  Words words{"-fPIC", "-shared", "-Wl,-z,defs", "-Wl,-e,_start", "-pthread"};
  append(words, own_names(line));
  if (clang_) append(words, {"-Qunused-arguments"});
  if (clang_ && line.sanitizer) {
    words.push_back("-shared-libsan");
    words.push_back("-Wl,-rpath," + first_line(output_of({command_, "-print-runtime-dir"})));
  }
  words.push_back("-l:Scrt1.o"); // where the linker finds the C library
  if (constexpr std::string_view first = ROCKCREEK_FIRST_LIBRARY; !first.empty())
    append(words, {"-Wl,--push-state,--no-as-needed", ROCKCREEK_FIRST_LIBRARY, "-Wl,--pop-state"});
  return words;
}

Words Toolchain::link_end(const CommandLine& line) const {
  // Behind the user's words: of -Bsymbolic and -Bsymbolic-functions, which Ubuntu's packages give, the last
  // one holds.
  Words words{"-Wl,-Bsymbolic,--push-state,--no-as-needed", here_.libraries + "/librcce.so.0",
              "-Wl,-rpath," + (line.run_path.empty() ? here_.libraries : line.run_path), "-Wl,--as-needed"};
  // C++ objects may be linked by the C name. The library that programs run with, also where there are no
  // files to compile C++; a linker takes a third of its time to read it.
  const bool only_c = std::ranges::all_of(line.inputs, [](const Input& input) {
    return input.kind == Input::Kind::c || input.words == Words{"-lm"};
  });
  if (!only_c) words.emplace_back("-l:libstdc++.so.6");
  append(words, {"-lm", "-Wl,--pop-state"}); // Intel's compiler linked libm by itself
  return words;
}

} // namespace rcce::compiler
