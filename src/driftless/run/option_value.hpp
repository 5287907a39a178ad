#pragma once
// A Value from a file read into a field's type: numbers may be quoted expressions of parameters with units, which the
// field's own unit checks.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/base/value.hpp"
#include "driftless/formulations/baumgarte.hpp"

namespace driftless {

struct OptionContext {
  std::vector<std::pair<std::string, double>> names;  ///< parameters, and h if the step is fixed
  std::vector<std::string> rows;                      ///< constraint names, for { row = gain }
  std::string prefix = "method.";                     ///< for messages
};

/// How a field is called in messages, and what it accepts.
struct OptionField {
  std::string_view key;
  std::string_view unit;
  Bounds bounds;
};

double read_number(const Value& value, const OptionField& field, const OptionContext& context);
void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 double& out);
void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 std::optional<double>& out);
void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 int& out);
void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 std::string& out);
void read_option(const Value& value, const OptionField& field, const OptionContext& context,
                 Gain& out);

}  // namespace driftless
