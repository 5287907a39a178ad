#pragma once
// What equation models and mechanisms have in common: texts with their places, and the sections that both may have.

#include <optional>
#include <string>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

/// An expression (or a number printed with all its digits) and where it stands.
struct Text {
  std::string text;
  Source where;
  bool doubtful = false;  ///< stands in for something wrong, which has been said
};

struct NamedText {
  std::string name;
  Text value;
  Source where = {};  ///< of the name
};

/// A quantity that stays constant but for `power`, the rate at which it is fed (0 if left out). The
/// name "energy" without power means: the work of forces, of explicit time and of moving
/// constraints is found by the program.
struct ConservedSpec {
  std::string name;
  Text value;
  std::optional<Text> power;
  Source where = {};  ///< of the name
};

/// A CSV beside the model file, read as a cubic spline by table(name, x).
struct TableSpec {
  std::string name;
  std::string file;
  Source where;
};

struct ModelCommon {
  std::string name;
  std::string description;  ///< one line: what it teaches
  std::vector<NamedText> parameters;
  std::vector<TableSpec> tables;
  std::vector<NamedText> records;
  std::vector<ConservedSpec> conserved;
  std::string folder;  ///< where the tables' files are: the model file's own folder
  Source where;
};

}  // namespace driftless
