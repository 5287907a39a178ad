#pragma once
// A run of any length as few points: what a page can hold and a screen can show.
//
// Rows come one by one and nobody knows how many there will be. Columns are kept as buckets of s rows, each with the
// smallest and the largest value and their order, so that no peak is lost; s starts at 1, and whenever there are too many
// buckets, neighbours are merged and s doubles. Poses cannot be merged: of them every s-th row is kept, and the last one.

#include <cstddef>
#include <span>
#include <vector>

namespace driftless {

/// Columns over the first one, time.
class ThinnedColumns {
 public:
  /// At most `max_points` points per column come out, and at least half as many if there are enough rows.
  ThinnedColumns(std::size_t columns, std::size_t max_points);

  void add(std::span<const double> row);

  std::size_t rows() const { return rows_; }
  /// Rows per bucket; 1: every row is there as it was.
  std::size_t rows_per_bucket() const { return size_; }
  std::size_t points() const;
  /// The points of one column, smallest and largest value of each bucket in their order. Column 0 gives the times: first
  /// and last of each bucket.
  std::vector<double> column(std::size_t index) const;

 private:
  struct Extremes {
    double low = 0.0;
    double high = 0.0;
    bool low_first = true;
  };
  static Extremes merge(const Extremes& a, const Extremes& b);
  void merge_pairs();

  std::size_t columns_;
  std::size_t max_points_;
  std::size_t rows_ = 0;
  std::size_t size_ = 1;
  std::size_t in_last_ = 0;          // rows in the last bucket
  std::vector<Extremes> buckets_;    // bucket by bucket, columns_ each
  std::vector<std::size_t> counts_;  // rows per bucket
};

/// Every s-th row of some columns.
class ThinnedFrames {
 public:
  ThinnedFrames(std::vector<std::size_t> columns, std::size_t max_frames);

  /// `row` is a whole row of the result, time first.
  void add(std::span<const double> row);

  std::size_t rows_per_frame() const { return step_; }
  std::size_t width() const { return columns_.size(); }
  /// Times and values, frame by frame; the last row is always among them.
  std::vector<double> times() const;
  std::vector<float> values() const;

 private:
  void drop_every_second();

  std::vector<std::size_t> columns_;
  std::size_t max_frames_;
  std::size_t rows_ = 0;
  std::size_t step_ = 1;
  std::vector<double> times_;
  std::vector<float> values_;
  double last_time_ = 0.0;
  std::vector<float> last_;
};

}  // namespace driftless
