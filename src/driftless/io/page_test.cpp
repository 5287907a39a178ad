#include "driftless/io/page.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/equations/compile.hpp"
#include "driftless/io/digest.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/mechanism/compile.hpp"
#include "driftless/system/system.hpp"

namespace driftless {
namespace {

constexpr const char* kModel = R"(format = "driftless/1"
name = "arm"
space = "plane"
gravity = [0, -9.81]
[parameters]
l = "2 m"
half = "l/2"
[points]
A = [0, 0]
B = ["l", 0]
[body.bar]
rod = ["A", "B"]
mass = 1
[body.bar.frame.tip]
at = ["half", 0]
[body.wheel]
centre = "B"
disc = "30 cm"
mass = 2
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = "A"
[joint.axle]
type = "revolute"
between = ["bar", "wheel"]
at = "B"
[force.spring]
type = "spring_damper"
between = ["ground", "bar"]
at = [[0, 1], "B"]
stiffness = 10
)";

RunInfo make_info() {
  RunInfo info;
  info.model_name = "arm";
  info.model_path = "somewhere/arm.toml";
  info.model_text = kModel;
  info.method = "index1/rk4";
  info.version = "0.1.0";
  info.parameters = {{"l", 2.0}, {"half", 1.0}};
  return info;
}

TEST(Page, SceneComesFromTheModelText) {
  RunInfo info = make_info();
  info.model_text.insert(info.model_text.find("space"), "description = \"a bar with a wheel\"\n");
  const SceneOfRun found = find_scene(info);
  const Scene& scene = found.scene;
  EXPECT_EQ(found.note, "");
  EXPECT_EQ(found.description, "a bar with a wheel");
  EXPECT_TRUE(scene.plane);
  EXPECT_EQ(scene.gravity.y, -9.81);
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies[0].shape.kind, "rod");
  EXPECT_EQ(scene.bodies[0].shape.from.x, -1.0);
  EXPECT_EQ(scene.bodies[0].shape.to.x, 1.0);
  EXPECT_EQ(scene.bodies[1].mass, 2.0);
  ASSERT_EQ(scene.bodies[0].marks.size(), 3U) << "a frame and two hardpoints";
  EXPECT_EQ(scene.bodies[0].marks[0].name, "tip");
  EXPECT_TRUE(scene.bodies[0].marks[0].is_frame);
  EXPECT_EQ(scene.bodies[0].marks[2].name, "B");
  EXPECT_FALSE(scene.bodies[0].marks[2].is_frame);
  EXPECT_EQ(scene.bodies[0].marks[2].at.x, 1.0);
  ASSERT_EQ(scene.bodies[1].marks.size(), 1U) << "the wheel is not at A";
  EXPECT_EQ(scene.bodies[1].shape.kind, "disc");
  EXPECT_EQ(scene.bodies[1].shape.radius, 0.3);
  ASSERT_EQ(scene.elements.size(), 3U);
  EXPECT_EQ(scene.elements[1].name, "axle");
  EXPECT_EQ(scene.elements[1].type, "revolute");
  ASSERT_EQ(scene.elements[1].frames.size(), 2U);
  EXPECT_EQ(scene.elements[1].frames[0].body, 0);
  EXPECT_EQ(scene.elements[1].frames[0].origin.x, 1.0);
  EXPECT_EQ(scene.elements[2].kind, "force");
  EXPECT_EQ(scene.elements[2].frames[0].body, -1);
  EXPECT_EQ(scene.elements[2].frames[0].origin.y, 1.0);
}

