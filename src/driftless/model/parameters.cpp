#include "driftless/model/parameters.hpp"

#include <fmt/format.h>

namespace driftless {

std::vector<std::pair<std::string, double>> read_parameters(const std::vector<NamedText>& list,
                                                            ParameterScope& scope,
                                                            DiagnosticList& errors) {
  UnavailableNames& unavailable = scope.unavailable();
  for (const NamedText& parameter : list) {
    const int line = parameter.value.where.line;
    unavailable.set(parameter.name,
                    fmt::format("parameter '{}' is defined later{}", parameter.name,
                                line > 0 ? fmt::format(" (line {})", line) : std::string()),
                    "parameters are evaluated in the file's order: move it up");
  }
  std::vector<std::pair<std::string, double>> values;
  for (const NamedText& parameter : list) {
    Quantity value;
    try {
      value = scope.evaluate(parameter.value);
    } catch (const ModelError& error) {
      errors.add(error, "parameters." + parameter.name, parameter.value.where);
      value = {.value = 1.0, .dimension = {}, .doubtful = true};
    }
    scope.add(parameter.name, value);
    unavailable.remove(parameter.name);
    values.emplace_back(parameter.name, value.value);
  }
  return values;
}

}  // namespace driftless
