// SPDX-License-Identifier: Apache-2.0
#include "measuring/benchmark_tables.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/lists.hpp"
#include "lab/row.hpp"
#include "mesh_sim/counted.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"

namespace rccebench {
namespace {

/// A suite of benchmarks: a head is `before`, the benchmark's name and `behind`.
struct Suite {
  std::string_view name, before, behind;
  std::string_view times; ///< the columns that can have the time, with blanks, the first counts
  std::string_view size;  ///< the column of the size
  std::string_view wrong; ///< the column that says whether, or how often, a result was wrong
};
constexpr Suite osu{"OSU", "# OSU MPI", " Test", "Latency", "Size", "Validation"};
/// OSU's benchmarks that are not of MPI have the same rows.
constexpr std::string_view osu_others = "# OSU ";
constexpr Suite imb{"IMB", "# Benchmarking ", "", "t_avg[usec] t[usec]", "bytes", "defects"};
constexpr Suite nccl{"nccl-tests", "# Collective test starting: ", "_perf", "time", "size", "#wrong"};
/// The beginning of an older nccl-tests table, which does not name its operation.
constexpr std::string_view nccl_settings = "# nThread ";

struct Benchmark {
  const Suite& suite;
  std::string_view head, operation; ///< operation empty: messages between two
  bool of_block = false;            ///< its size is one rank's block; else what Rockcreek counts, too
};
constexpr Benchmark benchmarks[] = {
    {osu, "Latency", ""},
    {osu, "Broadcast Latency", "bcast"},
    {osu, "Barrier Latency", "barrier"},
    {osu, "Reduce Latency", "reduce"},
    {osu, "Allreduce Latency", "allreduce"},
    {osu, "Gather Latency", "gather", true},
    {osu, "Scatter Latency", "scatter", true},
    {osu, "Allgather Latency", "allgather", true},
    {osu, "All-to-All Personalized Exchange Latency", "alltoall", true},
    {osu, "Reduce_scatter Latency", "reduce_scatter"},
    {imb, "PingPong", ""},
    {imb, "Bcast", "bcast"},
    {imb, "Barrier", "barrier"},
    {imb, "Reduce", "reduce"},
    {imb, "Allreduce", "allreduce"},
    {imb, "Gather", "gather", true},
    {imb, "Scatter", "scatter", true},
    {imb, "Allgather", "allgather", true},
    {imb, "Alltoall", "alltoall", true},
    {imb, "Reduce_scatter", "reduce_scatter"},
    {imb, "Scan", "scan"},
    {nccl, "broadcast", "bcast"},
    {nccl, "reduce", "reduce"},
    {nccl, "all_reduce", "allreduce"},
    {nccl, "gather", "gather"},
    {nccl, "scatter", "scatter"},
    {nccl, "all_gather", "allgather"},
    {nccl, "alltoall", "alltoall"},
    {nccl, "reduce_scatter", "reduce_scatter"},
};

/// Types as tables name them, and Rockcreek's; one byte is combined as an int.
constexpr std::pair<std::string_view, std::string_view> types[] = {
    {"MPI_FLOAT", "float"}, {"MPI_INT", "int"}, {"MPI_CHAR", "int"}, {"MPI_DOUBLE", "double"},
    {"MPI_LONG", "long"},   {"int32", "int"},   {"int64", "long"}};

constexpr std::string_view points_columns = "group,id,value,unit,time,algorithm,cores,bytes,type,op,root";
constexpr std::string_view messages_columns = "group,id,value,unit,cores,bytes,hops,quantity";

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string type_of(std::string_view name) {
  const auto* const found =
      std::ranges::find(types, name, &std::pair<std::string_view, std::string_view>::first);
  return std::string(found == std::end(types) ? name : found->second);
}

/// The name in a head of that suite; nothing in another line.
std::optional<std::string> name_in(std::string_view line, const Suite& suite) {
  if (!line.starts_with(suite.before)) return std::nullopt;
  std::string_view name = line.substr(suite.before.size());
  if (&suite == &osu && name.starts_with('-')) // "-CUDA": where the buffers were
    name.remove_prefix(std::min(name.find(' '), name.size()));
  if (&suite == &osu && !name.starts_with(' ')) // "_Put Latency": another benchmark than "Latency"
    name = line.substr(osu_others.size());
  const std::size_t end = suite.behind.empty() ? std::string_view::npos : name.rfind(suite.behind);
  return std::string(without_blanks(name.substr(0, end)));
}

/// OSU's first column behind the size, which has the time; blanks in names differ between versions.
bool is_time_of_osu(std::string_view line) {
  std::string name;
  for (const char one : line)
    if (one != ' ' && one != '\t' && one != '#') name += one;
  if (name.starts_with(osu.size)) name.erase(0, osu.size.size());
  return name.starts_with("AvgLatency(us)") || name.starts_with("Latency(us)");
}

/// Reads a file line by line.
class Reader {
 public:
  Reader(const std::string& file, const UnsaidByTable& unsaid, int word_bytes)
      : file_(file), unsaid_(unsaid), word_bytes_(word_bytes) {}

