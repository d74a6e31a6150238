// SPDX-License-Identifier: Apache-2.0
// rccecc, rccec++: compile and link RCCE programs in the manner of mpicc. The name under which the command is
// called decides the language. Every source is compiled by a command of its own; then the objects are linked
// with the program's part of the library, for the variant that the program uses: compiled beforehand for the
// usual variants, here for the others.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#include "command_line.hpp"
#include "help.hpp"
#include "image_part.hpp"
#include "installation.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/printable.hpp"
#include "object_records.hpp"
#include "process.hpp"
#include "rcce_emu/statuses.hpp"
#include "rcce_emu/temporary_folder.hpp"
#include "source_hints.hpp"
#include "toolchain.hpp"

namespace rcce::compiler {
namespace {

namespace fs = std::filesystem;

/// For intermediate files. Not made when commands are only shown.
class CompilerFolder {
 public:
  explicit CompilerFolder(bool only_named) : signals_(!only_named), folder_("rccecc", !only_named) {}
  [[nodiscard]] const std::string& path() const noexcept { return folder_.path(); }

 private:
  struct Signals {
    explicit Signals(bool wanted) {
      if (wanted) catch_signals();
    }
  };
  Signals signals_; // before there is a folder that they would leave
  TemporaryFolder folder_;
};

/// Status after what has been printed.
int written() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  throw mesh::OutputFailed();
}

/// Does the compiler answer this option without a file? (-dumpmachine, -print-search-dirs, -v)
bool is_question(const std::string& option) {
  static constexpr std::array<std::string_view, 7> questions = {"-dump", "-print", "--print",      "-v",
                                                                "-###",  "-Q",     "--target-help"};
  return std::ranges::any_of(questions, [&](std::string_view begin) { return option.starts_with(begin); });
}

bool has_option(const Words& options, std::string_view option) {
  return std::find(options.begin(), options.end(), option) != options.end();
}

bool has_one_that_begins(const Words& options, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(options, [&](const std::string& option) {
    return std::ranges::any_of(beginnings, [&](std::string_view one) { return option.starts_with(one); });
  });
}

/// The compiler writes files that are named after the object: counters, notes, debug information.
bool writes_beside_objects(const Words& options) {
  return has_one_that_begins(options,
                             {"--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage",
                              "-fprofile-generate", "-fprofile-use", "-gsplit-dwarf", "-fstack-usage",
                              "-fcallgraph-info", "-fdump-", "-ftime-trace", "-fsave-optimization-record",
                              "-save-temps=obj"});
}

/// Objects of a link in one step that lie outside of its temporary folder; they go with this.
class PassingObjects {
 public:
  PassingObjects() = default;
  PassingObjects(const PassingObjects&) = delete;
  PassingObjects& operator=(const PassingObjects&) = delete;
  ~PassingObjects() {
    std::error_code ignored;
    for (const std::string& path : paths_) fs::remove(path, ignored);
  }

  /// False for a file that is there already, which stays as it is.
  bool add(const std::string& path) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(path, ignored))) return false;
    paths_.push_back(path);
    return true;
  }

 private:
  Words paths_;
};

class Driver {
 public:
  Driver(std::string name, CommandLine line, Language language)
      : name_(std::move(name)),
        line_(std::move(line)),
        language_(language),
        here_(Installation::find()),
        tools_(line_, language, here_),
        image_(line_, here_, tools_) {}

  int run() {
    if (line_.version) {
      std::printf("%s", version_text(tools_.command(), tools_.yields_in_loops()).c_str());
      written();
      return compiler::run({tools_.command(), "--version"});
    }
    if (!line_.print.empty()) return print_place();
    if (line_.prepare) return prepare();
    if (line_.inputs.empty()) return pass_through();
    keep_inputs();
    const int status = line_.stage != Stage::link ? compile_all() : build();
    if (status != 0 && caught_signal() == 0) {
      const std::string missing = tools_.missing_library();
      if (!missing.empty()) std::fprintf(stderr, "%s: %s\n", name_.c_str(), missing.c_str());
    }
    return status;
  }

 private:
  int step(const Words& words) { return compiler::step(words, line_.show); }

  /// gcc refuses such an output, but not where sources are compiled and linked by commands of their own.
  void keep_inputs() const {
    std::error_code ignored;
    if (!fs::is_regular_file(line_.output, ignored)) return;
    for (const Input& input : line_.inputs)
      if (fs::equivalent(input.words[0], line_.output, ignored))
        throw std::runtime_error("-o '" + line_.output + "' would overwrite an input; give another name");
  }

