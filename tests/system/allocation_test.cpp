// The step loop does not touch the heap, on a mechanism whose redundant rows are set aside now here, now there, with a matrix that
// is sparse.

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/allocation_count_test.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

void expect_none(const char* name, double until, const std::vector<const char*>& methods) {
  const ModelFile file = read_model_file(find_model(name));
  for (const char* words : methods) {
    SCOPED_TRACE(std::string(name) + " " + words);
    PreparedModel model = prepare_model(file, {.until = until, .every = until / 50});
    const Method method = find_method({}, {.word = words, .tolerance = 1e-6}, model.context);
    testing::AllocationWatch sink;
    const Report report = run_prepared(model, method, model.options, sink);
    ASSERT_EQ(report.status, Status::ok) << report.message;
    EXPECT_EQ(sink.rows, 51);
    EXPECT_EQ(sink.last - sink.first, 0) << report.steps << " steps";
  }
}

TEST(Allocation, NoneWhileRedundantRowsChange) {
  expect_none("four_bar_3d", 2.0,
              {"ggl/ida", "stabilized_index1/ida", "index2/ida", "index1/bdf", "ggl/bdf",
               "stabilized_index1/bdf", "index3/bdf", "ggl/radau5", "index3/radau5",
               "stabilized_index1/radau5"});
  // Rows that no relation held at the start are part of one later.
  expect_none("machines/four_cylinder_engine", 0.1,
              {"ggl/ida", "stabilized_index1/ida", "index2/ida"});
}

}  // namespace
}  // namespace driftless::trials