// A body without a shape is the wheel that an element takes it for.
TEST(Page, GearsAndPinionsAreWheels) {
  RunInfo info = make_info();
  info.parameters.clear();
  info.model_text = R"(format = "driftless/1"
space = "plane"
[body.small]
mass = 1
inertia = 1
centre = [0.02, 0]
[body.large]
mass = 1
inertia = 1
centre = [0.6, 0]
[body.crank]
mass = 1
inertia = 1
centre = [0, 2]
[joint.A]
type = "revolute"
between = ["ground", "small"]
at = [0, 0]
[joint.B]
type = "revolute"
between = ["large", "ground"]
at = [0.6, 0]
[joint.C]
type = "revolute"
between = ["ground", "crank"]
at = [0, 2]
[force.spring]
type = "spring_damper"
between = ["ground", "crank"]
at = [[3, 2], [1.5, 2]]
stiffness = 10
[constraint.gear]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = -0.5
[constraint.belt]
type = "belt"
of = ["A.angle", "C.angle"]
first_radius = 0.1
second_radius = 0.3
)";
  const SceneOfRun found = find_scene(info);
  ASSERT_EQ(found.note, "");
  const SceneShape& small = found.scene.bodies[0].shape;
  const SceneShape& large = found.scene.bodies[1].shape;
  EXPECT_EQ(small.kind, "disc");
  EXPECT_NEAR(small.radius, 0.2, 1e-15);
  EXPECT_NEAR(small.from.x, -0.02, 1e-15);
  EXPECT_EQ(large.kind, "disc");
  EXPECT_NEAR(large.radius, 0.4, 1e-15);
  EXPECT_EQ(found.scene.bodies[2].shape.kind, "") << "its arm reaches beyond the pulley";
  const auto find_belt = [](const Scene& scene) {
    return *std::find_if(scene.elements.begin(), scene.elements.end(),
                         [](const SceneElement& each) { return each.name == "belt"; });
  };
  const SceneElement belt = find_belt(found.scene);
  ASSERT_EQ(belt.pulleys.size(), 2U);
  EXPECT_EQ(belt.pulleys[0].radius, 0.1);
  EXPECT_EQ(belt.pulleys[1].radius, 0.3);
  EXPECT_NEAR(belt.pulleys[0].frame.origin.x, -0.02, 1e-15);
  EXPECT_FALSE(belt.crossed);
  // An angle of the ground against the pulley counts oppositely: equal angles then mean a crossed belt.
  const std::string between = R"(["ground", "crank"])";
  std::string& text = info.model_text;
  text.replace(text.find(between), between.size(), R"(["crank", "ground"])");
  EXPECT_TRUE(find_belt(find_scene(info).scene).crossed);
  text += "crossed = true\n";
  EXPECT_FALSE(find_belt(find_scene(info).scene).crossed);
}

// Each joint is drawn by what it lets move.
TEST(Page, JointsSayWhatTheyLetMove) {
  struct Expected {
    const char* type;
    int turns;
    Vector3 slide;
  };
  const auto check = [](bool plane, const Expected& expected) {
    RunInfo info = make_info();
    info.parameters.clear();
    info.model_text = plane ? R"(format = "driftless/1"
space = "plane"
[body.b]
mass = 1
inertia = 1
centre = [0, 0]
[joint.J]
between = ["ground", "b"]
at = [0.3, 1]
axis = [0.6, -0.8]
)"
                            : R"(format = "driftless/1"
[body.b]
mass = 1
inertia = [1, 1, 1]
centre = [0, 0, 0]
[joint.J]
between = ["ground", "b"]
at = [0.3, 1, -2]
axis = [1, 2, -2]
)";
    info.model_text += std::string("type = ") + expected.type + "\n";
    const SceneOfRun found = find_scene(info);
    ASSERT_EQ(found.note, "") << expected.type;
    const SceneFreedom& freedom = found.scene.elements.at(0).freedom;
    EXPECT_EQ(freedom.turns, expected.turns) << expected.type;
    EXPECT_LE(norm(freedom.slide - expected.slide), 1e-12) << expected.type;
  };
  const Vector3 none{}, x{1, 0, 0}, z{0, 0, 1};
  for (const Expected& expected :
       {Expected{"'revolute'", 1, none}, Expected{"'prismatic'", 0, z},
        Expected{"'cylindrical'", 1, z}, Expected{"'spherical'", 3, none},
        Expected{"'universal'", 2, none}, Expected{"'constant_velocity'", 2, none},
        Expected{"'planar'", 1, none}, Expected{"'screw'\npitch = 0.2", 1, none},
        Expected{"'slot'", 1, x}, Expected{"'fixed'", 0, none}}) {
    check(false, expected);
  }
  for (const Expected& expected : {Expected{"'revolute'", 1, none}, Expected{"'prismatic'", 0, x},
                                   Expected{"'slot'", 1, x}, Expected{"'fixed'", 0, none}}) {
    check(true, expected);
  }
}

