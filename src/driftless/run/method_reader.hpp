#pragma once
// From words and options to a Method: [method] tables of a model file, "formulation/integrator/drift+drift" on the
// command line. Every option is a declared field; one that the chosen words do not know is an error that says to which
// word it belongs.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/model/equation_model.hpp"
#include "driftless/model/value_kind.hpp"
#include "driftless/run/method.hpp"

namespace driftless {

/// What option values may refer to.
struct MethodContext {
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::string> position_rows;  ///< names, for gains per constraint
  std::vector<std::string> velocity_rows;
  bool has_time_rows = false;  ///< some constraint moves by itself
};

/// What the command line asks for on top.
struct MethodRequest {
  std::string word = {};  ///< empty: the file's default
  std::optional<double> step = {};
  std::optional<double> tolerance = {};
};

/// The method that `request` names: one of the file's, a preset, or words joined by '/'. Words on the command line
/// take step and tolerance from the file's [method] but no other option. What was set for the run as method.KEY holds
/// for the method named, too.
Method find_method(const std::vector<MethodSpec>& methods, const MethodRequest& request,
                   const MethodContext& context);

Method read_method(const MethodSpec& spec, const MethodContext& context);

/// In place of drift controls: none of them.
inline constexpr std::string_view kNoDrift = "none";

/// One documented option of one word.
struct OptionInfo {
  std::string key;
  std::string owner;  ///< "baumgarte", "project", or "integrator"
  std::string unit;
  std::string description;
  std::string fallback;  ///< the default as text
  ValueKind kind = ValueKind::number;
  Bounds bounds = {};
};
std::vector<OptionInfo> all_options();

struct WordInfo {
  std::string name;
  std::string kind;  ///< "formulation", "integrator", "drift", "preset"
  std::string summary;
};
std::vector<WordInfo> all_words();

}  // namespace driftless
