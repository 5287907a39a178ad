#include "driftless/model/tables.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "driftless/expressions/spline.hpp"

namespace driftless {
namespace {

constexpr std::uintmax_t kMaxTableBytes = 50'000'000;

CubicSpline read_table(const TableSpec& table, const std::string& folder) {
  namespace fs = std::filesystem;
  const bool is_bare = !table.file.empty() && table.file != "." &&
                       table.file.find("..") == std::string::npos &&
                       table.file.find_first_of(std::string("/\\:\0", 4)) == std::string::npos;
  if (!is_bare) {
    throw ModelError(Diagnostic{
        table.where,
        fmt::format("table '{}': file \"{}\" is not a bare file name", table.name, table.file),
        "a table is a CSV file in the model's own folder, without any path"});
  }
  const fs::path path = fs::path(folder) / table.file;
  std::error_code failure;
  std::ifstream in(path, std::ios::binary);
  if (!fs::is_regular_file(path, failure) || !in) {
    throw ModelError(Diagnostic{
        table.where, fmt::format("table '{}': cannot read \"{}\"", table.name, path.string()),
        "put the CSV file beside the model file"});
  }
  const std::uintmax_t size = fs::file_size(path, failure);
  if (failure || size > kMaxTableBytes) {
    throw ModelError(Diagnostic{table.where,
                                fmt::format("table '{}': \"{}\" has more than {} bytes", table.name,
                                            path.string(), kMaxTableBytes),
                                ""});
  }
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return read_table_csv(text, Source{path.string(), 1, 1});
}

}  // namespace

int add_table(const TableSpec& table, const std::string& folder, Graph& graph,
              DiagnosticList& errors) {
  try {
    return graph.add_spline(read_table(table, folder));
  } catch (const ModelError& error) {
    errors.add(error);
    const double line[] = {0.0, 1.0};
    return graph.add_spline(CubicSpline(line, line));
  }
}

}  // namespace driftless
