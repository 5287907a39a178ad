#include "bench/ours/models.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "bench/common/data.hpp"
#include "bench/floor/vec3.hpp"
#include "driftless/io/templates.hpp"

namespace bench {
namespace {

std::string read_text(const std::string& name) {
  std::ifstream file(DRIFTLESS_SOURCE_DIR "/models/" + name + ".toml");
  if (!file) throw std::runtime_error("cannot read models/" + name + ".toml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The keys stand at the top, below `format`.
void add_keys(std::string& text, const Arguments& arguments) {
  std::string keys;
  for (const char* key : {"coordinates", "engine"}) {
    if (arguments.has(key)) keys += fmt::format("{} = \"{}\"\n", key, arguments.word(key, ""));
  }
  const std::size_t at = text.find("name = ");
  if (at == std::string::npos) throw std::logic_error("a model without a name");
  text.insert(at, keys);
}

std::string format_point(Vec3 p) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p.x, p.y, p.z);
}

/// The chain of data.hpp, drawn as it starts; or with two links on each.
std::string make_chain_text(int n, const std::string& joint, bool branches) {
  std::string text =
      "format = \"driftless/1\"\nname = \"chain\"\ngravity = [0, -9.81, 0]\n\n[points]\nP0 = [0, "
      "0, 0]\n";
  std::string bodies, joints;
  std::vector<Mat3> turns{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // of link k; 0: the ground
  std::vector<Vec3> points{{}};                                // its tip
  for (int k = 1; k <= n; ++k) {
    const int before = branches ? k / 2 : k - 1;
    const auto at = static_cast<std::size_t>(before);
    const bool about_z = turns_about_z(k);
    const Vec3 axis = about_z ? turns[at].z : turns[at].y;
    const Mat3 turn = turns[at] * make_turn_about(about_z, find_chain_angle(k));
    const Vec3 centre = points[at] + (kLinkLength / 2) * turn.x;
    const Vec3 point = points[at] + kLinkLength * turn.x;
    turns.push_back(turn);
    points.push_back(point);
    text += fmt::format("P{} = {}\n", k, format_point(point));
    bodies += fmt::format(
        "\n[body.link{0}]\ncylinder = [\"P{1}\", \"P{0}\"]\nradius = {2}\nmass = {3}\n"
        "pose = {{ at = {6}, x = {4}, z = {5} }}\n",
        k, before, kLinkRadius, kLinkMass, format_point(turn.x), format_point(turn.z),
        format_point(centre));
    joints += fmt::format(
        "\n[joint.J{0}]\ntype = \"{1}\"\nbetween = [\"{2}\", \"link{0}\"]\nat = \"P{3}\"\n", k,
        joint, before == 0 ? "ground" : fmt::format("link{}", before), before);
    if (joint == "revolute") joints += fmt::format("axis = {}\n", format_point(axis));
  }
  return text + bodies + joints +
         "\n[method]\nformulation = \"braun_goldfarb\"\nintegrator = \"rk4\"\nstep = 0.001\n";
}

OurProblem find_problem(const Arguments& arguments) {
  const std::string& name = arguments.problem();
  if (name == "pendulum") {
    return {
        read_text("pendulum_bodies"), kPendulumEnd, {{"bob.x"}, {"bob.y"}}, {"bob.y'"}, {}, false};
  }
  if (name == "n_four_bar") {
    return {driftless::make_template("n-four-bar", {{"n", arguments.word("n", "1")}}),
            kLadderEnd,
            {{"B0_x"}, {"B0_y"}},
            {"crank0.angle'", "A0.angle'", "A0.rate"},
            {{"A0.angle", "1 - pi/2"}},
            false};
  }
  if (name == "andrews") {
    return {read_text("andrews_squeezer"),       kAndrewsEnd, {{"beta"}},
            {"K1.angle'", "O.angle'", "O.rate"}, {},          false};
  }
  if (name == "four_bar_3d") {
    return {read_text("four_bar_3d") + "\n[record]\nB_x = \"2*crank.x\"\nB_y = \"2*crank.y\"\n",
            kFourBarEnd,
            {{"B_x"}, {"B_y"}},
            {"crank.wz", "A.angle'", "A.rate"},
            {},
            false};
  }
  if (name == "slider_crank") {
    std::string text = read_text("slider_crank_bodies");
    const std::string record = "[record]\n";
    text.insert(text.find(record) + record.size(), "theta = \"crank.angle + 45 deg\"\n");
    return {text, kSliderEnd, {{"theta"}}, {"crank.angle'", "pin.angle'", "pin.rate"}, {}, false};
  }
  const bool grows = name == "growth";
  const std::string shape = arguments.word("shape", "chain");
  if (grows && shape == "ladder") {
    const int windows = (arguments.whole("n", 11) - 1) / 2;
    return {driftless::make_template("n-four-bar", {{"n", std::to_string(windows)}}),
            kLadderEnd,
            {},
            {},
            {{"A0.angle", "1 - pi/2"}},
            false};
  }
  if (name == "chain" || grows) {
    return {make_chain_text(arguments.whole("n", 10), arguments.word("joint", "revolute"),
                            grows && shape == "tree"),
            1.0,
            {},
            {"link1.wz", "J1.angle'", "J1.rate"},
            {},
            true};
  }
  throw NotOffered("unknown problem " + name);
}

}  // namespace

OurProblem make_our_problem(const Arguments& arguments) {
  OurProblem problem = find_problem(arguments);
  add_keys(problem.text, arguments);
  return problem;
}

}  // namespace bench
