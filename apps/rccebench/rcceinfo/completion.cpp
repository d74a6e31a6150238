// SPDX-License-Identifier: Apache-2.0
// Scripts by which shells complete the words of the commands, out of the tables that rcceinfo explains.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "rcceinfo/command.hpp"
#include "rcceinfo/entries.hpp"

namespace rccebench::info {
namespace {

/// The values that may follow an option: words, files, or anything.
struct Values {
  std::vector<std::string> words;
  bool files = false;
};

struct Option {
  std::vector<std::string> names;
  std::string takes, help;
  Values values;
};

/// Programs and their commands, in order: "rccerun", "rccebench bcast".
struct Commands {
  std::vector<std::string> order;
  std::map<std::string, std::vector<Option>> options;
  std::map<std::string, std::string> help;
};

constexpr std::string_view programs[] = {"rccerun", "rccecc", "rccec++", "rccebench", "rcceinfo"};

std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries)
    if (std::find(names.begin(), names.end(), entry.names.front()) == names.end())
      names.push_back(entry.names.front());
  return names;
}

/// The names that stand for others in a placeholder, filled in.
struct Known {
  std::vector<std::string> machines = names_of(info::machines());
  std::vector<std::string> parameters = names_of(info::parameters({}));
  std::vector<std::string> algorithms;

  Known() {
    for (const Entry& entry : info::algorithms())
      if (entry.of == "messages") algorithms.push_back(entry.names.front());
    for (std::string& name : parameters) name += '=';
  }
};

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 ||
        std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
  });
}

Values values_of(const Entry& entry, const Known& known) {
  Values values;
  const std::string& name = entry.names.front();
  if (entry.takes.empty() || entry.takes.starts_with('[')) return values;
  if (name == "--machine") return {known.machines, true};
  if (name == "--set") return {known.parameters, false};
  if (name == "--algorithms") return {known.algorithms, false};
  for (const std::string& word : cut(entry.takes, '|'))
    if (is_word(word)) values.words.push_back(word);
  if (name == "--collectives") // RCCE has these operations alone
    std::ranges::copy_if(known.algorithms, std::back_inserter(values.words), [](const std::string& one) {
      return one.starts_with("bcast/") || one.starts_with("barrier/") || one.starts_with("reduce/") ||
          one.starts_with("allreduce/");
    });
  for (const char* file : {"FILE", "PATH", "DIRS", "TEXT"})
    values.files |= entry.takes.find(file) != std::string::npos;
  return values;
}

Commands commands() {
  const Known known;
  Commands all;
  const auto options_of = [&](const std::string& command) -> std::vector<Option>& {
    if (!all.options.contains(command)) all.order.push_back(command);
    return all.options[command];
  };
  for (const Entry& entry : info::options())
    options_of(entry.of).push_back({entry.names, entry.takes, entry.meaning, values_of(entry, known)});
  all.order.emplace_back("rccec++");
  all.options["rccec++"] = all.options["rccecc"];
  for (const CommandDescription& command : bench_commands())
    if (!command.name.empty()) all.help["rccebench " + command.name] = command.help;
  for (const Section& section : sections())
    all.help[fmt::format("rcceinfo {}", section.name)] = section.title;
  return all;
}

/// Commands of rccebench, or what rcceinfo lists.
std::vector<std::string> words_behind(const Commands& all, const std::string& program) {
  std::vector<std::string> words;
  for (const auto& [name, help] : all.help)
    if (name.starts_with(program + " ")) words.push_back(name.substr(program.size() + 1));
  return words;
}

/// The beginning of a help text, up to where it goes into detail.
std::string short_help(const std::string& help) {
  std::string text = help.substr(0, std::min(help.find_first_of(";:\n"), help.size()));
  if (const auto bracket = text.find(" ("); bracket != std::string::npos) text.resize(bracket);
  std::erase_if(
      text, [](char c) { return c == '\'' || c == '[' || c == ']' || c == '`' || c == '"' || c == '\\'; });
  return text;
}

