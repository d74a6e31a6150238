// SPDX-License-Identifier: Apache-2.0
// The expressions in the tables of publications: numbers, words, quantities with arguments, arithmetic,
// comparisons, and aggregates over lists. README.md has the language.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rccebench::publications {

/// A number, or a word. A word stands in expressions by its key and in sentences as it is printed.
struct Value {
  bool is_word = false;
  double number = 0;         ///< NaN: not measured yet
  std::string word, printed; ///< of a word

  [[nodiscard]] static Value of(double number) { return {false, number, {}, {}}; }
  [[nodiscard]] static Value of(std::string word) { return {true, 0, word, word}; }
  [[nodiscard]] bool known() const { return is_word || number == number; }
  [[nodiscard]] bool operator==(const Value& other) const {
    return is_word == other.is_word && number == other.number && word == other.word;
  }
  /// As keys have it: "32", "0.5", "flat-padded".
  [[nodiscard]] std::string text() const;
};
using List = std::vector<Value>;

/// Whether the second is the first, or names it among alternatives: "linear or dynamic".
[[nodiscard]] bool is_one_of(const Value& value, const Value& alternatives);

/// Items separated by blanks: words, numbers, `KEY=PRINTED` with `_` for a blank, `2..6`, `256..8192:256`.
[[nodiscard]] List list_of(const std::string& text);

struct Phrase {
  std::string condition, text; ///< $1, $2, ...: its arguments
};

/// What names mean where an expression is evaluated.
class Names {
 public:
  virtual ~Names() = default;
  /// Number of arguments of a quantity, and -1 where any number will do; -2: there is none of that name.
  [[nodiscard]] virtual int arguments_of(const std::string& quantity) const = 0;
  /// Null where there is none of that name.
  [[nodiscard]] virtual const List* list(const std::string& name) const = 0;
  /// A number by its name, or an item of a list; null where there is none.
  [[nodiscard]] virtual const Value* constant(const std::string& name) const = 0;
  [[nodiscard]] virtual Value call(const std::string& quantity, const std::vector<Value>& arguments) = 0;
  /// What `{@NAME}` says in sentences: the first whose condition holds, or is empty.
  [[nodiscard]] virtual std::vector<Phrase> phrases(const std::string& name) const = 0;
};

/// Values of variables, by name.
using Bindings = std::map<std::string, Value>;
using Expression = std::function<Value(Names&, const Bindings&)>;
/// Several variables over their lists, with a condition: "machine in machines, n in sizes if n > 4".
struct Loops {
  std::vector<std::string> variables;
  std::vector<std::function<List(const Names&)>> lists;
  Expression condition; ///< may be empty
  /// The first variable is the slowest.
  void each(Names& names, const Bindings& outer, const std::function<void(const Bindings&)>& body) const;
};
/// Text with expressions in braces, `{quantity(argument):decimals}`, and phrases, `{@NAME
/// argument|argument}`.
using Sentence = std::function<std::string(Names&, const Bindings&)>;

/// These throw mesh::UserError that says what is wrong and where. `variables`: those that are bound.
[[nodiscard]] Expression parse(std::string_view text, const Names& names,
                               const std::vector<std::string>& variables);
[[nodiscard]] Loops parse_loops(std::string_view text, const Names& names,
                                const std::vector<std::string>& variables);
[[nodiscard]] Sentence parse_sentence(std::string_view text, const Names& names,
                                      const std::vector<std::string>& variables);

} // namespace rccebench::publications
