// Weak stand-ins for the parts of the runtime that are not built in: a UE ends, its output is not ordered.
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>

#include "job_state.hpp"
#include "loader/image.hpp"
#include "loader/process.hpp"

namespace rcce {

[[gnu::weak]] SoftwareCosts::SoftwareCosts() : rcce10{}, rcce20{} {}
[[gnu::weak]] mesh::ParameterTable SoftwareCosts::parameters() { return {}; }

namespace loader {

[[gnu::weak]] void begin_ue(Ue&) {}

[[gnu::weak]] void end_ue(Ue& ue, int status) {
  Process& process = *ue.process;
  process.status = status & 0xff;
  while (!process.c.at_exit.empty()) {
    const ExitFunction function = process.c.at_exit.back();
    process.c.at_exit.pop_back();
    function.call(function.argument);
  }
  for (std::size_t i = 0; i < process.image->destructors(); ++i) process.image->destruct(i);
  process.ended = true;
  process.end = ue.core->now();
  ue.core->exit();
  __builtin_unreachable();
}

[[gnu::weak]] void switch_process(Process* from, Process* to) noexcept {
  auto* globals = reinterpret_cast<void**>(abi::__cxa_get_globals());
  if (from != nullptr) std::memcpy(from->c.cxa_globals.data(), globals, sizeof from->c.cxa_globals);
  if (to != nullptr) std::memcpy(globals, to->c.cxa_globals.data(), sizeof to->c.cxa_globals);
}

namespace {
struct NoGuard final : JobGuard {
  void finish() override {}
};
} // namespace

[[gnu::weak]] std::unique_ptr<JobGuard> guard_job(Job&) {
  return std::make_unique<NoGuard>();
}

[[gnu::weak]] std::string deadlock_report(Job&) {
  return "deadlock\n";
}

} // namespace loader

} // namespace rcce

extern "C" {

[[gnu::weak]] void exit(int status) noexcept {
  if (rcce::Ue* ue = rcce::current_ue()) rcce::loader::end_ue(*ue, status);
  static const auto real = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"));
  real(status);
  __builtin_unreachable();
}

[[gnu::weak]] int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept {
  if (rcce::Ue* ue = rcce::current_ue()) {
    ue->process->c.at_exit.push_back({function, argument});
    return 0;
  }
  static const auto real =
      reinterpret_cast<int (*)(void (*)(void*), void*, void*)>(dlsym(RTLD_NEXT, "__cxa_atexit"));
  return real(function, argument, dso);
}

} // extern "C"
