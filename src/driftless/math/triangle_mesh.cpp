#include "driftless/math/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace driftless {
namespace {

using Key = std::array<std::int64_t, 3>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 0;
    for (const std::int64_t part : key) {
      hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

/// One point for all with the same key: their mean.
template <class FindKey>
TriangleMesh merge_by(const TriangleMesh& mesh, FindKey&& find_key) {
  TriangleMesh out;
  std::unordered_map<Key, int, KeyHash> places;
  std::vector<int> place_of;
  std::vector<double> counts;
  for (const Vector3& point : mesh.points) {
    const auto [place, is_new] =
        places.try_emplace(find_key(point), static_cast<int>(out.points.size()));
    if (is_new) {
      out.points.push_back({});
      counts.push_back(0.0);
    }
    const auto index = static_cast<std::size_t>(place->second);
    counts[index] += 1.0;
    // The running mean: equal points stay exactly where they are.
    out.points[index] = out.points[index] + (1.0 / counts[index]) * (point - out.points[index]);
    place_of.push_back(place->second);
  }
  std::unordered_map<Key, bool, KeyHash> seen;
  for (const auto& triangle : mesh.triangles) {
    std::array<int, 3> moved{};
    for (std::size_t k = 0; k < 3; ++k) moved[k] = place_of[static_cast<std::size_t>(triangle[k])];
    if (moved[0] == moved[1] || moved[1] == moved[2] || moved[2] == moved[0]) continue;
    // The smallest index first, which keeps the side that is outside.
    std::rotate(moved.begin(), std::min_element(moved.begin(), moved.end()), moved.end());
    if (seen.try_emplace(Key{moved[0], moved[1], moved[2]}, true).second)
      out.triangles.push_back(moved);
  }
  return out;
}

std::int64_t find_bits(double value) {
  value += 0.0;  // -0 and 0 are the same place
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

TriangleMesh merge_points(const TriangleMesh& mesh) {
  return merge_by(mesh, [](const Vector3& p) {
    return Key{find_bits(p.x), find_bits(p.y), find_bits(p.z)};
  });
}

TriangleMesh thin_mesh(const TriangleMesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  Vector3 low = mesh.points.front();
  Vector3 high = low;
  for (const Vector3& p : mesh.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double span = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  // A closed surface over n cells along its longest side has some 4 n² triangles.
  double cells = std::max(4.0, 2.0 * std::sqrt(static_cast<double>(most)));
  for (; cells > 1.0; cells *= 0.85) {
    const double cell = span / cells;
    const auto find_cell = [&](double x, double from) {
      return static_cast<std::int64_t>(std::floor((x - from) / cell));
    };
    TriangleMesh thin = merge_by(mesh, [&](const Vector3& p) {
      return Key{find_cell(p.x, low.x), find_cell(p.y, low.y), find_cell(p.z, low.z)};
    });
    if (thin.triangles.size() <= most) return thin;
  }
  return {};
}

}  // namespace driftless
