// SPDX-License-Identifier: Apache-2.0
// What libraries allocate for a UE: rank 1 allocates without end as argv[1] says, and stops where its heap
// does.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <exception>
#include <fstream>
#include <locale>
#include <map>
#include <new>
#include <regex.h>
#include <search.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "RCCE.h"

namespace {

constexpr std::size_t enough = std::size_t{300} << 20; // far beyond the heap's limit
std::size_t total = 0;
const std::string thousand(999, 'x');
std::vector<char*> texts; // so that no compiler leaves them out

struct Large {
  char bytes[1 << 20];
};

int by_address(const void* a, const void* b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

bool goes_on(std::size_t bytes) {
  return (total += bytes) < enough;
}

void allocate(const std::string& what) {
  if (what == "strings") {
    std::vector<std::string> strings;
    do {
      strings.push_back(thousand);
      strings.back() += 'y';
    } while (goes_on(1000));
  } else if (what == "append") {
    std::string text;
    do text += thousand;
    while (goes_on(999));
  } else if (what == "stream") {
    std::ostringstream stream;
    stream.exceptions(std::ios::badbit);
    do stream << thousand;
    while (goes_on(999));
  } else if (what == "asprintf") {
    char* text = nullptr;
    while (asprintf(&text, "%s", thousand.c_str()) >= 0 && goes_on(1000)) texts.push_back(text);
  } else if (what == "strdup") {
    while (char* text = strdup(thousand.c_str())) {
      texts.push_back(text);
      if (!goes_on(1000)) break;
    }
  } else if (what == "getline") {
    std::FILE* file = std::fopen("/dev/zero", "r");
    char* line = nullptr;
    std::size_t bytes = 0;
    if (getline(&line, &bytes, file) >= 0) total = enough;
    std::fclose(file);
  } else if (what == "stream_in_memory") {
    char* text = nullptr;
    std::size_t bytes = 0;
    std::FILE* file = open_memstream(&text, &bytes);
    while (std::fputs(thousand.c_str(), file) >= 0 && goes_on(999)) {
    }
    std::fclose(file);
  } else if (what == "scan") {
    char* text = nullptr;
    while (std::sscanf(thousand.c_str(), "%ms", &text) == 1 && goes_on(1000)) texts.push_back(text);
  } else if (what == "tree") {
    void* root = nullptr;
    static char key[enough / 32];
    for (char* next = key; tsearch(next, &root, by_address) != nullptr && goes_on(32); ++next) {
    }
  } else if (what == "expression") {
    regex_t expression;
    std::string pattern = "((((x{200}){200}){200}){200}){200}";
    if (regcomp(&expression, pattern.c_str(), REG_EXTENDED) == 0) total = enough;
  } else if (what == "table") {
    if (hcreate(20'000'000) != 0) total = enough;
  } else if (what == "environment") {
    int count = 0;
    while (setenv(("WORD_" + std::to_string(count++ % 100)).c_str(), thousand.c_str(), 1) == 0 &&
           goes_on(1000)) {
    }
    if (errno != ENOMEM) total = enough;
  } else if (what == "files") {
    while (std::fopen("/dev/null", "w") != nullptr && opendir("/") != nullptr) {
    }
    if (errno != ENOMEM) total = enough; // the host has ended it
  } else if (what == "exceptions") {
    std::vector<std::exception_ptr> held;
    do held.push_back(std::make_exception_ptr(Large{}));
    while (goes_on(sizeof(Large)));
  } else if (what != "mixture") {
    total = enough; // no such kind
  }
}

/// Blocks of both ends of the heap, freed on either side of the library.
int mixture() {
  std::ostringstream stream;
  for (int i = 0; i < 20000; ++i) stream << i << ' ';
  std::string text = stream.str();
  std::map<std::string, std::string> map;
  for (std::size_t i = 0; i < 1000; ++i) map[std::to_string(i) + std::string(30, 'x')] += text.substr(i, 50);
  map.erase(map.begin(), std::next(map.begin(), 500));
  try {
    throw std::runtime_error(std::string(200, 'e'));
  } catch (const std::exception& error) {
    if (std::strlen(error.what()) != 200) return 3;
  }
  char* line = nullptr;
  if (asprintf(&line, "%s", text.c_str()) < 0 || line != text) return 4;
  line = static_cast<char*>(std::realloc(line, 10));
  std::free(line);
  std::ostringstream number;
  number.imbue(std::locale(std::locale::classic(), new std::numpunct<char>));
  number << 1.5;
  std::wstring wide(1000, L'w');
  wide += wide;
  return number.str() == "1.5" && wide.size() == 2000 && map.size() == 500 ? 0 : 5;
}

} // namespace

int main(int argc, char** argv) {
  RCCE_init(&argc, &argv);
  const std::string what = argv[1];
  const int failed = mixture();
  if (failed != 0) return failed;
  if (RCCE_ue() == 1) {
    if (what == "uncaught") allocate("strings");
    try {
      allocate(what);
    } catch (const std::bad_alloc&) {
      std::printf("bad_alloc\n");
    }
    if (what != "mixture") std::printf(total < enough ? "bounded\n" : "FAILED\n");
  }
  RCCE_barrier(&RCCE_COMM_WORLD);
  std::printf("rank %d ok\n", RCCE_ue());
  return 0;
}
