// Binary STL: 80 bytes of any text, the number n of triangles, then n times 12 floats (normal, three points) and two
// bytes, all little-endian. It is told from STL as text by its length, 84 + 50 n: its text may begin with "solid", too.
// Normals are not read: the order of the points says the same, and files that contradict themselves are common.

#include "driftless/mechanism/mesh_file.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "binary STL is read as it stands");

constexpr std::size_t kStlHead = 84;
constexpr std::size_t kStlTriangle = 50;
constexpr const char* kMeshRemedy = "write the mesh again from its source";

std::string find_ending(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return ending;
}

/// Words of a text with the line that they stand in.
class MeshText {
 public:
  MeshText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    rest_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return true;
  }

  /// The next word of this line; empty: there is none.
  std::string_view word() {
    constexpr std::string_view kBlank = " \t\r\v\f";
    const std::size_t begin = rest_.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return rest_ = {};
    const std::size_t end = std::min(rest_.find_first_of(kBlank, begin), rest_.size());
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_ = rest_.substr(end);
    return word;
  }

  double number() {
    std::string_view text = word();
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0.0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      fail(text.empty() ? "a coordinate is missing"
                        : fmt::format("'{}' is not a finite number", text.substr(0, 40)));
    return value;
  }

  Vector3 point() {
    const double x = number();
    const double y = number();
    return {x, y, number()};
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw ModelError(Diagnostic{{path_, line_, 0}, message, kMeshRemedy});
  }

 private:
  std::string_view text_;
  const std::string& path_;
  std::string_view rest_;
  std::size_t at_ = 0;
  int line_ = 0;
};

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  throw ModelError(Diagnostic{{path, 0, 0}, message, kMeshRemedy});
}

void check_count(std::size_t triangles, const std::string& path) {
  if (triangles <= kMaxTriangles) return;
  throw ModelError(
      Diagnostic{{path, 0, 0},
                 fmt::format("the mesh has more than {} triangles", kMaxTriangles),
                 "write it with fewer triangles: a page draws at most 20000 of a body"});
}

void add_triangle(const std::array<Vector3, 3>& corners, TriangleMesh& mesh) {
  const auto first = static_cast<int>(mesh.points.size());
  mesh.points.insert(mesh.points.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < kStlHead) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return bytes.size() == kStlHead + kStlTriangle * static_cast<std::size_t>(count);
}

TriangleMesh parse_binary_stl(std::string_view bytes, const std::string& path) {
  TriangleMesh mesh;
  const std::size_t count = (bytes.size() - kStlHead) / kStlTriangle;
  check_count(count, path);
  for (std::size_t k = 0; k < count; ++k) {
    std::array<float, 9> numbers{};
    std::memcpy(numbers.data(), bytes.data() + kStlHead + k * kStlTriangle + 12, sizeof numbers);
    std::array<Vector3, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
      corners[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
      if (!std::isfinite(corners[i].x + corners[i].y + corners[i].z))
        fail(path, fmt::format("triangle {} has a corner that is not finite", k + 1));
    }
    add_triangle(corners, mesh);
  }
  return mesh;
}

TriangleMesh parse_text_stl(std::string_view bytes, const std::string& path) {
  MeshText text(bytes, path);
  TriangleMesh mesh;
  std::array<Vector3, 3> corners;
  std::size_t found = 0;
  while (text.next_line()) {
    const std::string_view word = text.word();
    if (word == "vertex") {
      if (found == 3) text.fail("a facet has more than three corners");
      corners[found++] = text.point();
    } else if (word == "endfacet" || word == "endloop") {
      if (found == 0 && word == "endfacet") continue;
      if (found != 3) text.fail(fmt::format("a facet has {} corners; wanted: 3", found));
      add_triangle(corners, mesh);
      found = 0;
      check_count(mesh.triangles.size(), path);
    } else if (!word.empty() && word != "facet" && word != "outer" && word != "solid" &&
               word != "endsolid") {
      text.fail(fmt::format("'{}': no word of an STL file", word.substr(0, 40)));
    }
  }
  if (found > 0) text.fail("the file ends within a facet");
  return mesh;
}

