#include "driftless/math/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "driftless/math/ordering.hpp"

namespace driftless {
namespace {

constexpr double kLargestEntry = 1e3;  // of L, [SLU.1]
constexpr double kMostGrowth = 2.0;    // of the pattern, before columns are ordered anew
constexpr double kLeastPivot = 0.1;    // beside the largest of its column, when rows are chosen

double size_of(double x) { return std::abs(x); }
/// As good as the modulus where sizes are compared.
double size_of(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }

std::size_t at(int index) { return static_cast<std::size_t>(index); }

void subtract_product(double& x, double a, double b) { x -= a * b; }
/// Without the library's care for infinite factors.
void subtract_product(std::complex<double>& x, const std::complex<double>& a,
                      const std::complex<double>& b) {
  x = {x.real() - (a.real() * b.real() - a.imag() * b.imag()),
       x.imag() - (a.real() * b.imag() + a.imag() * b.real())};
}

}  // namespace

template <class S>
void SparseLu<S>::Columns::clear() {
  first.assign(1, 0);
  row.clear();
  value.clear();
}

template <class S>
void SparseLu<S>::resize(Eigen::Index n, std::vector<int> groups) {
  group_ = std::move(groups);
  n_ = static_cast<int>(n);
  analyses_ = pivotings_ = 0;
  has_rows_ = false;
  first_.assign(at(n_) + 1, 0);
  row_.clear();
  values_.clear();
  places_.clear();
  slots_.clear();
  extras_.clear();
  next_ = 0;
  x_.assign(at(n_), S(0.0));
  inverse_pivot_.assign(at(n_), S(0.0));
  for (auto* list : {&reach_, &stack_, &at_, &position_}) list->assign(at(n_), 0);
  mark_.assign(at(n_), -1);
}

template <class S>
Eigen::Index SparseLu<S>::factor_entries() const {
  return static_cast<Eigen::Index>(lower_.row.size() + upper_.row.size()) + n_;
}

// ---- writing -----------------------------------------------------------------------------------------------

template <class S>
void SparseLu<S>::clear() {
  std::fill(values_.begin(), values_.end(), S(0.0));
  extras_.clear();
  next_ = 0;
}

template <class S>
void SparseLu<S>::add_elsewhere(const Place& place, S value) {
  places_.resize(next_);
  slots_.resize(next_++);
  places_.push_back(place);
  const auto begin = row_.begin() + first_[at(place.column)];
  const auto end = row_.begin() + first_[at(place.column) + 1];
  const auto found = std::lower_bound(begin, end, place.row);
  if (found != end && *found == place.row) {
    slots_.push_back(static_cast<int>(found - row_.begin()));
    values_[at(slots_.back())] += value;
  } else {
    slots_.push_back(-1);  // known after `grow`
    extras_.push_back({place, value});
  }
}

/// The pattern with the extras in it, and, if it has grown much, the order of its columns.
template <class S>
void SparseLu<S>::grow() {
  std::vector<Extra>& all = extras_;
  for (int column = 0; column < n_; ++column)
    for (int k = first_[at(column)]; k < first_[at(column) + 1]; ++k)
      all.push_back({{row_[at(k)], column}, values_[at(k)]});
  std::sort(all.begin(), all.end(),
            [](const Extra& a, const Extra& b) { return a.place < b.place; });
  row_.clear();
  values_.clear();
  std::fill(first_.begin(), first_.end(), 0);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k > 0 && all[k].place == all[k - 1].place) {
      values_.back() += all[k].value;
      continue;
    }
    row_.push_back(all[k].place.row);
    values_.push_back(all[k].value);
    ++first_[at(all[k].place.column) + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const auto begin = row_.begin() + first_[at(places_[k].column)];
    const auto end = row_.begin() + first_[at(places_[k].column) + 1];
    slots_[k] = static_cast<int>(std::lower_bound(begin, end, places_[k].row) - row_.begin());
  }
  extras_.clear();
  row_position_.assign(row_.size(), 0);
  row_entries_.assign(at(n_), 0);
  for (const int row : row_) ++row_entries_[at(row)];
  has_rows_ = false;
  if (analyses_ > 0 && static_cast<double>(row_.size()) <= kMostGrowth * ordered_for_) return;
  find_columns();
  ordered_for_ = static_cast<double>(row_.size());
  ++analyses_;
  reserve_room();
}