  int prepare() {
    const CompilerFolder temporary(line_.show);
    Variant variant = line_.asked;
    if (line_.generation) variant.generation = *line_.generation;
    variant.counted = tools_.counts_cycles();
    return image_.prepare(variant, temporary.path(), line_.output);
  }

  int print_place() {
    Variant variant = line_.asked;
    const std::string place = line_.print == "archive" ? here_.libraries + "/" + archive_name(variant)
        : line_.print == "include"                     ? here_.headers
        : line_.print == "lib"                         ? here_.libraries
                                                       : here_.root;
    std::printf("%s\n", place.c_str());
    return written();
  }

  /// Nothing to compile or link: a question to the compiler (-dumpmachine, -v).
  int pass_through() {
    if (line_.inputs.empty() && std::ranges::none_of(line_.options, is_question)) {
      std::fputs(usage_text(name_).c_str(), stderr);
      return 1;
    }
    Words words{tools_.command()};
    append(words, line_.options);
    for (const Input& input : line_.inputs) append(words, input.words);
    if (!line_.output.empty()) append(words, {"-o", line_.output});
    return step(words);
  }

  Words compile_command(const Input& input) {
    Input::Kind kind = input.kind;
    std::string language = input.language;
    if (kind == Input::Kind::c && language_ == Language::cxx && language.empty()) {
      kind = Input::Kind::cxx; // as g++ and icpc take it
      language = "c++";
    }
    Words words{tools_.command()};
    append(words, tools_.compile_settings(kind, line_));
    append(words, tools_.accepted(line_.options, kind));
    if (!language.empty()) append(words, {"-x", language});
    append(words, input.words);
    return words;
  }

  [[nodiscard]] static bool is_source(const Input& input) {
    return input.kind != Input::Kind::link && input.kind != Input::Kind::object;
  }

  /// Compiles a source to an object. Tells what it lacks to be of the gory interface, and what OpenMP does.
  int compile_object(const Input& input, const Words& words, const std::string& object) {
    const int status = step(words);
    const bool gory = std::ranges::any_of(
        line_.options, [](const std::string& option) { return option.find("GORY") != std::string::npos; });
    if (!gory && !line_.asked.gory && !line_.show) {
      const std::string hint = gory_hint(input.words[0], status == 0 ? object : "");
      std::fputs(hint.c_str(), stderr);
    }
    if (line_.openmp && !line_.show) std::fputs(openmp_hint(input.words[0]).c_str(), stderr);
    return status;
  }

  int compile_all() {
    const auto sources = std::count_if(line_.inputs.begin(), line_.inputs.end(), is_source);
    if (!line_.output.empty() && sources > 1 && line_.stage != Stage::preprocess) {
      throw std::runtime_error("-o '" + line_.output + "' with -c or -S and " + std::to_string(sources) +
                               " sources: one output holds one of them; leave -o out or compile one by one");
    }
    if (sources == 0) return pass_through();
    int worst = 0;
    for (const Input& input : line_.inputs) {
      if (!is_source(input)) continue;
      Words words = compile_command(input);
      if (!line_.output.empty()) append(words, {"-o", line_.output});
      const std::string object =
          line_.output.empty() ? fs::path(input.words[0]).stem().string() + ".o" : line_.output;
      const bool compiles = line_.stage == Stage::compile;
      worst = std::max(worst, compiles ? compile_object(input, words, object) : step(words));
    }
    return worst;
  }

  /// Names the file of a source's dependencies and their target as a compiler that links in the same step.
  [[nodiscard]] Words dependency_words(const std::string& stem, const std::string& output) const {
    if (!has_option(line_.options, "-MD") && !has_option(line_.options, "-MMD")) return {};
    Words words;
    const bool alone = std::ranges::count_if(line_.inputs, is_source) == 1 && !line_.output.empty();
    const std::string file = alone ? fs::path(output).replace_extension(".d").string() : stem + ".d";
    if (!has_one_that_begins(line_.options, {"-MF"})) append(words, {"-MF", file});
    if (!has_one_that_begins(line_.options, {"-MT", "-MQ"})) append(words, {"-MQ", output});
    return words;
  }

