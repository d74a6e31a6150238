#include "command_line.hpp"

#include <map>
#include <utility>

#include <CLI/CLI.hpp>

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
  return Command(*app_->add_subcommand(name, description));
}

std::optional<int> CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app_->exit(error) == 0 ? 0 : 2;
  }
}

} // namespace rccebench
