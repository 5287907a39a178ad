#include "driftless/io/page_thinning.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

ThinnedColumns::ThinnedColumns(std::size_t columns, std::size_t max_points)
    : columns_(columns), max_points_(std::max<std::size_t>(max_points / 4 * 4, 4)) {}

ThinnedColumns::Extremes ThinnedColumns::merge(const Extremes& a, const Extremes& b) {
  const bool low_in_a = std::isnan(b.low) || a.low <= b.low;
  const bool high_in_a = std::isnan(b.high) || a.high >= b.high;
  Extremes out;
  out.low = low_in_a ? a.low : b.low;
  out.high = high_in_a ? a.high : b.high;
  out.low_first = low_in_a == high_in_a ? (low_in_a ? a.low_first : b.low_first) : low_in_a;
  return out;
}

void ThinnedColumns::add(std::span<const double> row) {
  const bool begins = counts_.empty() || in_last_ == size_;
  // A bucket of one row gives one point, any other two.
  if (begins && counts_.size() * (size_ == 1 ? 1 : 2) >= max_points_) {
    merge_pairs();
    if (counts_.size() * 2 >= max_points_) merge_pairs();
  }
  ++rows_;
  if (begins) {
    for (std::size_t k = 0; k < columns_; ++k) buckets_.push_back({row[k], row[k], true});
    counts_.push_back(1);
    in_last_ = 1;
    return;
  }
  Extremes* last = buckets_.data() + buckets_.size() - columns_;
  for (std::size_t k = 0; k < columns_; ++k) last[k] = merge(last[k], {row[k], row[k], true});
  ++counts_.back();
  ++in_last_;
}

void ThinnedColumns::merge_pairs() {
  const std::size_t pairs = counts_.size() / 2;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const Extremes* from = buckets_.data() + 2 * pair * columns_;
    for (std::size_t k = 0; k < columns_; ++k) {
      buckets_[pair * columns_ + k] = merge(from[k], from[columns_ + k]);
    }
    counts_[pair] = counts_[2 * pair] + counts_[2 * pair + 1];
  }
  buckets_.resize(pairs * columns_);
  counts_.resize(pairs);
  size_ *= 2;
  in_last_ = size_;
}

std::size_t ThinnedColumns::points() const {
  std::size_t points = 0;
  for (const std::size_t count : counts_) points += count > 1 ? 2 : 1;
  return points;
}

std::vector<double> ThinnedColumns::column(std::size_t index) const {
  std::vector<double> out;
  out.reserve(points());
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    const Extremes& each = buckets_[bucket * columns_ + index];
    out.push_back(each.low_first ? each.low : each.high);
    if (counts_[bucket] > 1) out.push_back(each.low_first ? each.high : each.low);
  }
  return out;
}

ThinnedFrames::ThinnedFrames(std::vector<std::size_t> columns, std::size_t max_frames)
    : columns_(std::move(columns)), max_frames_(std::max<std::size_t>(max_frames / 2 * 2, 2)) {}

void ThinnedFrames::add(std::span<const double> row) {
  last_time_ = row[0];
  last_.clear();
  for (const std::size_t column : columns_) last_.push_back(static_cast<float>(row[column]));
  if (rows_++ % step_ != 0) return;
  if (times_.size() == max_frames_) {
    drop_every_second();
    if ((rows_ - 1) % step_ != 0) return;
  }
  times_.push_back(last_time_);
  values_.insert(values_.end(), last_.begin(), last_.end());
}

void ThinnedFrames::drop_every_second() {
  const std::size_t width = columns_.size();
  const std::size_t kept = times_.size() / 2;
  for (std::size_t k = 1; k < kept; ++k) {
    times_[k] = times_[2 * k];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(2 * k * width), width,
                values_.begin() + static_cast<std::ptrdiff_t>(k * width));
  }
  times_.resize(kept);
  values_.resize(kept * width);
  step_ *= 2;
}

std::vector<double> ThinnedFrames::times() const {
  std::vector<double> out = times_;
  if (rows_ > 0 && out.back() != last_time_) out.push_back(last_time_);
  return out;
}

std::vector<float> ThinnedFrames::values() const {
  std::vector<float> out = values_;
  if (rows_ > 0 && times_.back() != last_time_) out.insert(out.end(), last_.begin(), last_.end());
  return out;
}

}  // namespace driftless
