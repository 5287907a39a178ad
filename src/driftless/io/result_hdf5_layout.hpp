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

#include "driftless/io/result_hdf5_container.hpp"
#include "driftless/io/result_hdf5_handle.hpp"
#include "driftless/result/result.hpp"

namespace driftless {

inline constexpr long kHdf5Format = 1;

RunInfo read_run(hid_t file);
std::vector<Column> read_columns(hid_t file);

Report read_report(hid_t file);
std::uint64_t read_row_counter(hid_t file);

}  // namespace driftless
