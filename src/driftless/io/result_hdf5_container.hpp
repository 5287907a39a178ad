#pragma once
// An HDF5 result whose table is still a hole in the file: room for any number of rows that takes no space on the disk.

#include <cstdint>
#include <string>
#include <vector>

#include "driftless/result/result.hpp"

namespace driftless {

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
