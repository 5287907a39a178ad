#pragma once
// STL (as text and binary) and OBJ files in the model's own folder, for pictures of bodies.

#include <string>
#include <string_view>

#include "driftless/base/error.hpp"
#include "driftless/math/triangle_mesh.hpp"

namespace driftless {

inline constexpr std::size_t kMaxMeshBytes = 100'000'000;
inline constexpr std::size_t kMaxTriangles = 1'000'000;

/// Faults of the key are told at `where`, those in the file with its own lines. Throws ModelError.
TriangleMesh read_mesh_file(const std::string& file, const std::string& folder,
                            const Source& where);

/// The same for bytes in memory; `path` says by its ending which format it is.
TriangleMesh parse_mesh(std::string_view bytes, const std::string& path);

}  // namespace driftless
