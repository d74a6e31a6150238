// SPDX-License-Identifier: Apache-2.0
#include "watch/explore/record.hpp"

#include <cstring>
#include <string_view>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>

namespace rcce::explore {
namespace {

/// Stands at the end: a run that was killed while it wrote has left none.
constexpr std::uint64_t complete = 0x726f636b63726565;

class Writer {
 public:
  template <class Value>
  void value(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    value(text.size());
    bytes_.append(text);
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <class Value>
  void value(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const std::string_view bytes = take(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
  }
  void text(std::string& text) {
    std::size_t size = 0;
    value(size);
    text = take(size);
  }
  [[nodiscard]] std::string_view take(std::size_t bytes) {
    if (bytes > rest_.size()) {
      short_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  [[nodiscard]] bool ran_short() const noexcept { return short_; }

 private:
  std::string_view rest_;
  bool short_ = false;
};

void words(Writer& to, const std::set<std::string>& words) {
  to.value(words.size());
  for (const std::string& word : words) to.text(word);
}
void words(Reader& from, std::set<std::string>& words) {
  std::size_t count = 0;
  from.value(count);
  for (std::size_t i = 0; i < count && !from.ran_short(); ++i) {
    std::string word;
    from.text(word);
    words.insert(std::move(word));
  }
}

/// Everything but trace and texts, the same for both directions.
template <class Direction, class Record>
void plain_values(Direction& direction, Record& record) {
  direction.value(record.status);
  direction.value(record.outcome);
  direction.value(record.endless);
  direction.value(record.impossible);
  direction.value(record.impatient);
  direction.value(record.asked_time);
  direction.value(record.knows_time);
  direction.value(record.shared_memory);
  direction.value(record.accesses);
  direction.value(record.end);
  direction.value(record.pointers);
  direction.value(record.observed);
  words(direction, record.given_to);
  words(direction, record.host_values);
  words(direction, record.met_outside);
  words(direction, record.written);
  direction.text(record.program);
  direction.value(record.trace_full);
}

template <class Direction, class Ue>
void ue_values(Direction& direction, Ue& ue) {
  direction.value(ue.core);
  direction.value(ue.status);
  direction.value(ue.ended);
  direction.value(ue.buffer);
  direction.value(ue.timed_from);
  direction.text(ue.output);
}

} // namespace

bool RunRecord::write(int fd) const {
  Writer to;
  plain_values(to, *this);
  to.value(ues.size());
  for (const UeRecord& ue : ues) ue_values(to, ue);
  to.value(names.size());
  for (const std::string& name : names) to.text(name);
  to.text({reinterpret_cast<const char*>(trace.data()), trace.size() * sizeof(TracedAccess)});
  to.value(complete);
  if (ftruncate(fd, 0) != 0) return false;
  std::size_t done = 0;
  while (done < to.bytes().size()) {
    const ssize_t n =
        pwrite(fd, to.bytes().data() + done, to.bytes().size() - done, static_cast<off_t>(done));
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<RunRecord> RunRecord::read(int fd) {
  struct stat file {};
  if (fstat(fd, &file) != 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(file.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n <= 0) return std::nullopt;
    done += static_cast<std::size_t>(n);
  }
  Reader from(bytes);
  RunRecord record;
  plain_values(from, record);
  std::size_t count = 0;
  from.value(count);
  for (std::size_t i = 0; i < count && !from.ran_short(); ++i) ue_values(from, record.ues.emplace_back());
  count = 0;
  from.value(count);
  for (std::size_t i = 0; i < count && !from.ran_short(); ++i) from.text(record.names.emplace_back());
  std::size_t trace_bytes = 0;
  from.value(trace_bytes);
  const std::string_view trace = from.take(trace_bytes);
  record.trace.resize(trace.size() / sizeof(TracedAccess));
  if (!trace.empty())
    std::memcpy(record.trace.data(), trace.data(), record.trace.size() * sizeof(TracedAccess));
  std::uint64_t end = 0;
  from.value(end);
  if (from.ran_short() || end != complete) return std::nullopt;
  return record;
}

} // namespace rcce::explore
