// SPDX-License-Identifier: Apache-2.0
#include "mesh_sim/parameters.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <set>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"

namespace mesh {

namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string meant(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string_view near = nearest(word, names);
  return near.empty() ? std::string{} : fmt::format("; did you mean '{}'?", near);
}

/// "3,1" with that between the numbers.
bool read_pair(std::string_view word, char between, int& one, int& other) {
  const auto at = word.find(between);
  return at != std::string_view::npos && read_number(word.substr(0, at), one) &&
      read_number(word.substr(at + 1), other);
}

/// "5,0": a tile.
bool read_item(std::string_view word, Coordinates& place) {
  return read_pair(word, ',', place.x, place.y);
}

/// "0,1", "0>1", "0,1:12", "0,1:12x8": a link.
bool read_item(std::string_view word, JoinedRouters& link) {
  const std::string_view ends = word.substr(0, word.find(':'));
  link.one_way = ends.find('>') != std::string_view::npos;
  if (!read_pair(ends, link.one_way ? '>' : ',', link.one, link.other)) return false;
  if (ends.size() == word.size()) return true;
  const std::string_view costs = word.substr(ends.size() + 1), cycles = costs.substr(0, costs.find('x'));
  return read_number(cycles, link.cycles) && link.cycles > 0 &&
      (cycles.size() == costs.size() ||
       (read_number(costs.substr(cycles.size() + 1), link.bytes) && link.bytes > 0));
}

/// Items with blanks between them; nothing where the text is something else.
template <class Item>
std::optional<std::vector<Item>> parse_list(std::string_view text) {
  std::vector<Item> items;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    if (!read_item(text.substr(0, end), items.emplace_back())) return std::nullopt;
    text = trim(text.substr(end));
  }
  return items;
}

std::string item_text(const Coordinates& place) {
  return fmt::format("{},{}", place.x, place.y);
}
std::string item_text(const JoinedRouters& link) {
  std::string text = fmt::format("{}{}{}", link.one, link.one_way ? '>' : ',', link.other);
  if (link.cycles != 0) text += fmt::format(":{}", link.cycles);
  if (link.bytes != 0) text += fmt::format("x{}", link.bytes);
  return text;
}

/// The word of a unit "edges|X,Y X,Y ..." that stands for no places.
std::string_view word_for_none(const Parameter& parameter) {
  return parameter.unit.substr(0, parameter.unit.find('|'));
}

/// `like`: an example, for the message.
template <class Item>
void assign_list(std::vector<Item>& list, const Parameter& parameter, std::string_view text,
                 const std::string& where, std::string_view like) {
  const std::string_view none = word_for_none(parameter);
  auto items = text == none ? std::vector<Item>{} : parse_list<Item>(text);
  if (!items || (items->empty() && text != none))
    throw UserError(
        fmt::format("{}: {} = '{}' is neither '{}' nor {}", where, parameter.name, shown(text), none, like));
  list = std::move(*items);
}

template <class Item>
std::string list_text(const std::vector<Item>& list, const Parameter& parameter) {
  std::string text;
  for (const Item& item : list) text += (text.empty() ? "" : " ") + item_text(item);
  return text.empty() ? std::string(word_for_none(parameter)) : text;
}

