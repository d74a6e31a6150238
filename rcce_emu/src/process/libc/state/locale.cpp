// SPDX-License-Identifier: Apache-2.0
// The locale per UE. The C library has one for the process and lets a thread have another in its place: what
// setlocale() would do to the process is made a locale of the UE's own and put into force while it runs.
#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <locale.h>
#include <mutex>
#include <string>
#include <string_view>

#include "process/libc/exports.hpp"
#include "process/libc/state/process_state.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

struct Category {
  int number;
  int mask;
  const char* name;
};

/// In the order in which glibc lists them where they differ.
constexpr std::array<Category, process::LocaleState::categories> known{{
    {LC_CTYPE, LC_CTYPE_MASK, "LC_CTYPE"},
    {LC_NUMERIC, LC_NUMERIC_MASK, "LC_NUMERIC"},
    {LC_TIME, LC_TIME_MASK, "LC_TIME"},
    {LC_COLLATE, LC_COLLATE_MASK, "LC_COLLATE"},
    {LC_MONETARY, LC_MONETARY_MASK, "LC_MONETARY"},
    {LC_MESSAGES, LC_MESSAGES_MASK, "LC_MESSAGES"},
    {LC_PAPER, LC_PAPER_MASK, "LC_PAPER"},
    {LC_NAME, LC_NAME_MASK, "LC_NAME"},
    {LC_ADDRESS, LC_ADDRESS_MASK, "LC_ADDRESS"},
    {LC_TELEPHONE, LC_TELEPHONE_MASK, "LC_TELEPHONE"},
    {LC_MEASUREMENT, LC_MEASUREMENT_MASK, "LC_MEASUREMENT"},
    {LC_IDENTIFICATION, LC_IDENTIFICATION_MASK, "LC_IDENTIFICATION"},
}};

using Names = decltype(process::LocaleState::names);

char* real_setlocale(int category, const char* name) {
  return library_function<"setlocale", decltype(setlocale)>()(category, name);
}
locale_t real_uselocale(locale_t locale) {
  return library_function<"uselocale", decltype(uselocale)>()(locale);
}
locale_t real_duplocale(locale_t locale) {
  return library_function<"duplocale", decltype(duplocale)>()(locale);
}

Names names_of_process() {
  Names names;
  for (std::size_t i = 0; i < known.size(); ++i) names[i] = real_setlocale(known[i].number, nullptr);
  return names;
}

process::LocaleState& state_of(Ue& ue) {
  std::unique_ptr<process::LocaleState>& own = ue.process->c.locale;
  if (!own) {
    own = std::make_unique<process::LocaleState>();
    own->names = names_of_process();
  }
  return *own;
}

/// The environment's name for a category (POSIX, "Internationalization Variables").
std::string name_in_environment(const char* category) {
  for (const char* variable : {"LC_ALL", category, "LANG"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') return value;
  return "C";
}

/// The part of "LC_CTYPE=a;LC_NUMERIC=b;..." for a category; empty where there is none.
std::string_view part_for(std::string_view names, std::string_view category) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(';'), names.size());
    const std::string_view part = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    if (part.size() > category.size() && part.starts_with(category) && part[category.size()] == '=')
      return part.substr(category.size() + 1);
  }
  return {};
}

/// All categories under one name, or each by its own, as setlocale() tells it.
std::string together(const Names& names) {
  if (std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == names[0]; }))
    return names[0];
  std::string all;
  for (std::size_t i = 0; i < known.size(); ++i)
    all.append(i == 0 ? "" : ";").append(known[i].name).append("=").append(names[i]);
  return all;
}

/// A locale of these names, or null with errno set.
locale_t make(const Names& names) {
  locale_t made = newlocale(LC_ALL_MASK, "C", nullptr);
  for (std::size_t i = 0; i < known.size() && made != nullptr; ++i) {
    const locale_t next = newlocale(known[i].mask, names[i].c_str(), made);
    if (next == nullptr) freelocale(made);
    made = next;
  }
  return made;
}

/// Puts into force what the program has chosen for its thread, or else for its process.
void put_into_force(Ue& ue, const process::LocaleState& state) {
  const locale_t process = state.own == nullptr ? LC_GLOBAL_LOCALE : state.own;
  process::ProcessState& around = process_state_of(ue);
  around.locale = state.chosen == LC_GLOBAL_LOCALE ? process : state.chosen;
  real_uselocale(around.locale);
}

/// False where there is no such locale.
bool change(Ue& ue, process::LocaleState& state, int category, const char* name) {
  const std::string_view wanted = name;
  const bool several = category == LC_ALL && wanted.find(';') != std::string_view::npos;
  Names names = state.names;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (category != LC_ALL && category != known[i].number) continue;
    if (several)
      names[i] = part_for(wanted, known[i].name);
    else
      names[i] = wanted.empty() ? name_in_environment(known[i].name) : wanted;
    if (names[i].empty()) return false;
    if (names[i] == "POSIX") names[i] = "C";
  }
  locale_t made = nullptr; // stays so where it is the process's, which costs no exchange at switches
  if (names != names_of_process() && (made = make(names)) == nullptr) return false;
  const locale_t before = state.own;
  state.own = made;
  state.names = names;
  put_into_force(ue, state);
  if (before != nullptr) freelocale(before);
  return true;
}

std::mutex result_of_localeconv;

} // namespace

rcce::process::LocaleState::~LocaleState() {
  if (own != nullptr) freelocale(own);
}

extern "C" {

char* setlocale(int category, const char* name) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return real_setlocale(category, name);
  const auto* const found =
      std::find_if(known.begin(), known.end(), [&](const Category& one) { return one.number == category; });
  if (category != LC_ALL && found == known.end()) {
    errno = EINVAL;
    return nullptr;
  }
  process::LocaleState& state = state_of(*ue);
  if (name != nullptr && !change(*ue, state, category, name)) return nullptr;
  if (category != LC_ALL) return state.names[static_cast<std::size_t>(found - known.begin())].data();
  state.all_names = together(state.names);
  return state.all_names.data();
}

locale_t uselocale(locale_t locale) noexcept {
  Ue* ue = calling_ue();
  if (ue == nullptr) return real_uselocale(locale);
  process::LocaleState& state = state_of(*ue);
  const locale_t before = state.chosen;
  if (locale != nullptr) {
    state.chosen = locale;
    put_into_force(*ue, state);
  }
  return before;
}

locale_t duplocale(locale_t locale) noexcept {
  Ue* ue = locale == LC_GLOBAL_LOCALE ? calling_ue() : nullptr;
  if (ue == nullptr || !ue->process->c.locale || ue->process->c.locale->own == nullptr)
    return real_duplocale(locale);
  return real_duplocale(ue->process->c.locale->own);
}

struct lconv* localeconv() noexcept {
  static auto* const real = real_function<struct lconv*()>("localeconv");
  Ue* ue = calling_ue();
  if (ue == nullptr) return real();
  const std::lock_guard guard(result_of_localeconv);
  process::LocaleState& state = state_of(*ue);
  state.conventions = *real();
  return &state.conventions;
}

} // extern "C"
