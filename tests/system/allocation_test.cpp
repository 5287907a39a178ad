// The step loop does not touch the heap, on mechanisms whose redundant rows are set aside now here, now there, with matrices that
// are sparse.

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/allocation_count_test.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

TEST(Allocation, NoneWhileRedundantRowsChange) {
  struct Case {
    const char* model;
    double until;
  };
  for (const Case& each : {Case{"four_bar_3d", 2.0}, Case{"machines/four_cylinder_engine", 0.05}}) {
    const ModelFile file = read_model_file(find_model(each.model));
    for (const char* words : {"ggl/ida", "stabilized_index1/ida", "index2/ida", "index1/bdf",
                              "ggl/bdf", "stabilized_index1/bdf", "index3/bdf", "ggl/radau5",
                              "index3/radau5", "stabilized_index1/radau5"}) {
      SCOPED_TRACE(std::string(each.model) + " " + words);
      PreparedModel model = prepare_model(file, {.until = each.until, .every = each.until / 50});
      const Method method = find_method({}, {.word = words, .tolerance = 1e-6}, model.context);
      testing::AllocationWatch sink;
      const Report report = run_prepared(model, method, model.options, sink);
      ASSERT_EQ(report.status, Status::ok) << report.message;
      EXPECT_EQ(sink.rows, 51);
      EXPECT_EQ(sink.last - sink.first, 0) << report.steps << " steps";
    }
  }
}

}  // namespace
}  // namespace driftless::trials
