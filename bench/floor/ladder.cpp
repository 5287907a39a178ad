// The floor of IFToMM A02: one evaluation in absolute coordinates with nothing around it, for what a general program may
// cost beyond it. Rods i with mass centre p, angle a, mass 1, moment of inertia 1/12; a joint closes
//
//   0 = p_b + s_b e(a_b) - p_a - s_a e(a_a),    e = (cos a, sin a),   s = -1/2 or 1/2                             [LAD.1]
//
// With g = ds e/da its two rows of G are (I, g_b) and (-I, -g_a), and S = G M⁻¹ Gᵀ has 2 x 2 blocks: on the diagonal
// sum (I + 12 g gᵀ) over its rods, beside it ±(I + 12 g gᵀ) for two joints of one rod. In the order of the ladder S = L D Lᵀ
// has no block that S does not have. The lists of blocks are made once; an evaluation is
//
//   velocity   u = v - M⁻¹Gᵀ S⁻¹ G v                                                                              [LAD.2]
//   motion     S lambda = G a - gamma(u),   v' = a - M⁻¹Gᵀ lambda,   a = (0, -9.81, 0)                            [LAD.3]
//
// with one factorisation, into which the first substitution is folded.

#include "bench/common/data.hpp"
#include "bench/common/harness.hpp"

namespace {

struct Vec2 {
  double x, y;
};
struct Sym2 {
  double xx, xy, yy;
};
struct Mat2 {
  double xx, xy, yx, yy;
};

constexpr double kInverseInertia = 12.0;
constexpr double kProximal = 1e-10;  // so that the pose with all rods in line can be passed

struct Joint {
  int a, b;  // rods; a < 0: the ground
  double arm_a, arm_b;
};
/// The block of S below the diagonal that two joints of a rod share; sides tell which end of each joint the rod is.
struct Pair {
  int column, row, body;
  double arm_column, arm_row, sign;
};
/// L(row, column) acts on L(target) or, if both are the same, on D(row).
struct Update {
  int first, second, target;
};

class Ladder {
 public:
  explicit Ladder(int windows);

  int rods() const { return static_cast<int>(position_.size()); }
  /// All cranks at this angle, turning at this rate.
  void set(double angle, double rate);
  void evaluate();
  double crank_acceleration() const { return spin_[0]; }
  void nudge() { angle_[0] += 1e-15; }

 private:
  void make_lists();
  void eval_blocks();
  void factorize();
  void substitute_back();
  void take_away(std::vector<Vec2>& v, std::vector<double>& w) const;

