// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "object_records.hpp"

namespace rcce::compiler {
namespace {

/// The wrapper's treatment of an option.
enum class Fate : std::uint8_t {
  keep,       ///< passed on
  keep_two,   ///< passed on with the next word
  drop,       ///< meant for another compiler or machine, or taken care of here
  drop_two,   ///< the same, with the next word
  link_one,   ///< for the linker, in its place among the inputs
  link_two,   ///< the same, with the next word
  preprocess, ///< passed on, and the compiler stops early
  assemble,
  compile,
  library, ///< passed on, and the result is no program
};

struct Rule {
  std::string_view names; ///< patterns, separated by blanks
  Fate fate;
};

// First match wins. Options that are not listed are passed on as one word.
constexpr Rule rules[] = {
    // OpenMP makes RCCE_APP a function of its own and globals thread-private: a UE is a program here, not a
    // thread.
    {"-openmp* -fopenmp* -qopenmp* -parallel", Fate::drop},
    // `restrict` is a keyword from C99 on, which is the default.
    {"-restrict", Fate::drop},
    // Programs are loaded as shared objects, and for the host.
    {"-static -static-pie -i-static -static-intel -shared-intel -pie -no-pie -fpie -fPIE "
     "-fno-pie -fno-PIE -fpic -fPIC -fno-pic -fno-PIC -ftls-model=* -m32 -m64 -mcpu=* "
     "-march=pentium* -mtune=pentium* -march=i?86 -mtune=i?86 -mtune=p54c -march=p54c -mx32 "
     "-mfpmath=* -mpc32 -mpc64 -mpc80 -msoft-float -mno-80387 -mno-fancy-math-387 -mno-sse* -mno-mmx -mrtd "
     "-mregparm=* -mpreferred-stack-boundary=* -mincoming-stack-boundary=* -m96bit-long-double",
     Fate::drop},
    // Intel's compiler.
    {"-gcc-version=* -nocompchk -ip -ipo* -no-ip* -wd#* -we#* -wn#* -wr#* -ww#* -w#* -diag-* "
     "-vec* -no-vec -par-* -opt-* -qopt-* -unroll* -prec-* -no-prec-* -fp-model=*",
     Fate::drop},
    {"-fp-model", Fate::drop_two},
    {"-ax* -mp -mp1 -fast -align -ansi-alias -no-multibyte-chars -inline-*", Fate::drop},
    // Where the compiler stops.
    {"-c", Fate::compile},
    {"-S", Fate::assemble},
    {"-E -M -MM -fsyntax-only", Fate::preprocess},
    {"-shared -r", Fate::library},
    // Linker words, which keep their place.
    {"-Wl,*", Fate::link_one},
    {"-Xlinker -z -u -T", Fate::link_two},
    {"-e", Fate::drop_two},
    // The compiler adds these behind all. In front of the runtime, whose functions call theirs, they hide it.
    {"-lc -lstdc++", Fate::drop},
    {"-l", Fate::link_two},
    {"-l*", Fate::link_one},
    {"-L", Fate::link_two},
    {"-L*", Fate::link_one},
    // Options with a word of their own behind them.
    {"-I -D -U -A -B -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix "
     "-iwithprefixbefore -isysroot --sysroot -include-pch -MF -MT -MQ -Xassembler "
     "-Xpreprocessor -Xclang -mllvm -target --param -wrapper -aux-info -dumpbase -dumpdir",
     Fate::keep_two},
};

/// '*' any rest, '?' any character, '#' any digit.
bool matches(std::string_view pattern, std::string_view word) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') return true;
    if (i >= word.size()) return false;
    if (pattern[i] == '#' ? std::isdigit(static_cast<unsigned char>(word[i])) == 0
                          : pattern[i] != '?' && pattern[i] != word[i]) {
      return false;
    }
  }
  return pattern.size() == word.size();
}

bool any_matches(std::string_view patterns, std::string_view word) {
  for (std::size_t at = 0; at < patterns.size();) {
    const std::size_t end = std::min(patterns.find(' ', at), patterns.size());
    if (matches(patterns.substr(at, end - at), word)) return true;
    at = end + 1;
  }
  return false;
}

Fate fate_of(std::string_view word) {
  const auto* const rule = std::ranges::find_if(
      rules, [word](std::string_view names) { return any_matches(names, word); }, &Rule::names);
  return rule == std::end(rules) ? Fate::keep : rule->fate;
}

/// Languages of -x; others (-xHost, -xSSE3) are icc's names of processors.
constexpr std::array<std::string_view, 12> languages = {
    "c",         "c-header",           "cpp-output", "c++",         "c++-header",    "c++-cpp-output",
    "assembler", "assembler-with-cpp", "none",       "objective-c", "objective-c++", "ir"};

