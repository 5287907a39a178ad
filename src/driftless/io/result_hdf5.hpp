#pragma once
// Result files in HDF5: see result_files.hpp for the interface and result_hdf5.cpp for why it is
// done so.

#include <chrono>
#include <memory>
#include <string>

#include "driftless/io/result_files.hpp"
#include "driftless/result/result.hpp"

namespace driftless {

/// Rows wait at most about `flush_every` for the disk; shorter only where a test cannot wait.
std::unique_ptr<ResultSink> make_hdf5_sink(
    const std::string& path,
    std::chrono::milliseconds flush_every = std::chrono::milliseconds(900));
Result read_hdf5(const std::string& path);
void stream_hdf5(const std::string& path, ResultSink& sink, const ReadProgress& progress);
ResultOverview read_hdf5_overview(const std::string& path);

/// True if the file carries our mark, the root attribute driftless_format.
bool is_our_hdf5(const std::string& path);

}  // namespace driftless
