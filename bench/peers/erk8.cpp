// ARKODE of SUNDIALS, explicit order 8 (Fehlberg 13 stages), on the index-1 equations of a plane mechanism:
//
//   S lambda = G M⁻¹ Q - gamma,   S = G M⁻¹ Gᵀ,    v' = M⁻¹ (Q - Gᵀ lambda)                                        [ERK.1]
//
// S is assembled into a fixed pattern and factorised by Eigen's sparse LDLᵀ, analysed once. After each step q is projected
// onto the constraints (at most three Newton steps, to 1e-13) and v onto their tangents, in the mass metric, with S of the
// end of the step. Keys: tolerance (rtol = atol), or step for fixed steps.

#include <Eigen/SparseCholesky>
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include "bench/peers/planar.hpp"

namespace {

using namespace bench;

class Index1 {
 public:
  explicit Index1(const PlanarModel& model) : system_(model) {
    const auto rows = static_cast<std::size_t>(system_.rows());
    jacobian_.resize(system_.pattern().size());
    rhs_.resize(system_.rows());
    phi_.resize(rows);
    force_.resize(static_cast<std::size_t>(system_.nq()));
    make_products();
  }

  PlanarSystem& system() { return system_; }
  long evaluations = 0;

  bool eval(const double* y, double* slope) {
    ++evaluations;
    const int n = system_.nq();
    const double* v = y + n;
    if (!factorize(y)) return false;
    system_.eval_force(y, force_.data());
    for (int i = 0; i < n; ++i) {
      slope[i] = v[i];
      slope[n + i] = force_[size(i)] * system_.inverse_mass()[size(i)];
    }
    system_.eval_gamma(v, phi_.data());
    set_rhs(slope + n);
    for (int i = 0; i < system_.rows(); ++i) rhs_[i] -= phi_[size(i)];
    take_away(slope + n);
    return true;
  }

  /// y after a step.
  bool project(double* y) {
    for (int pass = 0; pass < 3; ++pass) {
      if (!factorize(y)) return false;
      double largest = 0;
      system_.eval_phi(y, phi_.data());
      for (int i = 0; i < system_.rows(); ++i) {
        rhs_[i] = phi_[size(i)];
        largest = std::max(largest, std::abs(rhs_[i]));
      }
      if (!(largest > 1e-13)) break;
      take_away(y);
    }
    double* v = y + system_.nq();
    set_rhs(v);
    take_away(v);
    return true;
  }

  double find_largest_gap(const double* y) {
    system_.set_angles(y);
    system_.eval_phi(y, phi_.data());
    double largest = 0;
    for (const double each : phi_) largest = std::max(largest, std::abs(each));
    return largest;
  }

 private:
  static std::size_t size(int i) { return static_cast<std::size_t>(i); }

  struct Product {
    int first, second, target;
    double inverse_mass;
  };

  /// Which entries of G meet in which entry of the lower triangle of S.
  void make_products() {
    const std::vector<Entry>& pattern = system_.pattern();
    std::vector<std::vector<int>> columns(force_.size());
    for (std::size_t k = 0; k < pattern.size(); ++k)
      columns[size(pattern[k].column)].push_back(static_cast<int>(k));
    std::vector<Eigen::Triplet<double>> places;
    for (const auto& column : columns)
      for (const int i : column)
        for (const int j : column)
          if (pattern[size(i)].row >= pattern[size(j)].row)
            places.emplace_back(pattern[size(i)].row, pattern[size(j)].row, 1.0);
    S_.resize(system_.rows(), system_.rows());
    S_.setFromTriplets(places.begin(), places.end());
    S_.makeCompressed();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (const int i : columns[c]) {
        for (const int j : columns[c]) {
          const int row = pattern[size(i)].row, column = pattern[size(j)].row;
          if (row < column) continue;
          const double* value = &S_.coeffRef(row, column);
          products_.push_back(
              {i, j, static_cast<int>(value - S_.valuePtr()), system_.inverse_mass()[c]});
        }
      }
    }
    solver_.analyzePattern(S_);
  }

  bool factorize(const double* q) {
    system_.set_angles(q);
    system_.eval_jacobian(q, jacobian_.data());
    double* values = S_.valuePtr();
    std::fill(values, values + S_.nonZeros(), 0.0);
    for (const Product& each : products_)
      values[each.target] +=
          jacobian_[size(each.first)] * each.inverse_mass * jacobian_[size(each.second)];
    solver_.factorize(S_);
    return solver_.info() == Eigen::Success;
  }

