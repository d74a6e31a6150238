// SPDX-License-Identifier: Apache-2.0
// Commands that are programs of their own: libexec/rockcreek/rccebench-NAME is `rccebench NAME`, as git has
// it. It is executed with the words of the command line. With --describe it writes a JSON object:
//
//     help      what the command does
//     options   array of {"names": "-o,--output", "value": "TEXT", "help": ...}: a flag has no value, a name
//               without dashes is a word that is no option. "required", "repeated"; "writes": the value names
//               a file that can be written
//
// So it is explained, completed and checked like any other.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include <unistd.h>

#include <fmt/format.h>

#include "command_line/commands.hpp"
#include "lab.hpp"
#include "lab/json_text.hpp"
#include "mesh_sim/errors.hpp"

namespace rccebench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view beginning = "rccebench-";

/// The programs, by the names of their commands.
std::map<std::string, fs::path> programs() {
  std::map<std::string, fs::path> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(command_path("../libexec/rockcreek"), none))
    if (const std::string name = entry.path().filename(); name.starts_with(beginning))
      all.emplace(name.substr(beginning.size()), entry.path().lexically_normal());
  return all;
}

/// What the program says of itself. Throws mesh::UserError where it does not.
Json description(const std::string& name, const fs::path& program) {
  const auto fail = [&](const std::string& why) -> mesh::UserError {
    return mesh::UserError(fmt::format("{}: '{}' --describe {}; programs of this kind need python3 on PATH "
                                       "(Debian package python3)",
                                       name, program.string(), why));
  };
  std::string quoted;
  for (const char c : program.string()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::FILE* const pipe = popen(fmt::format("exec '{}' --describe 2>/dev/null", quoted).c_str(), "r");
  if (pipe == nullptr) throw fail(fmt::format("cannot be started: {}", std::strerror(errno)));
  std::string text;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) text.append(part, n);
  if (pclose(pipe) != 0) throw fail("has failed");
  try {
    Json said = lab::read_json<Json>(text);
    (void)said.at("help").get<std::string>();
    for (const Json& one : said.at("options"))
      (void)(one.at("names").get<std::string>() + one.at("help").get<std::string>());
    return said;
  } catch (const mesh::UserError& error) {
    throw fail(error.what());
  } catch (const Json::exception&) {
    throw fail("gives no object with \"help\" and \"options\", each with \"names\" and \"help\"");
  }
}

/// The same, asked for once.
const Json& description_of(const std::string& name, const fs::path& program) {
  static std::map<std::string, Json> known;
  const auto found = known.find(name);
  return found != known.end() ? found->second : known.emplace(name, description(name, program)).first->second;
}

/// Values that the options are read into.
struct Given {
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> lists;
  std::map<std::string, bool> flags;
};

void add_option(Command& command, Given& given, const Json& one) {
  const std::string names = one["names"], help = one["help"];
  if (!names.starts_with('-')) return command.words(names, given.lists[names], help);
  if (!one.contains("value")) return command.flag(names, given.flags[names], help);
  Option option = one.value("repeated", false) ? command.option(names, given.lists[names], help)
                                               : command.option(names, given.values[names], help);
  if (one.value("writes", false))
    option.writable();
  else
    option.not_blank();
  if (one.value("required", false)) option.required();
}

[[noreturn]] void execute(const fs::path& program, std::vector<std::string> words) {
  words.front() = program.string();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw mesh::UserError(fmt::format("'{}' cannot be executed: {}", program.string(), std::strerror(errno)));
}

} // namespace

void add_external(CommandLine& line, Status& /*status*/) {
  for (const auto& [name, program] : programs()) {
    if (line.has(name)) continue; // a command of our own goes first
    Command command = line.add_command(name, "");
    const auto given = std::make_shared<Given>();
    command.when_met([name, program, given](Command& met) {
      try {
        const Json& said = description_of(name, program);
        met.describe(said["help"]);
        for (const Json& one : said["options"]) add_option(met, *given, one);
      } catch (const mesh::UserError& error) {
        if (met.is_chosen()) throw;
        met.describe(error.what()); // in a list of all commands
      }
    });
    command.when_chosen([command, program, given] { execute(program, command.given({"progress"})); });
  }
}

} // namespace rccebench
