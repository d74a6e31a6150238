// SPDX-License-Identifier: Apache-2.0
#include "publications/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/natural_logarithm.hpp"

namespace rccebench::publications {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

bool read_number(std::string_view text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// One round of an aggregate: the items that its variables stand for, and what its body is there.
struct Round {
  std::vector<Value> items;
  Value value;
};
using Rounds = std::vector<Round>;

Value joined(const std::vector<Value>& items, std::string_view between) {
  if (items.size() == 1) return items.front();
  Value all = Value::of(std::string());
  for (const Value& item : items) {
    const auto add = [between](std::string& to, const std::string& word) {
      to += (to.empty() ? "" : std::string(between)) + word;
    };
    add(all.word, item.text());
    add(all.printed, item.is_word ? item.printed : item.text());
  }
  return all;
}

double sum_of(const Rounds& rounds) {
  double sum = 0;
  for (const Round& round : rounds) sum += round.value.number;
  return sum;
}
auto by_value(const Round& a, const Round& b) {
  return a.value.number < b.value.number;
}
double count_of(const Rounds& rounds) {
  return static_cast<double>(std::count_if(rounds.begin(), rounds.end(),
                                           [](const Round& round) { return round.value.number != 0; }));
}
double median_of(Rounds rounds) {
  std::sort(rounds.begin(), rounds.end(), by_value);
  return (rounds[(rounds.size() - 1) / 2].value.number + rounds[rounds.size() / 2].value.number) / 2;
}
/// The first item up to which, from the first one on, the condition holds; 0 where it never does.
Value up_to(const Rounds& rounds) {
  Value last = Value::of(0);
  for (const Round& round : rounds) {
    if (round.value.number == 0) break;
    last = joined(round.items, ", ");
  }
  return last;
}
Value series(const Rounds& rounds) {
  const bool whole = std::all_of(rounds.begin(), rounds.end(), [](const Round& round) {
    return round.value.number == std::floor(round.value.number);
  });
  std::vector<std::string> texts;
  for (const Round& round : rounds)
    texts.push_back(fmt::format("{:.{}f}", round.value.number, whole ? 0 : 2));
  return Value::of(fmt::format("{}", fmt::join(texts, ", ")));
}
Value sorted(const Rounds& all) {
  Rounds rounds = all;
  std::stable_sort(rounds.begin(), rounds.end(), by_value);
  std::vector<Value> items;
  for (const Round& round : rounds) items.push_back(joined(round.items, ", "));
  return joined(items, " < ");
}
Value ordered(const Rounds& rounds, double sign) {
  return Value::of(std::is_sorted(rounds.begin(), rounds.end(), [sign](const Round& a, const Round& b) {
    return sign * a.value.number < sign * b.value.number;
  }));
}

using Aggregate = Value (*)(const Rounds&);
struct AggregateRow {
  std::string_view name;
  Aggregate apply;
};
constexpr AggregateRow aggregates[] = {
    {"min", [](const Rounds& r) { return std::min_element(r.begin(), r.end(), by_value)->value; }},
    {"max", [](const Rounds& r) { return std::max_element(r.begin(), r.end(), by_value)->value; }},
    {"argmin",
     [](const Rounds& r) { return joined(std::min_element(r.begin(), r.end(), by_value)->items, ", "); }},
    {"argmax",
     [](const Rounds& r) { return joined(std::max_element(r.begin(), r.end(), by_value)->items, ", "); }},
    {"sum", [](const Rounds& r) { return Value::of(sum_of(r)); }},
    {"mean", [](const Rounds& r) { return Value::of(sum_of(r) / static_cast<double>(r.size())); }},
    {"geomean",
     [](const Rounds& r) {
       double sum = 0;
       for (const Round& round : r) sum += std::log(round.value.number);
       return Value::of(std::exp(sum / static_cast<double>(r.size())));
     }},
    {"median", [](const Rounds& r) { return Value::of(median_of(r)); }},
    {"count", [](const Rounds& r) { return Value::of(count_of(r)); }},
    {"share", [](const Rounds& r) { return Value::of(count_of(r) / static_cast<double>(r.size())); }},
    {"all", [](const Rounds& r) { return Value::of(count_of(r) == static_cast<double>(r.size())); }},
    {"tally", [](const Rounds& r) { return Value::of(fmt::format("{:.0f} of {}", count_of(r), r.size())); }},
    {"up_to", up_to},
    {"series", series},
    {"sorted", sorted},
    {"rising", [](const Rounds& r) { return ordered(r, 1); }},
    {"falling", [](const Rounds& r) { return ordered(r, -1); }},
};

using Plain = Value (*)(const std::vector<Value>&);
double fold(const std::vector<Value>& a, const double& (*better)(const double&, const double&)) {
  double best = a.front().number;
  for (const Value& one : a) best = better(best, one.number);
  return best;
}
struct PlainRow {
  std::string_view name;
  int arguments; ///< -1: any number
  Plain apply;
};
using PlainArguments = std::vector<Value>;
constexpr PlainRow plain_functions[] = {
    {"min", -1, [](const PlainArguments& a) { return Value::of(fold(a, std::min<double>)); }},
    {"max", -1, [](const PlainArguments& a) { return Value::of(fold(a, std::max<double>)); }},
    {"abs", 1, [](const PlainArguments& a) { return Value::of(std::abs(a[0].number)); }},
    {"ln", 1, [](const PlainArguments& a) { return Value::of(mesh::natural_logarithm(a[0].number)); }},
    {"is", 2, [](const PlainArguments& a) { return Value::of(is_one_of(a[0], a[1])); }},
    {"round", 1, [](const PlainArguments& a) { return Value::of(std::round(a[0].number)); }},
};

template <class Row, std::size_t N>
const Row* row_named(const Row (&rows)[N], std::string_view name) {
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [name](const Row& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

struct Operator {
  std::string_view sign;
  double (*apply)(double, double);
};
constexpr Operator relations[] = {
    {"<=", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {">=", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"<", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {">", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
};
constexpr Operator sums[] = {{"+", [](double a, double b) { return a + b; }},
                             {"-", [](double a, double b) { return a - b; }}};
constexpr Operator products[] = {{"*", [](double a, double b) { return a * b; }},
                                 {"/", [](double a, double b) { return a / b; }}};

class Parser {
 public:
  Parser(std::string_view text, const Names& names, std::vector<std::string> variables)
      : text_(text), names_(names), variables_(std::move(variables)) {}

  Expression whole() {
    Expression all = either();
    end();
    return all;
  }
  Loops whole_loops() {
    Loops all = loops();
    end();
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw mesh::UserError(fmt::format("{} at '{}' of '{}'", what, text_.substr(at_, 20), text_));
  }
  void end() {
    blanks();
    if (at_ < text_.size()) fail("something is left over");
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view sign) {
    blanks();
    if (text_.substr(at_, sign.size()) != sign) return false;
    const std::size_t behind = at_ + sign.size();
    if (std::isalpha(static_cast<unsigned char>(sign[0])) != 0 && behind < text_.size() &&
        is_part_of_word(text_[behind]))
      return false;
    at_ = behind;
    return true;
  }
  void need(std::string_view sign) {
    if (!take(sign)) fail(fmt::format("'{}' is missing", sign));
  }
  std::string word() {
    blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_part_of_word(text_[at_])) ++at_;
    if (begin == at_) fail("a name or number is missing");
    return std::string(text_.substr(begin, at_ - begin));
  }

  static Expression applied(Expression a, Expression b, double (*apply)(double, double)) {
    return [a = std::move(a), b = std::move(b), apply](Names& names, const Bindings& bound) {
      const double left = a(names, bound).number; // in the order of the text, for lists of terms
      return Value::of(apply(left, b(names, bound).number));
    };
  }
  template <std::size_t N>
  Expression chain(const Operator (&operators)[N], Expression (Parser::*part)()) {
    Expression all = (this->*part)();
    for (bool found = true; found;) {
      found = false;
      for (const Operator& one : operators)
        if (take(one.sign)) {
          all = applied(std::move(all), (this->*part)(), one.apply);
          found = true;
          break;
        }
    }
    return all;
  }
  Expression sum() { return chain(sums, &Parser::product); }
  Expression product() { return chain(products, &Parser::operand); }

  Expression either() {
    Expression all = both();
    while (take("or"))
      all = applied(std::move(all), both(), [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; });
    return all;
  }
  Expression both() {
    Expression all = comparison();
    while (take("and")) all = conjunction(std::move(all), comparison());
    return all;
  }
  /// The second is not evaluated where the first does not hold.
  static Expression conjunction(Expression a, Expression b) {
    return [a = std::move(a), b = std::move(b)](Names& names, const Bindings& bound) {
      return Value::of(a(names, bound).number != 0 && b(names, bound).number != 0 ? 1 : 0);
    };
  }
  Expression comparison() {
    if (take("not")) {
      Expression inner = comparison();
      return [inner = std::move(inner)](Names& names, const Bindings& bound) {
        return Value::of(inner(names, bound).number == 0);
      };
    }
    Expression left = sum(), all;
    for (bool found = true; found;) {
      found = false;
      const bool same = take("=="), other = !same && take("!=");
      if (same || other) {
        all = equality(std::move(left), sum(), same);
        return all;
      }
      for (const Operator& one : relations)
        if (take(one.sign)) {
          Expression right = sum();
          Expression step = applied(std::move(left), right, one.apply);
          all = all ? conjunction(std::move(all), std::move(step)) : std::move(step);
          left = std::move(right);
          found = true;
          break;
        }
    }
    return all ? all : left;
  }
  static Expression equality(Expression a, Expression b, bool same) {
    return [a = std::move(a), b = std::move(b), same](Names& names, const Bindings& bound) {
      return Value::of((a(names, bound) == b(names, bound)) == same);
    };
  }

  Expression operand() {
    if (take("-"))
      return applied(constant(Value::of(0)), operand(), [](double a, double b) { return a - b; });
    if (take("(")) {
      Expression inner = either();
      need(")");
      return inner;
    }
    if (take("'")) {
      const std::size_t close = text_.find('\'', at_);
      if (close == std::string_view::npos) fail("a quote is not closed");
      std::string quoted(text_.substr(at_, close - at_));
      at_ = close + 1;
      return constant(Value::of(std::move(quoted)));
    }
    const std::size_t begin = at_;
    const std::string name = word();
    if (take("(")) return call(name);
    if (std::find(variables_.begin(), variables_.end(), name) != variables_.end())
      return [name](Names&, const Bindings& bound) { return bound.at(name); };
    if (names_.constant(name) != nullptr) // which may be set to another value later
      return [name](Names& names, const Bindings&) { return *names.constant(name); };
    double number = 0;
    if (read_number(name, number)) return constant(Value::of(number));
    at_ = begin;
    fail(fmt::format("'{}' is no variable, number, list item or quantity", name));
  }
  static Expression constant(Value value) {
    return [value = std::move(value)](Names&, const Bindings&) { return value; };
  }

  Expression call(const std::string& name) {
    const AggregateRow* const aggregate = row_named(aggregates, name);
    if (aggregate != nullptr && begins_loops()) return over_lists(aggregate->apply);
    std::vector<Expression> arguments;
    if (!take(")")) {
      do arguments.push_back(either());
      while (take(","));
      need(")");
    }
    const PlainRow* const plain = row_named(plain_functions, name);
    const int wanted = name == "if" ? 3 : plain != nullptr ? plain->arguments : names_.arguments_of(name);
    if (wanted == -2) fail(fmt::format("there is no quantity '{}'", name));
    if (wanted >= 0 && arguments.size() != static_cast<std::size_t>(wanted))
      fail(fmt::format("'{}' takes {} arguments, not {},", name, wanted, arguments.size()));
    if (name == "if") return choice(std::move(arguments));
    const Plain function = plain != nullptr ? plain->apply : nullptr;
    return [name, function, arguments = std::move(arguments)](Names& names, const Bindings& bound) {
      std::vector<Value> values;
      for (const Expression& one : arguments) values.push_back(one(names, bound));
      return function != nullptr ? function(values) : names.call(name, values);
    };
  }
  /// Evaluates one of the two alone.
  static Expression choice(std::vector<Expression> of) {
    return [of = std::move(of)](Names& names, const Bindings& bound) {
      const Value condition = of[0](names, bound);
      return condition.known() ? of[condition.number != 0 ? 1 : 2](names, bound) : condition;
    };
  }
  /// Whether `VARIABLE in` follows.
  bool begins_loops() {
    const std::size_t here = at_;
    blanks();
    while (at_ < text_.size() && is_part_of_word(text_[at_])) ++at_;
    const bool so = take("in");
    at_ = here;
    return so;
  }
  Expression over_lists(Aggregate aggregate) {
    const std::size_t outer = variables_.size();
    Loops loops = this->loops();
    need(":");
    Expression body = either();
    need(")");
    variables_.resize(outer);
    return
        [loops = std::move(loops), body = std::move(body), aggregate](Names& names, const Bindings& bound) {
          Rounds rounds;
          loops.each(names, bound, [&](const Bindings& inner) {
            Round& round = rounds.emplace_back();
            for (const std::string& variable : loops.variables) round.items.push_back(inner.at(variable));
            round.value = body(names, inner);
          });
          const bool known =
              std::all_of(rounds.begin(), rounds.end(), [](const Round& r) { return r.value.known(); });
          return rounds.empty() || !known ? Value::of(not_measured) : aggregate(rounds);
        };
  }
  Loops loops() {
    Loops all;
    do {
      all.variables.push_back(word());
      variables_.push_back(all.variables.back());
      need("in");
      if (take("[")) {
        const std::size_t close = text_.find(']', at_);
        if (close == std::string_view::npos) fail("']' is missing");
        List items = list_of(std::string(text_.substr(at_, close - at_)));
        for (Value& item : items)
          if (const Value* const known = item.is_word ? names_.constant(item.word) : nullptr) item = *known;
        at_ = close + 1;
        all.lists.emplace_back([items = std::move(items)](const Names&) { return items; });
        continue;
      }
      const std::string name = word();
      if (names_.list(name) == nullptr) fail(fmt::format("there is no list '{}'", name));
      all.lists.emplace_back([name](const Names& names) { return *names.list(name); });
    } while (take(","));
    if (take("if")) all.condition = either();
    return all;
  }

  std::string_view text_;
  const Names& names_;
  std::vector<std::string> variables_;
  std::size_t at_ = 0;
};

} // namespace

bool is_one_of(const Value& value, const Value& alternatives) {
  if (!alternatives.is_word) return value == alternatives;
  const std::string between = " or ";
  std::string_view rest = alternatives.printed;
  for (;;) {
    const std::size_t end = rest.find(between);
    if (rest.substr(0, end) == value.printed) return true;
    if (end == std::string_view::npos) return false;
    rest.remove_prefix(end + between.size());
  }
}

std::string Value::text() const {
  return is_word ? word : fmt::format("{}", number);
}

List list_of(const std::string& text) {
  List all;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string item = text.substr(at, end - at);
    at = end + 1;
    if (item.empty()) continue;
    double first = 0, last = 0, step = 1;
    const std::size_t dots = item.find(".."), colon = item.find(':');
    if (dots != std::string::npos && read_number(item.substr(0, dots), first)) {
      if (!read_number(item.substr(dots + 2, colon - dots - 2), last) ||
          (colon != std::string::npos && !read_number(item.substr(colon + 1), step)))
        throw mesh::UserError(fmt::format("'{}' is no range of numbers", item));
      for (double number = first; number <= last; number += step) all.push_back(Value::of(number));
      continue;
    }
    const std::size_t equals = item.find('=');
    Value& value = all.emplace_back(Value::of(item.substr(0, equals)));
    if (read_number(value.word, first)) value = Value::of(first);
    if (equals == std::string::npos) continue;
    value.printed = item.substr(equals + 1);
    std::replace(value.printed.begin(), value.printed.end(), '_', ' ');
  }
  return all;
}

void Loops::each(Names& names, const Bindings& outer,
                 const std::function<void(const Bindings&)>& body) const {
  const std::function<void(std::size_t, Bindings)> down = [&](std::size_t depth, Bindings bound) {
    if (depth == variables.size()) {
      if (!condition || condition(names, bound).number != 0) body(bound);
      return;
    }
    for (const Value& item : lists[depth](names)) {
      bound[variables[depth]] = item;
      down(depth + 1, bound);
    }
  };
  down(0, outer);
}

Expression parse(std::string_view text, const Names& names, const std::vector<std::string>& variables) {
  return Parser(text, names, variables).whole();
}

Loops parse_loops(std::string_view text, const Names& names, const std::vector<std::string>& variables) {
  return text.empty() ? Loops{} : Parser(text, names, variables).whole_loops();
}

namespace {

/// `NAME argument|argument`: its phrases, with their arguments in place.
Sentence phrase(std::string_view call, const Names& names, const std::vector<std::string>& variables) {
  const std::size_t blank = std::min(call.find(' '), call.size());
  const std::string name(call.substr(0, blank));
  call.remove_prefix(std::min(blank + 1, call.size()));
  std::vector<std::string> arguments;
  while (!call.empty()) {
    const std::size_t bar = std::min(call.find('|'), call.size());
    arguments.emplace_back(call.substr(0, bar));
    call.remove_prefix(std::min(bar + 1, call.size()));
  }
  const auto filled = [&](std::string text) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (std::size_t at = 0; (at = text.find(fmt::format("${}", i + 1), at)) != std::string::npos;
           at += arguments[i].size())
        text.replace(at, 2, arguments[i]);
    return text;
  };
  std::vector<std::pair<Expression, Sentence>> choices;
  for (const Phrase& one : names.phrases(name))
    choices.emplace_back(one.condition.empty() ? Expression()
                                               : parse(filled(one.condition), names, variables),
                         parse_sentence(filled(one.text), names, variables));
  if (choices.empty()) throw mesh::UserError(fmt::format("there is no phrase '@{}'", name));
  return [choices = std::move(choices)](Names& known, const Bindings& bound) {
    for (const auto& [condition, sentence] : choices)
      if (!condition || condition(known, bound).number != 0) return sentence(known, bound);
    return std::string();
  };
}

/// `expression:decimals`; without decimals a number has as many as it needs.
Sentence placeholder(std::string_view inner, const Names& names, const std::vector<std::string>& variables) {
  if (inner.starts_with("@")) return phrase(inner.substr(1), names, variables);
  int decimals = -1;
  const std::size_t colon = inner.rfind(':');
  if (colon != std::string_view::npos && colon + 2 == inner.size() && inner.back() >= '0' &&
      inner.back() <= '9') {
    decimals = inner.back() - '0';
    inner = inner.substr(0, colon);
  }
  return [value = parse(inner, names, variables), decimals](Names& known, const Bindings& bound) {
    const Value found = value(known, bound);
    if (!found.printed.empty() || found.is_word) return found.printed;
    return decimals < 0 ? found.text() : fmt::format("{:.{}f}", found.number, decimals);
  };
}

} // namespace

Sentence parse_sentence(std::string_view text, const Names& names,
                        const std::vector<std::string>& variables) {
  std::vector<Sentence> parts;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    if (open > 0)
      parts.emplace_back(
          [words = std::string(text.substr(0, open))](Names&, const Bindings&) { return words; });
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('}');
    if (close == std::string_view::npos) throw mesh::UserError(fmt::format("'{}': '}}' is missing", text));
    parts.push_back(placeholder(text.substr(1, close - 1), names, variables));
    text.remove_prefix(close + 1);
  }
  return [parts = std::move(parts)](Names& known, const Bindings& bound) {
    std::string all;
    for (const Sentence& part : parts) all += part(known, bound);
    return all;
  };
}

} // namespace rccebench::publications