  /// rhs = G w
  void set_rhs(const double* w) {
    rhs_.setZero();
    const std::vector<Entry>& pattern = system_.pattern();
    for (std::size_t k = 0; k < pattern.size(); ++k)
      rhs_[pattern[k].row] += jacobian_[k] * w[pattern[k].column];
  }

  /// w - M⁻¹Gᵀ S⁻¹ rhs
  void take_away(double* w) {
    lambda_ = solver_.solve(rhs_);
    const std::vector<Entry>& pattern = system_.pattern();
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      w[pattern[k].column] -=
          system_.inverse_mass()[size(pattern[k].column)] * jacobian_[k] * lambda_[pattern[k].row];
    }
  }

  PlanarSystem system_;
  std::vector<double> jacobian_, phi_, force_;
  std::vector<Product> products_;
  Eigen::SparseMatrix<double> S_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver_;
  Eigen::VectorXd rhs_, lambda_;
};

int eval_slope(realtype, N_Vector y, N_Vector slope, void* data) {
  auto* index1 = static_cast<Index1*>(data);
  return index1->eval(N_VGetArrayPointer(y), N_VGetArrayPointer(slope)) ? 0 : 1;
}
int project_step(realtype, N_Vector y, void* data) {
  return static_cast<Index1*>(data)->project(N_VGetArrayPointer(y)) ? 0 : 1;
}

std::vector<double> make_start(const PlanarModel& model) {
  std::vector<double> y;
  for (const PlanarBody& body : model.bodies) y.insert(y.end(), {body.x, body.y, body.angle});
  for (const PlanarBody& body : model.bodies) y.insert(y.end(), {body.vx, body.vy, body.rate});
  return y;
}

RunFigures run(const PlanarModel& model, const Arguments& arguments, bool observe) {
  Index1 index1(model);
  std::vector<double> start = make_start(model);
  const int n = model.nq();
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VMake_Serial(2 * n, start.data(), context);
  void* memory = ERKStepCreate(eval_slope, 0.0, y, context);
  const double tolerance = arguments.number("tolerance", 1e-6);
  ERKStepSStolerances(memory, tolerance, tolerance);
  ERKStepSetUserData(memory, &index1);
  ERKStepSetOrder(memory, 8);
  ERKStepSetMaxNumSteps(memory, 10000000);
  ERKStepSetErrFile(memory, nullptr);
  ERKStepSetPostprocessStepFn(memory, project_step);
  ERKStepSetStopTime(memory, model.end);
  if (arguments.has("step")) ERKStepSetFixedStep(memory, arguments.number("step", 0.01));
  RunFigures figures;
  PlanarSystem& system = index1.system();
  const double energy = system.find_energy(start.data(), start.data() + n);
  double t = 0;
  int flag = 0;
  while (t < model.end && flag >= 0) {
    flag = ERKStepEvolve(memory, model.end, y, &t, ARK_ONE_STEP);
    if (!observe) continue;
    figures.max_phi = std::max(figures.max_phi, index1.find_largest_gap(start.data()));
    const double error = std::abs(system.find_energy(start.data(), start.data() + n) - energy);
    if (!(error <= figures.energy_error)) figures.energy_error = error;
  }
  ERKStepGetNumSteps(memory, &figures.steps);
  figures.evaluations = index1.evaluations;
  ERKStepFree(&memory);
  N_VDestroy(y);
  SUNContext_Free(&context);
  if (flag < 0) {
    char text[80];
    std::snprintf(text, sizeof text, "ARKODE stopped at t = %.4g with flag %d", t, flag);
    throw std::runtime_error(text);
  }
  figures.end = model.find_end(start.data());
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    PlanarModel model = make_planar_model(arguments);
    if (arguments.mode() == "run") {
      report_run(
          line, [&](bool observe) { return run(model, arguments, observe); }, arguments);
      return;
    }
    if (arguments.mode() != "evaluation") throw NotOffered("no step of order 4");
    set_evaluation_pose(model);
    Index1 index1(model);
    std::vector<double> y = make_start(model), slope(y.size());
    index1.eval(y.data(), slope.data());
    line.set("status", std::string("ok")).set("check", slope[find_checked_rate(model)]);
    line.set("seconds", measure_call(
                            [&] {
                              y[2] += 1e-15;
                              index1.eval(y.data(), slope.data());
                            },
                            arguments));
  });
}