void assign(const Parameter& parameter, std::string_view text, const std::string& where) {
  const std::string unit = parameter.unit == "-" ? "" : fmt::format(" ({})", parameter.unit);
  const auto out_of_range = [&] {
    throw UserError(fmt::format("{}: {} = {} is out of range {}..{}{}", where, parameter.name, shown(text),
                                parameter.minimum, parameter.maximum,
                                parameter.unit == "-" ? "" : fmt::format(" {}", parameter.unit)));
  };
  const auto in_range = [&](double value) {
    return value >= parameter.minimum && value <= parameter.maximum;
  };
  if (auto* const* integer = std::get_if<std::int64_t*>(&parameter.value)) {
    std::int64_t value = 0;
    if (!read_number(text, value))
      throw UserError(
          fmt::format("{}: {} = '{}' is not a whole number{}", where, parameter.name, shown(text), unit));
    if (!in_range(static_cast<double>(value))) out_of_range();
    **integer = value;
  } else if (auto* const* real = std::get_if<double*>(&parameter.value)) {
    double value = 0;
    if (!read_number(text, value))
      throw UserError(
          fmt::format("{}: {} = '{}' is not a number{}", where, parameter.name, shown(text), unit));
    if (!in_range(value)) out_of_range();
    **real = value;
  } else if (auto* const* flag = std::get_if<bool*>(&parameter.value)) {
    if (text != "on" && text != "off")
      throw UserError(
          fmt::format("{}: {} = '{}' is neither 'on' nor 'off'", where, parameter.name, shown(text)));
    **flag = text == "on";
  } else if (auto* const* places = std::get_if<std::vector<Coordinates>*>(&parameter.value)) {
    assign_list(**places, parameter, text, where, "tiles as in 0,0 5,0");
  } else if (auto* const* links = std::get_if<std::vector<JoinedRouters>*>(&parameter.value)) {
    assign_list(**links, parameter, text, where, "links as in 0,1 1>2 2,3:12 3,4:12x8");
  } else if (auto* const* numbers = std::get_if<std::vector<double>*>(&parameter.value)) {
    std::vector<double> values;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view item = rest.substr(0, rest.find_first_of(" \t"));
      rest = trim(rest.substr(item.size()));
      double value = 0;
      if (!read_number(item, value))
        throw UserError(fmt::format("{}: {} = '{}' is not a list of numbers{} with blanks between them",
                                    where, parameter.name, shown(text), unit));
      if (!in_range(value)) out_of_range();
      values.push_back(value);
    }
    **numbers = std::move(values);
  } else {
    // A choice: the unit lists what is allowed, "contiguous|random".
    const std::string_view choices = parameter.unit;
    std::vector<std::string_view> names;
    for (std::size_t at = 0; at <= choices.size();) {
      const auto bar = std::min(choices.find('|', at), choices.size());
      names.push_back(choices.substr(at, bar - at));
      at = bar + 1;
    }
    if (std::find(names.begin(), names.end(), text) == names.end())
      throw UserError(fmt::format("{}: {} = '{}' is none of {}{}", where, parameter.name, shown(text),
                                  choices, meant(text, names)));
    **std::get_if<std::string*>(&parameter.value) = text;
  }
}

/// Throws UserError where the table has no such section.
void check_section(const ParameterTable& table, std::string_view section, const std::string& where) {
  std::vector<std::string_view> sections;
  for (const Parameter& parameter : table)
    if (sections.empty() || sections.back() != parameter.section) sections.push_back(parameter.section);
  if (std::find(sections.begin(), sections.end(), section) == sections.end())
    throw UserError(fmt::format("{}: unknown section [{}]; there are [{}]{}", where, shown(section),
                                fmt::join(sections, "], ["), meant(section, sections)));
}

std::atomic<bool> tells_old_names = true;

/// A machine is read more than once: for the settings, for the options, for each of several machines.
void tell_once(const std::string& line) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::scoped_lock lock(mutex);
  if (tells_old_names && told.insert(line).second) std::fputs(line.c_str(), stderr);
}

const Parameter& find_in(const ParameterTable& table, std::string_view section, std::string_view name,
                         const std::string& where) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Parameter& parameter) {
    return parameter.section == section && parameter.name == name;
  });
  if (found != table.end()) return *found;
  for (const Parameter& parameter : table)
    if (parameter.section == section && !name.empty() && parameter.former == name) {
      tell_once(
          fmt::format("{}: '{}.{}' is called '{}.{}' now; the next version does not know the old name\n",
                      where, section, name, section, parameter.name));
      return parameter;
    }
  std::vector<std::string_view> names;
  for (const Parameter& parameter : table)
    if (parameter.section == section) names.push_back(parameter.name);
  throw UserError(
      fmt::format("{}: unknown name '{}' in [{}]{}", where, shown(name), section, meant(name, names)));
}

} // namespace

void tell_no_old_names() {
  tells_old_names = false;
}

