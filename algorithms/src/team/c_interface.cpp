// SPDX-License-Identifier: Apache-2.0
// The team for C: exceptions end here.
#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>

#include "rockcreek/team.h"
#include "rockcreek/team.hpp"

struct rockcreek_team {
  rockcreek::Team team;
};

/// A member as C sees it is the C++ member.
struct rockcreek_member;

namespace {

thread_local std::string last_error;

template <class Body>
int guarded(Body body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    last_error = error.what();
    return -1;
  }
}

rockcreek::Member& member_of(rockcreek_member* member) {
  return *reinterpret_cast<rockcreek::Member*>(member);
}
const rockcreek::Member& member_of(const rockcreek_member* member) {
  return *reinterpret_cast<const rockcreek::Member*>(member);
}

std::string name_or_auto(const char* name) {
  return name == nullptr || *name == '\0' ? "auto" : name;
}

template <class T>
void reduce_as(rockcreek::Member& member, rockcreek_combine operation, void* data, std::size_t count) {
  T* const elements = static_cast<T*>(data);
  switch (operation) {
  case ROCKCREEK_COMBINE_SUM:
    return member.reduce([](T a, T b) { return a + b; }, elements, count);
  case ROCKCREEK_COMBINE_PROD:
    return member.reduce([](T a, T b) { return a * b; }, elements, count);
  case ROCKCREEK_COMBINE_MIN:
    return member.reduce([](T a, T b) { return std::min(a, b); }, elements, count);
  case ROCKCREEK_COMBINE_MAX:
    return member.reduce([](T a, T b) { return std::max(a, b); }, elements, count);
  }
  throw std::invalid_argument("operation " + std::to_string(static_cast<int>(operation)) +
                              ": there are ROCKCREEK_COMBINE_SUM, _PROD, _MIN and _MAX");
}

} // namespace

extern "C" {

rockcreek_team* rockcreek_team_create(int threads, const rockcreek_team_options* options) {
  rockcreek_team* team = nullptr;
  (void)guarded([&] {
    rockcreek::TeamOptions own;
    own.threads = threads;
    if (options != nullptr) {
      if (options->order < ROCKCREEK_ORDER_ANY || options->order > ROCKCREEK_ORDER_THREADS)
        throw std::invalid_argument("order " + std::to_string(static_cast<int>(options->order)) +
                                    ": there are ROCKCREEK_ORDER_ANY, _FIXED and _THREADS");
      own.order = static_cast<rockcreek::Order>(options->order);
      own.barrier = name_or_auto(options->barrier);
      own.reduce = name_or_auto(options->reduce);
      own.join = name_or_auto(options->join);
    }
    team = new rockcreek_team{rockcreek::Team(own)};
  });
  return team;
}

void rockcreek_team_destroy(rockcreek_team* team) {
  delete team;
}

int rockcreek_team_threads(const rockcreek_team* team) {
  return team->team.threads();
}

int rockcreek_team_run(rockcreek_team* team, void (*region)(rockcreek_member*, void*), void* argument) {
  return guarded([&] {
    team->team.run(
        [&](rockcreek::Member& member) { region(reinterpret_cast<rockcreek_member*>(&member), argument); });
  });
}

int rockcreek_member_thread(const rockcreek_member* member) {
  return member_of(member).thread();
}
int rockcreek_member_threads(const rockcreek_member* member) {
  return member_of(member).threads();
}
void rockcreek_member_barrier(rockcreek_member* member) {
  member_of(member).barrier();
}

int rockcreek_member_reduce(rockcreek_member* member, rockcreek_element type, rockcreek_combine operation,
                            void* data, size_t count) {
  return guarded([&] {
    switch (type) {
    case ROCKCREEK_ELEMENT_INT:
      return reduce_as<int>(member_of(member), operation, data, count);
    case ROCKCREEK_ELEMENT_LONG:
      return reduce_as<long>(member_of(member), operation, data, count);
    case ROCKCREEK_ELEMENT_FLOAT:
      return reduce_as<float>(member_of(member), operation, data, count);
    case ROCKCREEK_ELEMENT_DOUBLE:
      return reduce_as<double>(member_of(member), operation, data, count);
    }
    throw std::invalid_argument("type " + std::to_string(static_cast<int>(type)) +
                                ": there are ROCKCREEK_ELEMENT_INT, _LONG, _FLOAT and _DOUBLE");
  });
}

const char* rockcreek_team_error(void) {
  return last_error.c_str();
}

} // extern "C"
