// SPDX-License-Identifier: Apache-2.0
// The command line: what the commands need of CLI11, whose headers cost the compiler three seconds in every
// file that includes them. One file does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mesh_sim/errors.hpp"
#include "present/report.hpp"

namespace CLI {
class App;
class Option;
class Success;
} // namespace CLI

namespace rccebench {

/// A mistake in the words of a command: what() goes behind the command's name.
class CommandMistake : public mesh::UserError {
 public:
  CommandMistake(std::string command, const std::string& what)
      : UserError(what), command_(std::move(command)) {}
  [[nodiscard]] const std::string& command() const noexcept { return command_; } ///< "bcast"

 private:
  std::string command_;
};

/// The words of the command line that is parsed, and the bodies of the commands that are met in it.
struct ParsedLine {
  std::vector<std::string> words;
  std::vector<std::function<void()>> bodies;
  std::vector<const CLI::Option*> written; ///< options whose values name files to write
};

/// An option of a command. A wrong value is a CommandMistake.
class Option {
 public:
  Option(std::shared_ptr<ParsedLine> met, CLI::Option& option) : met_(std::move(met)), option_(&option) {}

  Option one_of(std::vector<std::string> words);
  Option between(int least, int most);
  Option with_default_in_help();
  /// The value names a file that can be written, which may be there already. Found out before the work, not
  /// after.
  Option writable();
  Option not_blank();
  Option required();
  Option hidden();
  Option excludes(const Option& other);
  /// Sets `given` where the command line has the option.
  Option tells(bool& given);

 private:
  friend class Command;
  std::shared_ptr<ParsedLine> met_;
  CLI::Option* option_;
};

/// A command, as `pingpong`. Variables are filled in when the command line is parsed and have to live until
/// then.
class Command {
 public:
  Command(CLI::App& app, std::shared_ptr<ParsedLine> met) : app_(&app), met_(std::move(met)) {}

  Option option(const std::string& names, std::string& value, const std::string& help);
  /// May be repeated, with one word each time.
  Option option(const std::string& names, std::vector<std::string>& words, const std::string& help);
  Option option(const std::string& names, int& value, const std::string& help);
  Option option(const std::string& names, unsigned& value, const std::string& help);
  Option option(const std::string& names, Format& value, const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);
  /// The value names an HTML report that is not there yet, or is overwritten where --force is given, which
  /// this adds; "-" is no file. Found out before the work, as is a build that writes no reports.
  void new_page(const std::string& names, std::string& file, const std::string& help);
  /// The value names a file that can be written and is not there yet, or is overwritten where --force is
  /// given, which this adds. Found out before the work.
  void only_new(const Option& option);
  /// `given` tells whether it is there, with a value or without.
  Option optional_value(const std::string& names, bool& given, std::string& value, const std::string& help);
  /// In place of what add_command() was told.
  void describe(const std::string& help);
  /// Whether the command line begins with it.
  [[nodiscard]] bool is_chosen() const;
  /// `body` adds options that only this command needs to know: it is called when the command is met in the
  /// command line, before its words are parsed.
  void when_met(std::function<void(Command&)> body);
  /// In when_met(), of an option on which others depend: its values, all of them; what is wrong with the
  /// command line is told of later.
  [[nodiscard]] std::vector<std::string> early(const std::string& option) const;
  void when_chosen(std::function<void()> body);
  /// Called before the body of when_chosen(), once all options have their values.
  void before_chosen(std::function<void(const Command&)> body) { *before_ = std::move(body); }
  /// Called before words are refused that are no options of the command: it may say a better reason.
  void before_refusal(std::function<void()> body) { *before_refusal_ = std::move(body); }
  /// The command's name and what is given to it, in one form however it was written; options of these names
  /// ("output") are left out.
  [[nodiscard]] std::vector<std::string> given(const std::vector<std::string>& left_out) const;
  /// Words that are no options, any number of them.
  void words(const std::string& name, std::vector<std::string>& words, const std::string& help);

 private:
  void add_force();

  CLI::App* app_;
  std::shared_ptr<ParsedLine> met_;
  /// Shared with the copies that when_met() makes.
  std::shared_ptr<std::function<void(const Command&)>> before_ =
      std::make_shared<std::function<void(const Command&)>>();
  std::shared_ptr<std::function<void()>> before_refusal_ = std::make_shared<std::function<void()>>();
};

/// An option or command, for explanations and completion.
struct OptionDescription {
  std::vector<std::string> names; ///< as they are written: "--output", "-o"; empty: a word that is no option
  std::string value;              ///< "on|off" where words are given, else "TEXT", "INT"; empty: a flag
  std::string standard, help;
};
struct CommandDescription {
  std::string name, help; ///< name empty: options that stand before any command
  std::vector<OptionDescription> options;
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add_command(const std::string& name, const std::string& description);
  /// Whether there is a command of that name.
  [[nodiscard]] bool has(const std::string& name) const;
  /// The command of a program without commands: its whole command line.
  Command whole();
  /// All commands with all their options, those too that are added when a command is met with such words
  /// behind it.
  [[nodiscard]] std::vector<CommandDescription> describe(const std::vector<std::string>& words) const;
  /// Runs the command that the words choose. Returns a status where it is decided without: 0 after --help and
  /// --version, 1 where their answer cannot be written. Throws mesh::UserError or CommandMistake for a wrong
  /// command line, with the nearest name where one is unknown.
  std::optional<int> parse(int argc, char** argv);

 private:
  void check_command(const std::string& word) const;
  [[nodiscard]] int answer(const CLI::Success& asked) const;

  std::unique_ptr<CLI::App> app_;
  std::shared_ptr<ParsedLine> met_ = std::make_shared<ParsedLine>();
};

} // namespace rccebench
