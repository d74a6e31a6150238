#include "api/rendezvous.hpp"

#include "api/on_core.hpp"

namespace rcce::api {
namespace {

void pass_by_call(Library& library, const Channel& channel, const char* buffer, std::size_t size, int dest) {
  send_over(library, AccessByCall(library, channel, channel.ready, channel.sent, dest), buffer, size,
            channel.chunk);
}
void take_by_call(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  receive_over(library, AccessByCall(library, channel, channel.sent, channel.ready, source), buffer, size,
               channel.chunk, source);
}

// With all that they call compiled into them: a sixth of the time of a short message was calls and frames.

template <class CoreClass>
[[gnu::flatten, gnu::noinline]] void pass_by_place(Library& library, const Channel& channel,
                                                   const char* buffer, std::size_t size, int dest) {
  AccessByPlace access(library, static_cast<CoreClass&>(library.core), channel, channel.ready, channel.sent,
                       dest);
  send_over(library, access, buffer, size, channel.chunk);
}
template <class CoreClass>
[[gnu::flatten, gnu::noinline]] void take_by_place(Library& library, const Channel& channel, char* buffer,
                                                   std::size_t size, int source) {
  AccessByPlace access(library, static_cast<CoreClass&>(library.core), channel, channel.sent, channel.ready,
                       source);
  receive_over(library, access, buffer, size, channel.chunk, source);
}

} // namespace

Rendezvous rendezvous_for(const Library& library) noexcept {
  const bool bytes = !library.scheme.single_bit && !library.scheme.whole_line;
  if (library.gory() || !bytes || library.ue.checker != nullptr) return Rendezvous::by_call;
  return library.wall_core != nullptr ? Rendezvous::on_wall_core : Rendezvous::on_any_core;
}

void pass_to(Library& library, const Channel& channel, const char* buffer, std::size_t size, int dest) {
  switch (library.rendezvous) {
  case Rendezvous::by_call:
    return pass_by_call(library, channel, buffer, size, dest);
  case Rendezvous::on_any_core:
    return pass_by_place<Core>(library, channel, buffer, size, dest);
  case Rendezvous::on_wall_core:
    return pass_by_place<WallCore>(library, channel, buffer, size, dest);
  }
}

void pass_from(Library& library, const Channel& channel, char* buffer, std::size_t size, int source) {
  switch (library.rendezvous) {
  case Rendezvous::by_call:
    return take_by_call(library, channel, buffer, size, source);
  case Rendezvous::on_any_core:
    return take_by_place<Core>(library, channel, buffer, size, source);
  case Rendezvous::on_wall_core:
    return take_by_place<WallCore>(library, channel, buffer, size, source);
  }
}

} // namespace rcce::api