std::string bash(const Commands& all) {
  std::string values, options, taking;
  for (const std::string& command : all.order) {
    std::string names;
    for (const Option& option : all.options.at(command)) {
      names += fmt::format(" {}", fmt::join(option.names, " "));
      std::string pattern;
      for (const std::string& name : option.names)
        pattern += fmt::format("{}'{} {}'", pattern.empty() ? "" : "|", command, name);
      if (!option.takes.empty() && !option.takes.starts_with('['))
        taking += fmt::format("  {}) return 0 ;;\n", pattern);
      if (!option.values.words.empty())
        values += fmt::format("  {}) echo '{}' ;;\n", pattern, fmt::join(option.values.words, " "));
    }
    options +=
        fmt::format("  '{}') echo '{}' ;;\n", command, names.substr(std::min<std::size_t>(1, names.size())));
  }
  return fmt::format(
      R"(# Completion for rccerun, rccecc, rccec++, rccebench and rcceinfo: written by rcceinfo.
_rockcreek_options() {{
  case $1 in
{}  esac
}}
_rockcreek_values() {{
  case $1 in
{}  esac
}}
_rockcreek_takes() {{
  case $1 in
{}  esac
  return 1
}}
_rockcreek() {{
  local program=${{1##*/}} current=$2 before=$3 command words i
  command=$program
  [ "$program" = rccebench ] && [ "$COMP_CWORD" -gt 1 ] && command="rccebench ${{COMP_WORDS[1]}}"
  COMPREPLY=()
  # Behind the program its own words begin.
  if [ "$program" = rccerun ]; then
    for ((i = 1; i < COMP_CWORD; i++)); do
      case ${{COMP_WORDS[i]}} in
      =) ;;
      -*)
        if [ "${{COMP_WORDS[i + 1]}}" = = ]; then ((i += 2))
        elif _rockcreek_takes "rccerun ${{COMP_WORDS[i]}}"; then ((i++)); fi ;;
      *) return ;;
      esac
    done
  fi
  if [ "$current" = = ]; then
    current='' before=${{COMP_WORDS[COMP_CWORD - 1]}}
  elif [ "$before" = = ]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if _rockcreek_takes "$command $before"; then
    words=$(_rockcreek_values "$command $before")
  elif [[ $current == -* ]]; then
    words=$(_rockcreek_options "$command")
  elif [ "$program" = rccebench ] && [ "$COMP_CWORD" -eq 1 ]; then
    words='{}'
  elif [ "$program" = rcceinfo ]; then
    words='{}'
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${{#COMPREPLY[@]}} -eq 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}}
complete -o default -F _rockcreek {}
)",
      options, values, taking, fmt::join(words_behind(all, "rccebench"), " "),
      fmt::join(words_behind(all, "rcceinfo"), " "), fmt::join(programs, " "));
}

std::string zsh_specification(const Option& option) {
  std::string value;
  if (option.takes.starts_with('[')) {
    value = "";
  } else if (!option.takes.empty()) {
    value = ":value:";
    const std::string words = fmt::format("{}", fmt::join(option.values.words, " "));
    if (option.values.words.empty())
      value += option.values.files ? "_files" : " ";
    else if (option.values.files)
      value += fmt::format("{{compadd -- {}; _files}}", words);
    else if (words.find('=') != std::string::npos)
      value += fmt::format("{{compadd -S \"\" -- {}}}", words);
    else
      value += fmt::format("({})", words);
  }
  const std::string help = short_help(option.help);
  std::string text;
  for (const std::string& name : option.names)
    text += fmt::format(" \\\n      '({}){}[{}]{}'", fmt::join(option.names, " "), name, help, value);
  return text;
}

std::string zsh_arguments(const Commands& all, const std::string& command) {
  std::string text;
  for (const Option& option : all.options.at(command)) text += zsh_specification(option);
  return text;
}

std::string zsh(const Commands& all) {
  std::string described, cases, sections;
  for (const std::string& word : words_behind(all, "rccebench")) {
    const std::string name = "rccebench " + word;
    described += fmt::format(" '{}:{}'", word, short_help(all.help.at(name)));
    cases += fmt::format("    {})\n      _arguments{} ;;\n", word, zsh_arguments(all, name));
  }
  for (const std::string& word : words_behind(all, "rcceinfo")) sections += " " + word;
  std::string text = fmt::format("#compdef {}\n# Written by rcceinfo.\n_rockcreek() {{\n  case $service in\n",
                                 fmt::join(programs, " "));
  text += fmt::format("  rccerun)\n    _arguments{} \\\n      ':program:_files' '*::argument:_files' ;;\n",
                      zsh_arguments(all, "rccerun"));
  text += fmt::format("  rccecc|rccec++)\n    _arguments{} \\\n      '*:file:_files' ;;\n",
                      zsh_arguments(all, "rccecc"));
  text += fmt::format("  rcceinfo)\n    _arguments{} \\\n      '*:name:({})' ;;\n",
                      zsh_arguments(all, "rcceinfo"), sections.substr(1));
  text += fmt::format(
      "  rccebench)\n    if ((CURRENT == 2)); then\n      local -a commands\n      commands=({})\n"
      "      _describe command commands\n      return\n    fi\n    shift words\n    ((CURRENT--))\n"
      "    case $words[1] in\n{}    esac ;;\n",
      described.substr(1), cases);
  return text + "  esac\n}\n_rockcreek \"$@\"\n";
}

std::string fish_option(const std::string& program, const std::string& condition, const Option& option) {
  std::string text = fmt::format("complete -c {}{}", program, condition);
  for (const std::string& name : option.names) {
    if (name.starts_with("--"))
      text += fmt::format(" -l {}", name.substr(2));
    else
      text += fmt::format(" -{} {}", name.size() == 2 ? 's' : 'o', name.substr(1));
  }
  if (!option.takes.empty() && !option.takes.starts_with('[')) {
    text += option.values.files ? " -r" : " -x";
    if (!option.values.words.empty()) text += fmt::format(" -a '{}'", fmt::join(option.values.words, " "));
  }
  return text + fmt::format(" -d '{}'\n", short_help(option.help));
}

std::string fish(const Commands& all, const std::string& program) {
  if (std::find(std::begin(programs), std::end(programs), program) == std::end(programs))
    throw mesh::UserError(
        fmt::format("--completion fish:COMMAND takes one of {}", fmt::join(programs, ", ")));
  std::string text = "# Written by rcceinfo.\n";
  for (const std::string& command : all.order) {
    if (command != program && !command.starts_with(program + " ")) continue;
    const std::string word = command.substr(std::min(command.size(), program.size() + 1));
    std::string condition;
    if (!word.empty()) condition = fmt::format(" -n '__fish_seen_subcommand_from {}'", word);
    if (word.empty() && program == "rccebench") condition = " -n __fish_use_subcommand";
    for (const Option& option : all.options.at(command)) text += fish_option(program, condition, option);
  }
  const bool commands = program == "rccebench";
  for (const std::string& word : words_behind(all, program))
    text += fmt::format("complete -c {} -f{} -a {} -d '{}'\n", program,
                        commands ? " -n __fish_use_subcommand" : "", word,
                        short_help(all.help.at(program + " " + word)));
  return text;
}

} // namespace

std::string completion(const std::string& shell, const std::string& command) {
  if (shell == "bash") return bash(commands());
  if (shell == "zsh") return zsh(commands());
  if (shell == "fish") return fish(commands(), command);
  throw mesh::UserError(
      fmt::format("--completion '{}': takes bash, zsh, or fish with a command, as fish:rccerun", shell));
}

} // namespace rccebench::info
