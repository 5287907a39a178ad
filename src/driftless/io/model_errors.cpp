// Everything that is wrong with a model, also behind the first stage that found something: reading, elements and
// expressions, times, methods.

#include <set>

#include "driftless/equations/compile.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/mechanism/compile.hpp"
#include "driftless/model/parameters.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless {
namespace {

/// Calls `judge` and takes over what it throws.
template <class Judge>
void gather(DiagnosticList& findings, Judge&& judge) {
  try {
    judge();
  } catch (const ModelError& error) {
    findings.add_further(error);
  }
}

std::vector<std::pair<std::string, double>> find_parameters(const ModelFile& file) {
  std::set<std::string> used;
  ParameterScope scope(used);
  DiagnosticList ignored;  // compiling says it
  return read_parameters(file.common().parameters, scope, ignored);
}

/// Gains per constraint cannot be judged without the constraints.
bool needs_rows(const Value& value) { return value.is_list() || value.is_table(); }

MethodSpec leave_out_gains(MethodSpec method) {
  std::erase_if(method.entries, [](const auto& entry) {
    return needs_rows(entry.second) && entry.first != "drift" && entry.first != "tableau";
  });
  return method;
}

}  // namespace

void add_further_errors(const ModelFile& file, DiagnosticList& findings) {
  if (!file.doubtful) {
    gather(findings, [&] {
      if (file.mechanism) {
        compile(*file.mechanism);
      } else {
        compile(file.model);
      }
    });
  }
  const MethodContext context{find_parameters(file), {}, {}};
  gather(findings, [&] { read_run_times(file.run, context.parameters); });
  for (const MethodSpec& method : file.methods) {
    gather(findings, [&] { read_method(leave_out_gains(method), context); });
  }
}

}  // namespace driftless
