#include "driftless/base/value.hpp"

namespace driftless {

std::string Value::kind() const {
  if (is_number()) return "a number";
  if (is_flag()) return "true or false";
  if (is_text()) return "a text";
  if (is_list()) return "a list";
  return "a table";
}

}  // namespace driftless
