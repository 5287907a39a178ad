// The step loop does not touch the heap, on a mechanism whose redundant rows are set aside now here, now there, with a matrix that
// is sparse.

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/allocation_count_test.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

TEST(Allocation, NoneWhileRedundantRowsChange) {
  constexpr double kUntil = 2.0;
  const ModelFile file = read_model_file(find_model("four_bar_3d"));
  for (const char* words : {"ggl/ida", "stabilized_index1/ida", "index2/ida", "index1/bdf",
                            "ggl/bdf", "stabilized_index1/bdf", "index3/bdf", "ggl/radau5",
                            "index3/radau5", "stabilized_index1/radau5"}) {
    SCOPED_TRACE(words);
    PreparedModel model = prepare_model(file, {.until = kUntil, .every = kUntil / 50});
    const Method method = find_method({}, {.word = words, .tolerance = 1e-6}, model.context);
    testing::AllocationWatch sink;
    const Report report = run_prepared(model, method, model.options, sink);
    ASSERT_EQ(report.status, Status::ok) << report.message;
    EXPECT_EQ(sink.rows, 51);
    EXPECT_EQ(sink.last - sink.first, 0) << report.steps << " steps";
  }
}

}  // namespace
}  // namespace driftless::trials
