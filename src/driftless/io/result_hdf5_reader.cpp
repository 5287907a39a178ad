#include <algorithm>
#include <array>

#include "driftless/base/error.hpp"
#include "driftless/io/result_hdf5.hpp"
#include "driftless/io/result_hdf5_layout.hpp"

namespace driftless {
namespace {

void check_format(hid_t file, const std::string& path) {
  if (H5Aexists(file, "driftless_format") <= 0) {
    throw ModelError("'" + path + "' is an HDF5 file, but not a result of Driftless",
                     "export its table as CSV with a header row: any such file can be read");
  }
  const long format = h5::read_long_attribute(file, "driftless_format");
  if (format < 1 || format > kHdf5Format) {
    throw ModelError("'" + path + "' has result format " + std::to_string(format) +
                         "; this version of Driftless reads up to " + std::to_string(kHdf5Format),
                     "read it with a newer version of Driftless");
  }
}

std::vector<double> read_table(hid_t file, std::size_t columns, std::uint64_t most_rows) {
  const h5::Handle set = h5::open_dataset(file, "data");
  const h5::Handle space(H5Dget_space(set.get()), H5Sclose, "the table is damaged");
  std::array<hsize_t, 2> size{};
  if (H5Sget_simple_extent_ndims(space.get()) != 2 ||
      H5Sget_simple_extent_dims(space.get(), size.data(), nullptr) != 2 || size[1] != columns) {
    throw h5::Failure("the table does not fit its columns");
  }
  const hsize_t rows = std::min<hsize_t>(size[0], most_rows);
  if (rows == 0 || columns == 0) return {};
  // Sizes are believed only as far as the file has bytes for them.
  if (rows > H5Dget_storage_size(set.get()) / (columns * sizeof(double))) {
    throw h5::Failure("the table is damaged");
  }
  std::vector<double> data(rows * columns);
  const std::array<hsize_t, 2> start{0, 0}, count{rows, columns};
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const h5::Handle memory(H5Screate_simple(2, count.data(), nullptr), H5Sclose, "out of memory");
  h5::check(
      H5Dread(set.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, data.data()),
      "the table cannot be read");
  return data;
}

}  // namespace

bool is_our_hdf5(const std::string& path) {
  const h5::Silence silence;
  try {
    const h5::Handle file = h5::open_file(path);
    return H5Aexists(file.get(), "driftless_format") > 0;
  } catch (const h5::Failure&) {
    return false;
  }
}

Result read_hdf5(const std::string& path) {
  const h5::Silence silence;
  try {
    const h5::Handle file = h5::open_file(path);
    check_format(file.get(), path);
    Result result;
    result.info = read_run(file.get());
    result.columns = read_columns(file.get());
    const bool growing = h5::has_link(file.get(), "rows_flushed");
    const auto most = growing ? read_row_counter(file.get()) : ~std::uint64_t{0};
    result.data = read_table(file.get(), result.columns.size(), most);
    result.complete = h5::has_link(file.get(), "report");
    if (result.complete) result.report = read_report(file.get());
    return result;
  } catch (const h5::Failure& failure) {
    throw ModelError("cannot read '" + path + "': " + failure.what(),
                     "run the model again, or give another result file");
  }
}

}  // namespace driftless
