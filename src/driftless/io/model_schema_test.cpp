#include "driftless/io/model_schema.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "driftless/io/json.hpp"
#include "driftless/io/json_schema_test.hpp"
#include "driftless/io/model_file_test.hpp"
#include "driftless/io/templates.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless {
namespace {

using testing::Json;

const Json& schema() {
  static const Json kSchema = testing::parse_json(make_model_schema());
  return kSchema;
}

/// What the schema refuses of a model.
std::string refuse(const std::string& toml) {
  std::string all;
  for (const std::string& error :
       testing::find_schema_errors(schema(), testing::to_json(parse_toml(toml, "model.toml"))))
    all += error + "\n";
  return all;
}

bool is_refused(const std::string& toml, const std::string& why) {
  const std::string errors = refuse(toml);
  EXPECT_NE(errors.find(why), std::string::npos) << "'" << why << "' in\n" << errors << toml;
  return !errors.empty();
}

/// Name and text of every model of ours.
std::vector<std::pair<std::string, std::string>> all_models() {
  std::vector<std::pair<std::string, std::string>> models{
      {"the four-bar of the tests", testing::four_bar()}};
  const auto folder = std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    models.emplace_back(entry.path().string(), text.str());
  }
  for (const TemplateInfo& each : all_templates())
    models.emplace_back("new " + std::string(each.name), make_template(each.name));
  return models;
}

TEST(ModelSchema, SaysWhichDraftItIs) {
  ASSERT_NE(schema().find("$schema"), nullptr);
  EXPECT_EQ(schema().find("$schema")->text, "https://json-schema.org/draft/2020-12/schema");
}

TEST(ModelSchema, AcceptsEveryModel) {
  const auto models = all_models();
  EXPECT_GT(models.size(), 20U);
  for (const auto& [name, text] : models) EXPECT_EQ(refuse(text), "") << name;
}

/// True if the program refuses the model or one of its methods.
bool program_refuses(const std::string& text, const std::string& path) {
  try {
    const ModelFile file = parse_model(text, path);
    const PreparedModel model = prepare_model(file, {});
    for (const MethodSpec& method : file.methods) {
      MethodRequest request;
      request.word = method.name;
      prepare_method(file, model, request);
    }
  } catch (const ModelError&) {
    return true;
  }
  return false;
}

/// "joint revolute", "run": the section that begins with this text, with the type that it gives.
std::string find_section_kind(const std::string& text) {
  const std::string section = text.substr(0, text.find("\n["));
  const std::size_t type = section.find("\ntype = ");
  const std::string name = section.substr(1, section.find_first_of(".]") - 1);
  return type == std::string::npos
             ? name
             : name + section.substr(type, section.find('\n', type + 1) - type);
}

// Every kind of table gets a key that nobody knows. Where names are the user's own it is one more of them.
TEST(ModelSchema, RefusesUnknownKeysWhereverTheProgramDoes) {
  const std::set<std::string> free{"parameters",          "coordinates", "force",  "constraint",
                                   "velocity_constraint", "conserved",   "record", "start"};
  std::set<std::string> seen;  // one revolute stands for all
  for (const auto& [name, text] : all_models()) {
    std::istringstream lines(text);
    std::string before;
    for (std::string line; std::getline(lines, line);) {
      before += line + "\n";
      if (!line.starts_with("[")) continue;
      const std::string header = line.substr(1, line.find(']') - 1);
      if (!seen.insert(find_section_kind(text.substr(before.size() - line.size() - 1))).second)
        continue;
      const std::string changed = before + "qqqq = 1\n" + text.substr(before.size());
      const bool is_free = free.contains(header);
      EXPECT_EQ(refuse(changed).empty(), is_free) << name << ": [" << header << "]";
      if (!is_free) {
        EXPECT_TRUE(program_refuses(changed, name)) << name << ": [" << header << "]";
      }
    }
  }
  EXPECT_GT(seen.size(), 50U);
  EXPECT_NE(refuse("qqqq = 1\n" + testing::four_bar()), "");
}

