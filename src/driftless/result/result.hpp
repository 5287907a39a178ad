#pragma once
// What a run gives back: columns over time and a report. Result files hold exactly this.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/base/status.hpp"

namespace driftless {

struct Column {
  std::string name;  ///< "t", "x1", "x1'", "x_s", "phi", "phi_dot", "energy_error", ...
  std::string unit;  ///< "" if not known
};

/// What was run: enough to run it again.
struct RunInfo {
  std::string model_name;
  std::string model_path;
  std::string model_text;
  std::string method;  ///< "braun_goldfarb/rk4/project+energy"
  /// The method's options as text: "step = 0.01, rank_tolerance = 1e-05", and behind kEngineWord which engine solved, and why.
  std::string options;
  std::string version;
  std::vector<std::pair<std::string, double>> parameters;
  /// What was set beside the model's file, as written: "A.rate = 20 rad/s, until = 2". Empty: nothing.
  std::string settings;

  static constexpr std::string_view kEngineWord = "; engine ";
  /// "sparse: 4 strips of rows on 3 bodies, because each row touches one body or two"; empty: it did not come so far.
  std::string find_engine() const {
    const std::size_t at = options.find(kEngineWord);
    return at == std::string::npos ? std::string() : options.substr(at + kEngineWord.size());
  }
};

/// The figures that prove it. max_* are taken over all accepted steps and all samples.
struct Report {
  Status status = Status::ok;
  std::string message;
  double t_end = 0.0;
  long steps = 0;
  long rejected = 0;
  long evaluations = 0;  ///< acceleration solves
  long factorisations = 0;
  double cpu_seconds = 0.0;  ///< the step loop, without reading and writing
  double max_phi = 0.0;
  double max_phi_dot = 0.0;
  double max_energy_error = 0.0;  ///< |E - E0 - work|, joules
  int dof = 0;
  int rows = 0;
  int rank = 0;                        ///< at the start
  int min_rank = 0;                    ///< the lowest seen at an accepted step
  std::vector<std::string> redundant;  ///< names of redundant rows at the start
  /// Columns made of reactions that redundant rows could share in other ways, at some time of the run: values of least
  /// norm.
  std::vector<std::string> not_unique;
  std::vector<std::string> warnings;
  /// Further figures by name, in order: "max_momentum_error", "coupling", "energy_corrections_limited", ...
  std::vector<std::pair<std::string, double>> figures;
  /// Seconds of the clock by part, in order: "model", "start", "steps", "corrections", "samples", "output".
  std::vector<std::pair<std::string, double>> seconds;
  Failure failure;  ///< meaningful if status is failed
};

struct Result {
  RunInfo info;
  std::vector<Column> columns;
  std::vector<double> data;  ///< row by row, columns.size() each
  Report report;
  bool complete = true;  ///< false: read from a file whose run was killed; the report is missing

  std::size_t row_count() const { return columns.empty() ? 0 : data.size() / columns.size(); }
  std::span<const double> row(std::size_t index) const {
    return {data.data() + index * columns.size(), columns.size()};
  }
  /// Index of a column, or -1.
  int find_column(std::string_view name) const;
  std::vector<double> column(std::size_t index) const;
};

/// Receives a run while it happens: writing a file never touches the integrator.
///
/// `begin` comes before the first step and may throw ModelError (an unwritable file is misuse).
/// From then on nothing throws: a sink that cannot go on (disk full) remembers why in `error`,
/// keeps what it has, and the run continues.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void begin(const RunInfo& info, const std::vector<Column>& columns) = 0;
  virtual void row(std::span<const double> values) = 0;
  /// May be called between rows, at any rate: writes out rows that have waited for a second. Only of
  /// use where seconds can pass between two rows; costs one look at the clock.
  virtual void poll() {}
  virtual void finish(const Report& report) = 0;
  /// Why something is missing from what was written, with the file's name; empty: all is there.
  virtual std::string error() const { return {}; }
};

/// Keeps everything in memory.
class MemorySink : public ResultSink {
 public:
  void begin(const RunInfo& info, const std::vector<Column>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Report& report) override;
  Result take() { return std::move(result_); }
  const Result& result() const { return result_; }

 private:
  Result result_;
};

}  // namespace driftless
