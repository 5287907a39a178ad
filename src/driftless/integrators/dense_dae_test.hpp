#pragma once
// An implicit problem with dense derivatives, for tests: whoever derives from it fills F_y and F_y'.

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driftless/problem/dae_problem.hpp"

namespace driftless::exam {

/// LU with row pivoting of a small dense matrix, row-major, real or complex.
template <class S>
class SmallLu {
 public:
  std::vector<S> a;  ///< (n x n) to be filled before `factorize`

  void resize(std::size_t n) {
    n_ = n;
    a.assign(n * n, S{});
    row_.assign(n, 0);
  }
  bool factorize() {
    for (std::size_t k = 0; k < n_; ++k) {
      std::size_t p = k;
      for (std::size_t i = k + 1; i < n_; ++i)
        if (std::abs(a[i * n_ + k]) > std::abs(a[p * n_ + k])) p = i;
      if (!(std::abs(a[p * n_ + k]) > 0.0)) return false;
      row_[k] = p;
      for (std::size_t j = 0; j < n_; ++j) std::swap(a[k * n_ + j], a[p * n_ + j]);
      for (std::size_t i = k + 1; i < n_; ++i) {
        const S factor = a[i * n_ + k] /= a[k * n_ + k];
        for (std::size_t j = k + 1; j < n_; ++j) a[i * n_ + j] -= factor * a[k * n_ + j];
      }
    }
    return true;
  }
  void solve(std::span<S> x) const {
    for (std::size_t k = 0; k < n_; ++k) std::swap(x[k], x[row_[k]]);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < i; ++j) x[i] -= a[i * n_ + j] * x[j];
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t j = i + 1; j < n_; ++j) x[i] -= a[i * n_ + j] * x[j];
      x[i] /= a[i * n_ + i];
    }
  }

 private:
  std::size_t n_ = 0;
  std::vector<std::size_t> row_;
};

class DenseDae : public DaeProblem {
 public:
  bool factorize(double a) override { return factorize_scaled(a, real_); }
  bool factorize(std::complex<double> a) override { return factorize_scaled(a, complex_); }
  void solve(std::span<double> r) override { solve_scaled(r, real_); }
  void solve(std::span<std::complex<double>> r) override { solve_scaled(r, complex_); }
  std::string equation_name(int component) const override {
    return "equation " + std::to_string(component);
  }

  long factorizations = 0;

 protected:
  void resize(std::size_t n) {
    n_ = n;
    f_y_.assign(n * n, 0.0);
    f_y_dot_.assign(n * n, 0.0);
    real_.resize(n);
    complex_.resize(n);
  }

  std::size_t n_ = 0;
  std::vector<double> f_y_, f_y_dot_;  // (n x n) row-major

 private:
  template <class S>
  struct Scaled {
    SmallLu<S> lu;
    std::vector<double> row, column;  // factors
    void resize(std::size_t n) {
      lu.resize(n);
      row.assign(n, 1.0);
      column.assign(n, 1.0);
    }
  };

  // A component of index k is of size |a|^(k-1); rows are brought to size 1.
  template <class S>
  bool factorize_scaled(S a, Scaled<S>& scaled) {
    ++factorizations;
    for (std::size_t j = 0; j < n_; ++j)
      scaled.column[j] = std::pow(std::abs(a), variable_index(static_cast<int>(j)) - 1);
    for (std::size_t i = 0; i < n_; ++i) {
      double largest = 0.0;
      for (std::size_t j = 0; j < n_; ++j) {
        S& x = scaled.lu.a[i * n_ + j];
        x = (a * f_y_dot_[i * n_ + j] + f_y_[i * n_ + j]) * scaled.column[j];
        largest = std::max(largest, std::abs(x));
      }
      if (!(largest > 0.0)) return false;
      scaled.row[i] = 1.0 / largest;
      for (std::size_t j = 0; j < n_; ++j) scaled.lu.a[i * n_ + j] *= scaled.row[i];
    }
    return scaled.lu.factorize();
  }
  template <class S>
  void solve_scaled(std::span<S> r, const Scaled<S>& scaled) {
    for (std::size_t i = 0; i < n_; ++i) r[i] *= scaled.row[i];
    scaled.lu.solve(r);
    for (std::size_t i = 0; i < n_; ++i) r[i] *= scaled.column[i];
  }

  Scaled<double> real_;
  Scaled<std::complex<double>> complex_;
};

}  // namespace driftless::exam
