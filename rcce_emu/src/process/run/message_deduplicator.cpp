// SPDX-License-Identifier: Apache-2.0
#include "process/run/message_deduplicator.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "process/run/report.hpp"

namespace rcce::run {

std::string words_of_one(const MessageDeduplicator::Message& said) {
  return fmt::format("{}rank {} (core {:02d}){}", said.severity, said.rank, said.core, said.words);
}

void MessageDeduplicator::add(Message said) {
  const auto key = [](const Message& one) { return std::tuple(one.time, one.core); };
  messages_.insert(std::ranges::upper_bound(messages_, key(said), {}, key), std::move(said));
}

MessageDeduplicator::MergedMessage MessageDeduplicator::take() {
  const Message first = messages_.front();
  std::vector<int> ranks;
  std::erase_if(messages_, [&](const Message& one) {
    if (one.time > first.time + window_ || one.words != first.words || one.severity != first.severity)
      return false;
    ranks.push_back(one.rank);
    return true;
  });
  std::ranges::sort(ranks);
  ranks.erase(std::ranges::unique(ranks).begin(), ranks.end());
  std::string text = words_of_one(first);
  if (ranks.size() > 1)
    text = fmt::format("{}[{} UEs{}]{}", first.severity, ranks.size(),
                       ranks.size() == ues_ ? "" : ": " + rank_list(ranks),
                       first.words.substr(first.words.starts_with(':') ? 1 : 0));
  return {first.time + window_, first.core, text + '\n'};
}

} // namespace rcce::run
