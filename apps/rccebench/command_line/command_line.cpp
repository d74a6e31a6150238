// SPDX-License-Identifier: Apache-2.0
#include "command_line/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "mesh_sim/progress.hpp"
#include "rcce_emu/report_page.hpp"

namespace rccebench {

namespace {

std::string meant(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string_view near = mesh::nearest(word, views);
  // A parameter as tables name it, "part", is the option "--part-bytes", with its unit.
  const auto with_unit = std::ranges::find_if(names, [start = word + "-"](const std::string& name) {
    return name.starts_with("--") && name.starts_with(start);
  });
  if (with_unit != names.end()) near = *with_unit;
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

/// True if --force is among the words.
bool overwrites(const ParsedLine& met) {
  return std::ranges::find(met.words, "--force") != met.words.end();
}

/// A file's name and why it cannot be written; nothing where it can be.
std::string named(const std::string& file, const std::string& why) {
  return why.empty() ? "" : fmt::format("'{}': {}", file, why);
}

/// The same of a new page, which this build may not be able to write at all.
std::string why_no_page(const std::string& file, bool overwrite) {
  try {
    rcce::check_report_page("--report");
  } catch (const mesh::UserError& error) {
    return error.what();
  }
  return named(file, mesh::why_not_new(file, overwrite));
}

} // namespace

Option Option::one_of(std::vector<std::string> words) {
  std::string description = fmt::format("{{{}}}", fmt::join(words, ","));
  option_->check(CLI::Validator(
      [words = std::move(words)](const std::string& word) -> std::string {
        if (std::find(words.begin(), words.end(), word) != words.end()) return {};
        return fmt::format("'{}' is none of {}{}", word, fmt::join(words, ", "), meant(word, words));
      },
      std::move(description)));
  return *this;
}

Option Option::between(int least, int most) {
  option_->check(CLI::Validator(
      [least, most](const std::string& text) -> std::string {
        int number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc::invalid_argument || end != text.data() + text.size())
          return fmt::format("'{}' is not a whole number", text);
        return error == std::errc() && number >= least && number <= most
            ? ""
            : fmt::format("{} is out of range {}..{}", text, least, most);
      },
      fmt::format("[{} - {}]", least, most)));
  return *this;
}

Option Option::with_default_in_help() {
  option_->capture_default_str();
  return *this;
}

Option Option::writable() {
  if (met_) met_->written.push_back(option_);
  option_->check(CLI::Validator(
      [met = met_](const std::string& file) {
        return named(file, mesh::why_unwritable(file, met && overwrites(*met)));
      },
      ""));
  return *this;
}

Option Option::not_blank() {
  option_->check(CLI::Validator(
      [](const std::string& text) -> std::string {
        return text.find_first_not_of(' ') == std::string::npos
            ? "the value is empty; give a value, or leave the option out"
            : "";
      },
      ""));
  return *this;
}

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::hidden() {
  option_->group("");
  return *this;
}

Option Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::tells(bool& given) {
  option_->each([&given](const std::string&) { given = true; });
  return *this;
}

Option Command::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(met_, *app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::vector<std::string>& words, const std::string& help) {
  return Option(met_, *app_->add_option(names, words, help)->allow_extra_args(false));
}

Option Command::option(const std::string& names, int& value, const std::string& help) {
  return Option(met_, *app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, unsigned& value, const std::string& help) {
  return Option(met_, *app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, Format& value, const std::string& help) {
  static const std::map<std::string, Format> formats{{"table", Format::table},
                                                     {"csv", Format::csv},
                                                     {"json", Format::json},
                                                     {"markdown", Format::markdown},
                                                     {"latex", Format::latex}};
  CLI::Option* option = app_->add_option_function<std::string>(
      names, [&value](const std::string& word) { value = formats.at(word); }, help);
  option->transform(CLI::Validator(
      [](std::string& word) {
        word = CLI::detail::to_lower(word);
        return std::string();
      },
      ""));
  return Option(met_, *option).one_of({"table", "csv", "json", "markdown", "latex"});
}

Option Command::optional_value(const std::string& names, bool& given, std::string& value,
                               const std::string& help) {
  CLI::Option* option = app_->add_option_function<std::string>(
      names,
      [&given, &value](const std::string& word) {
        given = true;
        value = word;
      },
      help);
  option->expected(0, 1)->option_text("[=FILE]");
  return Option(met_, *option);
}

void Command::new_page(const std::string& names, std::string& file, const std::string& help) {
  add_force();
  CLI::Option* const option = app_->add_option(names, file, help);
  met_->written.push_back(option);
  option->check(CLI::Validator(
      [met = met_](const std::string& path) { return why_no_page(path, overwrites(*met)); }, ""));
}

void Command::only_new(const Option& option) {
  add_force();
  met_->written.push_back(option.option_);
  option.option_->check(CLI::Validator(
      [met = met_](const std::string& path) {
        return named(path, mesh::why_not_new(path, overwrites(*met)));
      },
      ""));
}

void Command::add_force() {
  const std::string help = "overwrite existing files of recordings and of the report";
  if (app_->get_option_no_throw("--force") == nullptr) app_->add_flag("--force", help);
}

void Command::flag(const std::string& names, bool& value, const std::string& help) {
  app_->add_flag(names, value, help);
}

void Command::when_met(std::function<void(Command&)> body) {
  // Once: a description of the command line may have asked for it before.
  const std::function<void()> once = [command = *this, body = std::move(body),
                                      done = std::make_shared<bool>(false)]() mutable {
    if (!std::exchange(*done, true)) body(command);
  };
  met_->bodies.push_back(once);
  app_->preparse_callback([once](std::size_t) { once(); });
}

std::vector<std::string> Command::early(const std::string& option) const {
  std::vector<std::string> values;
  CLI::App first;
  first.set_help_flag();
  first.allow_extras();
  first.add_option(option, values)->allow_extra_args(false);
  std::vector<std::string> words(met_->words.rbegin(), met_->words.rend()); // as CLI11 takes them
  try {
    first.parse(std::move(words));
  } catch (const CLI::ParseError&) {
  }
  return values;
}

void Command::describe(const std::string& help) {
  app_->description(help);
}

bool Command::is_chosen() const {
  return !met_->words.empty() && met_->words.front() == app_->get_name();
}

void Command::words(const std::string& name, std::vector<std::string>& words, const std::string& help) {
  app_->add_option(name, words, help);
}

namespace {

/// All names of a command's options as they are written: "--cores", "-o".
std::vector<std::string> names_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// As it is typed: "rccebench bcast".
std::string called(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : parent->get_name() + " " + command.get_name();
}

/// Throws UserError for the first of the words that the command knows nothing of.
void check_rest(const CLI::App& command) {
  const auto rest = command.remaining();
  if (rest.empty()) return;
  const auto first =
      std::find_if(rest.begin(), rest.end(), [](const std::string& word) { return word.starts_with('-'); });
  const std::string hint = fmt::format("{} --help lists all", called(command));
  if (first == rest.end())
    throw CommandMistake(command.get_name(),
                         fmt::format("'{}' is not an option, nor the value of one ({})", rest.front(), hint));
  const std::string name = first->substr(0, first->find('='));
  throw CommandMistake(command.get_name(),
                       fmt::format("no option '{}'{} ({})", name, meant(name, names_of(command)), hint));
}

/// Throws CommandMistake if two options write to one file, or one to a file that is read. --resume and -o may
/// write to one, both as JSON: open_store().
void check_written(const CLI::App& command, const ParsedLine& met) {
  std::vector<std::pair<std::string, std::string>> files; // option and file
  for (const CLI::Option* option : met.written) {
    if (option->count() == 0 || option->results().front().empty()) continue;
    const std::string name = option->get_single_name(), file = option->results().front();
    for (const auto& [other, written] : files) {
      const bool kept = (name == "resume" && other == "output") || (name == "output" && other == "resume");
      if (!kept && mesh::same_file(file, written))
        throw CommandMistake(command.get_name(),
                             fmt::format("--{} and --{} '{}': both write to the same file; name two files",
                                         other, name, file));
    }
    for (const CLI::Option* read : command.get_options()) {
      if (read->count() == 0 || std::ranges::count(met.written, read) > 0) continue;
      std::error_code none;
      for (const std::string& input : read->results())
        if (std::filesystem::is_regular_file(input, none) && mesh::same_file(input, file))
          throw CommandMistake(
              command.get_name(),
              fmt::format("--{} '{}': the command reads this file; name another", name, file));
    }
    files.emplace_back(name, file);
  }
}

/// CLI11's "TEXT:{on,off}" as "on|off".
std::string placeholder_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return type.substr(0, type.find(':'));
  std::string words = type.substr(begin + 1, end - begin - 1);
  std::replace(words.begin(), words.end(), ',', '|');
  return words;
}

/// The message about words that are of no use to an option of the command.
std::string words_of(const CLI::ParseError& error, const CLI::App& command) {
  const std::string what = error.what(), name = what.substr(0, what.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return what;
  if (what.find("received") != std::string::npos)
    return fmt::format("option {} is given several times, but takes one value", name);
  const CLI::Option* const option = command.get_option_no_throw(name);
  const std::string words = option == nullptr ? "" : placeholder_of(*option);
  return fmt::format("option {} needs a value{}", name,
                     words.find('|') == std::string::npos ? "" : fmt::format(": {}", words));
}

} // namespace

void Command::when_chosen(std::function<void()> body) {
  app_->allow_extras();
  app_->callback([command = *this, body = std::move(body)] {
    if (*command.before_refusal_) (*command.before_refusal_)();
    check_rest(*command.app_);
    check_written(*command.app_, *command.met_);
    if (*command.before_) (*command.before_)(command);
    body();
  });
}

std::vector<std::string> Command::given(const std::vector<std::string>& left_out) const {
  std::vector<std::string> words{app_->get_name()};
  for (const CLI::Option* option : app_->get_options()) {
    const std::string name = option->get_single_name();
    if (option->count() == 0 || std::ranges::find(left_out, name) != left_out.end()) continue;
    for (const std::string& value : option->results())
      words.push_back(option->get_positional()             ? value
                          : option->get_expected_max() > 0 ? fmt::format("--{}={}", name, value)
                                                           : "--" + name);
  }
  return words;
}

namespace {

/// CLI11's, with lines of descriptions that fit where terminals are not narrow.
class Help final : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t line_width = 120;
    const std::size_t width = line_width - get_column_width();
    std::istringstream words(Formatter::make_option_desc(option));
    std::string text, line;
    for (std::string word; words >> word;) {
      if (!line.empty() && line.size() + 1 + word.size() > width) text += std::exchange(line, {}) + '\n';
      line += (line.empty() ? "" : " ") + word;
    }
    return text + line;
  }
};

} // namespace

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->formatter(std::make_shared<Help>());
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& description) {
  CLI::App* const command = app_->add_subcommand(name, description);
  command->add_flag_callback(
      "--progress", mesh::Progress::always,
      "show progress and the remaining time on standard error, even if that is no terminal");
  return Command(*command, met_);
}

