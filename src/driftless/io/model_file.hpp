#pragma once
// Model files: TOML text -> ModelFile. Everything wrong in a file is reported at once, by
// ModelError, with line and column. docs/reference/model-file.md is the user's side of this.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/model/equation_model.hpp"

namespace driftless {

/// Reads and checks a file. Expressions are kept as text: equations/ parses them.
ModelFile read_model_file(const std::string& path);

/// The same for a text in memory; `path` is used in messages and says in which folder tables are.
ModelFile parse_model(std::string_view toml_text, const std::string& path);

/// The same, but what is wrong is noted instead of thrown, unless the file is no TOML at all. What can be judged beyond
/// reading is up to add_further_errors.
ModelFile read_model_file(const std::string& path, DiagnosticList& findings);
ModelFile parse_model(std::string_view toml_text, const std::string& path,
                      DiagnosticList& findings);

/// For a model of which something wrong is known: adds whatever else is wrong with its elements, expressions, times and
/// methods, so that a user sees all at once. What follows from something named already is left out.
void add_further_errors(const ModelFile& file, DiagnosticList& findings);

/// `--set NAME=VALUE`, in order. NAME: a parameter, a coordinate (its start), a coordinate's rate
/// x', a mechanism's start value such as A.angle, run.until, run.every, run.start, method.KEY (the
/// default method), or method.NAME.KEY. VALUE: a number or an expression; for methods also true,
/// false and lists as in TOML.
void apply_overrides(ModelFile& file, const std::vector<std::pair<std::string, std::string>>& sets);

/// The same for what the user wrote in another way: `place` stands before messages, as "--vary alpha=3".
struct Override {
  std::string name;
  std::string text;
  std::string place;
};
void apply_placed_overrides(ModelFile& file, const std::vector<Override>& overrides);

}  // namespace driftless
