// SPDX-License-Identifier: Apache-2.0
#include "publications/expression.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"
#include "publications/functions.hpp"

namespace rccebench::publications {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
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
    if (mesh::read_number(name, number)) return constant(Value::of(number));
    at_ = begin;
    fail(fmt::format("'{}' is no variable, number, list item or quantity", name));
  }
  static Expression constant(Value value) {
    return [value = std::move(value)](Names&, const Bindings&) { return value; };
  }

  Expression call(const std::string& name) {
    const AggregateRow* const over = aggregate(name);
    if (over != nullptr && begins_loops()) return over_lists(*over);
    std::vector<Expression> arguments;
    if (!take(")")) {
      do arguments.push_back(either());
      while (take(","));
      need(")");
    }
    const PlainRow* const plain = plain_function(name);
    const int wanted = name == "if" ? 3 : plain != nullptr ? plain->arguments : names_.arguments_of(name);
    if (wanted == -2) fail(fmt::format("there is no quantity '{}'", name));
    if (wanted >= 0 && arguments.size() != static_cast<std::size_t>(wanted))
      fail(fmt::format("'{}' takes {} arguments, not {},", name, wanted, arguments.size()));
    if (name == "if") return choice(std::move(arguments));
    const auto function = plain != nullptr ? plain->apply : nullptr;
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
  Expression over_lists(const AggregateRow& row) {
    const std::size_t outer = variables_.size();
    Loops loops = this->loops();
    need(":");
    Expression body = either();
    need(")");
    variables_.resize(outer);
    return [loops = std::move(loops), body = std::move(body), apply = row.apply](Names& names,
                                                                                 const Bindings& bound) {
      Rounds rounds;
      loops.each(names, bound, [&](const Bindings& inner) {
        Round& round = rounds.emplace_back();
        for (const std::string& variable : loops.variables) round.items.push_back(inner.at(variable));
        round.value = body(names, inner);
      });
      const bool known =
          std::all_of(rounds.begin(), rounds.end(), [](const Round& r) { return r.value.known(); });
      return rounds.empty() || !known ? Value::of(not_measured) : apply(rounds);
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

Expression parse(std::string_view text, const Names& names, const std::vector<std::string>& variables) {
  return Parser(text, names, variables).whole();
}

Loops parse_loops(std::string_view text, const Names& names, const std::vector<std::string>& variables) {
  return text.empty() ? Loops{} : Parser(text, names, variables).whole_loops();
}

} // namespace rccebench::publications
