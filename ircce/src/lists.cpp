// SPDX-License-Identifier: Apache-2.0
// Wait lists. A listed request is tested by the function for it; what is not listed makes no progress here,
// except the head of the send queue where a send is listed (iRCCE 2.0).
#include <vector>

#include "library/protocol/call.hpp"
#include "progress.hpp"
#include "requests.hpp"

namespace rcce::ircce {
namespace {

constexpr int send_type = 1;

bool finished(const State& state, const ListElement& element) {
  const Request request = element.type == send_type ? state.send_request(element.request)
                                                    : state.receive_request(element.request);
  return request.finished() != 0;
}

/// The first finished element where one is enough, or all are.
ListElement* outcome(const State& state, ListElement* first, bool any) {
  ListElement* found = nullptr;
  for (ListElement* element = first; element != nullptr; element = element->next) {
    const bool done = finished(state, *element);
    if (done && any) return element;
    if (!done && !any) return nullptr;
    if (found == nullptr) found = element;
  }
  return any ? nullptr : found;
}

/// The flags that tests of the listed requests read, in their order. Begins a listed send whose turn has
/// come.
std::vector<Watched> watch_list(State& state, const ListElement* first) {
  std::vector<Watched> watched;
  bool sends_watched = false;
  for (const ListElement* element = first; element != nullptr; element = element->next) {
    if (finished(state, *element)) continue;
    Transfer* transfer = state.find(element->request);
    if (transfer == nullptr)
      protocol::misuse(state.library,
                       "the list holds a request that is in no queue: it was never posted, or has been "
                       "cancelled; only posted requests can be waited for");
    if (transfer->line) {
      if (state.head_of(*transfer) == transfer && (transfer->begun || !step(state, *transfer)))
        watched.push_back({transfer});
    } else if (transfer->sending) {
      const bool pushes = !state.first_generation() || state.sends.front() == transfer;
      if (pushes && !sends_watched) {
        watch_sends(state, watched);
        sends_watched = true;
      }
    } else if (transfer->peer == any_source) {
      watch_unmatched(state, *transfer, watched);
    } else if (state.head_of(*transfer) == transfer) {
      if (transfer->size == 0) {
        step(state, *transfer);
      } else {
        watched.push_back({transfer});
      }
    }
  }
  return watched;
}

} // namespace

std::vector<std::string> State::awaited() {
  if (listed == nullptr && other != nullptr) return other->awaited();
  std::vector<std::string> names;
  for (const ListElement* element = listed; element != nullptr; element = element->next)
    if (const Transfer* const transfer = find(element->request);
        transfer != nullptr && !finished(*this, *element))
      names.push_back(name_of(*transfer));
  return names.size() > 1 ? names : std::vector<std::string>{};
}

ListElement* test_list(State& state, ListElement* first, bool any) {
  for (ListElement* element = first; element != nullptr; element = element->next) {
    state.library.charge(state.costs.element);
    int done = 0;
    if (element->type == send_type)
      isend_test(state, element->request, &done);
    else
      irecv_test(state, element->request, &done);
    if (done != 0 && any) return element;
  }
  return outcome(state, first, any);
}

ListElement* wait_list(State& state, ListElement* first, bool any) {
  /// For reports, while it waits.
  struct Listing {
    Listing(State& of, const ListElement* list, bool any_of_it) : state(of) {
      state.listed = list;
      state.listed_any = any_of_it;
    }
    ~Listing() {
      state.listed = nullptr;
      state.listed_any = false;
    }
    State& state;
  };
  if (first == nullptr) {
    if (any) protocol::misuse(state.library, "waits for one of no requests: the list is empty");
    return nullptr;
  }
  if (ListElement* found = test_list(state, first, any)) return found;
  Cycles round = 0;
  for (const ListElement* element = first; element != nullptr; element = element->next)
    round += state.costs.element;
  const Listing listing(state, first, any);
  for (;;) {
    const std::vector<Watched> watched = watch_list(state, first);
    if (ListElement* found = outcome(state, first, any)) return found;
    const ListElement* wanted = first;
    while (finished(state, *wanted)) wanted = wanted->next;
    await(state, watched, state.find(wanted->request), round);
    if (ListElement* found = outcome(state, first, any)) return found;
  }
}

} // namespace rcce::ircce