TEST(Page, SceneHasTheParametersOfTheRun) {
  RunInfo info = make_info();
  info.parameters = {{"l", 5.0}, {"half", 2.5}};  // --set l=5
  EXPECT_EQ(find_scene(info).scene.bodies[0].shape.to.x, 2.5);
}

/// The last units of the model's records.
std::vector<std::string> find_record_units(const std::string& text, std::size_t count) {
  const ModelFile file = parse_model(text, "model.toml");
  const CompiledModel compiled = file.mechanism ? compile(*file.mechanism) : compile(file.model);
  const std::vector<std::string>& units = compiled.system->info().record_units;
  return {units.end() - static_cast<std::ptrdiff_t>(std::min(count, units.size())), units.end()};
}

TEST(Page, RecordsHaveTheUnitsThatFollow) {
  const std::string mechanism = std::string(kModel) +
                                "[measure.lift]\ntype = \"expression\"\nvalue = \"bar.y + l\"\n"
                                "[record]\nspeed = \"lift'\"\nturns = \"pin.angle/(2*pi)\"\n"
                                "work = \"pin.force.x*bar.x'\"\n";
  EXPECT_EQ(find_record_units(mechanism, 4), (std::vector<std::string>{"m", "m/s", "", "W"}));
  const std::string equations =
      "format = \"driftless/1\"\nname = \"ball\"\n[parameters]\nm = \"2 kg\"\nk = 3\n"
      "[coordinates]\nx = { start = \"1 m\" }\ny = { start = 1 }\n"
      "[energy]\nkinetic = \"m/2*(x'^2 + k*y'^2)\"\n"
      "[record]\np = \"m*x'\"\nF = \"m*x''\"\nE = \"T + U\"\nother = \"m*y\"\nmore = \"k*x\"\n";
  EXPECT_EQ(find_record_units(equations, 5),
            (std::vector<std::string>{"kg*m/s", "N", "J", "", ""}));
}

TEST(Page, WhatHasNoSceneSaysWhy) {
  RunInfo info = make_info();
  info.model_text =
      "format = \"driftless/1\"\nname = \"p\"\ndescription = \"a point\"\n[coordinates]\nx = "
      "1\n[energy]\nkinetic = "
      "\"x'^2/2\"\n";
  EXPECT_NE(find_scene(info).note.find("equation model"), std::string::npos);
  EXPECT_EQ(find_scene(info).description, "a point");
  info.model_text = "nonsense";
  EXPECT_NE(find_scene(info).note.find("cannot be read again"), std::string::npos);
  info.model_text.clear();
  EXPECT_NE(find_scene(info).note.find("no model text"), std::string::npos);
}

std::string make_page_of(const RunInfo& info, const std::vector<Column>& columns) {
  PageRun run;
  run.begin(info, columns);
  run.row(std::vector<double>(columns.size(), 0.25));
  run.finish({});
  return make_page({&run});
}

TEST(Page, NamesCannotLeaveTheirBlock) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  RunInfo info = make_info();
  info.model_name = "</script><script>alert(1)</script>";
  const std::string page = make_page_of(info, {{"t", "s"}, {"<img onerror=x>", ""}});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_NE(page.find("\\u003cimg onerror=x>"), std::string::npos);
  EXPECT_EQ(page.find("somewhere/"), std::string::npos) << "only the file's name is told";
}

TEST(Page, PosesAreThereIfTheirColumnsAre) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  std::vector<Column> columns{{"t", "s"}};
  for (const char* name : {"bar.x", "bar.y", "bar.angle", "wheel.x", "wheel.y", "wheel.angle"})
    columns.push_back({name, ""});
  EXPECT_NE(make_page_of(make_info(), columns).find("id=\"p0\""), std::string::npos);
  columns.pop_back();
  const std::string page = make_page_of(make_info(), columns);
  EXPECT_EQ(page.find("id=\"p0\""), std::string::npos);
  EXPECT_NE(page.find("no column wheel.angle"), std::string::npos);
}

