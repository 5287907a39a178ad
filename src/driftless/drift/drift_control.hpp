#pragma once
// A drift control has two optional parts: terms in the field, evaluated in every stage, and a correction after each
// accepted step (and of each sample between steps). It sees the state and the shared Evaluator, no integrator.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/system/evaluator.hpp"
#include "driftless/system/field_term.hpp"

namespace driftless {

/// I - I0 - ∫P dt of every invariant: zero along an exact motion.
class Balance {
 public:
  Balance() = default;
  explicit Balance(Vector start) : start_(std::move(start)), error_(start_.size()) {
    error_.setZero();
  }

  /// Reads ws.invariant, so eval_invariants comes first.
  const Vector& eval(const Workspace& ws, std::span<const double> work) {
    for (Eigen::Index k = 0; k < start_.size(); ++k) {
      error_[k] = ws.invariant[k] - start_[k] - work[static_cast<std::size_t>(k)];
    }
    return error_;
  }
  const Vector& start() const { return start_; }

 private:
  Vector start_;
  Vector error_;
};

/// The state to be corrected, in place.
struct CorrectionPoint {
  double t;
  Vector& q;
  Vector& v;
  std::span<const double> work;
  Evaluator& evaluator;
  double rank_tolerance;
  double h = 0.0;       ///< of the step that has led here, or past here; 0: not known
  bool is_step = true;  ///< false: a sample between steps, which counts in no figure of steps
  bool starts_singular = false;  ///< the run began where branches cross
};

enum class CorrectionStatus { ok, unsolvable };

class DriftControl {
 public:
  virtual ~DriftControl() = default;

  /// Once, before the run: the invariants' start values.
  virtual void start(const Balance& /*balance*/) {}
  /// Terms for the field, or null.
  virtual FieldTerm* field_term() { return nullptr; }
  /// Whether `correct` does anything; if no control corrects, steps are not touched.
  virtual bool corrects() const { return false; }
  virtual CorrectionStatus correct(CorrectionPoint& /*point*/) { return CorrectionStatus::ok; }
  /// Figures for the report: "energy_corrections_limited", ...
  virtual void add_figures(std::vector<std::pair<std::string, double>>& /*figures*/) const {}
  /// What the user should know after a run.
  virtual void add_warnings(std::vector<std::string>& /*warnings*/) const {}
};

}  // namespace driftless
