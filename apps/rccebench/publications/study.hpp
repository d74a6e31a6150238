// SPDX-License-Identifier: Apache-2.0
// One publication: its tables of statements, published values, reasons and figures, read and evaluated.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "publications/quantity.hpp"
#include "publications/reproduction.hpp"

namespace rccebench::publications {

/// Rules by which a statement holds: "within", "factor", "above", ... README.md has them.
struct Comparison {
  const char* name;
  const char* tolerance; ///< for people; {} stands for the numbers of the tolerance
  bool (*holds)(const Value& simulated, const Value& published, double least, double most);
};
/// Null where there is none of that name.
[[nodiscard]] const Comparison* comparison(const std::string& name);

class Study final : public Names {
 public:
  /// Reads the tables of that folder. Throws mesh::UserError "FILE line N: ..." for what cannot be
  /// understood.
  Study(std::string name, Quantities quantities, const std::filesystem::path& folder);

  /// In place of that of about.csv: fewer repetitions, one machine.
  void set(const std::string& list, const List& items) { lists_[list] = items; }
  void set(const std::string& number, double value) { constants_[number] = Value::of(value); }
  /// Of figures and curves those whose file or title begins so, where they are not wanted; all where it is
  /// empty.
  void leave_out_figures(const std::string& beginning = {});
  /// Presets in whose place machine files may stand (measuring/substitutes.hpp).
  [[nodiscard]] const std::vector<std::string>& substitutable() const { return substitutable_; }
  /// After Ctrl-C run() returns what is known by then.
  void keep_what_is_done() { keeps_ = true; }
  /// Results are stored as those of another machine than the built-in ones; empty: they are not stored.
  void store_for(const std::string& machine) { machine_ = machine, stores_ = !machine.empty(); }

  /// Measures what the statements need, on so many threads (0: one per processor), and evaluates them; of one
  /// statement alone with `id`, and its terms. Throws mesh::UserError after Ctrl-C, and for an id that there
  /// is not.
  [[nodiscard]] Reproduction run(unsigned jobs, const std::string& id = {});

  // --- Names
  [[nodiscard]] int arguments_of(const std::string& quantity) const override;
  [[nodiscard]] const List* list(const std::string& name) const override;
  [[nodiscard]] const Value* constant(const std::string& name) const override;
  [[nodiscard]] Value call(const std::string& quantity, const std::vector<Value>& arguments) override;
  [[nodiscard]] std::vector<Phrase> phrases(const std::string& name) const override;

 private:
  /// A row of statements.csv: a statement, or the like of several machines and sizes.
  struct Family {
    Loops each;
    Sentence id, statement, where, published, reason, chosen, inputs;
    Expression published_value, quantity, least, most;
    const Comparison* comparison = nullptr;
    std::string unit, cause;
    bool headline = false, evidence = true;
  };
  struct FigureColumn {
    Loops each; ///< where it stands for several columns
    Sentence name;
    Column column;
    std::string decimals;
    Expression value;
    Sentence words; ///< in place of `value`
  };
  struct FigureRows {
    std::string beginning; ///< of its file's name, as it is written in the table
    Sentence file, title;
    bool in_text = true;
    Loops figures, rows;
    std::vector<FigureColumn> columns;
  };
  struct CurveRows {
    std::string beginning; ///< of its title
    Sentence title, name;
    Loops figures, lines, points;
    std::string x, x_unit, y, y_unit;
    bool x_logarithmic = true;
    Expression value, published; ///< `published` may be empty
  };
  struct Schedule {
    std::string algorithm, machine;
    int ranks;
    std::vector<std::string> parameters;
  };
  struct MainResultRow {
    std::vector<std::string> statements; ///< beginnings of their ids
    Sentence text;
  };
  struct PublishedValue {
    std::string id;
    Value value;
    std::string unit;
  };
  struct Point {
    MeasurementPointer measurement;
    Arguments arguments;
    std::optional<Measured> measured;
  };

  void read_about(const std::filesystem::path& file);
  void read_published(const std::filesystem::path& file);
  void read_reasons(const std::filesystem::path& file);
  void read_statements(const std::filesystem::path& file);
  void read_figures(const std::filesystem::path& file);
  void read_curves(const std::filesystem::path& file);

  [[nodiscard]] const Quantity* quantity(const std::string& name) const;
  /// Of published.csv: `published`, its value; `id`; `printed`, whether it is there.
  [[nodiscard]] Value published(const std::vector<Value>& arguments, const std::string& what);
  [[nodiscard]] Value measured(const Quantity& quantity, const Arguments& arguments);
  [[nodiscard]] Value total(const std::string& quantity);
  [[nodiscard]] Value digest() const;
  void note_term(const std::string& quantity, const std::vector<Value>& arguments, const Value& value,
                 const std::string& unit);

  /// What is known so far; what is not is in pending_ afterwards.
  [[nodiscard]] Reproduction evaluate(const std::string& id);
  [[nodiscard]] Claim claim_of(const Family& family, const Bindings& bound);
  /// Throws mesh::UserError where a row names a statement that there is not.
  [[nodiscard]] std::vector<MainResult> main_results(const std::vector<Claim>& claims);
  void add_figures(const FigureRows& rows, Reproduction& to);
  void add_curves(const CurveRows& rows, Reproduction& to);
  [[nodiscard]] Cell cell(const FigureColumn& column, const Bindings& bound);
  /// False after Ctrl-C, and where other shards measure some. `derived` as stored_sweep() has it.
  [[nodiscard]] bool measure_pending(unsigned jobs, bool derived);

  std::string name_;
  Quantities quantities_;
  std::string title_, machines_;
  std::vector<std::string> substitutable_;
  std::vector<std::pair<std::string, Sentence>> settings_;
  std::vector<Sentence> notes_;
  std::vector<Schedule> schedules_;
  std::vector<MainResultRow> results_;
  std::map<std::string, Sentence> no_evidence_; ///< why a preset is none, by its name
  std::map<std::string, List> lists_;
  std::map<std::string, Value> constants_;
  std::map<std::string, std::vector<Phrase>> phrases_;
  std::map<std::string, PublishedValue> published_; ///< by id, and by what it is of
  std::vector<Family> families_;
  std::vector<FigureRows> figures_;
  std::vector<CurveRows> curves_;
  std::map<std::string, Point> points_; ///< by measurement and arguments
  std::set<std::string> pending_;       ///< of those, what has been asked for and is not measured
  std::vector<Term> terms_;
  bool notes_terms_ = false, keeps_ = false, stores_ = true;
  std::string machine_ = "built-in"; ///< in keys of stored results
};

} // namespace rccebench::publications