TEST(Page, LoadsOfALongRunAreThoseOfOneMoment) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  std::vector<Column> columns{{"t", "s"}};
  for (const char* name : {"bar.x", "bar.y", "bar.angle", "wheel.x", "wheel.y", "wheel.angle",
                           "pin.force.x", "pin.rate", "pin.force.y"})
    columns.push_back({name, ""});
  const auto make_page_of_rows = [&](int count) {
    PageRun run;
    run.begin(make_info(), columns);
    for (int k = 0; k < count; ++k)
      run.row(std::vector<double>{double(k), 0, 0, 0, 0, 0, 0, double(k), 7, -double(k)});
    run.finish({});
    return make_page({&run});
  };
  constexpr int kRows = 30000;  // of which every second one is a frame, and the last
  std::vector<float> times;
  for (int k = 0; k < kRows; k += 2) times.push_back(static_cast<float>(k));
  times.push_back(kRows - 1);
  std::string expected = "id=\"l0\">";
  for (const float sign : {1.0F, -1.0F}) {
    std::vector<float> column;
    for (const float t : times) column.push_back(sign * t);
    append_base64(expected, {reinterpret_cast<const unsigned char*>(column.data()),
                             column.size() * sizeof(float)});
  }
  const std::string page = make_page_of_rows(kRows);
  EXPECT_NE(page.find(expected + "</script>"), std::string::npos);
  EXPECT_NE(page.find("\"sampled\":[7,9]"), std::string::npos);
  EXPECT_EQ(make_page_of_rows(100).find("id=\"l0\""), std::string::npos) << "the columns do";
}

TEST(Page, ARunOfSomeBodiesKeepsAllOfTwentyThousandSamples) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  // 1000 s of a double four-bar: half a period is a few samples long, and whoever zooms in wants to see it.
  std::vector<Column> columns{{"t", "s"}};
  for (int k = 0; k < 73; ++k) columns.push_back({fmt::format("c{}", k), ""});
  PageRun run;
  run.begin({}, columns);
  std::vector<double> row(columns.size());
  for (int k = 0; k <= 20000; ++k) {
    row[0] = 0.05 * k;
    run.row(row);
  }
  run.finish({});
  EXPECT_NE(make_page({&run}).find(R"("rows_per_bucket":1,)"), std::string::npos);
}

TEST(Page, ColumnsAreShownInTheUnitsOfTheModel) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  RunInfo info = make_info();
  info.model_text += "[display]\nbar.x = \"mm\"\n";
  const std::string page = make_page_of(info, {{"t", "s"}, {"bar.x", "m"}, {"bar.y", "m"}});
  EXPECT_NE(page.find(R"({"name":"bar.x","unit":"m","shown":"mm","factor":0.001})"),
            std::string::npos);
  EXPECT_NE(page.find(R"({"name":"bar.y","unit":"m","shown":"m","factor":1})"), std::string::npos);
}

/// A model whose bar has a mesh, and the folder for it.
struct MeshModel {
  explicit MeshModel(const std::string& mesh) {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = std::filesystem::path(::testing::TempDir()) / ("driftless_page_" + test);
    std::filesystem::create_directories(folder);
    info = make_info();
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

TEST(Page, AMeshIsPlacedOnItsBody) {
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

TEST(Page, AMeshThatIsGoneIsToldAndNotMissed) {
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

TEST(Page, FaultsOfAMeshAreToldWithTheirPlace) {
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

TEST(Page, ALargeMeshIsThinnedAndTold) {
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

TEST(Page, WithoutATemplateTheRemedyIsTold) {
  if (has_page_template()) GTEST_SKIP() << "built with the report page";
  PageRun run;
  run.begin(make_info(), {{"t", "s"}});
  EXPECT_THROW(make_page({&run}), ModelError);
}

}  // namespace
}  // namespace driftless