  void read(std::string_view text) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      points_.emplace_back();
      messages_.emplace_back();
      ++number_;
      try {
        read_line(without_blanks(line));
      } catch (const mesh::UserError& error) {
        throw mesh::UserError(fmt::format("'{}' line {}: {}", file_, number_, error.what()));
      }
    }
  }

  [[nodiscard]] std::optional<BenchmarkTables> tables() const {
    if (!begun_) return std::nullopt;
    BenchmarkTables all;
    const auto has_rows = [](const std::vector<std::string>& lines) {
      return std::ranges::count_if(lines, [](const std::string& line) { return !line.empty(); }) > 1;
    };
    if (has_rows(points_)) all.points = fmt::format("{}", fmt::join(points_, "\n"));
    if (has_rows(messages_)) all.messages = fmt::format("{}", fmt::join(messages_, "\n"));
    if (all.points.empty() && all.messages.empty())
      throw mesh::UserError(fmt::format("'{}': no row of its tables can be compared ({}); known are {}",
                                        file_, fmt::join(sentences(), "; "), known_heads()));
    refuse_unused();
    all.translated = sentences();
    return all;
  }

 private:
  /// What is told of one benchmark in the end.
  struct Told {
    std::string name;
    const Benchmark* benchmark; ///< null: nothing here measures it
    std::set<int> ranks;
    int rows = 0, left_out = 0, wrong = 0;
  };

  void read_line(std::string_view line) {
    for (const Suite* suite : {&osu, &imb, &nccl})
      if (const auto name = name_in(line, *suite)) return begin(*suite, *name);
    if (begun_ && line.starts_with(osu_others)) {
      const std::string_view name = line.substr(osu_others.size());
      if (const std::size_t end = name.rfind(osu.behind); end != name.npos)
        return begin(osu, std::string(name.substr(0, end)));
    }
    if (line.starts_with(nccl_settings)) {
      if (suite_ != &nccl || !columns_.empty()) begin(nccl, "");
      return;
    }
    if (line.starts_with("# MPI_Datatype for reductions")) type_ = type_of(words_of(line).back());
    if (suite_ == nullptr || line.empty()) return;
    const bool is_number = line.front() >= '0' && line.front() <= '9';
    if (!is_number) return read_words(line);
    if (!columns_.empty() && told_[at_].benchmark != nullptr) read_row(words_of(line));
  }

  void begin(const Suite& suite, const std::string& name) {
    const std::string wanted = &suite == &nccl && name.empty() ? unsaid_.operation : name;
    const auto* const found = std::ranges::find_if(benchmarks, [&](const Benchmark& one) {
      return &one.suite == &suite && (name.empty() ? one.operation == wanted : one.head == wanted);
    });
    if (&suite == &nccl && wanted.empty())
      throw mesh::UserError(
          "this nccl-tests table does not name its operation; give it: --operation allreduce");
    if (found != std::end(benchmarks) && !name.empty() && !unsaid_.operation.empty() &&
        !found->operation.empty() && found->operation != unsaid_.operation)
      throw mesh::UserError(fmt::format("--operation {}: the table is of {}; leave the option out",
                                        unsaid_.operation, found->operation));
    if (!begun_) {
      if (!unsaid_.machine_given)
        throw mesh::UserError(
            "a table of this kind names no machine that rockcreek simulates; give the one to "
            "compare it with: --machine NAME (rcceinfo machines)");
      points_.back() = points_columns;
      messages_.back() = messages_columns;
      begun_ = true;
    }
    suite_ = &suite;
    columns_.clear();
    ranks_ = 0;
    if (&suite != &imb) type_ = "float"; // which IMB says once for all
    const bool is_known = found != std::end(benchmarks);
    const std::string shown =
        fmt::format("{} {}", suite.name, is_known ? std::string(found->head) : mesh::shown(wanted));
    at_ = static_cast<std::size_t>(std::ranges::find(told_, shown, &Told::name) - told_.begin());
    if (at_ == told_.size()) told_.push_back({shown, is_known ? found : nullptr, {}});
  }

