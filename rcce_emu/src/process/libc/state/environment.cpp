// SPDX-License-Identifier: Apache-2.0
// The environment per UE: the process's until the UE changes it, then a copy of its own, which its variable
// `environ` leads to (own_variables.hpp).
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"
#include "process/libc/state/scoped_environment.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

bool has_name(const char* entry, std::string_view name) noexcept {
  return std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

/// The value of that name, or null.
char* find(char** environment, std::string_view name) noexcept {
  for (char** entry = environment; entry != nullptr && *entry != nullptr; ++entry)
    if (has_name(*entry, name)) return *entry + name.size() + 1;
  return nullptr;
}

/// A change to the UE's own environment, which is made from what `environ` leads to: the program may have led
/// it elsewhere.
class Change {
 public:
  explicit Change(CLibrary& c) : c_(c) {
    if (!c_.environment) c_.environment = std::make_unique<process::Environment>();
    std::vector<char*>& entries = c_.environment->entries;
    if (!entries.empty() && c_.variables.environment == entries.data()) {
      entries.pop_back(); // the null pointer that ends it
      return;
    }
    entries.clear();
    for (char** entry = c_.variables.environment; entry != nullptr && *entry != nullptr; ++entry)
      entries.push_back(*entry);
  }
  ~Change() {
    c_.environment->entries.push_back(nullptr);
    c_.variables.environment = c_.environment->entries.data();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  process::Environment* operator->() const noexcept { return c_.environment.get(); }

  /// Replaces or adds the entry of that name.
  void put(std::string_view name, char* entry) const {
    for (char*& existing : c_.environment->entries) {
      if (has_name(existing, name)) {
        existing = entry;
        return;
      }
    }
    c_.environment->entries.push_back(entry);
  }

 private:
  CLibrary& c_;
};

bool valid_name(const char* name) noexcept {
  return name != nullptr && *name != '\0' && std::strchr(name, '=') == nullptr;
}

std::mutex lending;

} // namespace

namespace rcce::libc {

ScopedEnvironment::ScopedEnvironment(char** environment)
    : turn_(lending), lent_(environment), process_(environ) {
  environ = environment;
}

ScopedEnvironment::~ScopedEnvironment() {
  environ = process_;
}

bool ScopedEnvironment::take_back(const char* name) noexcept {
  environ = process_;
  if (lent_ == process_) return false;
  const char* const own = find(lent_, name);
  const char* const others = find(process_, name);
  return own == nullptr || others == nullptr ? own != others : std::strcmp(own, others) != 0;
}

} // namespace rcce::libc

extern "C" {

char* getenv(const char* name) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"getenv", decltype(getenv)>()(name);
  return find(c->variables.environment, name);
}

char* secure_getenv(const char* name) noexcept {
  return getenv(name);
}

int setenv(const char* name, const char* value, int overwrite) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"setenv", decltype(setenv)>()(name, value, overwrite);
  if (!valid_name(name)) return failed(EINVAL);
  if (overwrite == 0 && getenv(name) != nullptr) return 0;
  const std::size_t name_length = std::strlen(name);
  const std::size_t bytes = name_length + 1 + std::strlen(value) + 1;
  // Of the heap itself: no block of the program's, which --check heap would tell of at the end.
  auto* const entry = static_cast<char*>(library_heap()->allocate(bytes));
  if (entry == nullptr) return failed(ENOMEM);
  std::memcpy(entry, name, name_length);
  entry[name_length] = '=';
  std::strcpy(entry + name_length + 1, value);
  Change(*c).put(name, entry);
  return 0;
}

int putenv(char* entry) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"putenv", decltype(putenv)>()(entry);
  const char* end = std::strchr(entry, '=');
  if (end == nullptr) return unsetenv(entry);
  Change(*c).put({entry, static_cast<std::size_t>(end - entry)}, entry);
  return 0;
}

int unsetenv(const char* name) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"unsetenv", decltype(unsetenv)>()(name);
  if (!valid_name(name)) return failed(EINVAL);
  std::erase_if(Change(*c)->entries, [&](const char* entry) { return has_name(entry, name); });
  return 0;
}

int clearenv() noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"clearenv", decltype(clearenv)>()();
  Change(*c)->entries.clear();
  return 0;
}

} // extern "C"