std::string value_text(const Parameter& parameter) {
  if (auto* const* integer = std::get_if<std::int64_t*>(&parameter.value))
    return fmt::format("{}", **integer);
  if (auto* const* real = std::get_if<double*>(&parameter.value)) return fmt::format("{}", **real);
  if (auto* const* flag = std::get_if<bool*>(&parameter.value)) return **flag ? "on" : "off";
  if (auto* const* places = std::get_if<std::vector<Coordinates>*>(&parameter.value))
    return list_text(**places, parameter);
  if (auto* const* links = std::get_if<std::vector<JoinedRouters>*>(&parameter.value))
    return list_text(**links, parameter);
  if (auto* const* numbers = std::get_if<std::vector<double>*>(&parameter.value))
    return fmt::format("{}", fmt::join(**numbers, " "));
  return **std::get_if<std::string*>(&parameter.value);
}

const Parameter& find_parameter(const ParameterTable& table, std::string_view parameter,
                                const std::string& where) {
  parameter = trim(parameter);
  const std::size_t dot = std::min(parameter.find('.'), parameter.size());
  const std::string_view section = parameter.substr(0, dot);
  check_section(table, section, where);
  return find_in(table, section, parameter.substr(std::min(dot + 1, parameter.size())), where);
}

void set_parameter(const ParameterTable& table, std::string_view parameter, std::string_view value,
                   const std::string& where) {
  assign(find_parameter(table, parameter, where), trim(value), where);
}

ParameterFile::ParameterFile(std::string_view text, std::string_view name) : name_(name) {
  std::string section;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    const auto hash = std::min(whole.find('#'), whole.size());
    const std::string_view line = trim(whole.substr(0, hash));
    if (line.empty()) continue;
    const std::string where = fmt::format("{} line {}", name, number);
    if (line.front() == '[') {
      if (line.back() != ']')
        throw UserError(fmt::format("{}: section '{}' lacks its closing ']'", where, shown(line)));
      section = trim(line.substr(1, line.size() - 2));
      lines_.push_back({section, "", "", "", number});
      continue;
    }
    const auto equals = line.find('=');
    const std::string_view given = trim(line.substr(0, std::min(equals, line.size())));
    if (equals == std::string_view::npos || given.empty())
      throw UserError(fmt::format("{}: '{}' is neither a [section] nor 'name = value'", where, shown(line)));
    if (section.empty())
      throw UserError(fmt::format("{}: '{}' stands before the first [section]", where, shown(given)));
    if (const Value* const before = find(section, given))
      throw UserError(
          fmt::format("{}: '{}' is given a second time in [{}], after line {}; leave one of them out", where,
                      shown(given), shown(section), before->line));
    lines_.push_back({section, std::string(given), std::string(trim(line.substr(equals + 1))),
                      std::string(trim(whole.substr(std::min(hash + 1, whole.size())))), number});
  }
}

const ParameterFile::Value* ParameterFile::find(std::string_view section,
                                                std::string_view name) const noexcept {
  for (const Value& line : lines_)
    if (line.section == section && line.name == name) return &line;
  return nullptr;
}

std::vector<std::string> ParameterFile::marked(std::string_view word) const {
  std::vector<std::string> found;
  for (const Value& line : lines_)
    if (line.comment.find(word) != std::string::npos)
      found.push_back(fmt::format("{}.{}", line.section, line.name));
  return found;
}

std::optional<ParameterFile::Value> ParameterFile::take(std::string_view section, std::string_view name) {
  const Value* const found = find(section, name);
  if (found == nullptr) return std::nullopt;
  const Value value = *found;
  lines_.erase(lines_.begin() + (found - lines_.data()));
  return value;
}

void ParameterFile::apply(const ParameterTable& table) const {
  for (const Value& line : lines_) {
    const std::string where = fmt::format("{} line {}", name_, line.line);
    if (line.name.empty())
      check_section(table, line.section, where);
    else
      assign(find_in(table, line.section, line.name, where), line.value, where);
  }
}

std::string write_parameters(const ParameterTable& table) {
  std::string text;
  std::string_view section;
  for (const Parameter& parameter : table) {
    if (parameter.section != section) {
      section = parameter.section;
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    }
    // Rows of a list that nobody gives are left out.
    if (const std::string value = value_text(parameter); !value.empty())
      text += fmt::format("# {}\n{} = {}  # {}\n", parameter.source, parameter.name, value, parameter.unit);
  }
  return text;
}

std::string_view title_of(std::string_view text) noexcept {
  std::string_view line = text.substr(0, text.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  return line;
}

} // namespace mesh