bool CommandLine::has(const std::string& name) const {
  return std::ranges::any_of(app_->get_subcommands({}),
                             [&](const CLI::App* command) { return command->get_name() == name; });
}

Command CommandLine::whole() {
  app_->require_subcommand(0);
  return Command(*app_, met_);
}

namespace {

CommandDescription description_of(const CLI::App& app, const std::string& name) {
  CommandDescription command{name, app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    OptionDescription one;
    for (const std::string& word : option->get_lnames()) one.names.push_back("--" + word);
    for (const std::string& word : option->get_snames()) one.names.push_back("-" + word);
    const bool optional = option->get_expected_min() == 0 && option->get_expected_max() == 1;
    if (option->get_expected_max() > 0) one.value = optional ? "[=FILE]" : placeholder_of(*option);
    one.standard = option->get_default_str();
    one.help = option->get_description();
    command.options.push_back(std::move(one));
  }
  return command;
}

} // namespace

std::vector<CommandDescription> CommandLine::describe(const std::vector<std::string>& words) const {
  met_->words = words;
  for (const auto& body : met_->bodies) body();
  std::vector<CommandDescription> commands = {description_of(*app_, "")};
  for (const CLI::App* command : app_->get_subcommands({}))
    commands.push_back(description_of(*command, command->get_name()));
  return commands;
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  met_->words.assign(argv + std::min(argc, 1), argv + argc);
  const bool has_commands = !app_->get_subcommands({}).empty();
  if (argc > 1 && has_commands) check_command(argv[1]);
  if (argc > 1 && has_commands &&
      (argv[1] == std::string_view("--help") || argv[1] == std::string_view("-h")))
    for (const auto& body : met_->bodies) body(); // the list has what they say of their commands
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& asked) {
    return answer(asked);
  } catch (const CLI::OptionAlreadyAdded& error) { // by a parameter of an algorithm in a file of the user's
    const std::string_view what = error.what(), name = what.substr(what.rfind(": ") + 2);
    throw mesh::UserError(
        fmt::format("--with: a parameter of yours has the name of the option --{}; rename the parameter",
                    name.substr(0, name.find(' '))));
  } catch (const CLI::ParseError& error) {
    const auto commands = app_->get_subcommands();
    if (commands.empty())
      throw mesh::UserError(has_commands
                                ? words_of(error, *app_)
                                : fmt::format("{} ({} --help)", words_of(error, *app_), app_->get_name()));
    const CLI::App& command = *commands.front();
    throw CommandMistake(
        command.get_name(),
        fmt::format("{} (rccebench {} --help)", words_of(error, command), command.get_name()));
  }
}

int CommandLine::answer(const CLI::Success& asked) const {
  (void)app_->exit(asked);
  if (std::cout.flush() && std::fflush(stdout) == 0) return 0;
  throw mesh::OutputFailed();
}

/// CLI11 itself only says that a subcommand is required.
void CommandLine::check_command(const std::string& word) const {
  std::vector<std::string> names;
  for (const CLI::App* command : app_->get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const bool option = word.starts_with('-');
  const auto own = names_of(*app_);
  if (option && std::find(own.begin(), own.end(), word) != own.end()) return;
  const std::string near = !option ? meant(word, names) : word.starts_with("--") ? meant(word, own) : "";
  if (option)
    throw mesh::UserError(fmt::format("no option '{}'{} of a command follow its name: there are {}", word,
                                      near.empty() ? "; options" : near + " Options",
                                      fmt::join(names, ", ")));
  throw mesh::UserError(fmt::format("there is no command '{}'{} are {}", word,
                                    near.empty() ? "; there" : "," + near.substr(1) + " There",
                                    fmt::join(names, ", ")));
}

} // namespace rccebench
