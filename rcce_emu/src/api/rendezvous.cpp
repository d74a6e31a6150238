#include "api/rendezvous.hpp"

#include "api/on_core.hpp"

namespace rcce::api {
namespace {

class ByCall final : public Rendezvous {
 public:
  void send(Library& library, const Channel& channel, const char* buffer, std::size_t size,
            int dest) const override {
    send_over(library, AccessByCall(library, channel, channel.ready, channel.sent, dest), buffer, size,
              channel.chunk);
  }
  void receive(Library& library, const Channel& channel, char* buffer, std::size_t size,
               int source) const override {
    receive_over(library, AccessByCall(library, channel, channel.sent, channel.ready, source), buffer, size,
                 channel.chunk, source);
  }
};

/// With all that it calls compiled into it: a sixth of the time of a short message was calls and frames.
template <class CoreClass>
class ByPlace final : public Rendezvous {
 public:
  [[gnu::flatten]] void send(Library& library, const Channel& channel, const char* buffer, std::size_t size,
                             int dest) const override {
    AccessByPlace access(library, core_of(library), channel, channel.ready, channel.sent, dest);
    send_over(library, access, buffer, size, channel.chunk);
  }
  [[gnu::flatten]] void receive(Library& library, const Channel& channel, char* buffer, std::size_t size,
                                int source) const override {
    AccessByPlace access(library, core_of(library), channel, channel.sent, channel.ready, source);
    receive_over(library, access, buffer, size, channel.chunk, source);
  }

 private:
  [[nodiscard]] static CoreClass& core_of(Library& library) { return static_cast<CoreClass&>(library.core); }
};

} // namespace

const Rendezvous& rendezvous_for(const Library& library) {
  static const ByCall by_call;
  static const ByPlace<Core> on_any_core;
  static const ByPlace<WallCore> on_wall_core;
  const bool bytes = !library.scheme.single_bit && !library.scheme.whole_line;
  if (library.gory() || !bytes || library.ue.checker != nullptr) return by_call;
  if (library.wall_core != nullptr) return on_wall_core;
  return on_any_core;
}

} // namespace rcce::api
