#pragma once
// One element of a mechanism's file, read key by key. Every fault is noted with its place and a harmless value takes the
// place of the wrong one, so that a user sees all faults at once; `finish` reports the keys that nobody asked for.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "driftless/base/fields.hpp"
#include "driftless/elements/field_types.hpp"
#include "driftless/math/vec3.hpp"
#include "driftless/mechanism/name_index.hpp"
#include "driftless/model/mechanism_model.hpp"
#include "driftless/model/scopes.hpp"

namespace driftless {

/// What reading needs to know: parameters, hardpoints, where faults go.
struct ReadingContext {
  const ParameterScope& parameters;
  DiagnosticList& errors;
  bool plane = false;
  std::string folder = {};          ///< of the model file: where meshes are
  bool meshes_may_be_gone = false;  ///< then a body without its mesh is drawn by its shape
  std::vector<std::pair<std::string, Vector3>> points = {};
  std::set<std::string, std::less<>> doubtful_points = {};  ///< something is wrong with them
  std::size_t doubts = 0;  ///< how often something was used that is wrong, which has been said

  /// Where it has grown, what was read meanwhile is not fit to be judged any further.
  std::size_t trouble() const { return errors.size() + doubts; }
  /// Who is asked for counts as used.
  const Vector3* find_point(std::string_view name);
  std::set<std::string, std::less<>> used_points = {};
  std::set<std::string, std::less<>> used_frames = {};  ///< "crank.tip"
  NameIndex point_places = {};
};

/// Of a number along a measure that is not known: its unit is not judged.
inline constexpr std::string_view kAnyUnit = "any";

class ElementReader {
 public:
  /// `what` and the name make "joint.A" in messages.
  ElementReader(std::string_view what, const ElementSpec& spec, ReadingContext& context);
  /// A table inside of an element, such as `on` or `pose`.
  ElementReader(std::string path, const Value& table, ReadingContext& context);

  const std::string& path() const { return path_; }
  const Source& where() const { return where_; }
  /// "force.k.law", of the key whose value stands there; else the path alone.
  std::string name_place(const Source& where) const;
  ReadingContext& context() { return context_; }

  bool has(std::string_view key) const { return peek(key) != nullptr; }
  /// The value of a key, which counts as read; null if there is none.
  const Value* take(std::string_view key);

  std::optional<double> number(std::string_view key, std::string_view unit,
                               const Bounds& bounds = {});
  std::optional<std::string> text(std::string_view key);
  /// A list of numbers of this length (2 in the plane and 3 in space if 0).
  std::optional<Vector3> vector(std::string_view key, std::string_view unit);
  /// A hardpoint's name, or coordinates.
  std::optional<Vector3> point(std::string_view key);
  std::optional<std::vector<std::string>> words(std::string_view key, std::size_t count);
  /// A direction of length 1. After choose_side, a list of two gives the first or the second one.
  std::optional<Vector3> direction(std::string_view key);
  void choose_side(std::size_t side) { side_ = side; }

  double read_number(const Value& value, std::string_view key, std::string_view unit,
                     const Bounds& bounds = {});
  Vector3 read_vector(const Value& value, std::string_view key, std::string_view unit);
  Vector3 read_point(const Value& value, std::string_view key);

  void fault(const Source& where, std::string message, std::string remedy = {});
  /// "joint.A.at is missing", unless `finish` finds that it, or another key that would do, is only misspelt.
  void miss(std::string_view key, std::string remedy = {}, std::vector<std::string> others = {});
  /// Whether some key that is not known is nearest to this one.
  bool misspells(std::string_view key) const;
  /// Keys that were not read are faults, with the nearest known one.
  void finish();
  /// A key that may stand here, too, though nobody asks for it in this case.
  void know(std::string_view key) { known_.emplace_back(key); }

  /// All fields of a spec that the file gives. A field without a default that is missing is a fault.
  template <class Spec>
  void read_fields(Spec& spec) {
    for_each_field<Spec>([&](const auto& each) {
      auto& member = spec.*(each.member);
      const bool given = read_field(each.key, find_unit(each.unit), each.bounds, member);
      bool missing = each.bounds.needed;
      if constexpr (std::is_same_v<std::decay_t<decltype(member)>, double>) {
        missing = !each.bounds.contains(member);
      }
      if (!given && missing) miss(each.key, std::string(each.description));
    });
  }

  /// What <coordinate> and <effort> mean in the units of fields: a force's coordinate is a length or an angle.
  void set_coordinate_unit(std::string_view unit) {
    knows_coordinate_ = unit == "rad" || unit == "m";
    coordinate_is_angle_ = unit == "rad";
  }

 private:
  const Value* peek(std::string_view key) const;
  std::vector<std::string> list_known() const;
  std::string name_key(std::string_view key) const;
  std::string find_unit(std::string_view unit) const;

  // One per type that a field may have. True if the key is there, right or wrong.
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  double& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  std::optional<double>& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  bool& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  MeasureName& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  std::vector<MeasureName>& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  Formula& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  FormulaVector& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  MatrixField& member);
  bool read_field(std::string_view key, const std::string& unit, const Bounds& bounds,
                  Choice& member);
  Vector3 read_direction(const Value& value, std::string_view key);
  bool has_length(const Value& value) const;
  bool read_formula(const Value& value, std::string_view key, const std::string& unit,
                    Formula& formula);
  void check_formula_unit(const Value& value, std::string_view key, const std::string& unit);

  std::string path_;
  Source where_;
  ReadingContext& context_;
  const Value::Table* entries_;
  std::vector<std::string> known_;  // keys asked for
  struct Missing {
    std::string key;
    std::string remedy;
    std::vector<std::string> others;  // which would do as well
  };
  std::vector<Missing> missing_;
  Value::Table none_;
  bool coordinate_is_angle_ = false;
  bool knows_coordinate_ = false;
  std::optional<std::size_t> side_;
};

}  // namespace driftless
