#include "check/checked_core.hpp"

#include "check/checker.hpp"
#include "ue.hpp"

namespace rcce::check {
namespace {

class CheckedCore final : public Core, public mesh::MessageBuffers {
 public:
  CheckedCore(const Ue& ue, Checker& checker)
      : Core(static_cast<mesh::MessageBuffers&>(*this)), core_(*ue.core), ue_(ue), checker_(checker) {}

  int id() const noexcept override { return core_.id(); }
  Picoseconds now() const noexcept override { return core_.now(); }
  Picoseconds recent() const noexcept override { return core_.recent(); }
  void compute(Cycles cycles) override { core_.compute(cycles); }
  void sleep_until(Picoseconds instant) override { core_.sleep_until(instant); }
  void schedule() override { core_.schedule(); }
  void spin(unsigned rounds) override {
    core_.spin(rounds);
    checker_.spun(ue_);
  }

  std::byte* mpb(int core) noexcept override { return core_.buffers().mpb(core); }
  std::size_t mpb_bytes() const noexcept override { return core_.buffers().mpb_bytes(); }
  void put(int target, std::size_t offset, const void* source, std::size_t bytes, Copy how) override {
    checker_.copies_to(ue_, {target, offset, bytes}, source);
    core_.put(target, offset, source, bytes, how);
  }
  void get(void* target, int source, std::size_t offset, std::size_t bytes, Copy how) override {
    const MpbRange from{source, offset, bytes};
    checker_.gets(ue_, from, target);
    core_.get(target, source, offset, bytes, how);
    checker_.copied_from(ue_, from);
  }
  void store(int target, std::size_t offset, const void* data, std::size_t bytes) override {
    checker_.stores(ue_, {target, offset, bytes}, static_cast<const std::byte*>(data), 0xff);
    core_.store(target, offset, data, bytes);
  }
  void update(int target, std::size_t offset, std::uint8_t mask, std::uint8_t value) override {
    const auto byte = static_cast<std::byte>(value);
    checker_.stores(ue_, {target, offset, 1}, &byte, mask);
    core_.update(target, offset, mask, value);
  }
  void load(int source, std::size_t offset, void* data, std::size_t bytes) override {
    const MpbRange from{source, offset, bytes};
    checker_.loads(ue_, from);
    core_.load(source, offset, data, bytes);
    checker_.loaded(ue_, from, static_cast<const std::byte*>(data));
  }
  void load_cached(std::size_t offset, void* data, std::size_t bytes) override {
    core_.load_cached(offset, data, bytes);
  }
  void wait(int source, std::size_t offset, Condition condition, Cycles overhead) override {
    core_.wait(source, offset, condition, overhead);
    checker_.waited(ue_, source, offset, condition);
  }
  std::size_t wait_any(int source, std::span<const Look> looks, Cycles overhead) override {
    const std::size_t seen = core_.wait_any(source, looks, overhead);
    checker_.waited(ue_, source, looks[seen].offset, looks[seen].condition);
    return seen;
  }

  bool lock_try(int core) override {
    const bool taken = core_.lock_try(core);
    if (taken) checker_.lock_taken(ue_, core);
    return taken;
  }
  void lock_acquire(int core) override {
    core_.lock_acquire(core);
    checker_.lock_taken(ue_, core);
  }
  void lock_release(int core) override {
    checker_.lock_released(ue_, core);
    core_.lock_release(core);
  }
  std::uint32_t counter_increment(int counter) override {
    checker_.counter_changes(ue_, counter, false);
    const std::uint32_t before = core_.counter_increment(counter);
    checker_.counter_seen(ue_, counter);
    return before;
  }
  std::uint32_t counter_read(int counter) override {
    const std::uint32_t value = core_.counter_read(counter);
    checker_.counter_seen(ue_, counter);
    return value;
  }
  void counter_write(int counter, std::uint32_t value) override {
    checker_.counter_changes(ue_, counter, true);
    core_.counter_write(counter, value);
  }
  void counter_wait(int counter, std::uint32_t value, Backoff pauses) override {
    core_.counter_wait(counter, value, pauses);
    checker_.counter_seen(ue_, counter);
  }

  void map_private(const void* base, std::size_t bytes) override { core_.map_private(base, bytes); }
  void touch(const void* base, std::size_t bytes, bool write) override {
    checker_.touches(ue_, base, bytes, write);
    core_.touch(base, bytes, write);
  }

  void exit() override { core_.exit(); }

 private:
  Core& core_;
  const Ue& ue_;
  Checker& checker_;
};

} // namespace

std::unique_ptr<Core> make_checked_core(const Ue& ue, Checker& checker) {
  return std::make_unique<CheckedCore>(ue, checker);
}

} // namespace rcce::check