  /// Compiles what has to be compiled, then links.
  int build() {
    const CompilerFolder temporary(line_.show);
    PassingObjects passing;
    const std::string output = line_.output.empty() ? "a.out" : line_.output;
    std::error_code ignored;
    const bool device = fs::exists(output, ignored) && !fs::is_regular_file(output, ignored);
    const bool beside = writes_beside_objects(line_.options) && !line_.show && !device;
    std::vector<LinkedFile> objects; // what may hold records of how it was compiled
    Words linked;
    int count = 0;
    for (const Input& input : line_.inputs) {
      if (!is_source(input)) {
        if (input.kind == Input::Kind::object) objects.push_back({input.words[0], input.words[0]});
        append(linked, input.words);
        continue;
      }
      const std::string stem = fs::path(input.words[0]).stem().string();
      std::string object = temporary.path() + "/" + std::to_string(count++) + "-" + stem + ".o";
      // gcc's name: files that are named after it are found where gcc would have left them.
      const std::string passing_object = fs::path(output).replace_extension().string() + "-" + stem;
      std::string free = passing_object + ".o"; // a name that nobody has
      for (int other = 2; beside && !passing.add(free); ++other)
        free = passing_object + "-" + std::to_string(other) + ".o";
      if (beside) object = free;
      Words words = compile_command(input);
      append(words, dependency_words(stem, output));
      append(words, {"-c", "-o", object});
      if (const int status = compile_object(input, words, object); status != 0) return status;
      objects.push_back({object, input.words[0]});
      linked.push_back(object);
    }
    Words words{tools_.command()};
    append(words, tools_.accepted(line_.options, Input::Kind::other));
    append(words, {"-o", output});
    if (line_.shared) {
      if (!has_option(line_.options, "-r")) append(words, {"-fPIC"});
      append(words, linked);
      if (!has_option(line_.options, "-r"))
        if (const int status = image_.link_library(temporary.path(), words); status != 0) return status;
      append(words, tools_.own_names(line_));
      return step(words);
    }
    Variant variant = line_.asked;
    if (line_.generation) variant.generation = *line_.generation;
    if (line_.ircce) variant.ircce = *line_.ircce;
    reconcile(objects, line_.generation.has_value(), line_.ircce.has_value(), variant);
    append(words, tools_.link_settings(line_));
    append(words, own_libraries(variant, linked));
    append(words, linked);
    if (const int status = image_.link(variant, temporary.path(), words); status != 0) return status;
    append(words, tools_.link_end(line_));
    if (const int status = step(words); status != 0) {
      if (!has_option(line_.image_macros, "-DAIR") && !has_one_that_begins(line_.image_macros, {"-DAIR="}))
        for (const LinkedFile& file : objects) std::fputs(air_hint(file.path, file.shown).c_str(), stderr);
      return status;
    }
    if (!line_.show) add_debug_entry(output);
    return 0;
  }

  /// The library folder of the program's generation, for -lrockcreek_... These libraries are built for the
  /// simplified interface.
  [[nodiscard]] Words own_libraries(const Variant& variant, const Words& linked) const {
    const char* other = nullptr;
    if (variant.gory) other = "the gory interface (-DGORY)";
    if (variant.generation == 10 && variant.smallflags)
      other = "RCCE 1.0's single-bit flags (-DSINGLEBITFLAGS)";
    if (variant.rwth) other = "RWTH's RCCE (--rwth)";
    if (variant.ircce == 10) other = "iRCCE 1.x (--ircce 1.x)";
    if (other != nullptr && has_option(linked, "-lrockcreek_algorithms")) {
      throw std::runtime_error(
          "-lrockcreek_algorithms is asked for by a program with " + std::string(other) +
          "; it exists for the simplified interface with big flags and iRCCE 2.0; compile and "
          "link without that option");
    }
    const std::string folder =
        here_.libraries + "/rockcreek/rcce" + (variant.generation == 10 ? "1.0" : "2.0");
    return fs::exists(folder) ? Words{"-L" + folder} : Words{};
  }

  std::string name_; ///< the command's name
  CommandLine line_;
  Language language_;
  Installation here_;
  Toolchain tools_;
  ImagePart image_;
};

/// Words put before those of the command line, for Makefiles that take a compiler's name and nothing behind
/// it.
Words environment_words() {
  const char* text = std::getenv(environment::compiler_options.name);
  Words words;
  for (std::string_view rest = text != nullptr ? text : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

} // namespace
} // namespace rcce::compiler

int main(int argc, char** argv) {
  using namespace rcce::compiler;
  const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "rccecc").filename().string();
  const Language language = name.find("++") != std::string::npos ? Language::cxx : Language::c;
  Words words;
  try {
    words = environment_words();
    for (const char* word : std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0))
      words.emplace_back(word);
    CommandLine line = parse(words);
    if (line.help) {
      std::printf("%s", help_text(name).c_str());
      return written();
    }
    const int status = Driver(name, std::move(line), language).run();
    if (const int signal = caught_signal(); signal != 0) {
      std::signal(signal, SIG_DFL);
      std::raise(signal); // so that make, for one, sees what has ended it
    }
    return status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), mesh::printable(error.what(), words).c_str());
    return dynamic_cast<const mesh::OutputFailed*>(&error) != nullptr ? rcce::status_output_failed : 1;
  }
}
