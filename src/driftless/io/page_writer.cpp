// The data of a page as JSON and Base64, and the file.

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>

#include "driftless/base/build_info.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/digest.hpp"
#include "driftless/io/json.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/result_paths.hpp"
#include "driftless/io/result_posix.hpp"

namespace driftless {
namespace {

constexpr std::string_view kMark = "<!doctype html>\n<!-- driftless report -->";
constexpr std::size_t kMaxDoubles = 1'000'000;  // of all runs; beyond, columns are float32

template <class Number>
void append_numbers(std::string& out, const std::vector<Number>& numbers) {
  append_base64(out, {reinterpret_cast<const unsigned char*>(numbers.data()),
                      numbers.size() * sizeof(Number)});
}

std::vector<float> shorten_numbers(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

void write_vector(JsonWriter& json, std::string_view key, const Vector3& v) {
  json.key(key).begin_array().value(v.x).value(v.y).value(v.z).end_array();
}

void write_shape(JsonWriter& json, const SceneShape& shape) {
  json.key("shape").begin_object().member("kind", shape.kind);
  write_vector(json, "from", shape.from);
  write_vector(json, "to", shape.to);
  write_vector(json, "size", shape.size);
  write_vector(json, "axis", shape.axis);
  json.member("radius", shape.radius).member("thickness", shape.thickness).end_object();
}

void write_frame(JsonWriter& json, const SceneFrame& frame) {
  json.begin_object().member("body", frame.body);
  write_vector(json, "at", frame.origin);
  write_vector(json, "x", frame.axes.x);
  write_vector(json, "z", frame.axes.z);
  json.end_object();
}

/// `find_mesh` answers the number of a body's mesh in the page; -1: it has none.
template <class FindMesh>
void write_scene(JsonWriter& json, const Scene& scene, FindMesh&& find_mesh) {
  json.begin_object().member("plane", scene.plane);
  write_vector(json, "gravity", scene.gravity);
  json.key("bodies").begin_array();
  for (const SceneBody& body : scene.bodies) {
    json.begin_object()
        .member("name", body.name)
        .member("point", body.point)
        .member("mass", body.mass)
        .member("mesh", find_mesh(body));
    write_shape(json, body.shape);
    json.key("marks").begin_array();
    for (const SceneMark& mark : body.marks) {
      json.begin_object().member("name", mark.name).member("frame", mark.is_frame);
      write_vector(json, "at", mark.at);
      write_vector(json, "x", mark.axes.x);
      write_vector(json, "z", mark.axes.z);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("elements").begin_array();
  for (const SceneElement& element : scene.elements) {
    json.begin_object()
        .member("kind", element.kind)
        .member("name", element.name)
        .member("type", element.type)
        .member("of", element.of)
        .member("turns", element.freedom.turns);
    if (element.low) json.member("low", *element.low);
    if (element.high) json.member("high", *element.high);
    write_vector(json, "slide", element.freedom.slide);
    json.key("frames").begin_array();
    for (const SceneFrame& frame : element.frames) write_frame(json, frame);
    json.end_array().member("crossed", element.crossed).key("pulleys").begin_array();
    for (const SceneWheel& wheel : element.pulleys) {
      json.begin_object().member("radius", wheel.radius).key("frame");
      write_frame(json, wheel.frame);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

void write_report(JsonWriter& json, const Report& report) {
  json.begin_object();
  write_run_figures(json, report);
  write_rows_and_warnings(json, report);
  json.key("figures").begin_array();
  for (const auto& [name, value] : report.figures)
    json.begin_object().member("name", name).member("value", value).end_object();
  json.end_array().key("seconds").begin_array();
  for (const auto& [name, value] : report.seconds)
    json.begin_object().member("name", name).member("value", value).end_object();
  json.end_array();
  json.member("worst", report.failure.worst).member("remedy", report.failure.suggestion);
  json.end_object();
}

void write_info(JsonWriter& json, const RunInfo& info, const std::string& description) {
  const std::string file = std::filesystem::path(info.model_path).filename().string();
  json.begin_object()
      .member("model", info.model_name)
      .member("description", description)
      .member("file", file)
      .member("text", info.model_text)
      .member("sha256", info.model_text.empty() ? "" : find_sha256(info.model_text))
      .member("method", info.method)
      .member("options", info.options)
      .member("settings", info.settings)
      .member("version", info.version)
      .key("parameters")
      .begin_array();
  for (const auto& [name, value] : info.parameters)
    json.begin_object().member("name", name).member("value", value).end_object();
  json.end_array().end_object();
}

}  // namespace

class PageWriter {
 public:
  explicit PageWriter(const std::vector<const PageRun*>& runs) : runs_(runs) {
    std::size_t numbers = 0;
    for (const PageRun* run : runs_) numbers += run->rows_->points() * run->columns_.size();
    doubles_ = numbers <= kMaxDoubles;
  }

  std::string run() {
    json_.begin_object().member("version", kVersion).key("runs").begin_array();
    for (std::size_t k = 0; k < runs_.size(); ++k) write_run(*runs_[k], k);
    json_.end_array().key("meshes").begin_array();
    for (std::size_t k = 0; k < meshes_.size(); ++k) write_mesh(*meshes_[k], k);
    json_.end_array().end_object();
    std::string data = "<script type=\"application/json\" id=\"runs\">";
    // "</script>" in a name must not end the block.
    for (const char c : json_.text()) {
      if (c == '<') {
        data += "\\u003c";
      } else {
        data += c;
      }
    }
    return data + "</script>\n" + blocks_;
  }

 private:
  void write_run(const PageRun& run, std::size_t index) {
    const ThinnedColumns& rows = *run.rows_;
    json_.begin_object()
        .member("label", run.label_.empty() ? run.info_.method : run.label_)
        .member("complete", run.complete_)
        .member("samples", rows.rows())
        .member("points", rows.points())
        .member("rows_per_bucket", rows.rows_per_bucket())
        .member("bytes", doubles_ ? 8 : 4)
        .member("note", run.scene_.note);
    json_.key("info");
    write_info(json_, run.info_, run.scene_.description);
    json_.key("report");
    if (run.complete_ && !run.info_.version.empty()) {  // nobody reports of a table from elsewhere
      write_report(json_, run.report_);
    } else {
      json_.null();
    }
    json_.key("columns").begin_array();
    for (std::size_t k = 0; k < run.columns_.size(); ++k) {
      json_.begin_object()
          .member("name", run.columns_[k].name)
          .member("unit", run.columns_[k].unit)
          .member("shown", run.units_[k].unit)
          .member("factor", run.units_[k].factor)
          .end_object();
    }
    json_.end_array().key("scene");
    const bool animated = run.frames_ && !run.frames_->times().empty();
    if (animated) {
      write_scene(json_, run.scene_.scene,
                  [this](const SceneBody& body) { return find_mesh(body); });
      json_.member("frames", run.frames_->times().size())
          .member("rows_per_frame", run.frames_->rows_per_frame());
      if (has_sampled_loads(run)) json_.member("sampled", run.load_columns_);
    } else {
      json_.null();
    }
    json_.end_object();
    write_columns(run, index);
    if (animated) write_poses(run, index);
    if (animated && has_sampled_loads(run)) write_loads(run, index);
  }

  /// Where nothing is thinned, the columns themselves tell them.
  static bool has_sampled_loads(const PageRun& run) {
    return run.loads_ && run.rows_->rows_per_bucket() > 1;
  }

  /// Bodies with the same mesh, also of other runs, share one.
  int find_mesh(const SceneBody& body) {
    if (!body.mesh) return -1;
    for (std::size_t k = 0; k < meshes_.size(); ++k) {
      if (is_same(*meshes_[k], *body.mesh)) return static_cast<int>(k);
    }
    meshes_.push_back(body.mesh);
    return static_cast<int>(meshes_.size()) - 1;
  }

  static bool is_same(const TriangleMesh& a, const TriangleMesh& b) {
    const auto same = [](const Vector3& p, const Vector3& q) {
      return p.x == q.x && p.y == q.y && p.z == q.z;
    };
    return a.triangles == b.triangles &&
           std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), same);
  }

  void write_mesh(const TriangleMesh& mesh, std::size_t index) {
    json_.begin_object()
        .member("points", mesh.points.size())
        .member("triangles", mesh.triangles.size())
        .end_object();
    std::vector<float> points;
    for (const Vector3& p : mesh.points) {
      for (const double x : {p.x, p.y, p.z}) points.push_back(static_cast<float>(x));
    }
    std::vector<std::uint32_t> corners;
    for (const auto& triangle : mesh.triangles) {
      for (const int k : triangle) corners.push_back(static_cast<std::uint32_t>(k));
    }
    open_block('m', index);
    append_numbers(blocks_, points);
    append_numbers(blocks_, corners);
    blocks_ += "</script>\n";
  }

  void open_block(char kind, std::size_t index) {
    blocks_ += fmt::format("<script type=\"application/octet-stream\" id=\"{}{}\">", kind, index);
  }

  void write_columns(const PageRun& run, std::size_t index) {
    open_block('c', index);
    for (std::size_t k = 0; k < run.columns_.size(); ++k) {
      if (doubles_) {
        append_numbers(blocks_, run.rows_->column(k));
      } else {
        append_numbers(blocks_, shorten_numbers(run.rows_->column(k)));
      }
    }
    blocks_ += "</script>\n";
  }

  void write_poses(const PageRun& run, std::size_t index) {
    open_block('p', index);
    append_numbers(blocks_, run.frames_->times());
    append_numbers(blocks_, run.frames_->values());
    blocks_ += "</script>\n";
  }

  void write_loads(const PageRun& run, std::size_t index) {
    open_block('l', index);
    const std::vector<float> values = run.loads_->values();
    const std::size_t width = run.loads_->width();
    std::vector<float> column(values.size() / width);
    for (std::size_t k = 0; k < width; ++k) {
      for (std::size_t frame = 0; frame < column.size(); ++frame)
        column[frame] = values[frame * width + k];
      append_numbers(blocks_, column);
    }
    blocks_ += "</script>\n";
  }

  const std::vector<const PageRun*>& runs_;
  bool doubles_ = true;
  std::vector<std::shared_ptr<const TriangleMesh>> meshes_;
  JsonWriter json_;
  std::string blocks_;
};

std::string make_page(const std::vector<const PageRun*>& runs) {
  check_page_template();
  constexpr std::string_view kPlace = "<!--DATA-->";
  const std::string_view page = page_template();
  const std::size_t place = page.find(kPlace);
  if (!page.starts_with(kMark) || place == std::string_view::npos)
    throw ModelError("the template of the report page is damaged", "build the program again");
  std::string out(page.substr(0, place));
  out += PageWriter(runs).run();
  return out.append(page.substr(place + kPlace.size()));
}

bool is_our_page(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kMark.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file && start == kMark;
}

void write_page(const std::string& text, const std::string& path) {
  check_writable(path, false);
  const std::string target = resolve_links(path);
  const std::string temporary = make_temporary_path(target);
  PosixFile file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  int code = file.is_open() ? 0 : errno;
  if (code == 0) code = file.write(text.data(), text.size());
  if (const int closing = file.close(); code == 0) code = closing;
  if (code == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) code = errno;
  if (code == 0) return;
  std::remove(temporary.c_str());
  throw make_write_error(path, format_errno(code));
}

namespace {

class PageSink final : public ResultSink {
 public:
  explicit PageSink(std::string path) : path_(std::move(path)) {}
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    run_.begin(info, columns);
  }
  void row(std::span<const double> values) override { run_.row(values); }
  void finish(const Report& report) override {
    run_.finish(report);
    try {
      write_page(make_page({&run_}), path_);
    } catch (const ModelError& error) {
      error_ = error.diagnostics().front().message;
    } catch (const std::exception& error) {
      error_ = error.what();
    }
  }
  std::string error() const override { return error_; }

 private:
  std::string path_;
  std::string error_;
  PageRun run_;
};

}  // namespace

std::unique_ptr<ResultSink> make_page_sink(const std::string& path) {
  check_page_template();
  return std::make_unique<PageSink>(path);
}

}  // namespace driftless