  /// A line that is no row: it may name the columns, the number of ranks, or the type.
  void read_words(std::string_view line) {
    std::vector<std::string> words =
        words_of(line.substr(std::min(line.find_first_not_of("# \t"), line.size())));
    if (words.empty()) return;
    if (suite_ == &nccl && words.front() == "Rank" && words.size() > 2) ++ranks_;
    if (words.front() == "processes" && words.size() > 2 && !mesh::read_number(words[2], ranks_)) ranks_ = 0;
    if (words.front() == "Datatype:") type_ = type_of(words.back().substr(0, words.back().find('.')));
    const auto names = words_of(suite_->times);
    // OSU's names have blanks: the time is the first column, or the second behind the size.
    const bool has_size = words.front() == suite_->size;
    if (suite_ == &osu && (has_size || line.find("Latency") != line.npos)) {
      if (told_[at_].benchmark != nullptr && !is_time_of_osu(line))
        throw mesh::UserError(fmt::format(
            "'{}': the time is expected in the first column{}, as Avg Latency(us) or Latency (us)",
            mesh::shown(std::string(without_blanks(line))), has_size ? " behind the size" : ""));
      columns_ =
          has_size ? std::vector<std::string>{words.front(), "Latency"} : std::vector<std::string>{"Latency"};
      if (words.back() == suite_->wrong) columns_.push_back(words.back());
      return;
    }
    const auto has = [&](std::string_view name) { return std::ranges::count(words, name) > 0; };
    // "Total time 12 s" of a job names no columns; IMB's barrier has no size.
    if (std::ranges::any_of(names, has) && (suite_ == &imb || has(suite_->size))) columns_ = std::move(words);
  }

