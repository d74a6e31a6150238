// The environment per UE: the process's until the UE changes it, then a copy of its own. The variable
// `environ` itself stays the process's.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

#include "loader/libc.hpp"

using namespace rcce;
using namespace rcce::loader;

namespace {

/// The UE's own environment, made from the process's at the first change.
Environment& own_environment(CLibrary& c) {
  if (!c.environment) {
    c.environment = std::make_unique<Environment>();
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
      c.environment->entries.push_back(*entry);
  }
  return *c.environment;
}

bool has_name(const char* entry, std::string_view name) noexcept {
  return std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

/// Replaces or adds the entry of that name.
void put(Environment& environment, std::string_view name, char* entry) {
  for (char*& existing : environment.entries) {
    if (has_name(existing, name)) {
      existing = entry;
      return;
    }
  }
  environment.entries.push_back(entry);
}

bool valid_name(const char* name) noexcept {
  return name != nullptr && *name != '\0' && std::strchr(name, '=') == nullptr;
}

} // namespace

extern "C" {

char* getenv(const char* name) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr || !c->environment) {
    static auto* const real = real_function<char*(const char*)>("getenv");
    return real(name);
  }
  for (char* entry : c->environment->entries)
    if (has_name(entry, name)) return entry + std::strlen(name) + 1;
  return nullptr;
}

char* secure_getenv(const char* name) noexcept {
  return getenv(name);
}

int setenv(const char* name, const char* value, int overwrite) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<int(const char*, const char*, int)>("setenv");
    return real(name, value, overwrite);
  }
  if (!valid_name(name)) {
    errno = EINVAL;
    return -1;
  }
  if (overwrite == 0 && getenv(name) != nullptr) return 0;
  const std::size_t name_length = std::strlen(name);
  const std::size_t bytes = name_length + 1 + std::strlen(value) + 1;
  auto entry = std::make_unique<char[]>(bytes);
  std::memcpy(entry.get(), name, name_length);
  entry[name_length] = '=';
  std::strcpy(entry.get() + name_length + 1, value);
  Environment& environment = own_environment(*c);
  put(environment, name, entry.get());
  environment.own.push_back(std::move(entry));
  return 0;
}

int putenv(char* entry) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<int(char*)>("putenv");
    return real(entry);
  }
  const char* end = std::strchr(entry, '=');
  if (end == nullptr) return unsetenv(entry);
  put(own_environment(*c), {entry, static_cast<std::size_t>(end - entry)}, entry);
  return 0;
}

int unsetenv(const char* name) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<int(const char*)>("unsetenv");
    return real(name);
  }
  if (!valid_name(name)) {
    errno = EINVAL;
    return -1;
  }
  std::erase_if(own_environment(*c).entries, [&](const char* entry) { return has_name(entry, name); });
  return 0;
}

int clearenv() noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) {
    static auto* const real = real_function<int()>("clearenv");
    return real();
  }
  own_environment(*c).entries.clear();
  return 0;
}

} // extern "C"
