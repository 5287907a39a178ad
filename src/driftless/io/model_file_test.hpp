#pragma once
// Shared by the tests of model files.

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"

namespace driftless::testing {

/// What reading the text throws; empty if it is accepted.
inline std::vector<Diagnostic> find_errors(std::string_view text) {
  try {
    parse_model(text, "model.toml");
  } catch (const ModelError& error) {
    return error.diagnostics();
  }
  return {};
}

inline std::string print(const std::vector<Diagnostic>& errors) {
  std::string text;
  for (const Diagnostic& error : errors) text += format_diagnostic(error) + "\n";
  return text;
}

/// There is an error at this place whose message or remedy contains the fragment.
inline ::testing::AssertionResult has_error(const std::vector<Diagnostic>& errors, int line,
                                            int column, std::string_view fragment) {
  for (const Diagnostic& error : errors) {
    const std::string shown = error.message + "\n" + error.remedy;
    if (error.where.file == "model.toml" && error.where.line == line &&
        error.where.column == column && shown.find(fragment) != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
  }
  return ::testing::AssertionFailure()
         << "no '" << fragment << "' at " << line << ":" << column << " in\n"
         << print(errors);
}

/// Lines 1 to 5 of a model of one coordinate x; what a test adds begins in line 6.
inline std::string with_head(std::string_view rest) {
  return "format = \"driftless/1\"\n[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n" +
         std::string(rest);
}

}  // namespace driftless::testing
