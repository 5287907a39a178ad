#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/equations/compile.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/page_test.hpp"
#include "driftless/mechanism/compile.hpp"

namespace driftless {
namespace {

using testing::make_arm_info;

/// A model whose bar has a mesh, and the folder for it.
struct MeshModel {
  explicit MeshModel(const std::string& mesh) {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = std::filesystem::path(::testing::TempDir()) / ("driftless_page_" + test);
    std::filesystem::create_directories(folder);
    info = make_arm_info();
    info.model_path = (folder / "arm.toml").string();
    const std::string place = "[body.bar.frame.tip]";
    info.model_text.replace(info.model_text.find(place), place.size(),
                            "mesh = " + mesh + "\n" + place);
  }
  ~MeshModel() { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  std::string find_fault() const {
    try {
      compile(*parse_model(info.model_text, info.model_path).mechanism);
    } catch (const ModelError& error) {
      return format_diagnostic(error.diagnostics().front());
    }
    return "";
  }
  std::filesystem::path folder;
  RunInfo info;
};

constexpr const char* kPlate = "v 0 0 0\nv 100 0 0\nv 100 50 0\nv 0 50 0\nf 1 2 3 4\n";

TEST(PageMesh, AMeshIsPlacedOnItsBody) {
  const MeshModel model(
      R"({ file = "plate.obj", unit = "mm", scale = 2, at = [0.5, 1], x = [0, 1] })");
  model.write("plate.obj", kPlate);
  EXPECT_EQ(model.find_fault(), "");
  const SceneOfRun found = find_scene(model.info);
  EXPECT_EQ(found.note, "");
  ASSERT_TRUE(found.scene.bodies[0].mesh);
  const TriangleMesh& mesh = *found.scene.bodies[0].mesh;
  ASSERT_EQ(mesh.points.size(), 4U);
  EXPECT_NEAR(mesh.points[2].x, 0.5 - 0.1, 1e-12);
  EXPECT_NEAR(mesh.points[2].y, 1.0 + 0.2, 1e-12);
  EXPECT_FALSE(found.scene.bodies[1].mesh);
}

TEST(PageMesh, AMeshThatIsGoneIsToldAndNotMissed) {
  const MeshModel model(R"("plate.obj")");
  EXPECT_NE(model.find_fault().find("plate.obj\""), std::string::npos);
  EXPECT_NE(model.find_fault().find("arm.toml:14:9: error: body.bar.mesh: cannot read"),
            std::string::npos)
      << model.find_fault();
  const SceneOfRun found = find_scene(model.info);
  EXPECT_EQ(found.note,
            "Body bar is drawn without its mesh: plate.obj cannot be read beside the model file.");
  EXPECT_EQ(found.scene.bodies.size(), 2U);
}

TEST(PageMesh, FaultsOfAMeshAreToldWithTheirPlace) {
  for (const auto& [mesh, fault] : std::vector<std::pair<std::string, std::string>>{
           {R"("../plate.obj")",
            "arm.toml:14:9: error: body.bar.mesh: \"../plate.obj\" is not a bare file"},
           {R"("plate.step")", "arm.toml:14:9: error: body.bar.mesh: \"plate.step\": not a format"},
           {"3", "arm.toml:14:8: error: body.bar.mesh: wanted: the name of a file"},
           {R"({ unit = "mm" })", "body.bar.mesh: wanted: the name of a file"},
           {R"({ file = "plate.obj", unit = "kg" })", "unit = 'kg': not a unit of length"},
           {R"({ file = "plate.obj", scale = 0 })", "body.bar.mesh.scale"},
           {R"({ file = "plate.obj", sclae = 2 })", "did you mean 'scale'?"},
           {R"("broken.obj")", "broken.obj:2: a face has the point 7"}}) {
    const MeshModel model(mesh);
    model.write("plate.obj", kPlate);
    model.write("broken.obj", "v 0 0 0\nf 1 1 7\n");
    EXPECT_NE(model.find_fault().find(fault), std::string::npos) << model.find_fault();
  }
}

TEST(PageMesh, ALargeMeshIsThinnedAndTold) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  const MeshModel model(R"("sheet.obj")");
  std::string text;
  constexpr int kSide = 150;
  for (int i = 0; i <= kSide; ++i)
    for (int j = 0; j <= kSide; ++j) text += fmt::format("v {} {} 0\n", 0.01 * i, 0.01 * j);
  for (int i = 0; i < kSide; ++i) {
    for (int j = 1; j <= kSide; ++j) {
      const int k = i * (kSide + 1) + j;
      text += fmt::format("f {} {} {} {}\n", k, k + 1, k + kSide + 2, k + kSide + 1);
    }
  }
  model.write("sheet.obj", text);
  const SceneOfRun found = find_scene(model.info);
  EXPECT_LE(found.scene.bodies[0].mesh->triangles.size(), 20000U);
  EXPECT_NE(found.note.find("of its 45000 triangles"), std::string::npos) << found.note;
}

}  // namespace
}  // namespace driftless
