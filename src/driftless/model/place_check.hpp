#pragma once
// Places in a model: points by their names or coordinates.

#include <string>
#include <unordered_set>
#include <vector>

#include "driftless/model/mechanism_model.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

class PlaceCheck {
 public:
  PlaceCheck(const MechanismModel& model, Findings& findings);

  /// True if the value is a list of as many numbers as the space has directions; else says what is wrong.
  bool check_coordinates(const std::string& key, const Value& value);
  /// A point by its name or its coordinates.
  void check_place(const std::string& key, const Value& value);
  /// One place for both bodies, or one for each.
  void check_places(const std::string& key, const Value& value);

 private:
  void check_point_name(const std::string& key, const std::string& name, const Source& where);
  /// ["P", "B"] or [[0, 0], "B"], one place per body; not [1, "l/2"] or, in the plane, ["a", "b"] of parameters.
  bool is_point_pair(const Value::List& list) const;

  void add(const Source& where, std::string message, std::string remedy = {}) {
    findings_.push_back({where, std::move(message), std::move(remedy)});
  }
  std::size_t size() const { return model_.plane ? 2 : 3; }
  std::string example() const { return model_.plane ? "[x, y]" : "[x, y, z]"; }

  const MechanismModel& model_;
  Findings& findings_;
  std::vector<std::string> point_names_;
  std::unordered_set<std::string> points_;
  std::unordered_set<std::string> parameters_;
};

}  // namespace driftless
