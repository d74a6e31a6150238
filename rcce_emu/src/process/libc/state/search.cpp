// SPDX-License-Identifier: Apache-2.0
// The one hash table of hcreate(), hsearch() and hdestroy(): one per UE.
#include <memory>
#include <search.h>

#include "process/libc/exports.hpp"
#include "process/libc/state/malloc.hpp"

using namespace rcce;
using namespace rcce::libc;

namespace {

hsearch_data& table_of(CLibrary& c) {
  if (!c.table) c.table = std::make_unique<process::HashTable>();
  return c.table->data;
}

} // namespace

rcce::process::HashTable::~HashTable() {
  hdestroy_r(&data);
}

extern "C" {

int hcreate(size_t entries) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"hcreate", decltype(hcreate)>()(entries);
  const AllocatesForUe own;
  return hcreate_r(entries, &table_of(*c));
}

ENTRY* hsearch(ENTRY entry, ACTION action) noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"hsearch", decltype(hsearch)>()(entry, action);
  ENTRY* found = nullptr;
  hsearch_r(entry, action, &found, &table_of(*c));
  return found;
}

void hdestroy() noexcept {
  CLibrary* c = calling_library();
  if (c == nullptr) return library_function<"hdestroy", decltype(hdestroy)>()();
  c->table.reset();
}

} // extern "C"
