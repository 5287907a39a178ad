#pragma once
// The systems on which formulations, drift controls and runs are examined, with states on and off their constraints.

#include <gtest/gtest.h>

#include "driftless/assembly/start.hpp"
#include "driftless/equations/models_test.hpp"

namespace driftless::testing {

struct ExamModel {
  std::string name;
  ModelText text;
  Vector q;  ///< a generic pose, far from singular ones
  bool has_redundant_rows = false;
};

inline Vector make_vector(std::initializer_list<double> values) {
  Vector v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

inline ModelText pendulum_text() {
  return {.coordinates = {{"x", "0.6"}, {"y", "-0.8"}},
          .kinetic = "x'^2 + y'^2",
          .potential = "2*9.81*y",
          .constraints = {{"rod", "x^2 + y^2 - 1"}}};
}

inline ModelText slider_crank_text() {
  return {.parameters = {{"l", "1"}, {"J", "1/12"}},
          .coordinates = {{"x1", ""}, {"y1", ""}, {"a1", ""}, {"x2", ""}, {"y2", ""}, {"a2", ""}},
          .kinetic = "(x1'^2 + y1'^2 + x2'^2 + y2'^2 + J*a1'^2 + J*a2'^2)/2",
          .potential = "9.81*(y1 + y2)",
          .forces = {{"a1", "2*sin(3*t) - a1'/5"}},
          .constraints = {{"pin_x", "x1 - l/2*cos(a1)"},
                          {"pin_y", "y1 - l/2*sin(a1)"},
                          {"hinge_x", "x1 + l/2*cos(a1) - x2 + l/2*cos(a2)"},
                          {"hinge_y", "y1 + l/2*sin(a1) - y2 + l/2*sin(a2)"},
                          {"slider", "y2 + l/2*sin(a2)"}}};
}

inline ModelText four_bar_text() {
  return {.coordinates = {{"x1", ""}, {"y1", ""}, {"x2", ""}, {"y2", ""}},
          .kinetic = "(x1'^2 + y1'^2)/2 + x2'^2 + y2'^2",
          .potential = "9.81*(y1 + 2*y2)",
          .constraints = {{"crank", "x1^2 + y1^2 - 1"},
                          {"coupler", "(x2 - x1)^2 + (y2 - y1)^2 - 4"},
                          {"rocker", "(x2 - 2.5)^2 + y2^2 - 2.25"},
                          {"crank_again", "3*(x1^2 + y1^2) - 3"}}};
}

inline ModelText bead_text() {
  return {.coordinates = {{"x", "0.5"}, {"y", ""}},
          .kinetic = "(x'^2 + y'^2)/2",
          .potential = "9.81*y",
          .forces = {{"x", "-x'/10"}},
          .constraints = {{"wire", "y*cos(2*t) - x*sin(2*t) - 0.1*sin(5*t)"}}};
}

inline ModelText sleigh_text() {
  return {.coordinates = {{"x", ""}, {"y", ""}, {"th", ""}},
          .kinetic = "(x'^2 + y'^2)/2 + th'^2/20",
          .potential = "x*y/2",
          .velocity_constraints = {{"blade", "-x'*sin(th) + y'*cos(th) - 0.2*th'"}}};
}

/// M depends on q and t and couples the coordinates; a position row and a velocity row that moves.
inline ModelText coupled_text() {
  return {
      .coordinates = {{"x", ""}, {"y", ""}, {"z", ""}, {"w", ""}},
      .kinetic =
          "(1 + y^2)*x'^2 + (2 + sin(t))*y'^2 + z'^2/2 + w'^2 + x*x'*y' + cos(z)*z'*w'/2 + y*x'",
      .potential = "x^2 + cos(z)*w + y",
      .forces = {{"y", "-y'*abs(x)"}, {"w", "cos(t)"}},
      .constraints = {{"surface", "x^2 + y*z - 1 - t/10"}},
      .velocity_constraints = {{"steer", "w' - x'*z - sin(t)"}}};
}

/// The velocity row is quadratic in the rates.
inline ModelText appell_text() {
  return {.coordinates = {{"x", ""}, {"y", ""}, {"z", ""}},
          .kinetic = "x'^2 + y'^2 + z'^2",
          .potential = "9.81*z",
          .velocity_constraints = {{"cone", "x'^2 + y'^2 - z'^2 - 1"}}};
}

inline std::vector<ExamModel> all_exam_models() {
  const double c = std::sqrt(0.5);
  return {{"pendulum", pendulum_text(), make_vector({0.6, -0.8}), false},
          {"slider_crank", slider_crank_text(),
           make_vector({c / 2, c / 2, std::atan(1.0), 1.5 * c, c / 2, -std::atan(1.0)}), false},
          {"four_bar", four_bar_text(), make_vector({0.2, 0.98, 2.1, 1.45}), true},
          {"bead", bead_text(), make_vector({1.1, 0.9}), false},
          {"sleigh", sleigh_text(), make_vector({0.3, -0.2, 0.7}), false},
          {"coupled", coupled_text(), make_vector({0.8, 0.9, 0.7, -0.4}), false},
          {"appell", appell_text(), make_vector({0.1, 0.2, 0.3}), false}};
}

/// A state near the model's pose with random rates, off the constraints by about `off`.
inline State make_state(const ExamModel& model, const System& system, Random& random, double off) {
  State state{0.4 + 0.2 * random.number(), model.q, 2.0 * random.vector(system.info().nv)};
  state.q += 0.1 * random.vector(system.info().nq);
  if (model.name == "appell") state.v[0] += 4.0;
  const StartReport report = make_consistent(system, state);
  EXPECT_TRUE(report.success) << model.name << ": " << report.message;
  state.q += off * random.vector(system.info().nq);
  state.v += off * random.vector(system.info().nv);
  return state;
}

/// An orthonormal basis of the motions that leave the rows of G alone: what is left of each unit vector after taking
/// out the rows and the basis so far.
inline Matrix find_null_space(const Matrix& G) {
  const Eigen::Index n = G.cols();
  Matrix basis(n, 0);
  for (Eigen::Index k = 0; k < n; ++k) {
    Vector w = Vector::Unit(n, k);
    for (int pass = 0; pass < 3; ++pass) {
      if (G.rows() > 0) w -= solve_least_norm(G, Vector(G * w));
      w -= basis * (basis.transpose() * w);
    }
    if (w.norm() < 1e-6) continue;
    basis.conservativeResize(n, basis.cols() + 1);
    basis.col(basis.cols() - 1) = w.normalized();
  }
  return basis;
}

/// Default-made alternatives of a variant: a new one is examined without a line here.
template <class Variant, std::size_t... Index>
std::vector<Variant> make_alternatives(std::index_sequence<Index...>) {
  return {Variant(std::in_place_index<Index>)...};
}
template <class Variant>
std::vector<Variant> make_alternatives() {
  return make_alternatives<Variant>(std::make_index_sequence<std::variant_size_v<Variant>>{});
}

template <class Variant>
std::string find_name(const Variant& spec) {
  return std::visit([](const auto& each) { return std::string(each.kName); }, spec);
}

}  // namespace driftless::testing
