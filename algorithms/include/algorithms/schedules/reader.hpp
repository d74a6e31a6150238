// SPDX-License-Identifier: Apache-2.0
// Reads a schedule from its text, of which each fault is said by line. The format stands in
// algorithms/SCHEDULES.md.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/schedules/format.hpp"

namespace algorithms::schedule {

/// Reads the text of a file. `only`: the core whose steps are wanted; -1: all. Returns what is wrong with the
/// text, "line 7: ...", or nothing.
class Reader {
 public:
  [[nodiscard]] static std::string read(std::string_view text, Schedule& into, int only = -1) {
    Reader reader(into, only);
    if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
      text.remove_prefix(byte_order_mark.size());
    while (!text.empty() && reader.fault_.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      ++reader.line_;
      reader.read_line(line.substr(0, line.find('#')));
    }
    if (reader.fault_.empty()) reader.finish();
    return reader.fault_;
  }

 private:
  Reader(Schedule& into, int only) : into_(into), only_(only) { into_ = {}; }

  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = "line " + std::to_string(line_) + ": " + what;
  }

  static std::string_view word_of(std::string_view& text) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r")));
    const std::string_view word = text.substr(0, text.find_first_of(" \t\r"));
    text.remove_prefix(word.size());
    return word;
  }

  void read_line(std::string_view text) {
    const std::string_view name = word_of(text);
    if (name.empty()) return;
    if (name == "core") return read_core(text);
    if (name == "readers") return read_readers(text);
    const std::string_view value = word_of(text);
    if (!word_of(text).empty()) return fail("'" + std::string(name) + "' has one value");
    if (!has_version_) {
      if (name != "schedule" || value != std::to_string(version))
        return fail("a file begins with 'schedule " + std::to_string(version) + "', the format's version");
      has_version_ = true;
      return;
    }
    if (std::ranges::find(seen_, name) != seen_.end())
      return fail("there is a line '" + std::string(name) + "' already; leave one of them out");
    seen_.push_back(name);
    if (name == "checked") {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), into_.checked);
      if (error != std::errc{} || end != value.data() + value.size())
        fail("'checked' has a number, which rccebench search writes; leave the line out");
      return;
    }
    if (name == "operation") return read_operation(value);
    for (const Field& field : fields())
      if (name == field.name) return field.set(*this, field, value);
    std::string names;
    for (const Field& field : fields()) names += ", " + std::string(field.name);
    fail("there is no '" + std::string(name) + "'; there are schedule, operation, readers, core, checked" +
         names);
  }

  void read_operation(std::string_view value) {
    const auto* const found = std::ranges::find(operation_names, value);
    if (found == operation_names.end())
      return fail("operation '" + std::string(value) + "': schedules are for bcast, reduce and allreduce");
    if (!into_.programs.empty()) return fail("operation stands before the cores");
    into_.operation = static_cast<Operation>(found - operation_names.begin());
  }

  struct Field {
    const char* name;
    long long least, most;
    void (*put)(Schedule&, long long);
    void set(Reader& reader, const Field& field, std::string_view text) const {
      long long value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc{} || end != text.data() + text.size() || value < field.least ||
          value > field.most)
        return reader.fail(std::string(field.name) + " '" + std::string(text) + "': allowed are " +
                           std::to_string(field.least) + ".." + std::to_string(field.most));
      if (!reader.into_.programs.empty())
        return reader.fail(std::string(field.name) + " stands before the cores");
      field.put(reader.into_, value);
    }
  };
  static const std::vector<Field>& fields() {
    constexpr long long most_bytes = 1LL << 30;
    static const std::vector<Field> all{
        {"cores", 1, most_cores, [](Schedule& to, long long value) { to.cores = static_cast<int>(value); }},
        {"root", 0, most_cores - 1, [](Schedule& to, long long value) { to.root = static_cast<int>(value); }},
        {"bytes", 0, most_bytes,
         [](Schedule& to, long long value) { to.bytes = static_cast<std::size_t>(value); }},
        {"segments", 1, most_number,
         [](Schedule& to, long long value) { to.segments = static_cast<int>(value); }},
        {"slots", 1, most_number, [](Schedule& to, long long value) { to.slots = static_cast<int>(value); }},
        {"parts", 1, most_number, [](Schedule& to, long long value) { to.parts = static_cast<int>(value); }},
        {"flags", 0, most_number, [](Schedule& to, long long value) { to.flags = static_cast<int>(value); }},
        {"single_flags", 0, most_number,
         [](Schedule& to, long long value) { to.single_flags = static_cast<int>(value); }},
        {"first_bytes", 1, most_bytes,
         [](Schedule& to, long long value) { to.first_bytes = static_cast<std::size_t>(value); }},
        {"most_bytes", 32, most_bytes,
         [](Schedule& to, long long value) { to.most_bytes = static_cast<std::size_t>(value); }},
        {"growth_percent", 100, 1000,
         [](Schedule& to, long long value) { to.growth_percent = static_cast<int>(value); }},
        {"own_area", 0, 1, [](Schedule& to, long long value) { to.own_area = value != 0; }}};
    return all;
  }

  /// The number before the colon; -1: there is none.
  int read_number_of_core(std::string_view& text) {
    std::string_view name = word_of(text);
    int core = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), core);
    if (error == std::errc{} && std::string_view(end, name.data() + name.size()) == ":" && core >= 0 &&
        core < into_.cores)
      return core;
    fail("core '" + std::string(name) + "': write its number, 0.." + std::to_string(into_.cores - 1) +
         ", and a colon");
    return -1;
  }

  void read_readers(std::string_view text) {
    if (into_.cores == 0) return fail("'cores' stands before the readers");
    if (!into_.programs.empty()) return fail("readers stand before the cores");
    into_.readers.resize(static_cast<std::size_t>(into_.cores));
    const int core = read_number_of_core(text);
    if (core < 0) return;
    auto& readers = into_.readers[static_cast<std::size_t>(core)];
    if (!readers.empty()) return fail("core " + std::to_string(core) + " has readers already");
    for (std::string_view word = word_of(text); !word.empty(); word = word_of(text)) {
      int reader = -1;
      if (!take(word, reader) || !word.empty() || reader >= into_.cores || reader == core ||
          std::ranges::find(readers, reader) != readers.end())
        return fail("readers of core " + std::to_string(core) + ": write the others' numbers, 0.." +
                    std::to_string(into_.cores - 1) + ", each once");
      readers.push_back(reader);
    }
    if (readers.empty() || readers.size() > most_readers)
      fail("a line has 1.." + std::to_string(most_readers) + " readers");
  }

  void read_core(std::string_view text) {
    if (into_.cores == 0) return fail("'cores' stands before the first core");
    if (into_.programs.empty()) into_.programs.resize(static_cast<std::size_t>(into_.cores));
    const int core = read_number_of_core(text);
    if (core < 0) return;
    Program& program = into_.programs[static_cast<std::size_t>(core)];
    if (program.line != 0)
      return fail("core " + std::to_string(core) + " has a line already, " + std::to_string(program.line));
    program.line = line_;
    if (only_ >= 0 && core != only_) return;
    std::vector<Step>* sections[] = {&program.begin, &program.round, &program.end};
    std::size_t section = 0;
    int number = 0;
    for (std::string_view word = word_of(text); !word.empty(); word = word_of(text)) {
      if (word == "|") {
        if (++section == 3) return fail("core " + std::to_string(core) + " has more than two '|'");
        continue;
      }
      ++number;
      Step step{};
      const std::string wrong = read_step(word, core, section == 1, step);
      if (!wrong.empty())
        return fail("core " + std::to_string(core) + ", step " + std::to_string(number) + " '" +
                    std::string(word) + "': " + wrong);
      sections[section]->push_back(step);
    }
    if (section != 2)
      fail("core " + std::to_string(core) + ": write what it does before the rounds | in each | after them");
  }

  static bool take(std::string_view& word, char sign) {
    if (word.empty() || word.front() != sign) return false;
    word.remove_prefix(1);
    return true;
  }
  static bool take(std::string_view& word, int& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || word.front() == '-') return false;
    word.remove_prefix(static_cast<std::size_t>(end - word.data()));
    return true;
  }

  /// "-5" and "*7" of "a3-5*7<12", and "..5" of "h3..5", where "-5" is an offset.
  static bool take_range(std::string_view& word, Step& step) {
    if (step.kind == Step::hear ? take(word, '.') && take(word, '.') : take(word, '-')) {
      int last = 0;
      if (!take(word, last) || last < step.number) return false;
      step.count = last - step.number + 1;
    }
    return step.kind != Step::add || !take(word, '*') || (take(word, step.times) && step.times > 0);
  }

  [[nodiscard]] std::string read_step(std::string_view word, int self, bool in_round, Step& step) const {
    constexpr std::string_view letters = "pgcthasl";
    const std::size_t kind = word.empty() ? std::string_view::npos : letters.find(word.front());
    const std::string forms =
        "it is none of p0>12 (put), g0<12 (get), c0<12>1 (copy), a0<12 (add), t12.3 (tell), h3 (hear), s "
        "(show), l12 (look), with +1 or -1";
    if (kind == std::string_view::npos) return forms;
    word.remove_prefix(1);
    step.kind = static_cast<Step::Kind>(kind);
    bool whole = true;
    if (step.kind == Step::tell) {
      whole = take(word, step.core) && (!take(word, '.') || take(word, step.number));
    } else if (step.kind == Step::look) {
      whole = take(word, step.core);
    } else if (step.kind != Step::show) {
      whole = take(word, step.number);
      if (step.kind != Step::copy) whole = whole && take_range(word, step);
      if (step.kind != Step::hear)
        whole = whole && take(word, step.kind == Step::put ? '>' : '<') && take(word, step.core) &&
            (!take(word, '.') || take(word, step.slot));
      if (step.kind == Step::copy) whole = whole && take(word, '>') && take(word, step.into);
    }
    if (take(word, '+'))
      whole = whole && take(word, step.offset);
    else if (take(word, '-')) {
      whole = whole && take(word, step.offset);
      step.offset = -step.offset;
    }
    if (!whole || !word.empty()) return forms;
    return bounds_of(step, self, in_round);
  }

  [[nodiscard]] std::string bounds_of(const Step& step, int self, bool in_round) const {
    const auto within = [](const char* what, int value, int count) -> std::string {
      if (value >= 0 && value < count) return {};
      if (count == 0) return std::string(what) + " " + std::to_string(value) + ": there are none";
      return std::string(what) + " " + std::to_string(value) + " is out of range 0.." +
          std::to_string(count - 1);
    };
    std::string wrong;
    const auto check = [&](const char* what, int value, int count) {
      if (wrong.empty()) wrong = within(what, value, count);
    };
    if (step.kind != Step::hear && step.kind != Step::show) check("core", step.core, into_.cores);
    if (step.kind == Step::tell || step.kind == Step::hear) {
      check(in_round ? "flag" : "single flag", step.number + step.count - 1,
            in_round ? into_.flags : into_.single_flags);
    } else if (step.kind == Step::show || step.kind == Step::look) {
      if (!in_round) return "before and after the rounds a core tells and hears; lines belong to rounds";
      const auto owner = static_cast<std::size_t>(step.kind == Step::show ? self : step.core);
      if (wrong.empty() && (owner >= into_.readers.size() || into_.readers[owner].empty()))
        return "nobody looks at the line of core " + std::to_string(owner) + "; write its readers";
      if (wrong.empty() && step.kind == Step::look &&
          std::ranges::find(into_.readers[owner], self) == into_.readers[owner].end())
        return "core " + std::to_string(self) + " is none of the readers of core " + std::to_string(owner);
    } else {
      if (!in_round) return "before and after the rounds a core tells and hears; segments belong to rounds";
      if (step.kind == Step::add && into_.operation == Operation::bcast)
        return "a broadcast combines nothing; 'operation' says what the file is for";
      check("segment", step.number, into_.segments);
      check("segment", step.number + step.count - 1, into_.segments);
      check("slot", step.slot, into_.slots);
      check("slot", step.slot + std::min(step.times, most_number + 1) * step.count - 1, into_.slots);
      check("slot", step.into, into_.slots);
      if (into_.own_area && step.offset < 0)
        return "with an area of its own a round that runs behind may belong to the call before, whose "
               "message "
               "is gone";
    }
    if (!in_round && step.offset != 0) return "only in rounds a step can run ahead or behind";
    if (std::abs(step.offset) > most_offset)
      return "a step runs at most " + std::to_string(most_offset) + " rounds ahead or behind";
    return wrong;
  }

  void finish() {
    if (!has_version_) return fail("the file is empty; it begins with 'schedule 1'");
    if (into_.programs.empty()) return fail("it has no cores");
    for (int core = 0; core < into_.cores; ++core)
      if (into_.programs[static_cast<std::size_t>(core)].line == 0)
        return fail("the line of core " + std::to_string(core) + " is missing");
    if (into_.root >= into_.cores)
      fail("root " + std::to_string(into_.root) + " is out of range 0.." + std::to_string(into_.cores - 1));
  }

  Schedule& into_;
  int only_;
  int line_ = 0;
  bool has_version_ = false;
  std::vector<std::string_view> seen_; ///< names of lines that stand there once, in the text
  std::string fault_;
};

} // namespace algorithms::schedule