/// The point that a corner "7", "7/1", "7//3" or "-1" means.
int read_corner(std::string_view word, std::size_t points, const MeshText& text) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long index = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (code != std::errc() || end != digits.data() + digits.size())
    text.fail(fmt::format("'{}' is not the number of a point", word.substr(0, 40)));
  const auto count = static_cast<long>(points);
  const long place = index < 0 ? count + index : index - 1;
  if (place < 0 || place >= count)
    text.fail(fmt::format("a face has the point {}; so far there are {}", index, count));
  return static_cast<int>(place);
}

TriangleMesh parse_obj(std::string_view bytes, const std::string& path) {
  MeshText text(bytes, path);
  TriangleMesh mesh;
  while (text.next_line()) {
    const std::string_view word = text.word();
    if (word == "v") {
      mesh.points.push_back(text.point());
      check_count(mesh.points.size() / 3, path);
    } else if (word == "f") {  // as a fan around its first corner
      std::array<int, 3> corners{};
      std::size_t found = 0;
      for (std::string_view corner = text.word(); !corner.empty(); corner = text.word()) {
        const int point = read_corner(corner, mesh.points.size(), text);
        if (found >= 3) corners[1] = corners[2];
        corners[std::min<std::size_t>(found++, 2)] = point;
        if (found >= 3) mesh.triangles.push_back(corners);
      }
      if (found < 3) text.fail(fmt::format("a face has {} points; wanted: at least 3", found));
      check_count(mesh.triangles.size(), path);
    }  // all else, such as normals, names and colours, has no part in the shape
  }
  return mesh;
}

}  // namespace

TriangleMesh parse_mesh(std::string_view bytes, const std::string& path) {
  TriangleMesh mesh;
  if (find_ending(path) == ".obj") {
    mesh = parse_obj(bytes, path);
  } else if (is_binary_stl(bytes)) {
    mesh = parse_binary_stl(bytes, path);
  } else if (bytes.starts_with("solid")) {
    mesh = parse_text_stl(bytes, path);
  } else if (bytes.size() < kStlHead) {
    fail(path,
         "this is no STL file: it does not begin with 'solid', and is too short to be binary");
  } else {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + 80, sizeof count);
    fail(path, fmt::format(
                   "this is no STL file: it says {} triangles, which take {} bytes, and has {}",
                   count, kStlHead + kStlTriangle * static_cast<std::size_t>(count), bytes.size()));
  }
  mesh = merge_points(mesh);
  if (mesh.triangles.empty()) fail(path, "the mesh has no triangle with an area");
  return mesh;
}

TriangleMesh read_mesh_file(const std::string& file, const std::string& folder,
                            const Source& where) {
  const bool is_bare = !file.empty() && file != "." && file.find("..") == std::string::npos &&
                       file.find_first_of(std::string("/\\:\0", 4)) == std::string::npos;
  if (!is_bare) {
    throw ModelError(Diagnostic{where, fmt::format("\"{}\" is not a bare file name", file),
                                "a mesh is a file in the model's own folder, without any path"});
  }
  const std::string ending = find_ending(file);
  if (ending != ".stl" && ending != ".obj") {
    throw ModelError(Diagnostic{where, fmt::format("\"{}\": not a format that is known", file),
                                "use an .stl or .obj file"});
  }
  const fs::path path = fs::path(folder) / file;
  std::error_code failure;
  std::ifstream in(path, std::ios::binary);
  if (!fs::is_regular_file(path, failure) || !in) {
    throw ModelError(Diagnostic{where, fmt::format("cannot read \"{}\"", path.string()),
                                fmt::format("put {} beside the model file, correct its name, or "
                                            "leave mesh out: it is for pictures alone",
                                            file)});
  }
  const std::uintmax_t size = fs::file_size(path, failure);
  if (failure || size > kMaxMeshBytes) {
    throw ModelError(Diagnostic{
        where,
        fmt::format("\"{}\" has {} bytes; at most {} are read", path.string(), size, kMaxMeshBytes),
        "write it with fewer triangles: a page draws at most 20000 of a body"});
  }
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse_mesh(bytes, path.string());
}

}  // namespace driftless
