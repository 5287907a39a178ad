// The gallery: models/elements/ has one small model for every type of element. It runs as its file says, and the numbers
// that its head promises are true.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/model/element_types.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/gallery_promises.hpp"

namespace driftless::trials {
namespace {

const std::vector<ElementSpec>& find_elements(const MechanismModel& model,
                                              const std::string& kind) {
  if (kind == "joint") return model.joints;
  if (kind == "constraint") return model.constraints;
  return kind == "force" ? model.forces : model.measures;
}

/// The comment at the top as running text.
std::string read_head(const std::string& text) {
  std::string head;
  for (std::size_t begin = 0; text.compare(begin, 1, "#") == 0;) {
    const std::size_t end = text.find('\n', begin);
    head += text.substr(begin + 1, end - begin - 1);
    begin = end + 1;
  }
  return head;
}

/// True if the number stands in the text by itself, not as a part of a longer one.
bool contains_number(const std::string& text, const std::string& number) {
  const auto continues = [&](std::size_t k, bool is_end) {
    if (k >= text.size()) return false;
    const bool digit = std::isdigit(static_cast<unsigned char>(text[k])) != 0;
    if (digit || !is_end) return digit || text[k] == '.' || text[k] == '-';
    return text[k] == '.' && k + 1 < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[k + 1])) != 0;
  };
  for (std::size_t at = text.find(number); at != std::string::npos;
       at = text.find(number, at + 1)) {
    const bool begins = at == 0 || !continues(at - 1, false);
    if (begins && !continues(at + number.size(), true)) return true;
  }
  return false;
}

/// Half a unit of the last digit that is printed.
double find_rounding(const std::string& number) {
  const std::size_t point = number.find('.');
  const std::size_t digits = point == std::string::npos ? 0 : number.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(digits));
}

class LongGallery : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> list_files() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(DRIFTLESS_SOURCE_DIR "/models/elements")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(GalleryFiles, EveryTypeHasOneAndEveryOneHasAType) {
  std::set<std::string> wanted;
  for (const ElementType& type : all_element_types()) wanted.insert(find_gallery_file(type));
  const std::vector<std::string> files = list_files();
  const std::set<std::string> present(files.begin(), files.end());
  for (const std::string& name : wanted) {
    EXPECT_TRUE(present.contains(name)) << "add models/elements/" << name << ".toml";
  }
  for (const std::string& name : present) {
    EXPECT_TRUE(wanted.contains(name)) << "models/elements/" << name << ".toml shows no type";
  }
}

TEST_P(LongGallery, RunsAndKeepsItsPromises) {
  const ModelFile file = read_model_file(find_model("elements/" + GetParam()));
  const PreparedModel model = prepare_model(file, {});
  ASSERT_TRUE(model.start_report.success) << model.start_report.message;
  EXPECT_TRUE(model.warnings.empty()) << model.warnings.front();
  const Result result = run_prepared(model, prepare_method(file, model, {}), model.options);
  const Report& report = result.report;
  ASSERT_EQ(report.status, Status::ok) << report.message;
  for (const std::string& warning : report.warnings) {
    EXPECT_TRUE(GetParam() == "drive" && warning.starts_with("there is no degree of freedom"))
        << warning;
  }
  EXPECT_DOUBLE_EQ(report.t_end, model.options.until);
  expect_at_most("phi", report.max_phi, 1e-8);
  expect_at_most("phi_dot", report.max_phi_dot, 1e-8);
  expect_at_most("energy", report.max_energy_error, 1e-8);

  const std::string head = read_head(file.text);
  int promises = 0;
  for (const Promise& promise : all_promises()) {
    if (promise.file != GetParam()) continue;
    ++promises;
    EXPECT_TRUE(contains_number(head, promise.text)) << "not in the head: " << promise.text;
    EXPECT_NEAR(std::stod(promise.text), promise.exact,
                1.0001 * find_rounding(promise.text) + 1e-12)
        << "the head prints another number";
    EXPECT_NEAR(promise.factor * promise.find(result), promise.exact, promise.tolerance)
        << promise.text;
  }
  EXPECT_GT(promises, 0) << "add a number to its head and to gallery_promises_test.cpp";
}

TEST_P(LongGallery, ShowsItsTypeAndExplainsItself) {
  const ModelFile file = read_model_file(find_model("elements/" + GetParam()));
  const std::string head = read_head(file.text);
  EXPECT_NE(head.find("What it teaches: "), std::string::npos);
  EXPECT_NE(head.find("What to expect: "), std::string::npos);
  EXPECT_FALSE(file.common().name.empty());
  EXPECT_FALSE(file.common().description.empty());
  EXPECT_FALSE(file.methods.empty());
  ASSERT_TRUE(file.mechanism.has_value());
  for (const ElementType& type : all_element_types()) {
    if (find_gallery_file(type) != GetParam()) continue;
    const auto& elements = find_elements(*file.mechanism, type.kind);
    EXPECT_TRUE(std::any_of(elements.begin(), elements.end(),
                            [&](const ElementSpec& element) { return element.type == type.name; }))
        << "there is no " << type.kind << " of type " << type.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, LongGallery, ::testing::ValuesIn(list_files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace driftless::trials
