// SPDX-License-Identifier: Apache-2.0
#include "plot/gnuplot.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "lab.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/output_file.hpp"
#include "rcce_emu/environment.hpp"

namespace rccebench::plot {
namespace {

/// In single quotes nothing but these means anything; a line break would end the command.
std::string in_quotes(const std::string& text) {
  std::string all = "'";
  for (const char c : text)
    if (c == '\'')
      all += "''";
    else
      all += c == '\n' ? ' ' : c;
  return all + "'";
}

const char* terminal_of(const std::string& file) {
  if (file.ends_with(".png")) return "pngcairo size 1200,800 font 'sans,14'";
  if (file.ends_with(".pdf")) return "pdfcairo size 17cm,11cm font 'sans,9'";
  return "svg size 900,600 dynamic font 'sans,13' name 'rockcreek' background '#ffffff'";
}

bool has_gnuplot() {
  const char* const path = std::getenv(rcce::environment::search_path.name);
  for (const std::string& folder : cut(path == nullptr ? "" : path, ':'))
    if (access(((folder.empty() ? "." : folder) + "/gnuplot").c_str(), X_OK) == 0) return true;
  return false;
}

} // namespace

std::string script_of(const Chart& chart, const std::string& file) {
  std::string text = fmt::format("set terminal {} noenhanced\nset title {}\nset xlabel {}\nset ylabel {}\n"
                                 "set grid\nset key outside right\n",
                                 terminal_of(file), in_quotes(chart.title), in_quotes(chart.x_label),
                                 in_quotes(chart.y_label));
  if (chart.x_log) text += "set logscale x\n";
  if (chart.y_log) text += "set logscale y\n";
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    text += fmt::format("$d{} << EOD\n", i);
    for (const Curve::Point& point : chart.curves[i].points)
      text += fmt::format("{:.9g} {:.9g}\n", point.x, point.y);
    text += "EOD\n";
  }
  constexpr std::size_t colours = 8; // of gnuplot's own palette; then dashes and marks tell lines apart
  const auto look = [&](std::size_t number) {
    return fmt::format("lc {} dt {} pt {}", number % colours + 1, number / colours + 1, 5 + 2 * (number % 4));
  };
  std::size_t line = 0;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve& curve = chart.curves[i];
    const std::string name = curve.name.empty() ? " notitle" : " title " + in_quotes(curve.name);
    std::string how;
    if (curve.published) {
      how = fmt::format("points pt 2 ps 1.2 lc {}",
                        places[curve.name.substr(0, curve.name.rfind(published_behind))] % colours + 1);
    } else {
      places[curve.name] = line;
      how = chart.joined ? fmt::format("linespoints ps 0.6 lw 2 {}", look(line))
                         : fmt::format("points ps 0.6 lc {} pt {}", line % colours + 1, 5 + 2 * (line % 4));
      ++line;
    }
    text += fmt::format("{}$d{} with {}{}", i == 0 ? "plot " : ", ", i, how, name);
  }
  return text + "\n";
}

std::string drawn(const std::string& script) {
  if (!has_gnuplot())
    throw mesh::UserError(
        "gnuplot draws the picture, and there is none here; install it (Debian: apt install "
        "gnuplot-nox)");
  const int file = memfd_create("script", 0); // gnuplot inherits it
  if (file < 0 || mesh::write_whole(file, script) != 0)
    throw std::runtime_error(fmt::format("gnuplot's script cannot be written: {}", std::strerror(errno)));
  std::FILE* const gnuplot = popen(fmt::format("exec gnuplot /dev/fd/{}", file).c_str(), "r");
  close(file);
  if (gnuplot == nullptr) throw std::runtime_error("gnuplot cannot be started");
  std::string picture;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, gnuplot)) picture.append(part, n);
  if (const int status = pclose(gnuplot); status != 0)
    throw std::runtime_error(fmt::format("gnuplot has ended with status {}: the picture is not whole",
                                         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)));
  return picture;
}

} // namespace rccebench::plot