  /// The row's field of that column; empty where the table has none.
  [[nodiscard]] std::string field(const std::vector<std::string>& row, std::string_view column) const {
    const auto at = static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin());
    if (at == columns_.size()) return {};
    if (at >= row.size())
      throw mesh::UserError(
          fmt::format("{}, and '{}' is column {}", mesh::counted(row.size(), "field"), column, at + 1));
    return row[at];
  }

  /// The benchmark has found its result wrong.
  [[nodiscard]] bool is_wrong(const std::vector<std::string>& row) const {
    if (std::ranges::count(columns_, suite_->wrong) == 0) return false;
    if (suite_ == &osu) return row.back() != "Pass"; // the last column
    double errors = 0;
    return mesh::read_number(field(row, suite_->wrong), errors) && errors != 0; // else N/A
  }

  void read_row(const std::vector<std::string>& row) {
    Told& told = told_[at_];
    const Benchmark& benchmark = *told.benchmark;
    const bool is_collective = !benchmark.operation.empty();
    const lab::Operation* const operation = is_collective ? &lab::operation_of(benchmark.operation) : nullptr;
    const bool has_size = !is_collective || operation->has_message;
    const int ranks = ranks_of(is_collective);
    double us = 0;
    std::string time;
    for (const std::string& name : words_of(suite_->times))
      if (time.empty()) time = field(row, name);
    if (!mesh::read_number(time, us))
      throw mesh::UserError(
          fmt::format("'{}' is no time in microseconds, as {} prints it", mesh::shown(time), suite_->name));
    std::int64_t bytes = 0;
    const std::string size = field(row, suite_->size);
    if (has_size &&
        (!mesh::read_number(size, bytes) || bytes < 0 ||
         bytes > std::numeric_limits<std::int64_t>::max() / ranks))
      throw mesh::UserError(
          fmt::format("'{}' is no size in bytes, as {} prints it", mesh::shown(size), suite_->name));
    const std::string type = suite_ == &nccl ? type_of(field(row, "type")) : type_;
    const bool combines = is_collective && operation->combines;
    const bool is_known_type = type == "int" || type == "long" || type == "float" || type == "double";
    if (us <= 0 || (has_size && (bytes == 0 || bytes % word_bytes_ != 0)) ||
        (combines && is_known_type && bytes % lab::element_bytes(type) != 0)) {
      ++told.left_out;
      return;
    }
    if (is_wrong(row)) {
      ++told.wrong;
      return;
    }
    ++told.rows;
    told.ranks.insert(ranks);
    // Only nccl-tests say the operator and the root.
    const auto of_nccl = [&](bool has, std::string_view column) {
      return has && suite_ == &nccl ? field(row, column) : "";
    };
    const std::string op = of_nccl(combines, "redop"),
                      root = of_nccl(is_collective && operation->has_root, "root");
    const auto [same, is_new] =
        lines_.emplace(std::tuple(at_, ranks, has_size ? bytes : 0, combines ? type : "", op, root), number_);
    if (!is_new)
      throw mesh::UserError(fmt::format(
          "{} of {} has its time in line {} already, and a row that stands twice would count "
          "twice; leave one of them out",
          told.name, has_size ? mesh::counted(bytes, "byte") : mesh::counted(ranks, "rank"), same->second));
    std::string id = told.name.substr(told.name.find(' ') + 1);
    std::ranges::replace(id, ' ', '_');
    if (is_collective) id += fmt::format("-{}", ranks);
    if (has_size) id += fmt::format("-{}", bytes);
    for (const std::string& more : {combines ? type : "", op, root}) // rows of a size differ by these
      if (!more.empty() && ids_.contains(id)) id += "-" + more;
    ids_.insert(id);
    if (!is_collective) {
      messages_.back() = fmt::format("pingpong_prefetching,{},{},us,2,{},0,half round trip", id, us, bytes);
      return;
    }
    points_.back() =
        fmt::format("{}_{},{},{},us,mean,{},{},{},{},{},{}", suite_->name, benchmark.operation, id, us,
                    algorithm_of(benchmark.operation), ranks,
                    has_size ? fmt::format("{}", benchmark.of_block ? bytes * ranks : bytes) : "",
                    combines ? type : "", op, root);
  }

  [[nodiscard]] int ranks_of(bool is_collective) const {
    if (!is_collective) return 2;
    if (ranks_ > 0 && unsaid_.cores > 0 && ranks_ != unsaid_.cores)
      throw mesh::UserError(
          fmt::format("--cores {}: the table is of {} ranks; leave the option out", unsaid_.cores, ranks_));
    const int ranks = std::max(ranks_, unsaid_.cores);
    if (ranks == 0)
      throw mesh::UserError("the table does not say of how many ranks it is; give them: --cores N");
    return ranks;
  }

  /// As asked for the operation; else the choice of `auto`.
  [[nodiscard]] std::string algorithm_of(std::string_view operation) {
    std::vector<std::string> own, of_all;
    for (const std::string& name : lab::cut(unsaid_.algorithm, ',')) {
      const std::string of = name.substr(0, name.find('/'));
      if (of.size() < name.size() && std::ranges::count(lab::operations(), of, &lab::Operation::name) == 0)
        throw mesh::UserError(
            fmt::format("--algorithm {}: there is no operation '{}'", unsaid_.algorithm, mesh::shown(of)));
      if (name.starts_with(fmt::format("{}/", operation))) own.push_back(name);
      if (!name.empty() && name.find('/') == std::string::npos) of_all.push_back(name);
    }
    if (own.size() + (own.empty() ? of_all.size() : 0) > 1)
      throw mesh::UserError(fmt::format(
          "--algorithm {}: rows of the table stand beside one algorithm of {}; name one, and call again for "
          "another",
          unsaid_.algorithm, operation));
    const std::vector<std::string>& taken = own.empty() ? of_all : own;
    if (taken.empty()) return fmt::format("{}/auto", operation);
    used_.insert(taken.front());
    return own.empty() ? fmt::format("{}/{}", operation, taken.front()) : taken.front();
  }

  void refuse_unused() const {
    for (const std::string& name : lab::cut(unsaid_.algorithm, ','))
      if (!name.empty() && !used_.contains(name))
        throw mesh::UserError(fmt::format("--algorithm {}: no row of '{}' stands beside '{}'; leave it out",
                                          unsaid_.algorithm, file_, mesh::shown(name)));
  }

  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const Told& one : told_) {
      std::string text = one.name + ": ";
      if (one.benchmark == nullptr) {
        all.push_back(text + "left out, nothing here measures that");
        continue;
      }
      text += mesh::counted(one.rows, "row");
      if (one.left_out > 0)
        text += fmt::format(", {} left out (no time, no bytes or no whole elements)", one.left_out);
      if (one.wrong > 0)
        text += fmt::format(", {} left out whose results the benchmark found wrong", one.wrong);
      if (one.benchmark->operation.empty())
        text += ", beside messages of RCCE 1.0 with prefetching copies, cores 0 and 1";
      else if (one.rows > 0)
        text += fmt::format(", {} ranks, means over the ranks; ", fmt::join(one.ranks, " and "));
      if (!one.benchmark->operation.empty() && one.rows > 0)
        text += one.benchmark->of_block ? "sizes are of one rank's block, here of all ranks together"
            : lab::operation_of(one.benchmark->operation).has_message ? "sizes as printed"
                                                                      : "no sizes";
      all.push_back(std::move(text));
    }
    return all;
  }

  const std::string& file_;
  const UnsaidByTable& unsaid_;
  const int word_bytes_;
  std::vector<std::string> points_, messages_; ///< by line
  int number_ = 0;
  bool begun_ = false;
  /// Lines of rows, by benchmark (in told_), ranks, bytes, type, operator and root.
  std::map<std::tuple<std::size_t, int, std::int64_t, std::string, std::string, std::string>, int> lines_;
  std::set<std::string> ids_;
  std::set<std::string> used_; ///< names of --algorithm that rows stand beside
  // Of the table that is read:
  const Suite* suite_ = nullptr;
  std::size_t at_ = 0; ///< in told_
  std::vector<std::string> columns_;
  int ranks_ = 0;
  std::string type_ = "float";
  std::vector<Told> told_;
};

} // namespace