TEST(ModelSchema, RefusesWrongKeysAndValues) {
  const auto with = [](const char* rest) { return testing::with_head(rest); };
  EXPECT_EQ(refuse(with("")), "");
  EXPECT_TRUE(is_refused(with("[enrgy]\n"), "/enrgy: nothing may stand here"));
  EXPECT_TRUE(is_refused(with("[run]\nuntill = 3\n"), "/run/untill: nothing may stand here"));
  EXPECT_TRUE(is_refused(with("[run]\nuntil = true\n"), "/run/until: wrong type"));
  EXPECT_TRUE(is_refused(with("[run]\nstart = \"asis\"\n"), "/run/start: none of the known"));
  EXPECT_TRUE(is_refused(with("[method]\nformulation = \"rk4\"\n"), "/method/formulation: none"));
  EXPECT_TRUE(
      is_refused(with("[method]\ndrift = [\"projct\"]\n"), "/method/drift: no alternative"));
  EXPECT_TRUE(is_refused(with("[method]\nstep = -1\n"), "/method/step: too small"));
  EXPECT_TRUE(is_refused(with("[method.a]\nstepp = 1\n"), "/method/a/stepp: nothing may"));
  EXPECT_TRUE(is_refused(with("[parameters]\n\"a b\" = 1\n"), "a b is no name"));
  EXPECT_TRUE(is_refused("[coordinates]\nx = 1\n", "format is missing"));
  EXPECT_TRUE(is_refused(with("[points]\nA = [1, 2]\n"), "/coordinates: none of the known words"));
  EXPECT_EQ(refuse(with("[method]\nstep = \"1 ms\"\nalpha = { rod = 2 }\n[method.b]\n")), "");
}

/// A value that the field may have.
std::string make_value(const ElementField& field) {
  switch (field.kind) {
    case FieldKind::number: return "1";
    case FieldKind::flag: return "true";
    case FieldKind::measure: return "\"A.angle\"";
    case FieldKind::measures: return "[\"A.angle\", \"B.angle\"]";
    case FieldKind::formula: return "\"2*t\"";
    case FieldKind::formulas: return "[0, \"2*t\", 1]";
    case FieldKind::matrix: return "[[1, 0], [0, 2]]";
    case FieldKind::choice: return "\"" + field.choices.back() + "\"";
  }
  return "";
}

std::string make_element(const ElementType& type, const std::string& more) {
  std::string text = "format = \"driftless/1\"\ngravity = [0, 0, 0]\n[" + type.kind +
                     ".e]\ntype = \"" + type.name + "\"\n";
  if (type.attachment == Attachment::two_frames) text += "between = [\"a\", \"b\"]\nat = \"P\"\n";
  if (type.attachment == Attachment::one_frame) text += "body = \"a\"\nat = \"P\"\n";
  for (const ElementField& field : type.fields) {
    if (field.needed) text += field.key + " = " + make_value(field) + "\n";
  }
  return text + more;
}

TEST(LongModelSchema, KnowsEveryTypeWithItsOwnFields) {
  for (const ElementType& type : all_element_types()) {
    SCOPED_TRACE(type.kind + " " + type.name);
    EXPECT_EQ(refuse(make_element(type, "")), "");
    EXPECT_NE(refuse(make_element(type, "qqqq = 1\n")), "");
    for (const ElementField& field : type.fields) {
      const std::string given = field.needed ? "" : field.key + " = " + make_value(field) + "\n";
      EXPECT_EQ(refuse(make_element(type, given)), "");
    }
    for (const ElementType& other : all_element_types()) {
      if (other.kind != type.kind) continue;
      for (const ElementField& field : other.fields) {
        const bool own = std::any_of(type.fields.begin(), type.fields.end(),
                                     [&](const auto& each) { return each.key == field.key; });
        const std::string foreign = field.key + " = " + make_value(field) + "\n";
        EXPECT_TRUE(own || !refuse(make_element(type, foreign)).empty()) << field.key;
      }
    }
  }
  EXPECT_TRUE(is_refused("format = \"driftless/1\"\n[joint.e]\ntype = \"screww\"\n",
                         "/joint/e/type: none of the known words"));
  EXPECT_TRUE(is_refused("format = \"driftless/1\"\n[joint.e]\nat = \"A\"\n", "type is missing"));
}

