// What the operating system and the C library keep per process or per thread, and a UE has changed for
// itself: its working directory, the rights that its new files lack, its locale. On the threads engine every
// UE has a thread, whose they are; otherwise they are exchanged at switches, at no cost while no UE has
// changed any.
#pragma once

#include <locale.h>
#include <memory>

namespace rcce {
struct Ue;
}

namespace rcce::loader {

/// The thread's own before any of the job's UEs changed them.
struct Origin;

struct Surroundings {
  static constexpr int unchanged = -1;

  Surroundings() = default;
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  std::shared_ptr<const Origin> origin;
  int directory = unchanged;          ///< a descriptor, owned; on threads always `unchanged`
  int mask = unchanged;               ///< of umask(); likewise
  locale_t locale = LC_GLOBAL_LOCALE; ///< in force; owned by the UE's LocaleState or by the program
};

/// The UE's, made at its first use.
[[nodiscard]] Surroundings& surroundings_of(Ue& ue);

/// Lets the calling UE have a directory and a mask apart from everybody's; `function` is what it called.
/// False where the host does not allow it: then the UE has been told and errno is set.
[[nodiscard]] bool set_apart(Ue& ue, const char* function);

/// Puts into force what `to` has in place of what `from` has; null for neither's. Not both null.
void exchange(const Surroundings* from, const Surroundings* to) noexcept;

} // namespace rcce::loader
