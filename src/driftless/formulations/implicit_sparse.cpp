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
//
// Which of redundant rows are set aside changes in a run. So that the pattern does not, a row that may be set aside has the
// places of both forms, its constraint and the relation with all rows of its group (redundant_rows.hpp); those of the form that
// is not in use are 0.

#include "driftless/formulations/implicit_field.hpp"

namespace driftless {

template <class S>
void ImplicitField::write_row(Eigen::Index row, Eigen::Index column, const BlockMatrix& A,
                              int index, S factor, SparseLu<S>& out) {
  A.for_each_in_row(index, [&](int j, double value) { out.add(row, column + j, factor * value); });
}

template <class S>
void ImplicitField::write_turned_row(Eigen::Index row, Eigen::Index column, const BlockMatrix& A,
                                     int index, S factor, NewtonParts<S>& parts) const {
  const Strip* const strip = A.find_strip(index);
  if (strip == nullptr) return;
  for (int k = strip->first_block; k < strip->first_block + strip->blocks; ++k) {
    const Block& block = A.blocks()[static_cast<std::size_t>(k)];
    const double* value = A.data() + block.first + (index - block.row);
    for (int j = 0; j < block.columns; ++j, value += block.rows) {
      const int turn = turn_at_[static_cast<std::size_t>(block.column + j)];
      if (turn < 0) {
        parts.sparse.add(row, column + block.column + j, factor * *value);
        continue;
      }
      const std::array<S, 9>& T = parts.charts.turn(static_cast<std::size_t>(turn));
      const double x = value[0], y = value[block.rows], z = value[2 * block.rows];
      for (std::size_t c = 0; c < 3; ++c)
        parts.sparse.add(row, column + block.column + j + static_cast<int>(c),
                         factor * (x * T[c] + y * T[3 + c] + z * T[6 + c]));
      j += 2;
      value += 2 * block.rows;
    }
  }
}

template <class S>
void ImplicitField::write_states(NewtonParts<S>& parts) {
  const S inverse = S(1.0) / parts.a;
  const Eigen::Index at_z = z_place();
  const StateSlopes& slopes = derivatives_.states;
  for (Eigen::Index k = 0; k < slopes.count(); ++k) {
    parts.states.for_each_force(k, [&](Eigen::Index i, S force) {
      for (Eigen::Index j = 0; j < layout_.nv; ++j)
        if (slopes.rate_v(k, j) != 0.0)
          parts.sparse.add(i, j, inverse * force * slopes.rate_v(k, j));
      for (Eigen::Index j = 0; j < layout_.nv; ++j) {
        const int turn = turn_at_[static_cast<std::size_t>(j)];
        if (turn < 0) {
          if (slopes.rate_q(k, j) != 0.0)
            parts.sparse.add(i, at_z + j, inverse * inverse * force * slopes.rate_q(k, j));
          continue;
        }
        const double x = slopes.rate_q(k, j), y = slopes.rate_q(k, j + 1),
                     z = slopes.rate_q(k, j + 2);
        const std::array<S, 9>& T = parts.charts.turn(static_cast<std::size_t>(turn));
        if (x != 0.0 || y != 0.0 || z != 0.0)
          for (std::size_t c = 0; c < 3; ++c)
            parts.sparse.add(i, at_z + j + static_cast<int>(c),
                             inverse * inverse * force * (x * T[c] + y * T[3 + c] + z * T[6 + c]));
        j += 2;
      }
    });
  }
}

template <class S>
void ImplicitField::write_multiplier_rows(int i, NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const S inverse = S(1.0) / parts.a;
  const Eigen::Index at_z = z_place();
  const BlockMatrix& rho_q = derivatives_.residual_q;
  SparseLu<S>& A = parts.sparse;
  const Eigen::Index row = n + i;
  const bool may_go = choice_.group(i) >= 0;
  const S kept(choice_.is_kept(i) ? 1.0 : 0.0), aside = S(1.0) - kept;
  if (may_go) write_relation(i, parts);
  if (at_acceleration()) {
    write_row(row, 0, jacobian_, i, kept, A);
    write_row(row, 0, rho_q, i, kept * S(2.0) * inverse, A);
    if (has_kappa()) write_row(row, y_place(), jacobian_, i, kept, A);
  } else if (form_ == ConstraintForm::index3 && i < position_rows_) {
    write_turned_row(row, at_z, jacobian_, i, kept, parts);
  } else {
    write_row(row, 0, jacobian_, i, kept, A);
    write_turned_row(row, at_z, rho_q, i, kept * inverse, parts);
    if (form_ == ConstraintForm::index2_baumgarte && i < position_rows_)
      write_turned_row(row, at_z, jacobian_, i, kept * S(alpha_) * inverse, parts);
  }
  if (has_kappa()) {
    write_row(kappa_place() + i, 0, jacobian_, i, kept, A);
    write_turned_row(kappa_place() + i, at_z, rho_q, i, kept * inverse, parts);
    if (may_go) A.add(kappa_place() + i, kappa_place() + i, aside);
  }
  if (!has_mu() || i >= position_rows_) return;
  const bool holds = choice_.is_position_kept(i);
  write_turned_row(mu_place() + i, at_z, jacobian_, i, S(holds ? 1.0 : 0.0), parts);
  if (may_go) A.add(mu_place() + i, mu_place() + i, S(holds ? 0.0 : 1.0));
}

/// [DAE.5], zeros if the row is kept.
template <class S>
void ImplicitField::write_relation(int i, NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const bool kept = choice_.is_kept(i);
  for (int j = 0; j < rows_; ++j) {
    if (choice_.group(j) != choice_.group(i)) continue;
    const double share = kept ? 0.0 : j == i ? -1.0 : choice_.relation(i)[j];
    parts.sparse.add(n + i, n + j, S(-share));
  }
}

/// [DAE.6]
template <class S>
void ImplicitField::fill_sparse(NewtonParts<S>& parts) {
  const int n = layout_.nv;
  const S inverse = S(1.0) / parts.a;
  const Eigen::Index at_z = z_place(), at_y = y_place();
  SparseLu<S>& A = parts.sparse;
  A.clear();
  const auto write_transposed = [&](Eigen::Index row, Eigen::Index column, int rows, S factor) {
    for (int i = 0; i < rows; ++i)
      jacobian_.for_each_in_row(
          i, [&](int j, double value) { A.add(row + j, column + i, factor * value); });
  };
  for (int i = 0; i < n; ++i) {
    write_row(i, 0, mass_, i, S(1.0), A);
    write_row(i, 0, derivatives_.damping, i, inverse, A);
    write_turned_row(i, at_z, derivatives_.stiffness, i, inverse * inverse, parts);
    if (has_kappa()) write_row(i, at_y, mass_, i, S(1.0), A);
  }
  write_states(parts);
  write_transposed(0, n, rows_, S(1.0));
  for (int i = 0; i < rows_; ++i) write_multiplier_rows(i, parts);
  if (!has_mu()) return;
  for (int j = 0; j < n; ++j) {
    A.add(at_z + j, at_z + j, S(1.0));
    A.add(at_z + j, j, S(-1.0));
  }
  write_transposed(at_z, mu_place(), position_rows_, S(1.0));
  if (!has_kappa()) return;
  for (int j = 0; j < n; ++j) A.add(at_y + j, at_y + j, S(1.0));
  write_transposed(at_y, kappa_place(), rows_, S(-1.0));
}

template void ImplicitField::fill_sparse(NewtonParts<double>&);
template void ImplicitField::fill_sparse(NewtonParts<std::complex<double>>&);

}  // namespace driftless