void UnsaidByTable::add_to(Command& command) {
  command
      .option("--cores", cores,
              "of a table of the OSU benchmarks, IMB or nccl-tests that does not say it: number of ranks")
      .between(1, 1 << 20);
  std::vector<std::string> names;
  for (const lab::Operation& one : lab::operations()) names.push_back(one.name);
  command.option("--operation", operation, "of an nccl-tests table that does not say it: the operation")
      .one_of(std::move(names));
  command.option(
      "--algorithm", algorithm,
      "beside such tables: an algorithm for each operation, as bcast/cube,allreduce/owners (default: auto)");
}

void UnsaidByTable::refuse_beside(const std::string& rows) const {
  const std::string given = cores > 0 ? "--cores"
      : !operation.empty()            ? "--operation"
      : !algorithm.empty()            ? "--algorithm"
                                      : "";
  if (!given.empty())
    throw mesh::UserError(fmt::format(
        "{}: it is of tables that another benchmark has printed (--data FILE), not of {}; leave it out",
        given, rows));
}

std::optional<BenchmarkTables> read_benchmark_tables(const std::string& file, std::string_view text,
                                                     const UnsaidByTable& unsaid, int word_bytes) {
  Reader reader(file, unsaid, word_bytes);
  reader.read(text);
  return reader.tables();
}

std::string known_heads() {
  std::vector<std::string> all;
  for (const Suite* suite : {&osu, &imb, &nccl}) {
    std::vector<std::string_view> names;
    for (const Benchmark& one : benchmarks)
      if (&one.suite == suite) names.push_back(one.head);
    const std::string_view blank = suite == &osu ? " " : "";
    all.push_back(fmt::format("{} '{}{}NAME{}' with {}", suite->name, suite->before, blank, suite->behind,
                              fmt::join(names, ", ")));
  }
  return fmt::format("{}; older ones of nccl-tests '{}...'", fmt::join(all, "; "), nccl_settings);
}

} // namespace rccebench
