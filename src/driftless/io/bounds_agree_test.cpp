// What a number may be is declared once. The program, the schema and `driftless explain` must say the same of every key,
// every field of an element and every option of a method that has bounds.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/json_schema_test.hpp"
#include "driftless/io/model_file_test.hpp"
#include "driftless/io/model_schema.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/method_reader.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless {
namespace {

/// At the ends of the bounds, just within and just beyond.
std::vector<double> list_probes(const Bounds& bounds, double step) {
  std::vector<double> probes{find_stand_in(bounds)};
  for (const double end : {bounds.low, bounds.high, bounds.not_zero ? 0.0 : INFINITY}) {
    if (!std::isfinite(end)) continue;
    for (const double probe : {end - step, end, end + step}) probes.push_back(probe);
  }
  return probes;
}

bool schema_refuses(const std::string& toml) {
  static const testing::Json kSchema = testing::parse_json(make_model_schema());
  for (const std::string& error :
       testing::find_schema_errors(kSchema, testing::to_json(parse_toml(toml, "model.toml")))) {
    if (error.find("too small") != std::string::npos ||
        error.find("too large") != std::string::npos ||
        error.find("must not be") != std::string::npos)
      return true;
  }
  return false;
}

/// With these bounds as the reason; what else is wrong with the model does not count.
bool program_refuses(const std::string& toml, const Bounds& bounds) {
  try {
    const ModelFile file = parse_model(toml, "model.toml");
    const PreparedModel model = prepare_model(file, {});
    prepare_method(file, model, {});
  } catch (const ModelError& error) {
    for (const Diagnostic& each : error.diagnostics())
      if (each.remedy.find("must be " + describe_bounds(bounds)) != std::string::npos) return true;
  }
  return false;
}

/// `make` writes the model with a value in its place.
template <class Make>
void expect_agreement(const Bounds& bounds, double step, Make&& make) {
  for (const double probe : list_probes(bounds, step)) {
    const std::string toml = make(probe);
    EXPECT_EQ(program_refuses(toml, bounds), !bounds.contains(probe)) << toml;
    EXPECT_EQ(schema_refuses(toml), !bounds.contains(probe)) << toml;
  }
}

bool has_bounds(const Bounds& bounds) { return !describe_bounds(bounds).empty(); }

// ---- keys --------------------------------------------------------------------------------------

std::string with_body(const std::string& keys) {
  return "format = \"driftless/1\"\n[body.a]\ncentre = [0, 0, 0]\n" + keys + "\n";
}

std::string with_tableau(const std::string& keys) {
  return testing::with_head(
      "[method]\nformulation = \"index1\"\nintegrator = \"tableau\"\ntableau = { " + keys + " }\n");
}

/// A model for each key that has bounds, with @ for the value.
const std::map<std::string, std::string, std::less<>>& models_of_keys() {
  static const std::map<std::string, std::string, std::less<>> kModels{
      {"body.mass", with_body("mass = @\nsphere = 1")},
      {"body.density", with_body("density = @\nsphere = 1")},
      {"body.inertia", with_body("mass = 1\ninertia = [@, @, @]")},
      {"body.box", with_body("mass = 1\nbox = [1, @, 1]")},
      {"body.sphere", with_body("mass = 1\nsphere = @")},
      {"body.sphere.radius", with_body("mass = 1\nsphere = { radius = @ }")},
      {"body.disc", with_body("mass = 1\ndisc = @")},
      {"body.disc.radius", with_body("mass = 1\ndisc = { radius = @ }")},
      {"body.disc.thickness", with_body("mass = 1\ndisc = { radius = 1, thickness = @ }")},
      {"body.mesh.scale",
       with_body("mass = 1\nsphere = 1\nmesh = { file = \"a.stl\", scale = @ }")},
      {"body.radius",
       "format = \"driftless/1\"\n[body.a]\nmass = 1\nradius = @\ncone = [[0, 0, 0], [0, 0, 1]]\n"},
      {"run.until", testing::with_head("[run]\nuntil = @\n")},
      {"run.every", testing::with_head("[run]\nevery = @\n")},
      {"method.tableau.order", with_tableau("order = @, a = [[], [1]], b = [0.5, 0.5]")},
      {"method.tableau.error_order",
       with_tableau("order = 2, a = [[], [1]], b = [0.5, 0.5], b_hat = [1, 0], error_order = @")},
      {"matrices.damping_ratio",
       "format = \"driftless/1\"\n[coordinates]\nx = 1\n[matrices]\nM = [1]\nK = "
       "[1]\ndamping_ratio = [@]\n"},
  };
  return kModels;
}

TEST(BoundsAgree, OfKeys) {
  for (const KeyInfo& key : all_keys()) {
    if (!has_bounds(key.bounds)) continue;
    const auto model = models_of_keys().find(key.key);
    ASSERT_NE(model, models_of_keys().end()) << key.key << " has bounds: give a model that has it";
    SCOPED_TRACE(key.key);
    const bool is_whole = key.kind == ValueKind::whole_number;
    expect_agreement(key.bounds, is_whole ? 1.0 : 0.25, [&](double value) {
      std::string text = model->second;
      for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@'))
        text.replace(at, 1, fmt::format("{}", value));
      return text;
    });
    EXPECT_NE(describe_key(key).find(describe_bounds(key.bounds)), std::string::npos);
  }
}

// ---- elements and options ----------------------------------------------------------------------

std::string make_value(const ElementField& field) {
  switch (field.kind) {
    case FieldKind::measures: return "[\"A.angle\", \"B.angle\"]";
    case FieldKind::measure: return "\"A.angle\"";
    case FieldKind::flag: return "true";
    case FieldKind::choice: return "\"" + field.choices.back() + "\"";
    case FieldKind::matrix: return "[1, 1, 1, 1, 1, 1]";
    case FieldKind::formulas: return "[0, 1, 1]";
    case FieldKind::number:
    case FieldKind::formula: return "1";
  }
  return "";
}

std::string make_element(const ElementType& type, const ElementField& probed, double value) {
  std::string text =
      "format = \"driftless/1\"\n"
      "body.a = { mass = 1, sphere = 1, centre = [0, 0, 0] }\n"
      "body.b = { mass = 1, sphere = 1, centre = [2, 0, 0] }\n"
      "joint.A = { type = \"revolute\", between = [\"ground\", \"a\"], at = [0, 0, 0] }\n"
      "joint.B = { type = \"revolute\", between = [\"ground\", \"b\"], at = [2, 0, 0] }\n";
  text += fmt::format("[{}.e]\ntype = \"{}\"\n", type.kind, type.name);
  if (type.attachment == Attachment::two_frames)
    text += "between = [\"a\", \"b\"]\nat = [[0, 0, 0], [2, 0, 0]]\n";
  if (type.attachment == Attachment::one_frame) text += "body = \"a\"\nat = [0, 0, 0]\n";
  for (const ElementField& field : type.fields)
    if (field.needed && field.key != probed.key)
      text += field.key + " = " + make_value(field) + "\n";
  return text + fmt::format("{} = {}\n", probed.key, value);
}

TEST(BoundsAgree, OfElements) {
  int count = 0;
  for (const ElementType& type : all_element_types()) {
    for (const ElementField& field : type.fields) {
      if (!has_bounds(field.bounds)) continue;
      SCOPED_TRACE(type.kind + " " + type.name + " " + field.key);
      ++count;
      expect_agreement(field.bounds, 0.25,
                       [&](double value) { return make_element(type, field, value); });
    }
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace driftless
