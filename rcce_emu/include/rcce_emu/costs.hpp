// SPDX-License-Identifier: Apache-2.0
// Software costs of the RCCE library: core cycles spent in its own instructions, beside the memory accesses
// that the machine charges. Set in the section [rcce] of a machine file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mesh_sim/units.hpp"

namespace mesh {
enum class Copy : std::uint8_t;
struct Parameter;
using ParameterTable = std::vector<Parameter>;
} // namespace mesh

namespace rcce {

using mesh::Copy;
using mesh::Cycles;

/// Core cycles; one set per library generation.
struct GenerationCosts {
  Cycles call;          ///< per call of a public function; time queries and polling loops so make progress
  Cycles segment;       ///< per segment of a message, on each side
  Cycles padding;       ///< per segment that is no whole number of lines, on each side
  Cycles put;           ///< per RCCE_put
  Cycles get;           ///< per RCCE_get
  Cycles plain_call;    ///< further, per put or get with plain copies
  Cycles plain_padding; ///< further, per segment that is no whole number of lines, with plain copies
  Cycles flag_write;
  Cycles flag_read;
  Cycles flag_poll; ///< per round of a waiting loop, beside the read
  Cycles barrier;   ///< per barrier and member
  Cycles element;   ///< per element that a reduction combines
};

/// Costs of a library on top of this one: its part of the same section, and the copies that it makes itself.
class LayerCosts {
 public:
  virtual ~LayerCosts() = default;
  [[nodiscard]] virtual std::unique_ptr<LayerCosts> clone() const = 0;
  /// As SoftwareCosts::parameters().
  [[nodiscard]] virtual mesh::ParameterTable parameters() = 0;
  /// The routine that `copies` names. Throws mesh::UserError where it is none.
  [[nodiscard]] virtual Copy copy() const = 0;
  /// Throws mesh::UserError where values do not go together.
  virtual void check() const = 0;

  std::string copies = "own"; ///< or "plain", "prefetching"

 protected:
  LayerCosts() = default;
  LayerCosts(const LayerCosts&) = default;
  LayerCosts& operator=(const LayerCosts&) = default;
};

/// Those of all libraries on top, in the order in which they have been added.
class Layers {
 public:
  /// From then on every new object has these too, as they are made. Returns their place. While libraries are
  /// loaded: before main().
  static std::size_t add(std::unique_ptr<LayerCosts> (*make)());

  Layers();
  Layers(const Layers& other);
  Layers& operator=(const Layers& other);
  Layers(Layers&&) noexcept = default;
  Layers& operator=(Layers&&) noexcept = default;
  ~Layers() = default;

  [[nodiscard]] LayerCosts& at(std::size_t place) { return *all_.at(place); }
  [[nodiscard]] const LayerCosts& at(std::size_t place) const { return *all_.at(place); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

 private:
  std::vector<std::unique_ptr<LayerCosts>> all_;
};

/// The copy routine of that name, the value of `parameter`: "own", "plain" or "prefetching". Throws
/// mesh::UserError where it is none.
[[nodiscard]] Copy copy_routine(const std::string& name, const char* parameter, Copy own);

struct SoftwareCosts {
  SoftwareCosts();
  GenerationCosts rcce10;
  GenerationCosts rcce20;
  Layers layers;
  /// Which copy routine RCCE_put and RCCE_get use: "own" (the generation's), "plain" or "prefetching".
  std::string copies = "own";

  /// The table of names, units and sources that machine files are read against.
  [[nodiscard]] mesh::ParameterTable parameters();
  [[nodiscard]] const GenerationCosts& of(unsigned generation) const {
    return generation < 20 ? rcce10 : rcce20;
  }
  /// The copy routine of a generation. Throws mesh::UserError when `copies` is none of the three words.
  [[nodiscard]] Copy copy_of(unsigned generation) const;
  /// True if all copies prefetch, those of libraries on top too; prefetch() makes them do so from now on.
  [[nodiscard]] bool prefetches(unsigned generation) const;
  void prefetch();
};

} // namespace rcce
