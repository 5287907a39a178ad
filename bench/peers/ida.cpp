// IDA of SUNDIALS on the stabilised index-2 form (Gear, Gupta, Leimkuhler) of a plane mechanism, y = (q, v, lambda, mu):
//
//   0 = q' - v + Gᵀ mu,   0 = M v' - Q + Gᵀ lambda,   0 = Phi(q),   0 = G v                                        [GGL.1]
//
// with the analytic Jacobian in a fixed sparse pattern, factorised by KLU. The multipliers are left out of the error test and
// of Newton's (absolute tolerance 1e8); with them IDA fails at once on Andrews' squeezer. Key: tolerance (rtol = atol).

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "bench/peers/planar.hpp"

namespace {

using namespace bench;

class Ggl {
 public:
  explicit Ggl(const PlanarModel& model)
      : system_(model),
        n_(model.nq()),
        m_(model.rows()),
        jacobian_(system_.pattern().size()),
        slope_(jacobian_.size()),
        force_(size(n_)),
        blocks_(size(3 * n_)),
        mu_blocks_(blocks_.size()) {
    make_pattern();
  }

  int count() const { return 2 * n_ + 2 * m_; }
  int nonzeros() const { return static_cast<int>(rows_.size()); }
  PlanarSystem& system() { return system_; }
  long evaluations = 0;

  void eval(const double* y, const double* slope, double* residual) {
    ++evaluations;
    const double *q = y, *v = y + n_, *lambda = y + 2 * n_, *mu = lambda + m_;
    system_.set_angles(q);
    system_.eval_jacobian(q, jacobian_.data());
    system_.eval_force(q, force_.data());
    for (int i = 0; i < n_; ++i) {
      residual[i] = slope[i] - v[i];
      residual[n_ + i] = system_.mass(i) * slope[n_ + i] - force_[size(i)];
    }
    double* phi = residual + 2 * n_;
    double* phi_dot = phi + m_;
    system_.eval_phi(q, phi);
    std::fill(phi_dot, phi_dot + m_, 0.0);
    const std::vector<Entry>& pattern = system_.pattern();
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const auto [row, column] = pattern[k];
      residual[column] += jacobian_[k] * mu[row];
      residual[n_ + column] += jacobian_[k] * lambda[row];
      phi_dot[row] += jacobian_[k] * v[column];
    }
  }

  /// dF/dy + c dF/dy'
  void eval_matrix(const double* y, double c, SUNMatrix matrix) {
    const double *q = y, *v = y + n_, *lambda = y + 2 * n_, *mu = lambda + m_;
    system_.set_angles(q);
    system_.eval_jacobian(q, jacobian_.data());
    system_.eval_velocity_slope(v, slope_.data());
    system_.eval_stiffness(q, lambda, true, blocks_.data());
    system_.eval_stiffness(q, mu, false, mu_blocks_.data());
    std::copy(column_begin_.begin(), column_begin_.end(), SUNSparseMatrix_IndexPointers(matrix));
    std::copy(rows_.begin(), rows_.end(), SUNSparseMatrix_IndexValues(matrix));
    double* values = SUNSparseMatrix_Data(matrix);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      const Source& source = sources_[k];
      const auto at = size(source.index);
      switch (source.kind) {
        case Kind::rate: values[k] = c + mu_blocks_[at]; break;
        case Kind::mu_block: values[k] = mu_blocks_[at]; break;
        case Kind::block: values[k] = blocks_[at]; break;
        case Kind::mass: values[k] = c * system_.mass(source.index); break;
        case Kind::minus_one: values[k] = -1; break;
        case Kind::jacobian: values[k] = jacobian_[at]; break;
        case Kind::slope: values[k] = slope_[at]; break;
      }
    }
  }

  double find_largest_gap(const double* y) {
    std::vector<double> phi(size(m_));
    system_.set_angles(y);
    system_.eval_phi(y, phi.data());
    double largest = 0;
    for (const double each : phi) largest = std::max(largest, std::abs(each));
    return largest;
  }

 private:
  static std::size_t size(int i) { return static_cast<std::size_t>(i); }

  enum class Kind { rate, mu_block, block, mass, minus_one, jacobian, slope };
  struct Source {
    Kind kind;
    int index;
  };

  void make_pattern() {
    std::map<std::pair<int, int>, Source> entries;  // by column, then row
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int column = i / 3 * 3 + j, index = 9 * (i / 3) + 3 * (i % 3) + j;
        entries[{column, i}] = {column == i ? Kind::rate : Kind::mu_block, index};
        entries[{column, n_ + i}] = {Kind::block, index};
      }
      entries[{n_ + i, i}] = {Kind::minus_one, 0};
      entries[{n_ + i, n_ + i}] = {Kind::mass, i};
    }
    const std::vector<Entry>& pattern = system_.pattern();
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      const auto [row, column] = pattern[k];
      const int index = static_cast<int>(k), phi = 2 * n_ + row, phi_dot = phi + m_;
      entries[{phi_dot, column}] = {Kind::jacobian, index};   // mu
      entries[{phi, n_ + column}] = {Kind::jacobian, index};  // lambda
      entries[{column, phi}] = {Kind::jacobian, index};
      entries[{n_ + column, phi_dot}] = {Kind::jacobian, index};
      entries[{column, phi_dot}] = {Kind::slope, index};
    }
    column_begin_.assign(size(count() + 1), 0);
    for (const auto& [place, source] : entries) {
      rows_.push_back(place.second);
      sources_.push_back(source);
      ++column_begin_[size(place.first + 1)];
    }
    for (std::size_t k = 1; k < column_begin_.size(); ++k) column_begin_[k] += column_begin_[k - 1];
  }

  PlanarSystem system_;
  int n_, m_;
  std::vector<double> jacobian_, slope_, force_, blocks_, mu_blocks_;
  std::vector<sunindextype> column_begin_, rows_;
  std::vector<Source> sources_;
};

