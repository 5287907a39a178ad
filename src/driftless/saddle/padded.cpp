// In the plane most strips have two rows, those of pins; a drive, a point on a line or a rod has one. With a second row
// that is zero, it has two as well, and everything is done by the code that is written for pairs of rows. In space hinges
// have five rows, cardan joints four and balls three: with five each, a loop of them takes half the time, though there is
// more to multiply. A zero row is redundant: the engine leaves it out, its multiplier is 0.

#include "driftless/saddle/padded.hpp"

#include <algorithm>

namespace driftless {
namespace {

/// The same strips, of `width` rows each.
BlockMatrix pad(const BlockMatrix& jacobian, int rows, int width) {
  std::vector<BlockPlace> places;
  int count = 0;
  for (const Strip& strip : jacobian.strips()) {
    if (strip.row >= rows) break;
    for (int k = 0; k < strip.blocks; ++k) {
      const Block& block = jacobian.blocks()[static_cast<std::size_t>(strip.first_block + k)];
      places.push_back({width * count, block.column, width, block.columns});
    }
    ++count;
  }
  return {width * count, jacobian.columns(), std::move(places)};
}

class PaddedSaddle final : public SaddleEngine {
 public:
  PaddedSaddle(const BlockMatrix& mass, const BlockMatrix& jacobian, int rows, int width,
               RowForm form, const EvenMasses& even)
      : width_(width), padded_(pad(jacobian, rows, width)) {
    EvenMasses padded_even = even;
    if (even.rows) {
      even_ = padded_;
      padded_even.rows = [this, find = even.rows]() -> const BlockMatrix& {
        copy(find(), even_);
        return even_;
      };
    }
    inner_ = make_saddle(mass, padded_, padded_.rows(), EngineKind::sparse, form, padded_even);
    std::size_t next = 0;
    for (const Strip& strip : jacobian.strips()) {
      if (strip.row >= rows) break;
      for (int i = 0; i < strip.rows; ++i) place_.push_back(padded_.blocks()[next].row + i);
      for (int k = 0; k < strip.blocks; ++k, ++next) {
        const Block& from = jacobian.blocks()[static_cast<std::size_t>(strip.first_block + k)];
        copies_.push_back({from.first, padded_.blocks()[next].first, from.rows, from.columns});
      }
    }
    b_ = lambda_ = Vector::Zero(padded_.rows());
  }

  bool factorize(const BlockMatrix& mass, bool mass_changed, const BlockMatrix& jacobian,
                 double rank_tolerance) override {
    copy(jacobian, padded_);
    return inner_->factorize(mass, mass_changed, padded_, rank_tolerance);
  }
  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) override {
    pad_right(b);
    inner_->solve(f, b_, x, lambda_);
    take_multipliers(lambda);
  }
  bool factorize_and_correct(const BlockMatrix& mass, bool mass_changed,
                             const BlockMatrix& jacobian, double rank_tolerance,
                             ConstVectorRef zero, ConstVectorRef b, VectorRef x,
                             VectorRef lambda) override {
    copy(jacobian, padded_);
    pad_right(b);
    if (!inner_->factorize_and_correct(mass, mass_changed, padded_, rank_tolerance, zero, b_, x,
                                       lambda_))
      return false;
    take_multipliers(lambda);
    return true;
  }
  bool solve_mass(ConstVectorRef f, VectorRef x) override { return inner_->solve_mass(f, x); }
  double find_row_change(const BlockMatrix& rate, int rows) override {
    if (rows == 0) return 0.0;
    if (rate_.rows() == 0) rate_ = padded_;
    copy(rate, rate_);
    return inner_->find_row_change(rate_, place_[static_cast<std::size_t>(rows - 1)] + 1);
  }
  std::string describe() const override { return inner_->describe(); }
  std::vector<int> find_dropped() const override {
    std::vector<int> rows;
    for (const int place : inner_->find_dropped()) {
      const auto found = std::lower_bound(place_.begin(), place_.end(), place);
      if (found != place_.end() && *found == place)
        rows.push_back(static_cast<int>(found - place_.begin()));
    }
    return rows;
  }
  int rank() const override { return inner_->rank(); }
  int truncated() const override { return inner_->truncated(); }
  double largest_left_out() const override { return inner_->largest_left_out(); }
  double smallest_pivot() const override { return inner_->smallest_pivot(); }
  double calc_singular_value(const BlockMatrix& mass, const BlockMatrix& /*jacobian*/,
                             int rank) override {
    return inner_->calc_singular_value(mass, padded_, rank);
  }

 private:
  struct Copy {
    int from, to, rows, columns;
  };

  void pad_right(ConstVectorRef b) {
    for (std::size_t i = 0; i < place_.size(); ++i) b_[place_[i]] = b[static_cast<Eigen::Index>(i)];
  }
  void take_multipliers(VectorRef lambda) const {
    for (std::size_t i = 0; i < place_.size(); ++i)
      lambda[static_cast<Eigen::Index>(i)] = lambda_[place_[i]];
  }

  void copy(const BlockMatrix& from, BlockMatrix& to) const {
    if (from.shares().size() > 0) {
      for (std::size_t i = 0; i < place_.size(); ++i)
        to.set_share(place_[i], from.find_share(static_cast<int>(i)));
    }
    for (const Copy& each : copies_) {
      const double* in = from.data() + each.from;
      double* out = to.data() + each.to;
      for (int j = 0; j < each.columns; ++j) {
        for (int i = 0; i < each.rows; ++i) out[width_ * j + i] = in[each.rows * j + i];
      }
    }
  }

  int width_;
  BlockMatrix padded_, rate_, even_;
  std::unique_ptr<SaddleEngine> inner_;
  std::vector<Copy> copies_;
  std::vector<int> place_;  // per row
  Vector b_, lambda_;
};

}  // namespace

bool is_worth_padding(const BlockMatrix& jacobian, int rows, int width) {
  const double least =
      width == 2 ? 0.5 : 0.65;  // of the rows, as tried: balls alone are left as they are
  int strips = 0, covered = 0;
  for (const Strip& strip : jacobian.strips()) {
    if (strip.row >= rows) break;
    if (strip.rows > width || strip.blocks == 0) return false;
    ++strips;
    covered += strip.rows;
  }
  return covered == rows && rows < width * strips && rows >= least * width * strips;
}

std::unique_ptr<SaddleEngine> make_padded_saddle(const BlockMatrix& mass,
                                                 const BlockMatrix& jacobian, int rows, int width,
                                                 RowForm form, const EvenMasses& even) {
  return std::make_unique<PaddedSaddle>(mass, jacobian, rows, width, form, even);
}

}  // namespace driftless