Input::Kind kind_of(std::string_view file, std::string_view language) {
  using Kind = Input::Kind;
  if (!language.empty()) {
    if (language == "c" || language == "cpp-output") return Kind::c;
    if (language == "c++" || language == "c++-cpp-output") return Kind::cxx;
    return Kind::other;
  }
  if (file == "-") return Kind::other; // the compiler asks for -x, or preprocesses
  const std::size_t dot = file.rfind('.');
  const std::string_view suffix = dot == std::string_view::npos ? std::string_view() : file.substr(dot);
  constexpr std::array<std::string_view, 10> cxx = {".C",   ".cc",  ".cp",  ".cpp", ".cxx",
                                                    ".CPP", ".CXX", ".c++", ".ii",  ".icc"};
  constexpr std::array<std::string_view, 9> other = {".s",   ".S", ".sx", ".h", ".hh",
                                                     ".hpp", ".H", ".m",  ".ll"};
  if (suffix == ".c" || suffix == ".i") return Kind::c;
  if (std::find(cxx.begin(), cxx.end(), suffix) != cxx.end()) return Kind::cxx;
  if (std::find(other.begin(), other.end(), suffix) != other.end()) return Kind::other;
  return Kind::object;
}

bool is_header(const Input& input) {
  if (input.kind != Input::Kind::other) return false;
  if (!input.language.empty()) return input.language.ends_with("-header");
  const std::string suffix = std::filesystem::path(input.words[0]).extension().string();
  return any_matches(".h .hh .hpp .H", suffix);
}

void read_macro(const std::string& definition, CommandLine& line) {
  const std::size_t equals = definition.find('=');
  const std::string name = definition.substr(0, equals);
  if (name == "GORY") line.asked.gory = true;
  if (name == "SINGLEBITFLAGS") line.asked.smallflags = true;
  if (name == "RC_POWER_MANAGEMENT") line.asked.power = true;
  if (name == "RCCE_MAXNP" && equals != std::string::npos) line.asked.max_np = definition.substr(equals + 1);
  if (name == "RCCE_BUFF_SIZE_MAX" || name == "SHMADD" || name == "SHMADD_CACHEABLE" || name == "SCC" ||
      name == "COPPERRIDGE" || name == "AIR" || name == "SCC_COUPLED_SYSTEMS" || name == "ROCKCREEK_BLIND") {
    line.image_macros.push_back("-D" + definition);
  }
}

