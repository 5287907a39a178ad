#pragma once
// What the user wants of the start beyond the constraints: values of measures, such as a joint's angle or a body's
// speed, each with a priority. assembly/ meets them together with the constraints, as far as they can be met.

#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/math/linear.hpp"

namespace driftless {

enum class Priority { exact, preferred, guess };

struct StartTarget {
  std::string name;  ///< "A.angle"
  double value = 0.0;
  Priority priority = Priority::preferred;
  bool is_rate = false;
  std::string unit;
  Source where;
};

class StartTargets {
 public:
  virtual ~StartTargets() = default;

  const std::vector<StartTarget>& list() const { return list_; }

  /// What is measured minus what is wanted; an angle's difference lies between -pi and pi. `row` (nv) is its derivative
  /// along a velocity.
  virtual double eval_position(std::size_t index, ConstVectorRef q, VectorRef row) const = 0;
  /// Which of the angles that count turns it is of (System::find_counted_angles); -1: none.
  virtual int find_counter(std::size_t index) const = 0;
  /// The same for rates: measured rate minus the wanted one, and its derivative with respect to v.
  virtual double eval_rate(std::size_t index, ConstVectorRef q, ConstVectorRef v,
                           VectorRef row) const = 0;

 protected:
  std::vector<StartTarget> list_;
};

}  // namespace driftless
