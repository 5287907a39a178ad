#include "driftless/mechanism/mesh_file.hpp"

#include <cstdint>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/math/triangle_mesh_test.hpp"

namespace driftless {
namespace {

using testing::find_volume;

// A tetrahedron that no symmetry helps.
constexpr double kPoints[4][3] = {{0, 0, 0}, {1.5, 0.25, 0}, {0.125, 2, -0.5}, {0.5, 0.75, 3}};
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

std::string make_text_stl() {
  std::string text = "solid part\n";
  for (const auto& face : kFaces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int k : face)
      text += fmt::format("   vertex {} +{:e} {}\r\n", kPoints[k][0], kPoints[k][1], kPoints[k][2]);
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid part\n";
}

std::string make_binary_stl() {
  std::string bytes = "solid, although binary";
  bytes.resize(80, ' ');
  const std::uint32_t count = 4;
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  for (const auto& face : kFaces) {
    bytes.append(12, '\0');
    for (const int k : face) {
      for (const double x : kPoints[k]) {
        const auto number = static_cast<float>(x);
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
      }
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string make_obj() {
  std::string text = "# a part\nmtllib x.mtl\no part\n";
  for (const auto& p : kPoints) text += fmt::format("v {} {} {} 1.0\n", p[0], p[1], p[2]);
  return text + "vn 0 0 1\nusemtl red\nf 1 3 2\nf 1/1 2/2 4/3\nf 2//1 3//1 4//1\nf -2 -4 -1\n";
}

std::string complain(const std::string& bytes, const std::string& path) {
  try {
    parse_mesh(bytes, path);
  } catch (const ModelError& error) {
    return format_diagnostic(error.diagnostics().front());
  }
  return "no complaint";
}

TEST(MeshFile, AllFormatsGiveTheSameBody) {
  const double volume = find_volume(parse_mesh(make_obj(), "part.OBJ"));
  EXPECT_GT(volume, 1.0);
  for (const std::string& bytes : {make_text_stl(), make_binary_stl()}) {
    const TriangleMesh mesh = parse_mesh(bytes, "part.stl");
    EXPECT_EQ(mesh.points.size(), 4U);
    EXPECT_EQ(mesh.triangles.size(), 4U);
    EXPECT_NEAR(find_volume(mesh), volume, 1e-6);
  }
}

TEST(MeshFile, AFaceOfManyPointsIsAFan) {
  const TriangleMesh mesh =
      parse_mesh("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n", "plate.obj");
  EXPECT_EQ(mesh.triangles.size(), 3U);
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    area += cross(at(b) - at(a), at(c) - at(a)).z / 2;
  }
  EXPECT_DOUBLE_EQ(area, 5.0);
}

TEST(MeshFile, BrokenFilesAreNamedWithTheirLine) {
  const std::string text = make_text_stl();
  std::string broken = text;
  broken.replace(broken.find("vertex 1.5"), 10, "vertex x");
  EXPECT_EQ(complain(broken, "a/part.stl"),
            "a/part.stl:6: error: 'x' is not a finite number\n    write the mesh again from its "
            "source");
  broken = text;
  broken.replace(broken.find("vertex 1.5"), 6, "vortex");
  EXPECT_NE(complain(broken, "p.stl").find("p.stl:6: error: 'vortex': no word"), std::string::npos);
  EXPECT_NE(complain(text.substr(0, text.find("vertex 0.125")), "p.stl").find("ends within"),
            std::string::npos);
  EXPECT_NE(complain("solid nothing\nendsolid\n", "p.stl").find("no triangle"), std::string::npos);
  EXPECT_NE(complain("PK", "p.stl").find("too short"), std::string::npos);
  std::string cut = make_binary_stl();
  cut[0] = 'X';
  cut.resize(cut.size() - 1);
  EXPECT_NE(complain(cut, "p.stl").find("4 triangles, which take 284 bytes, and has 283"),
            std::string::npos);
  std::string infinite = make_binary_stl();
  const float number = std::numeric_limits<float>::infinity();
  std::memcpy(infinite.data() + 84 + 50 + 12, &number, sizeof number);
  EXPECT_NE(complain(infinite, "p.stl").find("triangle 2 has a corner that is not finite"),
            std::string::npos);
  EXPECT_NE(complain("v 0 0 0\nv 1 0 0\n\nf 1 2 9\n", "p.obj")
                .find("p.obj:4: error: a face has the "
                      "point 9; so far there are 2"),
            std::string::npos);
  EXPECT_NE(complain("v 0 0 0\nf 1 1\n", "p.obj").find("a face has 2 points"), std::string::npos);
  EXPECT_NE(complain("v 0 0\n", "p.obj").find("a coordinate is missing"), std::string::npos);
}

TEST(MeshFile, TooManyTrianglesAreRefused) {
  std::string bytes = make_binary_stl();
  const std::uint32_t count = kMaxTriangles + 1;
  std::memcpy(bytes.data() + 80, &count, sizeof count);
  bytes.resize(84 + 50 * static_cast<std::size_t>(count));
  EXPECT_NE(complain(bytes, "p.stl").find("more than 1000000 triangles"), std::string::npos);
}

TEST(MeshFile, NoiseIsRefusedNotCrashed) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    for (std::string bytes : {make_text_stl(), make_binary_stl(), make_obj()}) {
      const std::string path = bytes.starts_with("#") ? "p.obj" : "p.stl";
      for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
      if (trial % 2 == 0) bytes.resize(random() % bytes.size());
      complain(bytes, path);
    }
  }
}

}  // namespace
}  // namespace driftless