/// Words of a response file: separated by blanks, with quotes and backslashes as gcc takes them.
Words split_response(const std::string& text) {
  Words words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

/// A folder can be opened as a file, and then not be read.
bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Words expand(const Words& words, int depth = 0) {
  Words result;
  for (const std::string& word : words) {
    std::ifstream file;
    if (word.size() > 1 && word[0] == '@' && depth < 8 && !is_folder(word.substr(1)))
      file.open(word.substr(1), std::ios::binary);
    if (!file.is_open()) {
      result.push_back(word);
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Words inner = expand(split_response(text), depth + 1);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  return result;
}

class Parser {
 public:
  explicit Parser(Words words) : words_(std::move(words)) {}

  CommandLine parse() {
    while (position_ < words_.size()) {
      const std::string word = words_[position_++];
      if (word.size() < 2 || word[0] != '-') {
        add_file(word);
      } else if (!own_option(word)) {
        compiler_option(word);
      }
    }
    // Compilers compile headers ahead without -c, too.
    if (!line_.inputs.empty() && std::ranges::all_of(line_.inputs, is_header))
      line_.stage = std::min(line_.stage, Stage::compile);
    if (line_.asked.rwth) {
      if (line_.generation == 20u) {
        throw std::runtime_error("--rwth with --rcce 2.0: RWTH's RCCE is a 1.0; leave --rcce out");
      }
      line_.generation = 10;
    }
    return std::move(line_);
  }

 private:
  std::string next(const std::string& option) {
    if (position_ == words_.size())
      throw std::runtime_error("option '" + option + "' needs a word behind it");
    return words_[position_++];
  }

  bool own_option(const std::string& word) {
    const std::string name = word.substr(word.starts_with("--") ? 2 : 1);
    if (name == "help") {
      line_.help = true;
    } else if (word == "--version") {
      line_.version = true;
    } else if (name == "show" || name == "showme") {
      line_.show = true;
    } else if (name == "show-archive" || name == "show-include" || name == "show-lib" ||
               name == "show-root") {
      line_.print = name.substr(5);
    } else if (word == "--prepare-image") {
      line_.prepare = true;
    } else if (name == "spin-hooks") {
      line_.spin_hooks = true;
    } else if (word == "--observe") {
      line_.observe = true;
    } else if (word == "--no-count") {
      line_.no_count = true;
    } else if (word == "--memory") {
      line_.memory = true;
    } else if (word == "--cc" || word.starts_with("--cc=")) {
      line_.compiler = word == "--cc" ? next(word) : word.substr(5);
    } else if (word == "--rpath" || word.starts_with("--rpath=")) {
      line_.run_path = word == "--rpath" ? next(word) : word.substr(8);
    } else if (word == "--rcce" || word.starts_with("--rcce=")) {
      set_generation(word == "--rcce" ? next(word) : word.substr(7));
    } else if (word == "--rwth") {
      line_.asked.rwth = true;
    } else if (word == "--ircce" || word.starts_with("--ircce=")) {
      set_ircce(word == "--ircce" ? next(word) : word.substr(8));
    } else {
      return false;
    }
    return true;
  }

  void set_generation(const std::string& text) {
    if (text != "1.0" && text != "2.0") {
      throw std::runtime_error("--rcce '" + text +
                               "': no such generation of the library; there are 1.0 and 2.0");
    }
    line_.generation = text == "1.0" ? 10 : 20;
  }

  void set_ircce(const std::string& text) {
    if (text != "1.x" && text != "2.0" && text != "tm2c") {
      throw std::runtime_error("--ircce '" + text +
                               "': no such generation of iRCCE; there are 1.x and 2.0, and tm2c for 1.x with "
                               "tm2c's own calls");
    }
    line_.ircce = text == "2.0" ? 20 : 10;
    if (text == "tm2c") line_.options.push_back("-DROCKCREEK_TM2C");
  }

  void compiler_option(const std::string& word) {
    if (word == "-o") {
      line_.output = next(word);
      if (line_.output.empty()) throw std::runtime_error("-o '': takes the name of a file");
      return;
    }
    if (word.starts_with("-x")) {
      const std::string language = word == "-x" ? next(word) : word.substr(2);
      if (std::find(languages.begin(), languages.end(), language) == languages.end()) return;
      language_ = language == "none" ? "" : language;
      line_.forced_language = true;
      return;
    }
    const Fate fate = fate_of(word);
    Words group{word};
    if (fate == Fate::keep_two || fate == Fate::link_two || fate == Fate::drop_two)
      group.push_back(next(word));
    // It goes past the compiler's driver: CMake's FindOpenMP tries it if -fopenmp alone fails.
    if ((word == "-Xclang" || word == "-Xpreprocessor") && group[1].starts_with("-fopenmp")) {
      line_.openmp = true;
      return;
    }
    switch (fate) {
    case Fate::drop:
    case Fate::drop_two:
      line_.openmp = line_.openmp || word.find("openmp") != std::string::npos;
      return;
    case Fate::link_one:
    case Fate::link_two:
      add_link_words(std::move(group));
      return;
    case Fate::preprocess:
      line_.stage = Stage::preprocess;
      break;
    case Fate::assemble:
      line_.stage = std::min(line_.stage, Stage::assemble);
      break;
    case Fate::compile:
      line_.stage = std::min(line_.stage, Stage::compile);
      break;
    case Fate::library:
      line_.shared = true;
      break;
    case Fate::keep:
      if (word.size() > 2 && word.starts_with("-o")) { // -oprog; -openmp and -opt-... have been dropped
        line_.output = word.substr(2);
        return;
      }
      break;
    case Fate::keep_two:
      break;
    }
    note(group);
    line_.options.insert(line_.options.end(), group.begin(), group.end());
  }

  /// Options that are passed on and also concern the wrapper.
  void note(const Words& group) {
    if (group[0] == "-D") {
      read_macro(group[1], line_);
    } else if (group[0].starts_with("-D")) {
      read_macro(group[0].substr(2), line_);
    } else if (group[0].starts_with("-fsanitize=")) {
      line_.sanitizer = true;
      if (group[0].find("address") != std::string::npos) line_.address_sanitizer = true;
    }
  }

  void add_link_words(Words group) {
    const std::string library = group[0] == "-l" ? group[1]
        : group[0].starts_with("-l")             ? group[0].substr(2)
                                                 : "";
    if (!library.empty() && read_archive_name(library, line_.asked)) return;
    line_.inputs.push_back({Input::Kind::link, std::move(group), {}});
  }

  void add_file(const std::string& word) {
    if (word.empty()) throw std::runtime_error("'': an empty word is no file's name");
    if (is_folder(word)) throw std::runtime_error("'" + word + "' is a folder; name its files");
    Input input{kind_of(word, language_), {word}, language_};
    if (input.kind == Input::Kind::object && read_archive_name(word, line_.asked)) {
      // Objects that a build has added to the archive (iRCCE's does) are wanted; Intel's own library is not.
      if (!is_stub_archive(word)) return;
    }
    line_.inputs.push_back(std::move(input));
  }

  Words words_;
  std::size_t position_ = 0;
  std::string language_;
  CommandLine line_;
};

} // namespace

CommandLine parse(const Words& words) {
  return Parser(expand(words)).parse();
}

} // namespace rcce::compiler