/// What comes until the next analysis finds its place without asking for memory.
template <class S>
void SparseLu<S>::reserve_room() {
  const auto with_room = [](std::size_t count) {
    return static_cast<std::size_t>(kMostGrowth * static_cast<double>(count));
  };
  const std::size_t room = with_room(row_.size());
  for (auto* list : {&row_, &row_position_}) list->reserve(room);
  values_.reserve(room);
  places_.reserve(with_room(places_.size()));
  slots_.reserve(with_room(slots_.size()));
  extras_.reserve(room + with_room(places_.size()));
}

template <class S>
void SparseLu<S>::find_columns() {
  if (group_.empty()) {
    column_of_ = find_column_order(n_, first_, row_);
    return;
  }
  const int groups = 1 + *std::max_element(group_.begin(), group_.end());
  std::vector<std::vector<int>> members(at(groups));
  for (int k = 0; k < n_; ++k) members[at(group_[at(k)])].push_back(k);
  std::vector<int> first{0}, row;
  for (const std::vector<int>& columns : members) {
    const auto begin = static_cast<std::ptrdiff_t>(row.size());
    for (const int column : columns)
      for (int k = first_[at(column)]; k < first_[at(column) + 1]; ++k)
        row.push_back(group_[at(row_[at(k)])]);
    std::sort(row.begin() + begin, row.end());
    row.erase(std::unique(row.begin() + begin, row.end()), row.end());
    first.push_back(static_cast<int>(row.size()));
  }
  column_of_.clear();
  for (const int group : find_column_order(groups, first, row))
    column_of_.insert(column_of_.end(), members[at(group)].rbegin(), members[at(group)].rend());
}

// ---- factors -----------------------------------------------------------------------------------------------

template <class S>
bool SparseLu<S>::factorize() {
  if (!extras_.empty() || analyses_ == 0) grow();
  for (const S& value : values_)
    if (!std::isfinite(size_of(value))) return false;
  if (has_rows_ && refill()) return true;
  return choose_rows();
}

template <class S>
int SparseLu<S>::find_reach(int column) {
  int top = n_;
  for (int k = first_[at(column)]; k < first_[at(column) + 1]; ++k) {
    if (mark_[at(row_[at(k)])] == column) continue;
    int depth = 0;
    stack_[0] = row_[at(k)];
    while (depth >= 0) {  // depth first along the columns of L
      const int row = stack_[at(depth)];
      const int of = position_[at(row)];
      if (mark_[at(row)] != column) {
        mark_[at(row)] = column;
        at_[at(depth)] = of < 0 ? 0 : lower_.first[at(of)];
      }
      const int end = of < 0 ? 0 : lower_.first[at(of) + 1];
      int& next = at_[at(depth)];
      while (next < end && mark_[at(lower_.row[at(next)])] == column) ++next;
      if (next < end) {
        stack_[at(++depth)] = lower_.row[at(next)];
      } else {
        reach_[at(--top)] = row;
        --depth;
      }
    }
  }
  return top;
}

template <class S>
bool SparseLu<S>::choose_rows() {
  has_rows_ = false;
  ++pivotings_;
  lower_.clear();
  upper_.clear();
  std::fill(position_.begin(), position_.end(), -1);
  std::fill(mark_.begin(), mark_.end(), -1);
  for (int k = 0; k < n_; ++k) {
    const int column = column_of_[at(k)];
    const int top = find_reach(column);
    for (int p = top; p < n_; ++p) x_[at(reach_[at(p)])] = S(0.0);
    for (int p = first_[at(column)]; p < first_[at(column) + 1]; ++p)
      x_[at(row_[at(p)])] = values_[at(p)];
    int pivot = -1;
    double largest = 0.0;
    for (int p = top; p < n_; ++p) {
      const int row = reach_[at(p)];
      const int of = position_[at(row)];
      const S value = x_[at(row)];
      if (of < 0) {
        if (!(size_of(value) > largest)) continue;
        largest = size_of(value);
        pivot = row;
        continue;
      }
      upper_.row.push_back(of);
      upper_.value.push_back(value);
      for (int i = lower_.first[at(of)]; i < lower_.first[at(of) + 1]; ++i)
        x_[at(lower_.row[at(i)])] -= lower_.value[at(i)] * value;
    }
    if (pivot < 0 || !std::isfinite(largest)) return false;
    for (int p = top; p < n_;
         ++p) {  // of those that are about as large the one with the fewest entries
      const int row = reach_[at(p)];
      if (position_[at(row)] < 0 && size_of(x_[at(row)]) >= kLeastPivot * largest &&
          row_entries_[at(row)] < row_entries_[at(pivot)])
        pivot = row;
    }
    inverse_pivot_[at(k)] = S(1.0) / x_[at(pivot)];
    for (int p = top; p < n_; ++p) {
      const int row = reach_[at(p)];
      if (position_[at(row)] >= 0 || row == pivot) continue;
      lower_.row.push_back(row);
      lower_.value.push_back(x_[at(row)] * inverse_pivot_[at(k)]);
    }
    position_[at(pivot)] = k;
    lower_.first.push_back(static_cast<int>(lower_.row.size()));
    upper_.first.push_back(static_cast<int>(upper_.row.size()));
  }
  place_factors();
  has_rows_ = true;
  return true;
}

