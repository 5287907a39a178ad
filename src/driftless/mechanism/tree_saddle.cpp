#include "driftless/mechanism/tree_saddle.hpp"

#include <algorithm>

namespace driftless {
namespace {

/// The same tree, each body with the mass 1 and this radius of gyration about its mass centre.
TreeRecursion make_even_tree(const TreeRecursion& recursion, double radius2) {
  std::vector<TreeBody> bodies;
  for (int k = 1; k <= recursion.size(); ++k) {
    TreeBody body = recursion.body(k);
    const Vector3 c = (1.0 / body.mass) * body.moment;
    const double square = radius2 + dot(c, c);
    body.mass = 1.0;
    body.moment = c;
    body.inertia = {square, 0.0, 0.0, square, 0.0, square};
    body.inertia.add_square(-1.0, c);
    bodies.push_back(body);
  }
  return TreeRecursion(std::move(bodies));
}

class TreeSaddle final : public SaddleEngine {
 public:
  TreeSaddle(const TreeRecursion& recursion, const TreeRows& rows, const TreeState& tree, int count,
             EngineKind kind, std::optional<double> even_radius2)
      : recursion_(recursion),
        rows_(rows),
        placed_(tree),
        count_(count),
        state_(recursion.make_state()) {
    if (count == 0) return;
    unit_ = rows.make_unit();
    reduced_ = rate_ = rows.make_matrix();
    if (even_radius2) {
      even_recursion_.emplace(make_even_tree(recursion, *even_radius2));
      even_state_ = even_recursion_->make_state();
      even_reduced_ = reduced_;
      even_ = {unit_, [this]() -> const BlockMatrix& { return reduce_evenly(); }};
    }
    inner_ = make_saddle(unit_, reduced_, count, kind, RowForm::any, even_);
    z_ = force_ = Vector::Zero(recursion.nv());
  }

  bool factorize(const BlockMatrix& mass, bool /*mass_changed*/, const BlockMatrix& jacobian,
                 double rank_tolerance) override {
    jacobian_ = &jacobian;
    recursion_.factorize(placed_, state_);
    is_singular_ = state_.lost > 0;
    if (is_singular_) {
      if (!singular_) singular_ = make_dense_saddle(recursion_.nv(), count_, even_);
      return singular_->factorize(mass, true, jacobian, rank_tolerance);
    }
    if (count_ == 0) return true;
    recursion_.find_roots(state_);
    rows_.reduce(jacobian, count_, state_, scratch_, reduced_);
    const bool is_first = !unit_is_known_;
    unit_is_known_ = true;
    return inner_->factorize(unit_, is_first, reduced_, rank_tolerance);
  }

  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) override {
    if (is_singular_) return singular_->solve(f, b, x, lambda);
    if (count_ == 0) return recursion_.solve(f, state_, x);
    recursion_.reduce(f, state_, force_);
    inner_->solve(force_, b, z_, lambda);
    recursion_.expand(z_, state_, x);
  }

  bool solve_mass(ConstVectorRef f, VectorRef x) override {
    if (is_singular_) return singular_->solve_mass(f, x);
    recursion_.solve(f, state_, x);
    return true;
  }

  double find_row_change(const BlockMatrix& rate, int rows) override {
    if (is_singular_) return singular_->find_row_change(rate, rows);
    if (count_ == 0) return 0.0;
    rows_.reduce(rate, rows, state_, scratch_, rate_);
    double largest = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double length = reduced_.find_row_norm(i);
      if (length > 0.0)
        largest = std::max(largest, rate_.find_row_norm(i) * reduced_.find_share(i) / length);
    }
    return largest;
  }

  std::string describe() const override {
    return "recursive: " + std::to_string(recursion_.nv()) +
           (recursion_.nv() == 1 ? " joint rate" : " joint rates") +
           (inner_ == nullptr ? ", no loops" : ", loops by " + inner_->describe());
  }

  int rank() const override { return current() == nullptr ? 0 : current()->rank(); }
  int truncated() const override { return current() == nullptr ? 0 : current()->truncated(); }
  double largest_left_out() const override {
    return current() == nullptr ? 0.0 : current()->largest_left_out();
  }
  double smallest_pivot() const override {
    return current() == nullptr ? 1.0 : current()->smallest_pivot();
  }
  double calc_singular_value(const BlockMatrix& mass, const BlockMatrix& jacobian,
                             int rank) override {
    if (is_singular_) return singular_->calc_singular_value(mass, jacobian, rank);
    return inner_ == nullptr ? 1.0 : inner_->calc_singular_value(unit_, reduced_, rank);
  }

 private:
  const SaddleEngine* current() const { return is_singular_ ? singular_.get() : inner_.get(); }

  /// [TSA.2]
  const BlockMatrix& reduce_evenly() {
    even_recursion_->take_poses(placed_, even_state_);
    even_recursion_->factorize(even_state_);
    even_recursion_->find_roots(even_state_);
    rows_.reduce(*jacobian_, count_, even_state_, scratch_, even_reduced_);
    return even_reduced_;
  }

  const TreeRecursion& recursion_;
  const TreeRows& rows_;
  const TreeState& placed_;
  int count_;
  TreeState state_;
  BlockMatrix unit_, reduced_, rate_;
  bool unit_is_known_ = false;
  std::unique_ptr<SaddleEngine> inner_;     // of [TSA.1]
  std::unique_ptr<SaddleEngine> singular_;  // where M has no inverse
  bool is_singular_ = false;
  std::vector<TreeWrench> scratch_;
  // [TSA.2], where masses are far apart
  std::optional<TreeRecursion> even_recursion_;
  TreeState even_state_;
  BlockMatrix even_reduced_;
  EvenMasses even_;
  const BlockMatrix* jacobian_ = nullptr;  // of the factorisation under way
  Vector z_, force_;
};

}  // namespace

std::unique_ptr<SaddleEngine> make_tree_saddle(const TreeRecursion& recursion, const TreeRows& rows,
                                               const TreeState& tree, int count, EngineKind kind,
                                               std::optional<double> even_radius2) {
  return std::make_unique<TreeSaddle>(recursion, rows, tree, count, kind, even_radius2);
}

}  // namespace driftless
