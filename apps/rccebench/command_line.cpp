#include "command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"

namespace rccebench {

Option Option::one_of(std::vector<std::string> words) {
  option_->check(CLI::IsMember(std::move(words)));
  return *this;
}

Option Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::with_default_in_help() {
  option_->capture_default_str();
  return *this;
}

Option Option::writable() {
  option_->check(CLI::Validator(
      [](const std::string& file) -> std::string {
        if (file.empty()) return "takes the name of a file";
        if (access(file.c_str(), W_OK) == 0 && !std::filesystem::is_directory(file)) return {};
        const auto folder = std::filesystem::absolute(file).parent_path();
        if (access(file.c_str(), F_OK) != 0 && access(folder.c_str(), W_OK | X_OK) == 0) return {};
        return fmt::format("'{}': this file cannot be written; choose another place", file);
      },
      ""));
  return *this;
}

Option Option::not_blank() {
  option_->check(CLI::Validator(
      [](const std::string& text) -> std::string {
        return text.find_first_not_of(' ') == std::string::npos
            ? "nothing is named; leave the option out or name something"
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

Option Command::option(const std::string& names, std::string& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, std::vector<std::string>& words, const std::string& help) {
  return Option(*app_->add_option(names, words, help)->allow_extra_args(false));
}

Option Command::option(const std::string& names, int& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, unsigned& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}

Option Command::option(const std::string& names, Format& value, const std::string& help) {
  CLI::Option* option = app_->add_option(names, value, help);
  option->transform(CLI::CheckedTransformer(
      std::map<std::string, Format>{{"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}},
      CLI::ignore_case));
  option->option_text("{table,csv,json}");
  return Option(*option);
}

void Command::flag(const std::string& names, bool& value, const std::string& help) {
  app_->add_flag(names, value, help);
}

void Command::when_met(std::function<void(Command&, const std::vector<std::string>&)> body) {
  app_->preparse_callback(
      [command = *this, body = std::move(body)](std::size_t) mutable { body(command, *command.words_); });
}

void Command::when_chosen(std::function<void()> body) {
  app_->callback(std::move(body));
}

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description), words_);
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  words_->assign(argv + std::min(argc, 1), argv + argc);
  if (argc > 1 && *argv[1] != '-') check_command(argv[1]);
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    const bool asked = app_->exit(error) == 0;
    if (std::cout.flush() && std::fflush(stdout) == 0) return asked ? 0 : 2;
    std::fprintf(stderr, "rccebench: standard output cannot be written: %s\n", std::strerror(errno));
    return 1;
  }
}

/// CLI11 itself only says that a subcommand is required.
void CommandLine::check_command(const std::string& word) const {
  std::vector<std::string> names;
  for (const CLI::App* command : app_->get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = mesh::nearest(word, views);
  throw mesh::UserError(fmt::format("there is no command '{}'{}; there are {}", word,
                                    near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                                    fmt::join(names, ", ")));
}

} // namespace rccebench
