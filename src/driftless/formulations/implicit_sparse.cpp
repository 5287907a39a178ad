// [DAE.4] for large systems. Products such as K s Gᵀ, M Gᵀ and G Gᵀ, which would fill the matrix, are kept apart by two
// further unknowns, of which each block is as sparse as the system itself:
//
//   z = Δv - GᵀΔμ  and  y = Gᵀk:                                                                                   [DAE.6]
//
//   [M + C/a] x + (K s/a²) z + Gᵀℓ + M y = ...         Φ-rows:  G s z            ρ-rows:  G x + (ρ_q s/a) z
//   z - x + GᵀΔμ = 0,   y - Gᵀk = 0                    γ-rows:  (G + 2ρ_q/a) x + G y
//
// Without μ, z is x; without κ there is no y. Unknowns and right sides of [DAE.4] keep their places; those of z and y
// follow them.

#include "driftless/formulations/implicit_field.hpp"

namespace driftless {

template <class S>
void ImplicitField::fill_sparse(NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const S inverse = S(1.0) / parts.a;
  const Eigen::Index at_mu = n + rows_;
  const Eigen::Index at_kappa = at_mu + (has_mu() ? position_rows_ : 0);
  const Eigen::Index at_z = has_mu() ? at_kappa + (has_kappa() ? rows_ : 0) : 0;
  const Eigen::Index at_y = at_z + n;
  const bool at_acceleration =
      form_ == ConstraintForm::index1 || form_ == ConstraintForm::stabilized_index1;
  SparseLu<S>& A = parts.sparse;
  A.clear();
  const auto add_block = [&](Eigen::Index row, Eigen::Index column, const auto& block, S factor) {
    for (Eigen::Index j = 0; j < block.cols(); ++j)
      for (Eigen::Index i = 0; i < block.rows(); ++i)
        if (block(i, j) != S(0.0)) A.add(row + i, column + j, factor * block(i, j));
  };
  const auto add_row = [&](Eigen::Index row, Eigen::Index column, const auto& block,
                           Eigen::Index index, S factor) {
    for (Eigen::Index j = 0; j < block.cols(); ++j)
      if (block(index, j) != S(0.0)) A.add(row, column + j, factor * block(index, j));
  };
  add_block(0, 0, parts.M, S(1.0));
  add_block(0, 0, parts.C, inverse);
  add_block(0, at_z, parts.Ks, inverse * inverse);
  add_block(0, n, parts.G.transpose(), S(1.0));
  if (has_kappa()) add_block(0, at_y, parts.M, S(1.0));
  for (int i = 0; i < rows_; ++i) {
    const Eigen::Index row = n + i;
    if (!choice_.is_kept(i)) {  // [DAE.5]
      A.add(row, row, S(1.0));
      for (int j = 0; j < rows_; ++j)
        if (choice_.relation(i)[j] != 0.0) A.add(row, n + j, S(-choice_.relation(i)[j]));
    } else if (at_acceleration) {
      add_row(row, 0, parts.G, i, S(1.0));
      for (Eigen::Index j = 0; j < n; ++j)
        if (derivatives_.residual_q(i, j) != 0.0)
          A.add(row, j, S(2.0) * inverse * derivatives_.residual_q(i, j));
      if (has_kappa()) add_row(row, at_y, parts.G, i, S(1.0));
    } else if (form_ == ConstraintForm::index3 && i < position_rows_) {
      add_row(row, at_z, parts.Gs, i, S(1.0));
    } else {
      add_row(row, 0, parts.G, i, S(1.0));
      add_row(row, at_z, parts.Rs, i, inverse);
      if (form_ == ConstraintForm::index2_baumgarte && i < position_rows_)
        add_row(row, at_z, parts.Gs, i, S(alpha_) * inverse);
    }
    if (!has_kappa()) continue;
    if (choice_.is_kept(i)) {
      add_row(at_kappa + i, 0, parts.G, i, S(1.0));
      add_row(at_kappa + i, at_z, parts.Rs, i, inverse);
    } else {
      A.add(at_kappa + i, at_kappa + i, S(1.0));
    }
  }
  if (!has_mu()) return;
  for (int i = 0; i < position_rows_; ++i) {
    if (choice_.is_position_kept(i)) {
      add_row(at_mu + i, at_z, parts.Gs, i, S(1.0));
    } else {
      A.add(at_mu + i, at_mu + i, S(1.0));
    }
  }
  for (Eigen::Index j = 0; j < n; ++j) {
    A.add(at_z + j, at_z + j, S(1.0));
    A.add(at_z + j, j, S(-1.0));
  }
  add_block(at_z, at_mu, parts.G.topRows(position_rows_).transpose(), S(1.0));
  if (!has_kappa()) return;
  for (Eigen::Index j = 0; j < n; ++j) A.add(at_y + j, at_y + j, S(1.0));
  add_block(at_y, at_kappa, parts.G.transpose(), S(-1.0));
}

template void ImplicitField::fill_sparse(NewtonParts<double>&);
template void ImplicitField::fill_sparse(NewtonParts<std::complex<double>>&);

}  // namespace driftless
