#pragma once
// Result files: a run's columns, what was run, and its report.
//
//   .h5   everything, model text included; opens up to the last flush even if the program is killed.
//         /data (rows x columns, double), /columns, /units, /run/..., /report/... . In Python:
//             f = h5py.File("run.h5"); t = f["data"][:, 0]; names = f["columns"].asstr()[:]
//   .csv  a table for people and spreadsheets, with comments "# key = value" before and after it;
//         without the model text
//   .html the report page (page.hpp), for people; written, never read

#include <memory>
#include <string>

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

/// Writes all of a result at once; throws ModelError also for what the sink would only remember.
void write_result(const Result& result, const std::string& path);

}  // namespace driftless
