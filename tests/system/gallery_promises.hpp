#pragma once
// What the heads of models/elements/*.toml promise, each by its formula: numbers to find in the text and in the run.

#include <functional>
#include <string>
#include <vector>

#include "driftless/model/element_types.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {

struct Promise {
  std::string file;  ///< models/elements/FILE.toml
  std::string text;  ///< the number as its head prints it
  double exact;      ///< by the closed form
  double tolerance;  ///< of the run, absolute: what its method and step leave
  std::function<double(const Result&)> find;
  double factor = 1;  ///< from SI to the unit of the text
};

const std::vector<Promise>& all_promises();

/// models/elements/FILE.toml shows the type; of two kinds that share a name, each has its kind behind it.
std::string find_gallery_file(const ElementType& type);

}  // namespace driftless::trials
