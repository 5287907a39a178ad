#pragma once
// What is where in an HDF5 result; writing and reading of each part side by side.
//
//   /                attribute driftless_format = 1
//   /data            rows x columns, double; /columns and /units: a text per column
//   /run             texts model_name, model_path, model_text, method, options, version;
//                    parameter_names and parameter_values
//   /report          attributes status, t_end, steps, ...; texts message, failure_...; lists
//                    redundant, not_unique, warnings, figure_names and figure_values, failure_last_good.
//                    Missing: the run was killed or goes on.
//   /rows_flushed    only in a file that is still being written: how many rows of /data are good;
//                    the others are zero

#include <cstdint>

#include "driftless/io/result_hdf5_handle.hpp"
#include "driftless/result/result.hpp"

namespace driftless {

inline constexpr long kHdf5Format = 1;

RunInfo read_run(hid_t file);
std::vector<Column> read_columns(hid_t file);

Report read_report(hid_t file);
std::uint64_t read_row_counter(hid_t file);

/// A file with everything but the numbers of the table: HDF5 has made and closed it, and never
/// touches it again.
struct Container {
  std::uint64_t data =
      0;  ///< where in the file row 0 of /data begins; rows follow each other without gaps
  std::uint64_t counter = 0;  ///< where /rows_flushed is; only without a report
};

/// Creates `path` with a table of `rows` rows. With `report` it is a finished result, without one
/// that grows. Throws h5::Failure and may then leave a part of the file.
Container create_container(const std::string& path, const RunInfo& info,
                           const std::vector<Column>& columns, std::uint64_t rows,
                           const Report* report);

}  // namespace driftless
