#pragma once
// Constraints made of expressions, as rows of the laws.

#include <map>
#include <string>
#include <vector>

#include "driftless/elements/law.hpp"
#include "driftless/mechanism/measures.hpp"
#include "driftless/model/mechanism_model.hpp"

namespace driftless {

class RelationRows {
 public:
  RelationRows(MechanismParts& parts, MeasureList& measures, DiagnosticList& errors)
      : parts_(parts), measures_(measures), errors_(errors) {}

  /// False: something is wrong with it, which is noted unless it may follow from an element that is not sound.
  bool add(const ElementSpec& element, const Relation& relation, const std::vector<int>& frames,
           bool is_sound);

 private:
  /// A row that nothing can move is a mistake.
  bool check_row(const ElementSpec& element, const Relation::Row& row, bool is_sound);
  /// A row of velocity holds rates: one of positions alone would hold nothing.
  bool check_rate(const ElementSpec& element, const Relation::Row& row, bool is_sound);

  MechanismParts& parts_;
  MeasureList& measures_;
  DiagnosticList& errors_;
  std::map<std::string, std::string> driven_;  // measure -> who drives it
};

}  // namespace driftless
