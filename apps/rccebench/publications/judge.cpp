// SPDX-License-Identifier: Apache-2.0
#include "publications/judge.hpp"

#include <cerrno>
#include <cstring>

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "mesh_sim/errors.hpp"
#include "page/figures.hpp"
#include "show/schedules.hpp"

namespace rccebench::publications {
namespace {

/// The judge's process and the connection with it.
class Process {
 public:
  explicit Process(const std::string& program) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(errno);
    connection_ = ends[0];
    // Neither the user's modules nor compiled files beside ours.
    std::vector<const char*> words{"python3", "-I", "-S", "-B", program.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int error =
        posix_spawnp(&child_, words[0], &actions, nullptr, const_cast<char**>(words.data()), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
      close(connection_);
      fail(error);
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    close(connection_);
    if (child_ > 0) kill(child_, SIGKILL);
    (void)status();
  }

  void say(const Json& message) {
    const std::string text = message.dump() + '\n';
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t sent = send(connection_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) throw std::runtime_error(how_it_ended());
      at += static_cast<std::size_t>(sent);
    }
  }
  Json hear() {
    std::size_t end = 0;
    while ((end = heard_.find('\n')) == std::string::npos) {
      char buffer[1 << 16];
      const ssize_t got = read(connection_, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw std::runtime_error(how_it_ended());
      heard_.append(buffer, static_cast<std::size_t>(got));
    }
    const std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    Json message = Json::parse(line, nullptr, false);
    if (!message.is_object())
      throw std::runtime_error(
          fmt::format("the judge of publications says '{:.60}', which is no JSON object", line));
    return message;
  }

 private:
  [[noreturn]] static void fail(int error) {
    throw mesh::UserError(
        fmt::format("statements are judged by python3, which cannot be started: {}; install "
                    "it (Debian package python3), or add its folder to PATH",
                    std::strerror(error)));
  }
  int status() {
    int status = 0;
    if (child_ > 0)
      while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
      }
    child_ = 0;
    return status;
  }
  std::string how_it_ended() {
    const int how = status();
    return WIFSIGNALED(how)
        ? fmt::format("the judge of publications (python3) was ended by signal {} ({}); nothing is written",
                      WTERMSIG(how), strsignal(WTERMSIG(how)))
        : fmt::format("the judge of publications (python3) ended early, with status {}; nothing is written",
                      WEXITSTATUS(how));
  }

  pid_t child_ = 0;
  int connection_ = -1;
  std::string heard_;
};

Cell cell_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number()) return json.get<std::int64_t>();
  return {};
}

Table table_of(const Json& json) {
  Table table{json.at("title"), {}, {}};
  for (const Json& one : json.at("columns"))
    table.columns.push_back({one.at(0), one.at(1), one.at(2).get<int>(), one.at(3).get<bool>()});
  for (const Json& row : json.at("rows")) {
    auto& cells = table.rows.emplace_back();
    for (const Json& cell : row) cells.push_back(cell_of(cell));
  }
  return table;
}

Judgement judgement_of(const Json& message) {
  const Json& report = message.at("report");
  Judgement judgement;
  judgement.report.settings = report.at("settings");
  judgement.settings = message.value("settings", decltype(judgement.settings)());
  judgement.report.table = table_of(report.at("table"));
  for (const Json& view : report.at("views")) judgement.report.views.push_back(table_of(view));
  judgement.report.notes = report.at("notes");
  judgement.report.summary = report.at("summary");
  for (const Json& one : message.value("figures", Json::array()))
    judgement.figures.push_back({one.at("file"), table_of(one.at("table"))});
  judgement.machines = message.at("machines");
  judgement.evidence_fail = message.at("evidence_fail");
  judgement.inputs = message.at("inputs");
  judgement.complete = message.at("complete");
  judgement.page = message.value("page", Json());
  return judgement;
}

[[noreturn]] void refuse_statement(const Case& what, const std::vector<std::string>& ids) {
  const std::vector<std::string_view> known(ids.begin(), ids.end());
  const std::string_view near = mesh::nearest(what.statement, known);
  throw mesh::UserError(fmt::format(
      "--statement '{}': '{}' has no such statement{}; without --statement "
      "`rccebench reproduce {}` lists all",
      what.statement, what.name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), what.name));
}

page::Curve curve_of(const Json& json) {
  page::Curve curve{json.at("name"), {}, json.contains("of"), json.value("of", "")};
  for (const Json& point : json.at("points")) curve.points.emplace_back(point.at(0), point.at(1));
  return curve;
}
page::Axis axis_of(const Json& json) {
  return {json.at(0), json.at(1), json.at(2).get<bool>()};
}

} // namespace

Judgement judge(const Case& what, Measurer& measurer) {
  Process process((what.folder.parent_path() / "judge" / "run.py").string());
  process.say({{"name", what.name},
               {"folder", what.folder.string()},
               {"statement", what.statement},
               {"lists", what.lists},
               {"leave_out", what.leave_out},
               {"with", what.substitutes},
               {"options", what.options},
               {"keeps", what.keeps}});
  for (;;) {
    const Json message = process.hear();
    if (const auto items = message.find("measure"); items != message.end()) {
      Json results = measurer.measure(*items, message.value("derived", false));
      if (!is_whole() && !(what.keeps && interrupted_status() != 0)) break;
      process.say({{"results", std::move(results)}, {"whole", is_whole()}});
    } else if (const auto item = message.find("fact"); item != message.end()) {
      process.say({{"result", measurer.fact(*item)}});
    } else if (const auto why = message.find("refused"); why != message.end()) {
      throw mesh::UserError(why->get<std::string>());
    } else if (const auto ids = message.find("unknown"); ids != message.end()) {
      refuse_statement(what, *ids);
    } else {
      return judgement_of(message);
    }
  }
  throw Unfinished("interrupted: statements rest on all points, and nothing is written");
}

void add_page(Report& report, const Judgement& judgement) {
  const Json& page = judgement.page;
  report.lead = page.at("lead");
  report.page_notes = page.at("notes").get<std::vector<std::string>>();
  report.facts = page.at("facts");
  report.figures = Json::array();
  if (!page.at("results").is_null()) report.figures.push_back(page::table(table_of(page.at("results"))));
  report.figures.push_back(page.at("claims"));
  for (const Json& one : page.at("curves")) {
    std::vector<page::Curve> curves;
    for (const Json& curve : one.at("curves")) curves.push_back(curve_of(curve));
    report.figures.push_back(
        page::curves(one.at("title"), axis_of(one.at("x")), axis_of(one.at("y")), curves));
  }
  for (const Figure& figure : judgement.figures)
    for (auto& one : page::figures_of(figure.table)) report.figures.push_back(std::move(one));
  std::vector<show::ScheduleRequest> schedules;
  for (const Json& one : page.at("schedules"))
    schedules.push_back(
        show::request(one.at(0), one.at(1), one.at(2).get<int>(), {one.begin() + 3, one.end()}));
  if (!schedules.empty()) report.figures.push_back(show::schedules_of(schedules));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw mesh::UserError(fmt::format("--figures '{}': this folder cannot be made: {}; choose another place",
                                      folder.string(), error.message()));
}

std::vector<std::string> write_figures(const Judgement& judgement, const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const Figure& figure : judgement.figures) {
    Report report;
    report.title = figure.table.title;
    report.settings = judgement.settings;
    report.table = figure.table;
    files.push_back(figure.file + ".csv");
    write(report, Format::csv, (folder / files.back()).string());
  }
  return files;
}

} // namespace rccebench::publications
