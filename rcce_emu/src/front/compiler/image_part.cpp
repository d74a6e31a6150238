// SPDX-License-Identifier: Apache-2.0
#include "image_part.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace rcce::compiler {

namespace fs = std::filesystem;

namespace {

/// Inside a C string.
std::string quotable(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\\' || c == '\n'; });
  return text;
}

} // namespace

/// All that the files look at.
Words ImagePart::macros(const Variant& variant) const {
  Words words{"-DROCKCREEK_RCCE=" + std::to_string(variant.generation),
              "-DROCKCREEK_IRCCE=" + std::to_string(variant.ircce)};
  if (variant.rwth) words.insert(words.end(), std::begin(rwth_macros), std::end(rwth_macros));
  if (tools_.yields_in_loops()) words.push_back("-DROCKCREEK_YIELDS");
  if (variant.memory) words.push_back("-DROCKCREEK_MEMORY");
  if (variant.counted) words.push_back("-DROCKCREEK_COUNTS");
  if (!variant.uncounted.empty())
    words.push_back("-DROCKCREEK_UNCOUNTED=\"" + quotable(variant.uncounted) + "\"");
  // Without it nothing is added that would move the program's data to other lines of the caches.
  if (variant.observed)
    words.push_back(variant.all_observed ? "-DROCKCREEK_OBSERVED=2" : "-DROCKCREEK_OBSERVED=1");
  if (variant.gory) words.push_back("-DGORY");
  if (variant.smallflags) words.push_back("-DSINGLEBITFLAGS");
  if (variant.power) words.push_back("-DRC_POWER_MANAGEMENT");
  if (!variant.max_np.empty() && variant.max_np != headers_max_np)
    words.push_back("-DRCCE_MAXNP=" + variant.max_np);
  if (line_.address_sanitizer) words.push_back("-DROCKCREEK_ADDRESS_SANITIZER");
  append(words, line_.image_macros);
  return words;
}

/// Named after its macros; a value that is no part of a file name leads to a file that does not exist.
std::string ImagePart::prepared(const Variant& variant) const {
  std::string name = "image";
  for (const std::string& macro : macros(variant)) name.append(1, '-').append(macro, 2);
  return here_.libraries + "/rockcreek/" + name + ".o";
}

int ImagePart::compile(const Variant& variant, const std::string& folder, Words& objects) const {
  std::vector<fs::path> sources;
  for (const std::string& part : {here_.image, here_.ircce_image}) {
    for (const auto& entry : fs::directory_iterator(part)) {
      if (entry.path().extension() == ".c") sources.push_back(entry.path());
    }
  }
  std::sort(sources.begin(), sources.end());
  for (const fs::path& source : sources) {
    // The address sanitizer brings a heap of its own, whose red zones are the point of it.
    if (line_.address_sanitizer && source.stem() == "heap") continue;
    const std::string object = folder + "/image-" + source.stem().string() + ".o";
    if (const int status = compile_file(source.string(), macros(variant), object); status != 0) return status;
    objects.push_back(object);
  }
  return 0;
}

int ImagePart::compile_file(const std::string& source, const Words& macros, const std::string& object) const {
  Words words{tools_.command(),    "-O2", "-fPIC", "-w", "-I" + here_.headers, "-I" + here_.ircce_headers,
              "-I" + here_.include};
  append(words, macros);
  append(words, {"-x", "c", "-c", source, "-o", object});
  return step(words, line_.show);
}

int ImagePart::link_library(const std::string& folder, Words& linked) const {
  const std::string object = folder + "/library.o";
  // Accesses of libraries are not told of: the words that say which are stay 0.
  Words macros;
  if (line_.observe) macros.push_back("-DROCKCREEK_OBSERVED=1");
  if (line_.memory) macros.push_back("-DROCKCREEK_MEMORY");
  if (const int status = compile_file(here_.image + "/library/library.c", macros, object); status != 0)
    return status;
  linked.push_back(object);
  return 0;
}

int ImagePart::link(const Variant& variant, const std::string& folder, Words& linked) const {
  if (const std::string object = prepared(variant); fs::exists(object)) {
    linked.push_back(object);
    return 0;
  }
  return compile(variant, folder, linked);
}

int ImagePart::prepare(const Variant& variant, const std::string& folder, const std::string& output) const {
  Words objects;
  if (const int status = compile(variant, folder, objects); status != 0) return status;
  const std::string place = output.empty() ? prepared(variant) : output;
  // Whoever links meanwhile finds all of it or nothing.
  const std::string unfinished = place + ".unfinished";
  Words words{tools_.command(), "-r", "-nostdlib", "-o", unfinished};
  append(words, objects);
  if (const int status = step(words, line_.show); status != 0 || line_.show) return status;
  fs::rename(unfinished, place);
  return 0;
}

} // namespace rcce::compiler
