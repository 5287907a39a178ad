#pragma once
// Result files as CSV: see result_files.hpp for the interface and result_csv.cpp for the format.

#include <memory>
#include <string>
#include <string_view>

#include "driftless/io/result_files.hpp"
#include "driftless/result/result.hpp"

namespace driftless {

/// What the first line of our CSV files begins with.
inline constexpr std::string_view kCsvMark = "# driftless ";

std::unique_ptr<ResultSink> make_csv_sink(const std::string& path);
Result read_csv(const std::string& path);
void stream_csv(const std::string& path, ResultSink& sink, const ReadProgress& progress);

}  // namespace driftless
