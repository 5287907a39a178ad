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

/// Blocks of this size keep reading fast; more rows at once do not make it faster.
constexpr std::size_t kReadBytes = 4 * 1024 * 1024;
/// Deflate packs no more than about a thousand to one: a larger table is not in the file.
constexpr hsize_t kBestPacking = 1100;

/// The table /data, read in pieces.
class Table {
 public:
  Table(hid_t file, std::size_t columns)
      : columns_(columns),
        set_(h5::open_dataset(file, "data")),
        space_(H5Dget_space(set_.get()), H5Sclose, "the table is damaged") {
    std::array<hsize_t, 2> size{};
    if (H5Sget_simple_extent_ndims(space_.get()) != 2 ||
        H5Sget_simple_extent_dims(space_.get(), size.data(), nullptr) != 2 || size[1] != columns) {
      throw h5::Failure("the table does not fit its columns");
    }
    const bool growing = h5::has_link(file, "rows_flushed");
    rows_ = growing ? std::min<hsize_t>(size[0], read_row_counter(file)) : size[0];
    if (rows_ == 0 || columns == 0) {
      rows_ = 0;
      return;
    }
    // Sizes are believed only as far as the file has bytes for them. Ours are not packed; others may pack them.
    const hsize_t packing = is_contiguous() ? 1 : kBestPacking;
    if (rows_ / packing > H5Dget_storage_size(set_.get()) / (columns * sizeof(double))) {
      throw h5::Failure("the table is damaged");
    }
  }

  std::uint64_t rows() const { return rows_; }
  std::uint64_t rows_per_block() const {
    return std::max<std::uint64_t>(kReadBytes / (columns_ * sizeof(double)), 1);
  }

  /// Rows first, first + 1, ... into `to`, as many as it has room for.
  void read(std::uint64_t first, std::span<double> to) const {
    const std::array<hsize_t, 2> start{first, 0}, count{to.size() / columns_, columns_};
    h5::check(H5Sselect_hyperslab(space_.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                  nullptr),
              "the table is damaged");
    const h5::Handle memory(H5Screate_simple(2, count.data(), nullptr), H5Sclose, "out of memory");
    h5::check(
        H5Dread(set_.get(), H5T_NATIVE_DOUBLE, memory.get(), space_.get(), H5P_DEFAULT, to.data()),
        "the table cannot be read");
  }

 private:
  bool is_contiguous() const {
    const h5::Handle list(H5Dget_create_plist(set_.get()), H5Pclose, "the table is damaged");
    return H5Pget_layout(list.get()) == H5D_CONTIGUOUS;
  }

  std::size_t columns_;
  h5::Handle set_, space_;
  hsize_t rows_ = 0;
};

/// Opens a result and hands it to `action`; what goes wrong is told with the file's name.
template <class Action>
void with_result(const std::string& path, const Action& action) {
  const h5::Silence silence;
  try {
    const h5::Handle file = h5::open_file(path);
    check_format(file.get(), path);
    action(file.get());
  } catch (const h5::Failure& failure) {
    throw ModelError("cannot read '" + path + "': " + failure.what(),
                     "run the model again, or give another result file");
  }
}

/// Everything but the table.
Result read_frame(hid_t file) {
  Result result;
  result.info = read_run(file);
  result.columns = read_columns(file);
  result.complete = h5::has_link(file, "report");
  if (result.complete) result.report = read_report(file);
  return result;
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
  Result result;
  with_result(path, [&](hid_t file) {
    result = read_frame(file);
    const Table table(file, result.columns.size());
    result.data.resize(table.rows() * result.columns.size());
    if (table.rows() > 0) table.read(0, result.data);
  });
  return result;
}

void stream_hdf5(const std::string& path, ResultSink& sink, const ReadProgress& progress) {
  with_result(path, [&](hid_t file) {
    const Result frame = read_frame(file);
    const std::size_t columns = frame.columns.size();
    const Table table(file, columns);
    sink.begin(frame.info, frame.columns);
    std::vector<double> block;
    for (std::uint64_t first = 0; first < table.rows();) {
      const std::uint64_t count = std::min(table.rows_per_block(), table.rows() - first);
      block.resize(count * columns);
      table.read(first, block);
      for (std::uint64_t k = 0; k < count; ++k) sink.row({block.data() + k * columns, columns});
      first += count;
      if (progress) progress(static_cast<double>(first) / static_cast<double>(table.rows()));
    }
    if (frame.complete) sink.finish(frame.report);
  });
}

ResultOverview read_hdf5_overview(const std::string& path) {
  ResultOverview overview;
  with_result(path, [&](hid_t file) {
    overview.ends = read_frame(file);
    std::vector<double>& data = overview.ends.data;
    const std::size_t columns = overview.ends.columns.size();
    const Table table(file, columns);
    overview.rows = table.rows();
    data.resize(std::min<std::uint64_t>(overview.rows, 2) * columns);
    if (overview.rows > 0) table.read(0, {data.data(), columns});
    if (overview.rows > 1) table.read(overview.rows - 1, {data.data() + columns, columns});
  });
  return overview;
}

}  // namespace driftless