TEST(ModelSchema, FollowsDottedNames) {
  const std::string head = "format = \"driftless/1\"\nspace = \"plane\"\n";
  EXPECT_EQ(
      refuse(head + "[start]\nA.angle = \"3 deg\"\n\"B.rate\" = 2\n"
                    "C.rate = { value = 2, priority = \"guess\" }\n[display]\nA.x = \"mm\"\n"),
      "");
  EXPECT_TRUE(is_refused(head + "[start]\nA.angle = [1]\n", "/start/A/angle: wrong type"));
  EXPECT_TRUE(is_refused(head + "[start]\nA.b = { value = 1, prio = 2 }\n", "/start/A/b/prio"));
  EXPECT_TRUE(is_refused(head + "[start]\nA.b = { value = 1, priority = \"x\" }\n", "priority"));
  EXPECT_TRUE(is_refused(head + "[display]\nA.b = 3\n", "/display/A/b: wrong type"));
}

/// The file in which a key's example stands.
std::string place_example(const KeyInfo& info) {
  const std::string section(info.key.substr(0, info.key.find('.')));
  const KeyInfo& owner = *find_key(section);
  const bool is_type = info.key == "constraint.type" || info.key == "force.type";
  const bool is_element = owner.kind == ValueKind::keys && owner.entries == Entries::named;
  std::string header;
  if (!info.example.starts_with("[")) {
    if (is_element || is_type) {
      header = "[" + section + ".e]\n";
    } else if (owner.kind == ValueKind::keys || owner.entries != Entries::one) {
      header = "[" + section + "]\n";
    }
  }
  const std::string format = section == "format" ? "" : "format = \"driftless/1\"\n";
  return format + (is_type ? "gravity = [0, 0, 0]\n" : "") + header + std::string(info.example);
}

/// What the schema refuses but for other keys that an example leaves out.
std::string refuse_example(const KeyInfo& info) {
  std::istringstream errors(refuse(place_example(info)));
  std::string all;
  for (std::string error; std::getline(errors, error);) {
    if (!error.ends_with(" is missing")) all += error + "\n";
  }
  return all;
}

TEST(ModelSchema, AcceptsTheExampleOfEveryKey) {
  for (const KeyInfo& info : all_keys()) {
    if (info.key.starts_with("method.tableau.")) continue;
    EXPECT_EQ(refuse_example(info), "") << place_example(info);
  }
  EXPECT_EQ(refuse(testing::with_head("[method]\nintegrator = \"tableau\"\ntableau = { order = 2, "
                                      "a = [[], [1]], b = [\"1/2\", 0.5], c = [0, 1] }\n")),
            "");
  EXPECT_NE(refuse(testing::with_head("[method]\ntableau = { order = 2.5, a = [[]], b = [1] }\n")),
            "");
}

TEST(ModelSchema, DescribesEveryKeyWithUnitAndDefault) {
  const std::string text = make_model_schema();
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  for (const KeyInfo& info : all_keys()) {
    EXPECT_TRUE(has(JsonWriter().value(info.description).text())) << info.key;
  }
  EXPECT_TRUE(has("\"integrator: fixed step (unit: s)\",\n          \"default\": 0.01"));
  EXPECT_TRUE(has("\"default\": \"consistent\""));
  for (const ElementType& type : all_element_types()) {
    for (const ElementField& field : type.fields) {
      const std::string unit = field.unit.empty() ? "" : " (unit: " + field.unit + ")";
      std::string text_of = JsonWriter().value(field.description + unit).text();
      text_of.pop_back();  // a unit may be followed by more
      EXPECT_TRUE(has(text_of)) << field.key;
    }
  }
}

}  // namespace
}  // namespace driftless
