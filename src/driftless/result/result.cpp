#include "driftless/result/result.hpp"

namespace driftless {

int Result::find_column(std::string_view name) const {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == name) return static_cast<int>(k);
  }
  return -1;
}

std::vector<double> Result::column(std::size_t index) const {
  std::vector<double> values(row_count());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = row(k)[index];
  return values;
}

void MemorySink::begin(const RunInfo& info, const std::vector<Column>& columns) {
  result_ = {};
  result_.info = info;
  result_.columns = columns;
}

void MemorySink::row(std::span<const double> values) {
  result_.data.insert(result_.data.end(), values.begin(), values.end());
}

void MemorySink::finish(const Report& report) { result_.report = report; }

}  // namespace driftless
