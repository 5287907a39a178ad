#pragma once
// Where an element sits: the frames that its keys `between`, `at`, `axis`, `x`, `on` and `to` describe.

#include <array>
#include <optional>
#include <vector>

#include "driftless/mechanism/body_reader.hpp"
#include "driftless/mechanism/name_index.hpp"

namespace driftless {

/// All bodies in the drawing pose, and the frames found so far.
struct Assembly {
  std::vector<DrawnBody> bodies;
  std::vector<BodyFrame> frames;

  /// -1: ground; nothing: there is none, which is noted.
  std::optional<int> find_body(const std::string& name, const Source& where, ElementReader& reader);
  /// A frame given in the world of the drawing pose, fixed on a body.
  BodyFrame fix(int body, const Vector3& origin, const Axes<double>& axes) const;
  int add(const BodyFrame& frame);
  /// Where a frame is in the drawing pose.
  Frame<double> find_drawn(int frame) const;

 private:
  NameIndex body_places_;
};

/// Two frames from `between` with `at`, `axis` and `x`, each one for both or a list of two; or from `on` and `to`.
/// Indices into assembly.frames; nothing if something is wrong, which is noted.
std::optional<std::array<int, 2>> read_placement(ElementReader& reader, Assembly& assembly,
                                                 bool has_place = true);

/// One frame from `body`, `at`, `axis` and `x`; or from `on`.
std::optional<int> read_body_placement(ElementReader& reader, Assembly& assembly);

}  // namespace driftless
