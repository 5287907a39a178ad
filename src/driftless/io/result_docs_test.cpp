// docs/results.md tells how MATLAB reads a result. MATLAB is not at hand: what its lines ask for is looked up in a file of the
// model that they name, as MATLAB's h5read would find it.

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "driftless/io/model_file.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/io/result_files_test.hpp"
#include "driftless/io/result_hdf5_handle.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless {
namespace {

using namespace testing_results;

/// The blocks of the page in this language, one after the other.
std::string read_blocks(const std::string& page, const std::string& language) {
  std::istringstream lines(page);
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside && line == "```" + language;
    } else if (inside) {
      text += line + "\n";
    }
  }
  return text;
}

std::set<std::string> find_all(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator each(text.begin(), text.end(), expression), end; each != end; ++each)
    found.insert((*each)[1]);
  return found;
}

TEST(ResultDocs, MatlabFindsWhatItsLinesRead) {
  const std::string page = read_file(DRIFTLESS_SOURCE_DIR "/docs/results.md");
  const std::string lines = read_blocks(page, "matlab");
  const auto names = find_all(lines, "names == \"([^\"]+)\"");
  EXPECT_EQ(names, (std::set<std::string>{"A.angle", "t"}));
  EXPECT_EQ(find_all(lines, "run\\.\\(\"([^\"]+)\"\\)"), std::set<std::string>{"A.angle"});
  EXPECT_EQ(find_all(lines, "h5read\\('([^']+)'"), std::set<std::string>{"four_bar.h5"});
  EXPECT_EQ(find_all(lines, "h5read\\('four_bar.h5', '([^']+)'"),
            (std::set<std::string>{"/columns", "/data"}));

  const ModelFile file = read_model_file(DRIFTLESS_SOURCE_DIR "/models/four_bar.toml");
  RunRequest request;
  request.until = 0.1;
  const PreparedModel model = prepare_model(file, request);
  const Result result =
      run_prepared(model, prepare_method(file, model, request.method), model.options);
  for (const std::string& name : names) EXPECT_GE(result.find_column(name), 0) << name;

  const Scratch scratch;
  write_result(result, scratch / "four_bar.h5");
  const h5::Handle opened = h5::open_file(scratch / "four_bar.h5");
  const auto describe = [&](const char* path) {
    const h5::Handle set = h5::open_dataset(opened.get(), path);
    const h5::Handle type(H5Dget_type(set.get()), H5Tclose, "type");
    const h5::Handle space(H5Dget_space(set.get()), H5Sclose, "space");
    std::vector<hsize_t> size(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
    return std::pair(H5Tget_class(type.get()), size);
  };
  // A list of texts, and a table of numbers that MATLAB, which counts the other way round, has with a row per quantity.
  EXPECT_EQ(describe("/columns"),
            std::pair(H5T_STRING, std::vector<hsize_t>{result.columns.size()}));
  EXPECT_EQ(describe("/data"),
            std::pair(H5T_FLOAT, std::vector<hsize_t>{result.row_count(), result.columns.size()}));
}

TEST(ResultDocs, MatlabReadsTheCsvTable) {
  const std::string page = read_file(DRIFTLESS_SOURCE_DIR "/docs/results.md");
  const std::string lines = read_blocks(page, "matlab");
  EXPECT_NE(lines.find("readtable('four_bar.csv', 'CommentStyle', '#'"), std::string::npos);
  const Scratch scratch;
  Result result;
  result.info.version = "1";
  result.columns = {{"t", "s"}, {"A.angle", "rad"}};
  result.data = {0, 1, 2, 3};
  write_result(result, scratch / "run.csv");
  std::istringstream text(read_file(scratch / "run.csv"));
  std::vector<std::string> table;  // what is left without the comments
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with("#")) table.push_back(line);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0], "t,A.angle");
}

}  // namespace
}  // namespace driftless