int eval_residual(realtype, N_Vector y, N_Vector slope, N_Vector residual, void* data) {
  static_cast<Ggl*>(data)->eval(N_VGetArrayPointer(y), N_VGetArrayPointer(slope),
                                N_VGetArrayPointer(residual));
  return 0;
}
int eval_matrix(realtype, realtype c, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix, void* data,
                N_Vector, N_Vector, N_Vector) {
  static_cast<Ggl*>(data)->eval_matrix(N_VGetArrayPointer(y), c, matrix);
  return 0;
}

/// IDA and all it owns; gone at the end of the run.
struct Memory {
  SUNContext context = nullptr;
  N_Vector y = nullptr, slope = nullptr, id = nullptr, tolerance = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* ida = nullptr;

  Memory(Ggl& ggl, const PlanarModel& model, double accuracy) {
    const int count = ggl.count(), n = model.nq();
    SUNContext_Create(nullptr, &context);
    y = N_VNew_Serial(count, context);
    slope = N_VClone(y);
    id = N_VClone(y);
    tolerance = N_VClone(y);
    N_VConst(0, y);
    N_VConst(0, slope);
    for (int i = 0; i < count; ++i) {
      N_VGetArrayPointer(id)[i] = i < 2 * n ? 1 : 0;
      N_VGetArrayPointer(tolerance)[i] = i < 2 * n ? accuracy : 1e8;
    }
    double* q = N_VGetArrayPointer(y);
    for (const PlanarBody& body : model.bodies) {
      for (const double each : {body.x, body.y, body.angle}) *q++ = each;
    }
    for (const PlanarBody& body : model.bodies) {
      for (const double each : {body.vx, body.vy, body.rate}) *q++ = each;
    }
    ida = IDACreate(context);
    IDAInit(ida, eval_residual, 0.0, y, slope);
    IDASetErrFile(ida, nullptr);
    IDASVtolerances(ida, accuracy, tolerance);
    IDASetUserData(ida, &ggl);
    IDASetId(ida, id);
    IDASetSuppressAlg(ida, SUNTRUE);
    IDASetMaxNumSteps(ida, 10000000);
    IDASetStopTime(ida, model.end);
    matrix = SUNSparseMatrix(count, count, ggl.nonzeros(), CSC_MAT, context);
    solver = SUNLinSol_KLU(y, matrix, context);
    IDASetLinearSolver(ida, solver, matrix);
    IDASetJacFn(ida, eval_matrix);
  }
  ~Memory() {
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    for (N_Vector each : {y, slope, id, tolerance}) N_VDestroy(each);
    SUNContext_Free(&context);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
};

RunFigures run(const PlanarModel& model, const Arguments& arguments, bool observe) {
  Ggl ggl(model);
  Memory memory(ggl, model, arguments.number("tolerance", 1e-6));
  const double* y = N_VGetArrayPointer(memory.y);
  const int n = model.nq();
  RunFigures figures;
  const double energy = ggl.system().find_energy(y, y + n);
  // Accelerations, multipliers and slopes of the start, IDA's way.
  int flag = IDACalcIC(memory.ida, IDA_YA_YDP_INIT, model.end * 1e-3);
  if (flag >= 0) IDAGetConsistentIC(memory.ida, memory.y, memory.slope);
  double t = 0;
  while (t < model.end && flag >= 0) {
    flag = IDASolve(memory.ida, model.end, &t, memory.y, memory.slope, IDA_ONE_STEP);
    if (!observe) continue;
    figures.max_phi = std::max(figures.max_phi, ggl.find_largest_gap(y));
    const double error = std::abs(ggl.system().find_energy(y, y + n) - energy);
    if (!(error <= figures.energy_error)) figures.energy_error = error;
  }
  if (flag < 0) {
    char text[80];
    std::snprintf(text, sizeof text, "IDA stopped at t = %.4g with flag %d", t, flag);
    throw std::runtime_error(text);
  }
  IDAGetNumSteps(memory.ida, &figures.steps);
  figures.evaluations = ggl.evaluations;
  figures.end = model.find_end(y);
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    const PlanarModel model = make_planar_model(arguments);
    if (arguments.mode() != "run") throw NotOffered("an implicit method: see the runs");
    report_run(
        line, [&](bool observe) { return run(model, arguments, observe); }, arguments);
  });
}
