#include "check/lines.hpp"

namespace rcce::check {

std::optional<Lines::Conflict> Lines::note(int core, std::size_t number, const Access& access,
                                           const Side& side, const Clocks& clocks) {
  Line& line = at(core, number);
  std::optional<Conflict> found;
  Record* same = nullptr;
  for (Record& record : line.accesses) {
    const Access& before = record.access;
    if (before.ue == access.ue) {
      if (before.write == access.write && before.single == access.single && before.epoch == access.epoch)
        same = &record;
      continue;
    }
    const std::uint32_t common = before.mask & access.mask;
    if (common == 0 || !(before.write || access.write) || (before.single && access.single)) continue;
    if (!found && !clocks.ordered(before.ue, before.epoch, access.ue))
      found = Conflict{record.side, before.write, common};
  }
  if (access.write && !access.single) line.copied |= access.mask;
  if (same != nullptr) {
    same->access.mask |= access.mask;
    return found;
  }
  // What conflicts with an access that this one covers conflicts with this one too, if the two are ordered;
  // if they are not, that has just been told, or they are stores of which either may come first.
  for (Record& record : line.accesses) {
    Access& before = record.access;
    const bool own = before.ue == access.ue;
    const bool covers = access.write
        ? !access.single || (before.single && (own || clocks.ordered(before.ue, before.epoch, access.ue)))
        : own && !before.write && before.single == access.single;
    if (covers) before.mask &= ~access.mask;
  }
  std::erase_if(line.accesses, [](const Record& record) { return record.access.mask == 0; });
  line.accesses.push_back({access, side});
  return found;
}

} // namespace rcce::check
