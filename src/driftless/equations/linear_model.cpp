#include "driftless/equations/linear_model.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/math/decompositions.hpp"
#include "driftless/model/keys.hpp"

namespace driftless {

namespace {

constexpr double kEntryRoundOff =
    1e-12;  // entries typed with 15 digits, or results of parameter expressions

Matrix read_matrix(const MatrixText& text, const char* name, int rows, int cols,
                   const Source& where, const ParameterScope& parameters, DiagnosticList& errors,
                   bool& doubtful) {
  Matrix matrix = Matrix::Zero(rows, cols);
  bool fits = static_cast<int>(text.size()) == rows;
  for (const auto& row : text) fits = fits && static_cast<int>(row.size()) == cols;
  if (!fits) {
    const std::size_t found = text.empty() ? 0 : text.front().size();
    errors.add(
        text.empty() || text.front().empty() ? where : text.front().front().where,
        fmt::format("matrix {} is {} x {}: must be {} x {}", name, text.size(), found, rows, cols),
        "one row and one column per coordinate, in the order of [coordinates]");
    return matrix;
  }
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      try {
        const Quantity entry =
            parameters.evaluate(text[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
        matrix(i, j) = entry.value;
        doubtful = doubtful || entry.doubtful;
      } catch (const ModelError& error) {
        errors.add(error);
      }
    }
  }
  return matrix;
}

// The largest asymmetry's place, or (-1, -1). What is only round-off is averaged away.
std::pair<int, int> make_symmetric(Matrix& matrix) {
  const Matrix difference = (matrix - matrix.transpose()).cwiseAbs();
  Eigen::Index row = 0;
  Eigen::Index col = 0;
  if (matrix.size() == 0) return {-1, -1};
  const double worst = difference.maxCoeff(&row, &col);
  if (!(worst <= kEntryRoundOff * matrix.cwiseAbs().maxCoeff())) {
    return {static_cast<int>(row), static_cast<int>(col)};
  }
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  return {-1, -1};
}

const Source& find_place(const MatrixText& text, const Source& where) {
  return text.empty() || text.front().empty() ? where : text.front().front().where;
}

void read_damping_ratios(const LinearSpec& spec, const ParameterScope& parameters,
                         LinearMatrices& matrices, DiagnosticList& errors) {
  const auto n = matrices.mass.rows();
  const Source& where = spec.damping_ratios.front().where;
  if (!spec.damping.empty()) {
    errors.add(where, "a damping matrix and damping ratios are both given", "keep one of them");
    return;
  }
  Vector ratios(static_cast<Eigen::Index>(spec.damping_ratios.size()));
  Eigen::Index k = 0;
  for (const Text& text : spec.damping_ratios) {
    try {
      ratios[k] = parameters.evaluate(text).value;
    } catch (const ModelError& error) {
      errors.add(error);
      return;
    }
    if (const Bounds& bounds = find_key_bounds("matrices.damping_ratio");
        !bounds.contains(ratios[k])) {
      errors.add(text.where, fmt::format("matrices.damping_ratio = {} is out of bounds", ratios[k]),
                 "it must be " + describe_bounds(bounds));
      return;
    }
    ++k;
  }
  if (k != 1 && k != n) {
    errors.add(where, fmt::format("{} damping ratios for {} modes", k, n),
               "give one for all modes, or one per mode");
  } else if (!matrices.symmetric_stiffness) {
    errors.add(where, "damping ratios need a symmetric stiffness matrix",
               "give the damping matrix itself");
  } else if (!make_modal_damping(matrices.mass, matrices.stiffness, ratios, matrices.damping)) {
    errors.add(
        where,
        "damping ratios need modes with real frequencies: the stiffness matrix has a negative mode",
        "give the damping matrix itself");
  }
}

}  // namespace

bool make_modal_damping(ConstMatrixRef mass, ConstMatrixRef stiffness, ConstVectorRef ratios,
                        Matrix& damping) {
  Vector omega_squared;
  Matrix modes;
  if (!find_modes(mass, stiffness, omega_squared, modes)) return false;
  const double floor =
      -1e-10 * omega_squared.cwiseAbs().maxCoeff();  // rigid modes come out as round-off
  if (omega_squared.minCoeff() < floor) return false;
  const Matrix shape = mass * modes;  // M Ψ
  Vector diagonal(omega_squared.size());
  for (Eigen::Index i = 0; i < diagonal.size(); ++i)
    diagonal[i] =
        2.0 * ratios[ratios.size() == 1 ? 0 : i] * std::sqrt(std::max(omega_squared[i], 0.0));
  const Matrix product = shape * diagonal.asDiagonal() * shape.transpose();
  damping = 0.5 * (product + product.transpose());
  return true;
}

LinearMatrices read_linear_matrices(const LinearSpec& spec, int n, const ParameterScope& parameters,
                                    DiagnosticList& errors) {
  LinearMatrices out;
  DiagnosticList own;
  bool doubtful = false;  // then the numbers themselves are not judged
  const auto read = [&](const MatrixText& text, const char* name, int cols) {
    return read_matrix(text, name, n, cols, spec.where, parameters, own, doubtful);
  };
  const int loads = static_cast<int>(spec.load.size());
  out.mass = read(spec.mass, "M", n);
  out.stiffness = read(spec.stiffness, "K", n);
  out.damping = spec.damping.empty() ? Matrix::Zero(n, n) : read(spec.damping, "C", n);
  if (!spec.input.empty() && loads == 0) {
    own.add(find_place(spec.input, spec.where), "the input matrix E is given without a load f",
            "add f = [...]");
  } else if (!spec.input.empty()) {
    out.input = read(spec.input, "E", loads);
  } else if (loads > 0 && loads != n) {
    own.add(spec.load.front().where, fmt::format("{} loads f for {} coordinates", loads, n),
            "give one load per coordinate, or the input matrix E");
  } else {
    out.input = Matrix::Identity(n, loads);
  }
  const auto [row, col] = make_symmetric(out.mass);
  const Source& mass_place = find_place(spec.mass, spec.where);
  Vector omega_squared;
  Matrix modes;
  doubtful = doubtful || !own.empty();
  if (row >= 0 && !doubtful) {
    own.add(mass_place,
            fmt::format("matrix M is not symmetric: entries ({0}, {1}) and ({1}, {0}) differ",
                        row + 1, col + 1));
  } else if (!doubtful && !find_modes(out.mass, Matrix::Zero(n, n), omega_squared, modes)) {
    own.add(mass_place, "matrix M is not positive definite",
            "every motion must have inertia: check the masses");
  }
  out.symmetric_stiffness = make_symmetric(out.stiffness).first < 0;
  if (own.empty() && !doubtful && !spec.damping_ratios.empty())
    read_damping_ratios(spec, parameters, out, own);
  try {
    own.finish();
  } catch (const ModelError& error) {
    errors.add(error);
  }
  return out;
}

namespace {

NodeId calc_product(Graph& g, ConstMatrixRef matrix, Eigen::Index row,
                    const std::vector<NodeId>& factors) {
  NodeId sum = g.constant(0.0);
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    sum = g.add(sum, g.mul(g.constant(matrix(row, j)), factors[static_cast<std::size_t>(j)]));
  return sum;
}

}  // namespace

void add_linear_parts(const LinearMatrices& matrices, const std::vector<NodeId>& load,
                      const Source& where, EquationParts& parts) {
  Graph& g = parts.graph;
  const EquationVariables var = parts.variables();
  std::vector<NodeId> x;
  std::vector<NodeId> v;
  for (int i = 0; i < var.n; ++i) {
    x.push_back(g.variable(var.q(i)));
    v.push_back(g.variable(var.v(i)));
  }
  parts.mass.clear();
  if (parts.forces.empty()) parts.forces.assign(x.size(), {g.constant(0.0), where});
  NodeId potential = g.constant(0.0);
  for (int i = 0; i < var.n; ++i) {
    for (int j = 0; j < var.n; ++j) parts.mass.push_back({g.constant(matrices.mass(i, j)), where});
    PlacedNode& force = parts.forces[static_cast<std::size_t>(i)];
    force.node = g.sub(force.node, calc_product(g, matrices.damping, i, v));
    force.node = g.add(force.node, calc_product(g, matrices.input, i, load));
    const NodeId restoring = calc_product(g, matrices.stiffness, i, x);
    if (matrices.symmetric_stiffness) {
      potential = g.add(potential,
                        g.mul(g.constant(0.5), g.mul(x[static_cast<std::size_t>(i)], restoring)));
    } else {
      force.node = g.sub(force.node, restoring);
    }
  }
  if (parts.potential) {
    parts.potential->node = g.add(parts.potential->node, potential);
  } else {
    parts.potential = PlacedNode{potential, where};
  }
}

}  // namespace driftless