  int windows_;
  std::vector<Joint> joints_;
  std::vector<Pair> pairs_;        // one per block of L, column by column
  std::vector<int> row_;           // of each of them
  std::vector<int> column_begin_;  // joints + 1
  std::vector<Update> updates_;    // column by column
  std::vector<int> updates_begin_;
  std::vector<Vec2> position_, velocity_, u_, acceleration_;
  std::vector<double> angle_, rate_, w_, spin_;
  std::vector<Vec2> e_;                 // of rods
  std::vector<Sym2> diagonal_;          // D, then its inverse
  std::vector<Mat2> lower_, unscaled_;  // L, and L D
  std::vector<Vec2> rhs_, lambda_;
};

Ladder::Ladder(int windows) : windows_(windows) {
  const int n = windows;
  const auto coupler = [&](int k) { return n + 1 + k; };
  for (int k = 0; k <= n; ++k) {
    joints_.push_back({-1, k, 0.0, -0.5});
    if (k > 0) joints_.push_back({k, coupler(k - 1), 0.5, 0.5});
    if (k < n) joints_.push_back({k, coupler(k), 0.5, -0.5});
  }
  const auto rod_count = static_cast<std::size_t>(2 * n + 1);
  for (auto* list : {&position_, &velocity_, &u_, &acceleration_, &e_}) list->resize(rod_count);
  for (auto* list : {&angle_, &rate_, &w_, &spin_}) list->resize(rod_count);
  make_lists();
}

void Ladder::make_lists() {
  const int count = static_cast<int>(joints_.size());
  const auto side = [&](int j, int body) {  // sign and arm of a rod in a joint
    const Joint& joint = joints_[static_cast<std::size_t>(j)];
    return joint.b == body ? std::pair(1.0, joint.arm_b) : std::pair(-1.0, joint.arm_a);
  };
  std::map<std::pair<int, int>, int> place;
  for (int column = 0; column < count; ++column) {
    column_begin_.push_back(static_cast<int>(pairs_.size()));
    const Joint& c = joints_[static_cast<std::size_t>(column)];
    for (int row = column + 1; row < count; ++row) {
      const Joint& r = joints_[static_cast<std::size_t>(row)];
      for (const int body : {c.a, c.b}) {
        if (body < 0 || (body != r.a && body != r.b)) continue;
        const auto [sign_c, arm_c] = side(column, body);
        const auto [sign_r, arm_r] = side(row, body);
        place[{row, column}] = static_cast<int>(pairs_.size());
        pairs_.push_back({column, row, body, arm_c, arm_r, sign_c * sign_r});
      }
    }
  }
  column_begin_.push_back(static_cast<int>(pairs_.size()));
  for (std::size_t column = 0; column + 1 < column_begin_.size(); ++column) {
    updates_begin_.push_back(static_cast<int>(updates_.size()));
    for (int p = column_begin_[column]; p < column_begin_[column + 1]; ++p) {
      for (int q = column_begin_[column]; q < p; ++q) {
        const auto found = place.find(
            {pairs_[static_cast<std::size_t>(p)].row, pairs_[static_cast<std::size_t>(q)].row});
        if (found == place.end()) throw std::logic_error("the ladder's order fills in a block");
        updates_.push_back({p, q, found->second});
      }
    }
  }
  updates_begin_.push_back(static_cast<int>(updates_.size()));
  for (const Pair& pair : pairs_) row_.push_back(pair.row);
  diagonal_.resize(joints_.size());
  lower_.resize(pairs_.size());
  unscaled_.resize(pairs_.size());
  rhs_.resize(joints_.size());
  lambda_.resize(joints_.size());
}

void Ladder::set(double angle, double rate) {
  const double c = std::cos(angle), s = std::sin(angle);
  for (int k = 0; k <= windows_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    position_[i] = {k + 0.5 * c, 0.5 * s};
    velocity_[i] = {-0.5 * s * rate, 0.5 * c * rate};
    angle_[i] = angle;
    rate_[i] = rate;
    if (k == windows_) break;
    const auto j = static_cast<std::size_t>(windows_ + 1 + k);
    position_[j] = {k + 0.5 + c, s};
    velocity_[j] = {-s * rate, c * rate};
    angle_[j] = rate_[j] = 0.0;
  }
}

void Ladder::eval_blocks() {
  for (std::size_t i = 0; i < e_.size(); ++i) {
    double s, c;
    ::sincos(angle_[i], &s, &c);
    e_[i] = {c, s};
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const Vec2 e = e_[static_cast<std::size_t>(joint.b)];
    const double f = kInverseInertia * joint.arm_b * joint.arm_b;
    Sym2 d{1.0 + kProximal + f * e.y * e.y, -f * e.x * e.y, 1.0 + kProximal + f * e.x * e.x};
    const auto b = static_cast<std::size_t>(joint.b);
    Vec2 r{velocity_[b].x - joint.arm_b * e.y * rate_[b],
           velocity_[b].y + joint.arm_b * e.x * rate_[b]};
    if (joint.a >= 0) {
      const auto a = static_cast<std::size_t>(joint.a);
      const Vec2 g = e_[a];
      const double h = kInverseInertia * joint.arm_a * joint.arm_a;
      d = {d.xx + 1.0 + h * g.y * g.y, d.xy - h * g.x * g.y, d.yy + 1.0 + h * g.x * g.x};
      r.x -= velocity_[a].x - joint.arm_a * g.y * rate_[a];
      r.y -= velocity_[a].y + joint.arm_a * g.x * rate_[a];
    }
    diagonal_[k] = d;
    rhs_[k] = r;
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    const Vec2 e = e_[static_cast<std::size_t>(pair.body)];
    const double f = pair.sign * kInverseInertia * pair.arm_column * pair.arm_row;
    const double xy = -f * e.x * e.y;
    lower_[p] = {pair.sign + f * e.y * e.y, xy, xy, pair.sign + f * e.x * e.x};
  }
}

/// L D Lᵀ, and L z = rhs on the way.
void Ladder::factorize() {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Sym2 d = diagonal_[k];
    const double inverse = 1.0 / (d.xx * d.yy - d.xy * d.xy);
    const Sym2 di{d.yy * inverse, -d.xy * inverse, d.xx * inverse};
    diagonal_[k] = di;
    const Vec2 z = rhs_[k];
    const int end = column_begin_[k + 1];
    for (int p = column_begin_[k]; p < end; ++p) {
      const auto at = static_cast<std::size_t>(p);
      const Mat2 w = lower_[at];
      const Mat2 l{w.xx * di.xx + w.xy * di.xy, w.xx * di.xy + w.xy * di.yy,
                   w.yx * di.xx + w.yy * di.xy, w.yx * di.xy + w.yy * di.yy};
      unscaled_[at] = w;
      lower_[at] = l;
      const auto row = static_cast<std::size_t>(row_[at]);
      Sym2& t = diagonal_[row];
      t = {t.xx - l.xx * w.xx - l.xy * w.xy, t.xy - l.xx * w.yx - l.xy * w.yy,
           t.yy - l.yx * w.yx - l.yy * w.yy};
      Vec2& r = rhs_[row];
      r = {r.x - l.xx * z.x - l.xy * z.y, r.y - l.yx * z.x - l.yy * z.y};
    }
    for (int o = updates_begin_[k]; o < updates_begin_[k + 1]; ++o) {
      const Update& update = updates_[static_cast<std::size_t>(o)];
      const Mat2 l = lower_[static_cast<std::size_t>(update.first)];
      const Mat2 w = unscaled_[static_cast<std::size_t>(update.second)];
      Mat2& t = lower_[static_cast<std::size_t>(update.target)];
      t = {t.xx - l.xx * w.xx - l.xy * w.xy, t.xy - l.xx * w.yx - l.xy * w.yy,
           t.yx - l.yx * w.xx - l.yy * w.xy, t.yy - l.yx * w.yx - l.yy * w.yy};
    }
  }
}

