#include "driftless/mechanism/joint_reactions.hpp"

#include <cmath>

namespace driftless {
namespace {

/// λ with Jᵀλ = w in the least-squares sense: J Jᵀ λ = J w by Cholesky. The rows of a joint are independent where it is
/// closed, and in the tree it always is.
void solve_rows(const double* jacobian, std::size_t stride, int rows, const double* w,
                double* lambda) {
  double l[6][6];
  for (int i = 0; i < rows; ++i) {
    const double* a = jacobian + static_cast<std::size_t>(i) * stride;
    for (int j = 0; j <= i; ++j) {
      const double* b = jacobian + static_cast<std::size_t>(j) * stride;
      double sum = 0.0;
      for (int k = 0; k < kTwist; ++k) sum += a[k] * b[k];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
    double sum = 0.0;
    for (int k = 0; k < kTwist; ++k) sum += a[k] * w[k];
    for (int k = 0; k < i; ++k) sum -= l[i][k] * lambda[k];
    lambda[i] = sum / l[i][i];
  }
  for (int i = rows - 1; i >= 0; --i) {
    for (int k = i + 1; k < rows; ++k) lambda[i] -= l[k][i] * lambda[k];
    lambda[i] /= l[i][i];
  }
}

}  // namespace

JointReactions::JointReactions(const MechanismParts& parts, const SpanningTree& spanning,
                               const TreeBodies& bodies)
    : parts_(parts), spanning_(spanning), bodies_(bodies), kinematics_(parts) {
  int left = 0;
  for (std::size_t k = 0; k < parts.rows.size(); ++k) {
    for (int i = 0; i < parts.rows[k].block.function->outputs(); ++i) {
      row_of_.push_back(spanning.carries[k] ? -1 : left++);
    }
  }
  const std::size_t laws = parts.laws.position_rows.size() + parts.laws.velocity_rows.size();
  for (std::size_t k = 0; k < laws; ++k) row_of_.push_back(left++);
}

void JointReactions::find_multipliers(ConstVectorRef lambda, ConstVectorRef lacking,
                                      MotionState& state, TreeState& tree, TreeBodiesWorkspace& ws,
                                      Vector& all) const {
  all.resize(static_cast<Eigen::Index>(row_of_.size()));
  for (std::size_t k = 0; k < row_of_.size(); ++k) {
    all[static_cast<Eigen::Index>(k)] = row_of_[k] < 0 ? 0.0 : lambda[row_of_[k]];
  }
  bodies_.sum_wrenches(lacking, tree, ws);
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const SpanningTree::Node& node = spanning_.nodes[k];
    if (node.row < 0) continue;
    const RowBlock& row = parts_.rows[static_cast<std::size_t>(node.row)];
    kinematics_.eval_jacobian(row.block, state, state.first.data(), state.jacobian.data());
    const TreeWrench& wrench = ws.wrenches[k + 1];
    const double w[kTwist] = {wrench.force.x,  wrench.force.y,  wrench.force.z,
                              wrench.torque.x, wrench.torque.y, wrench.torque.z};
    const std::size_t side = node.backward ? 0 : kTwist;
    solve_rows(state.jacobian.data() + side, 2 * kTwist, row.block.function->outputs(), w,
               all.data() + row.first_row);
  }
}

}  // namespace driftless
