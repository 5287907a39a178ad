// From a result to what a page holds of it: thinned rows, poses, and the scene rebuilt from the model text.

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/pose_track.hpp"
#include "driftless/mechanism/compile.hpp"

namespace driftless {
namespace {

// A page of 20 to 30 MB opens within 3 s; more columns, bodies or runs have fewer points each.
constexpr std::size_t kMaxPoints = 25'000;
constexpr std::size_t kMinPoints = 400;
constexpr std::size_t kColumnNumbers = 3'000'000;  // of all runs of a page
constexpr std::size_t kMaxFrames = 20'000;
constexpr std::size_t kMinFrames = 1000;
constexpr std::size_t kPoseNumbers = 1'200'000;    // of all runs of a page
constexpr std::size_t kMaxMeshTriangles = 20'000;  // of one body
constexpr std::size_t kMinMeshTriangles = 500;
constexpr std::size_t kAllMeshTriangles = 120'000;

/// A page holds only so many triangles, and says which bodies it draws coarser than they are.
void thin_meshes(Scene& scene) {
  std::size_t all = 0;
  for (const SceneBody& body : scene.bodies) all += body.mesh ? body.mesh->triangles.size() : 0;
  if (all == 0) return;
  for (SceneBody& body : scene.bodies) {
    if (!body.mesh) continue;
    const std::size_t count = body.mesh->triangles.size();
    const std::size_t share = kAllMeshTriangles * count / all;
    const std::size_t most = std::clamp(share, kMinMeshTriangles, kMaxMeshTriangles);
    if (count <= most) continue;
    body.mesh = std::make_shared<const TriangleMesh>(thin_mesh(*body.mesh, most));
    scene.notes.push_back(fmt::format("The mesh of body {} is drawn with {} of its {} triangles.",
                                      body.name, body.mesh->triangles.size(), count));
  }
}

/// The parameters with which it was run, as far as the text says otherwise: --set changed them.
std::vector<std::pair<std::string, std::string>> find_changed(const CompiledModel& compiled,
                                                              const RunInfo& info) {
  std::vector<std::pair<std::string, std::string>> changed;
  for (const auto& [name, value] : compiled.parameters) {
    for (const auto& [key, run_value] : info.parameters) {
      if (key == name && value != run_value)
        changed.emplace_back(name, fmt::format("{}", run_value));
    }
  }
  return changed;
}

/// Columns of the forces and torques that the page draws as arrows.
std::vector<std::size_t> find_load_columns(const Scene& scene, const std::vector<Column>& columns) {
  std::unordered_set<std::string> names;
  for (const SceneElement& element : scene.elements) {
    for (const char* part : {".force", ".torque"}) {
      const std::string name = element.name + part;
      for (const char* axis : {"", ".x", ".y", ".z"}) names.insert(name + axis);
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t k = 1; k < columns.size(); ++k) {
    if (names.contains(columns[k].name)) found.push_back(k);
  }
  return found;
}

}  // namespace

SceneOfRun find_scene(const RunInfo& info) {
  if (info.model_text.empty()) {
    return {{},
            "This result holds no model text, so there is no animation. An .h5 file of the run has "
            "it."};
  }
  std::string description;
  try {
    ModelFile file = parse_model(info.model_text, info.model_path);
    description = file.common().description;
    if (!file.mechanism) {
      return {{},
              "An equation model says nothing about shapes, so there is no animation.",
              std::move(description)};
    }
    file.mechanism->meshes_may_be_gone = true;
    CompiledModel compiled = compile(*file.mechanism);
    const auto changed = find_changed(compiled, info);
    if (!changed.empty()) {
      apply_overrides(file, changed);
      compiled = compile(*file.mechanism);
    }
    thin_meshes(compiled.scene);
    std::string note = fmt::format("{}", fmt::join(compiled.scene.notes, " "));
    return {std::move(compiled.scene), std::move(note), std::move(description)};
  } catch (const ModelError& error) {
    return {{},
            "There is no animation: the model of this result cannot be read again. " +
                error.diagnostics().front().message,
            std::move(description)};
  }
}

void PageRun::begin(const RunInfo& info, const std::vector<Column>& columns) {
  info_ = info;
  columns_ = columns;
  scene_ = find_scene(info);
  const std::map<std::string, DisplayUnit> display = find_display(info);
  for (const Column& column : columns_) units_.push_back(find_display_unit(display, column));
  const std::size_t count = std::max<std::size_t>(columns.size(), 1);
  rows_ = std::make_unique<ThinnedColumns>(
      count, std::clamp(kColumnNumbers / runs_on_page_ / count, kMinPoints, kMaxPoints));
  std::vector<std::size_t> pose_columns;
  for (const SceneBody& body : scene_.scene.bodies) {
    for (const std::string& name : list_pose_columns(body, scene_.scene.plane)) {
      const auto found = std::find_if(columns.begin(), columns.end(),
                                      [&](const Column& column) { return column.name == name; });
      if (found == columns.end()) {
        scene_.scene = {};
        scene_.note = "There is no animation: the result has no column " + name + ".";
        return;
      }
      pose_columns.push_back(static_cast<std::size_t>(found - columns.begin()));
    }
  }
  if (pose_columns.empty()) return;
  const std::size_t width = pose_columns.size();
  const std::size_t frames =
      std::clamp(kPoseNumbers / runs_on_page_ / width, kMinFrames, kMaxFrames);
  frames_ = std::make_unique<ThinnedFrames>(std::move(pose_columns), frames);
  load_columns_ = find_load_columns(scene_.scene, columns);
  if (!load_columns_.empty()) loads_ = std::make_unique<ThinnedFrames>(load_columns_, frames);
}

void PageRun::row(std::span<const double> values) {
  rows_->add(values);
  if (frames_) frames_->add(values);
  if (loads_) loads_->add(values);
}

void PageRun::finish(const Report& report) {
  report_ = report;
  complete_ = true;
}

std::unique_ptr<PageRun> make_page_run(const Result& result, std::string label) {
  auto run = std::make_unique<PageRun>(std::move(label));
  run->begin(result.info, result.columns);
  for (std::size_t k = 0; k < result.row_count(); ++k) run->row(result.row(k));
  if (result.complete) run->finish(result.report);
  return run;
}

}  // namespace driftless
