// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without libFuzzer: every input of a corpus as it is, then seeded mutations of them. The
// same inputs on every host. A failure names the input; `replay --rounds N --seed S FILE` with the same words
// repeats it.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "fuzz.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : next() % bound; }

 private:
  std::uint64_t state_;
};

/// Numbers that bounds checks get wrong.
constexpr std::uint64_t numbers[] = {0,          1,     7,      8,          0x7f,       0x80,
                                     0xff,       0x100, 0x7fff, 0xffff,     0x7fffffff, 0x80000000,
                                     0xffffffff, ~0ULL, ~7ULL,  ~0ULL >> 1, 1ULL << 46, 1ULL << 63};

void mutate(Bytes& bytes, const std::vector<Bytes>& corpus, Random& random) {
  const std::size_t at = random.below(bytes.size() + 1);
  const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(8)) {
  case 0:
    if (at < bytes.size()) bytes[at] ^= static_cast<std::uint8_t>(1U << random.below(8));
    break;
  case 1:
    if (at < bytes.size()) bytes[at] = static_cast<std::uint8_t>(random.next());
    break;
  case 2:
    bytes.insert(place, static_cast<std::uint8_t>(random.next()));
    break;
  case 3: // a piece is lost
    bytes.erase(
        place,
        place + static_cast<std::ptrdiff_t>(random.below(std::min<std::size_t>(64, bytes.size() - at) + 1)));
    break;
  case 4: // the rest is lost
    bytes.resize(at);
    break;
  case 5: { // a number, aligned as in binary files
    const std::uint64_t number = numbers[random.below(std::size(numbers))] + random.below(3) - 1;
    const std::size_t size = std::size_t{1} << random.below(4), where = at / size * size;
    if (where + size <= bytes.size()) std::memcpy(bytes.data() + where, &number, size);
    break;
  }
  default: { // a piece of another input
    const Bytes& other = corpus[random.below(corpus.size())];
    const std::size_t from = random.below(other.size());
    const std::size_t length = std::min<std::size_t>(random.below(32), other.size() - from);
    const auto begin = other.begin() + static_cast<std::ptrdiff_t>(from);
    bytes.insert(place, begin, begin + static_cast<std::ptrdiff_t>(length));
  }
  }
}

const char* input_name = "";
unsigned input_round = 0;

void fail(int signal) {
  char text[512];
  const int length = std::snprintf(text, sizeof text, "%s in round %u of '%s'\n",
                                   signal == SIGALRM ? "no end" : "crash", input_round, input_name);
  syscall(SYS_write, STDERR_FILENO, text, static_cast<std::size_t>(length));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const Bytes& bytes) {
  constexpr unsigned longest_seconds = 20; // for one input, on a busy host
  alarm(longest_seconds);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

} // namespace

int main(int argc, char** argv) {
  unsigned rounds = 0;
  std::uint64_t seed = 1;
  std::vector<std::filesystem::path> files;
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--rounds" && i + 1 < words.size())
      rounds = static_cast<unsigned>(std::strtoul(words[++i], nullptr, 10));
    else if (word == "--seed" && i + 1 < words.size())
      seed = std::strtoull(words[++i], nullptr, 10);
    else if (std::filesystem::is_directory(word))
      for (const auto& entry : std::filesystem::directory_iterator(word)) files.push_back(entry.path());
    else
      files.emplace_back(word);
  }
  std::sort(files.begin(), files.end());
  std::vector<Bytes> corpus;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (!file) {
      std::fprintf(stderr, "'%s' cannot be read\n", path.c_str());
      return 2;
    }
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s [--rounds N] [--seed S] CORPUS...\n", words[0]);
    return 2;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(signal, fail);
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    input_name = files[i].c_str();
    input_round = 0;
    run(corpus[i]);
    for (unsigned round = 1; round <= rounds / corpus.size(); ++round) {
      input_round = round;
      Random random(seed * 1'000'003 + i * 1'000'000'007 + round);
      Bytes bytes = corpus[i];
      for (std::size_t changes = 1 + random.below(6); changes > 0; --changes) mutate(bytes, corpus, random);
      run(bytes);
    }
  }
  std::printf("%zu inputs and %zu mutations, seed %llu\n", corpus.size(),
              rounds / corpus.size() * corpus.size(), static_cast<unsigned long long>(seed));
  return 0;
}
