#pragma once
// The polynomial of BDF methods through the last points, kept by its modified divided differences, and the formulas of
// fixed leading coefficient that go with it (Brenan, Campbell, Petzold 1996, 5.2).
//
//   phi_1(n) = y_n,   phi_i(n) = psi_1(n) ... psi_{i-1}(n) y[t_n, ..., t_{n+1-i}],   psi_i(n) = t_n - t_{n-i}      [BD.1]
//
// For a step h from t_n they are brought to the new spacing by
//
//   phi*_i = beta_i phi_i(n),   beta_1 = 1,   beta_i = beta_{i-1} psi_{i-1}(n+1) / psi_{i-1}(n)                      [BD.2]
//
// The polynomial through the last k + 1 points predicts at t_{n+1}
//
//   y0 = sum_{i=1}^{k+1} phi*_i,   y0' = sum_{i=2}^{k+1} gamma_i phi*_i                                              [BD.3]
//   gamma_1 = 0,  gamma_i = gamma_{i-1} + alpha_{i-1}/h,  alpha_i = h/psi_i(n+1)
//
// The corrector's slope is that of the polynomial that takes the new y at t_{n+1} and the predictor's values at k points
// h apart before it, whatever the spacing of the past was; its leading coefficient depends on h and k alone:
//
//   y' = y0' + a (y - y0),   a = (1 + 1/2 + ... + 1/k) / h                                                          [BD.4]
//
// With E = y - y0 the differences at t_{n+1} are
//
//   phi_{k+2} = E,   phi_{k+1} = phi*_{k+1} + E,   phi_i = phi*_i + phi_{i+1}                                        [BD.5]

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace driftless {

class BdfHistory {
 public:
  static constexpr int kRows = 8;  // indices from 1, as in the formulas
  using Row = std::array<double, kRows>;

  void resize(std::size_t n);

  /// Begins again at y. `slope` empty: one point. Else h slope stands for the difference to a point h before.
  void begin(std::span<const double> y, std::span<const double> slope, double h);
  /// Points known: order k needs k + 1.
  int known() const { return known_; }

  /// [BD.2], [BD.3]: the coefficients of a step h at order k, and the prediction.
  void predict(double h, int k, std::span<double> y, std::span<double> slope);
  /// [BD.5] after `predict`, with E; y is the end itself.
  void extend(std::span<const double> y, std::span<const double> miss);

  /// y at t_{n+1} + offset by the polynomial of the order of the last step.
  void interpolate(double offset, std::span<double> y) const;

  // Of the last `predict`:
  double leading() const { return leading_; }  ///< a of [BD.4]
  /// |miss| times this is the error of the step.
  double find_error_factor() const;
  double sigma(int i) const { return sigma_[at(i)]; }
  /// phi*_i there, after `extend` phi_i.
  std::span<const double> star(int i) const { return row(star_, i); }
  std::span<const double> phi(int i) const { return row(phi_, i); }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::span<const double> row(const std::vector<double>& values, int i) const {
    return std::span(values).subspan(at(i) * n_, n_);
  }
  std::span<double> row(std::vector<double>& values, int i) const {
    return std::span(values).subspan(at(i) * n_, n_);
  }

  std::size_t n_ = 0;
  int known_ = 0;
  int k_ = 0;  // of the last `predict`
  double leading_ = 0.0;
  Row psi_{}, next_psi_{};  // at the last point; at the end of the step that is predicted
  Row alpha_{}, beta_{}, gamma_{}, sigma_{};
  std::vector<double> phi_, star_;  // (kRows x n)
};

}  // namespace driftless