/// Rows by their positions, and those of each column of U in the order in which they are eliminated.
template <class S>
void SparseLu<S>::place_factors() {
  for (int& row : lower_.row) row = position_[at(row)];
  for (std::size_t k = 0; k < row_.size(); ++k) row_position_[k] = position_[at(row_[k])];
  for (int k = 0; k < n_; ++k) {
    const int first = upper_.first[at(k)], last = upper_.first[at(k) + 1];
    for (int p = first; p < last; ++p) x_[at(upper_.row[at(p)])] = upper_.value[at(p)];
    std::sort(upper_.row.begin() + first, upper_.row.begin() + last);
    for (int p = first; p < last; ++p) upper_.value[at(p)] = x_[at(upper_.row[at(p)])];
  }
  std::fill(x_.begin(), x_.end(), S(0.0));
  for (Columns* factor : {&lower_, &upper_}) {  // another order of rows may need some more
    const std::size_t room = 3 * factor->row.size();
    if (analyses_ != room_for_) factor->row.reserve(room), factor->value.reserve(room);
  }
  room_for_ = analyses_;
}

/// New numbers in the old places; x_ is zero before and after.
template <class S>
bool SparseLu<S>::refill() {
  S* const x = x_.data();
  for (int k = 0; k < n_; ++k) {
    const int column = column_of_[at(k)];
    for (int p = first_[at(column)]; p < first_[at(column) + 1]; ++p)
      x[row_position_[at(p)]] = values_[at(p)];
    for (int p = upper_.first[at(k)]; p < upper_.first[at(k) + 1]; ++p) {
      const int of = upper_.row[at(p)];
      const S value = x[of];
      x[of] = S(0.0);
      upper_.value[at(p)] = value;
      const int* row = lower_.row.data();
      const S* factor = lower_.value.data();
      for (int i = lower_.first[at(of)]; i < lower_.first[at(of) + 1]; ++i)
        subtract_product(x[row[i]], factor[i], value);
    }
    const S pivot = x[k];
    x[k] = S(0.0);
    const S inverse = S(1.0) / pivot;
    inverse_pivot_[at(k)] = inverse;
    double largest = 0.0;
    for (int i = lower_.first[at(k)]; i < lower_.first[at(k) + 1]; ++i) {
      const int row = lower_.row[at(i)];
      const S value = x[row] * inverse;
      x[row] = S(0.0);
      lower_.value[at(i)] = value;
      largest = std::max(largest, size_of(value));
    }
    if (!(size_of(pivot) > 0.0) || !(largest <= kLargestEntry)) {
      std::fill(x_.begin(), x_.end(), S(0.0));
      return false;
    }
  }
  return true;
}

template <class S>
void SparseLu<S>::solve(Eigen::Ref<VectorS> b) {
  S* const x = x_.data();
  for (int i = 0; i < n_; ++i) x[position_[at(i)]] = b[i];
  for (int k = 0; k < n_; ++k) {
    const S value = x[k];
    for (int i = lower_.first[at(k)]; i < lower_.first[at(k) + 1]; ++i)
      subtract_product(x[lower_.row[at(i)]], lower_.value[at(i)], value);
  }
  for (int k = n_; k-- > 0;) {
    const S value = x[k] * inverse_pivot_[at(k)];
    b[column_of_[at(k)]] = value;
    for (int i = upper_.first[at(k)]; i < upper_.first[at(k) + 1]; ++i)
      subtract_product(x[upper_.row[at(i)]], upper_.value[at(i)], value);
    x[k] = S(0.0);
  }
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;

}  // namespace driftless