/// lambda = L⁻ᵀ D⁻¹ rhs.
void Ladder::substitute_back() {
  for (std::size_t k = joints_.size(); k-- > 0;) {
    const Sym2 di = diagonal_[k];
    const Vec2 z = rhs_[k];
    Vec2 x{di.xx * z.x + di.xy * z.y, di.xy * z.x + di.yy * z.y};
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) {
      const Mat2& l = lower_[static_cast<std::size_t>(p)];
      const Vec2 y = lambda_[static_cast<std::size_t>(row_[static_cast<std::size_t>(p)])];
      x = {x.x - l.xx * y.x - l.yx * y.y, x.y - l.xy * y.x - l.yy * y.y};
    }
    lambda_[k] = x;
  }
}

/// v - M⁻¹Gᵀ lambda.
void Ladder::take_away(std::vector<Vec2>& v, std::vector<double>& w) const {
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const Vec2 l = lambda_[k];
    const auto b = static_cast<std::size_t>(joint.b);
    v[b] = {v[b].x - l.x, v[b].y - l.y};
    w[b] -= kInverseInertia * joint.arm_b * (e_[b].x * l.y - e_[b].y * l.x);
    if (joint.a < 0) continue;
    const auto a = static_cast<std::size_t>(joint.a);
    v[a] = {v[a].x + l.x, v[a].y + l.y};
    w[a] += kInverseInertia * joint.arm_a * (e_[a].x * l.y - e_[a].y * l.x);
  }
}

void Ladder::evaluate() {
  eval_blocks();
  factorize();
  substitute_back();
  std::copy(velocity_.begin(), velocity_.end(), u_.begin());
  std::copy(rate_.begin(), rate_.end(), w_.begin());
  take_away(u_, w_);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const auto b = static_cast<std::size_t>(joint.b);
    const double f = joint.arm_b * w_[b] * w_[b];
    Vec2 r{-f * e_[b].x, -f * e_[b].y};  // G a - gamma; gravity cancels between two rods
    if (joint.a >= 0) {
      const auto a = static_cast<std::size_t>(joint.a);
      const double h = joint.arm_a * w_[a] * w_[a];
      r = {r.x + h * e_[a].x, r.y + h * e_[a].y};
    } else {
      r.y -= bench::kGravity;
    }
    rhs_[k] = r;
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Vec2 z = rhs_[k];
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) {
      const Mat2& l = lower_[static_cast<std::size_t>(p)];
      Vec2& r = rhs_[static_cast<std::size_t>(row_[static_cast<std::size_t>(p)])];
      r = {r.x - l.xx * z.x - l.xy * z.y, r.y - l.yx * z.x - l.yy * z.y};
    }
  }
  substitute_back();
  std::fill(acceleration_.begin(), acceleration_.end(), Vec2{0.0, -bench::kGravity});
  std::fill(spin_.begin(), spin_.end(), 0.0);
  take_away(acceleration_, spin_);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_program(argc, argv, [](const bench::Arguments& arguments, bench::Line& line) {
    if (arguments.problem() != "n_four_bar" || arguments.mode() != "evaluation")
      throw bench::NotOffered("this floor is one evaluation of the ladder");
    Ladder ladder(arguments.whole("n", 1));
    ladder.set(1.0, -1.0);
    ladder.evaluate();
    line.set("status", std::string("ok")).set("check", ladder.crank_acceleration());
    const auto call = [&] {
      ladder.nudge();
      ladder.evaluate();
    };
    line.set("seconds", bench::measure_call(call, arguments));
  });
}
