#pragma once
// Result files: a run's columns, what was run, and its report.
//
//   .h5   everything, model text included; opens up to the last flush even if the program is killed.
//         /data (rows x columns, double), /columns, /units, /run/..., /report/... . In Python:
//             f = h5py.File("run.h5"); t = f["data"][:, 0]; names = f["columns"].asstr()[:]
//   .csv  a table for people and spreadsheets, with comments "# key = value" before and after it;
//         without the model text
//   .html the report page (page.hpp), for people; written, never read

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "driftless/result/result.hpp"

namespace driftless {

/// A sink that writes `path`, in the format of its extension. Throws ModelError, here or in
/// `begin`, if the extension is not known, the file cannot be written, or a file is there that
/// Driftless did not write. Until `begin`, nothing is touched. Rows are on their way to the disk at
/// the latest a second after they came.
std::unique_ptr<ResultSink> make_result_file(const std::string& path);

/// Reads .h5 and .csv; what kind it is, the content says. Any CSV with a header row is a table
/// without a report (its info.version is empty). A file whose run was killed or still goes on gives
/// its rows and complete = false. Throws ModelError.
Result read_result(const std::string& path);

/// Told while a file is read: the share that is done, 0 to 1.
using ReadProgress = std::function<void(double)>;

/// Hands the result in a file to a sink as its run did: `begin`, every row in order, `finish` unless the run was killed. Rows
/// go by in blocks of a few megabytes, so that memory does not grow with their number. Throws ModelError as read_result
/// does, perhaps after some rows.
void stream_result(const std::string& path, ResultSink& sink, const ReadProgress& progress = {});

/// A result without its rows.
struct ResultOverview {
  Result ends;             ///< with the first and the last row only
  std::uint64_t rows = 0;  ///< how many there are
};
ResultOverview read_overview(const std::string& path);

/// Which part of a result to keep in memory.
struct ResultPart {
  std::vector<std::size_t>
      columns;  ///< in the order in which they are wanted; the first is the time
  double from = -std::numeric_limits<
      double>::infinity();  ///< rows before are left out, but for the first and their last
  double to =
      std::numeric_limits<double>::infinity();  ///< rows after likewise, but for two and the last
  std::size_t max_rows =
      std::numeric_limits<std::size_t>::max();  ///< if there are more, every second is left out
};
/// Chooses when it knows what the file holds; may throw ModelError.
using ChoosePart =
    std::function<ResultPart(const RunInfo& info, const std::vector<Column>& columns)>;
/// Reads a part of a result that memory need not hold as a whole.
Result read_part(const std::string& path, const ChoosePart& choose,
                 const ReadProgress& progress = {});

/// Reads `from` and writes `to`, in the format of its extension, without holding all of it. Throws ModelError.
void convert_result(const std::string& from, const std::string& to,
                    const ReadProgress& progress = {});

/// Writes all of a result at once; throws ModelError also for what the sink would only remember.
void write_result(const Result& result, const std::string& path);

}  // namespace driftless
