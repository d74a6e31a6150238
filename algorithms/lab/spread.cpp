// SPDX-License-Identifier: Apache-2.0
#include "lab/spread.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/identity.hpp"
#include "lab/lists.hpp"
#include "lab/random.hpp"
#include "mesh_sim/errors.hpp"
#include "mesh_sim/read_number.hpp"
#include "mesh_sim/text_file.hpp"

namespace lab {
namespace {

/// More than a run could last.
constexpr double most_us = 1e9;

/// A number of microseconds; `what` is said of a wrong one.
double read_us(const std::string& text, const std::string& what) {
  double value = 0;
  if (!mesh::read_number(text, value) || value < 0 || value > most_us)
    throw mesh::UserError(fmt::format("{}: '{}' is no number of microseconds from 0 to {:.0f}", what,
                                      mesh::shown(text), most_us));
  return value;
}

std::int64_t nanoseconds(double us) {
  return static_cast<std::int64_t>(std::floor(us * 1000 + 0.5));
}

} // namespace

Spread::Spread(const std::string& text, std::uint64_t seed) : text_(text), seed_(seed) {
  const std::string what = fmt::format("--spread '{}'", text);
  if (text.empty() || text == "none") return;
  if (text.starts_with("uniform:")) {
    kind_ = Kind::uniform;
    most_ns_ = read_us(text.substr(8), what) * 1000;
  } else if (text.starts_with("beta:")) {
    const auto words = cut(text.substr(5), ',');
    if (words.size() != 3)
      throw mesh::UserError(what +
                            ": after 'beta:' three numbers are expected, the largest delay, the mean and the "
                            "standard deviation in microseconds, as beta:100,30,20");
    const double most = read_us(words[0], what), mean = read_us(words[1], what),
                 deviation = read_us(words[2], what);
    // Mean and variance over 0 .. 1 give both parameters.
    const double m = mean / most, variance = deviation / most * (deviation / most);
    if (!(mean > 0 && mean < most))
      throw mesh::UserError(fmt::format("{}: there is no such distribution; the mean has to be above 0 and "
                                        "below the largest delay, {:.6g} us",
                                        what, most));
    if (!(variance > 0 && variance < m * (1 - m)))
      throw mesh::UserError(
          fmt::format("{}: there is no such distribution; the mean has to be above 0 and below the "
                      "largest delay, the standard deviation above 0 and below {:.6g} us",
                      what, std::sqrt(mean * (most - mean))));
    kind_ = Kind::beta;
    most_ns_ = most * 1000;
    a_ = m * (m * (1 - m) / variance - 1);
    b_ = (1 - m) * (m * (1 - m) / variance - 1);
  } else {
    kind_ = Kind::file;
    read_file();
  }
}

void Spread::read_file() {
  const auto text = mesh::read_text_file(text_);
  if (!text)
    throw mesh::UserError(fmt::format(
        "--spread '{}': this is neither a file nor none, uniform:MAX or beta:MAX,MEAN,SD", text_));
  std::size_t number = 0;
  for (std::string& line : cut(*text, '\n')) {
    ++number;
    line.erase(std::find(line.begin(), line.end(), '#'), line.end());
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == '\t'; }, ' ');
    std::vector<std::int64_t> delays;
    for (const std::string& word : cut(line, ' '))
      if (!word.empty())
        delays.push_back(nanoseconds(read_us(word, fmt::format("{} line {}", text_, number))));
    if (!delays.empty()) lines_.push_back(std::move(delays));
  }
  if (lines_.empty())
    throw mesh::UserError(
        fmt::format("--spread '{}': the file has no delays; each line holds those of all ranks", text_));
}

std::vector<std::int64_t> Spread::delays(int cores, int repetition) const {
  std::vector<std::int64_t> result(static_cast<std::size_t>(cores));
  if (kind_ == Kind::file) {
    const auto& line = lines_[static_cast<std::size_t>(repetition) % lines_.size()];
    if (line.size() < result.size())
      throw mesh::UserError(fmt::format("--spread '{}': a line has {} delays, and {} cores are asked for",
                                        text_, line.size(), cores));
    std::copy_n(line.begin(), cores, result.begin());
    return result;
  }
  if (kind_ == Kind::none) return result;
  for (int rank = 0; rank < cores; ++rank) {
    Random random(seed_, static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(repetition));
    const double share = kind_ == Kind::uniform ? random.uniform() : random.beta(a_, b_);
    result[static_cast<std::size_t>(rank)] = static_cast<std::int64_t>(std::floor(share * most_ns_ + 0.5));
  }
  return result;
}

std::string Spread::description() const {
  switch (kind_) {
  case Kind::none:
    return "all at one instant";
  case Kind::file:
    return fmt::format("by file {}", text_);
  case Kind::uniform:
  case Kind::beta:
    return fmt::format("{} us, seed {}", text_, seed_);
  }
  return "";
}

std::string Spread::identity() const {
  if (kind_ != Kind::file) return description();
  std::string text;
  for (const auto& line : lines_) text += fmt::format("{}\n", fmt::join(line, " "));
  return fmt::format("file {}", digest_of(text));
}

} // namespace lab
