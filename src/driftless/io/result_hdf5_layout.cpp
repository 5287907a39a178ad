#include "driftless/io/result_hdf5_layout.hpp"

#include <array>

#include "driftless/io/result_paths.hpp"
#include "driftless/io/result_report_fields.hpp"

namespace driftless {
namespace {

using Figures = std::vector<std::pair<std::string, double>>;

void write_figures(hid_t where, const std::string& prefix, const Figures& figures) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : figures) {
    names.push_back(name);
    values.push_back(value);
  }
  h5::write_texts(where, (prefix + "_names").c_str(), names);
  h5::write_doubles(where, (prefix + "_values").c_str(), values);
}

Figures read_figures(hid_t where, const std::string& prefix) {
  const auto names = h5::read_texts(where, (prefix + "_names").c_str());
  const auto values = h5::read_doubles(where, (prefix + "_values").c_str());
  if (names.size() != values.size()) throw h5::Failure("names and values differ in number");
  Figures figures;
  for (std::size_t k = 0; k < names.size(); ++k) figures.emplace_back(names[k], values[k]);
  return figures;
}

void write_run(hid_t file, const RunInfo& info, const std::vector<Column>& columns) {
  h5::write_attribute(file, "driftless_format", kHdf5Format);
  std::vector<std::string> names, units;
  for (const auto& column : columns) {
    names.push_back(column.name);
    units.push_back(column.unit);
  }
  h5::write_texts(file, "columns", names);
  h5::write_texts(file, "units", units);
  const h5::Handle run = h5::create_group(file, "run");
  visit_run_texts(info, [&](const char* key, const std::string& text) {
    h5::write_text(run.get(), key, text);
  });
  write_figures(run.get(), "parameter", info.parameters);
}

void write_report(hid_t file, const Report& report) {
  const h5::Handle group = h5::create_group(file, "report");
  const hid_t id = group.get();
  h5::write_attribute(id, "status", std::string(to_string(report.status)));
  visit_report_numbers(report, [&](const char* key, const auto& value) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
      h5::write_attribute(id, key, value);
    } else {
      h5::write_attribute(id, key, static_cast<long>(value));
    }
  });
  visit_report_texts(
      report, [&](const char* key, const std::string& text) { h5::write_text(id, key, text); });
  h5::write_texts(id, "redundant", report.redundant);
  h5::write_texts(id, "not_unique", report.not_unique);
  h5::write_texts(id, "warnings", report.warnings);
  write_figures(id, "figure", report.figures);
  write_figures(id, "seconds", report.seconds);
  h5::write_doubles(id, "failure_last_good", report.failure.last_good);
}

// Contiguous and allocated at once, but not filled: rows are written past HDF5, and what is not
// written is a hole.
std::uint64_t create_raw_dataset(hid_t file, const char* name, hid_t type,
                                 const h5::Handle& space) {
  const h5::Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "out of memory");
  H5Pset_layout(create.get(), H5D_CONTIGUOUS);
  H5Pset_alloc_time(create.get(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(create.get(), H5D_FILL_TIME_NEVER);
  const h5::Handle set(
      H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, create.get(), H5P_DEFAULT), H5Dclose,
      "the table cannot be created");
  if (H5Sget_simple_extent_npoints(space.get()) == 0) return 0;
  const haddr_t offset = H5Dget_offset(set.get());
  if (offset == HADDR_UNDEF) throw h5::Failure("the table has no place in the file");
  return offset;
}

}  // namespace

Container create_container(const std::string& path, const RunInfo& info,
                           const std::vector<Column>& columns, std::uint64_t rows,
                           const Report* report) {
  const h5::Silence silence;
  int problem = 0;
  try {
    Container container;
    h5::Handle file = h5::create_file(path, &problem);
    write_run(file.get(), info, columns);
    if (report != nullptr) {
      write_report(file.get(), *report);
    } else {
      const h5::Handle one(H5Screate(H5S_SCALAR), H5Sclose, "out of memory");
      container.counter = create_raw_dataset(file.get(), "rows_flushed", H5T_NATIVE_UINT64, one);
    }
    const std::array<hsize_t, 2> size{rows, columns.size()};
    const h5::Handle table(H5Screate_simple(2, size.data(), nullptr), H5Sclose, "out of memory");
    container.data = create_raw_dataset(file.get(), "data", H5T_NATIVE_DOUBLE, table);
    h5::check(file.close(), "it cannot be closed");
    if (problem == 0) return container;
  } catch (const h5::Failure&) {
    if (problem == 0) throw;  // else what HDF5 says is only a consequence
  }
  throw h5::Failure(format_errno(problem));
}

RunInfo read_run(hid_t file) {
  const h5::Handle run = h5::open_group(file, "run");
  RunInfo info;
  visit_run_texts(info, [&](const char* key, std::string& text) {
    const bool missing = std::string_view(key) == "settings" &&  // files of version 0.1 have none
                         H5Lexists(run.get(), key, H5P_DEFAULT) <= 0;
    if (!missing) text = h5::read_text(run.get(), key);
  });
  info.parameters = read_figures(run.get(), "parameter");
  return info;
}

std::vector<Column> read_columns(hid_t file) {
  const auto names = h5::read_texts(file, "columns");
  const auto units = h5::read_texts(file, "units");
  if (names.size() != units.size()) throw h5::Failure("names and units differ in number");
  std::vector<Column> columns;
  for (std::size_t k = 0; k < names.size(); ++k) columns.push_back({names[k], units[k]});
  return columns;
}

Report read_report(hid_t file) {
  const h5::Handle group = h5::open_group(file, "report");
  const hid_t id = group.get();
  Report report;
  const auto status = find_status(h5::read_text_attribute(id, "status"));
  if (!status) throw h5::Failure("the report's status is not known");
  report.status = *status;
  visit_report_numbers(report, [&](const char* key, auto& value) {
    using Number = std::decay_t<decltype(value)>;
    if constexpr (std::is_floating_point_v<Number>) {
      value = h5::read_double_attribute(id, key);
    } else {
      value = static_cast<Number>(h5::read_long_attribute(id, key));
    }
  });
  visit_report_texts(report,
                     [&](const char* key, std::string& text) { text = h5::read_text(id, key); });
  report.redundant = h5::read_texts(id, "redundant");
  if (H5Lexists(id, "not_unique", H5P_DEFAULT) > 0)  // version 0.1 did not write it
    report.not_unique = h5::read_texts(id, "not_unique");
  report.warnings = h5::read_texts(id, "warnings");
  report.figures = read_figures(id, "figure");
  if (H5Lexists(id, "seconds_names", H5P_DEFAULT) > 0)  // likewise
    report.seconds = read_figures(id, "seconds");
  report.failure.last_good = h5::read_doubles(id, "failure_last_good");
  return report;
}

std::uint64_t read_row_counter(hid_t file) {
  const h5::Handle counter = h5::open_dataset(file, "rows_flushed");
  const h5::Handle space(H5Dget_space(counter.get()), H5Sclose, "a dataset is damaged");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) throw h5::Failure("a dataset is damaged");
  std::uint64_t rows = 0;
  h5::check(H5Dread(counter.get(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &rows),
            "the number of rows cannot be read");
  return rows;
}

}  // namespace driftless
