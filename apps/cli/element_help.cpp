#include "element_help.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "examples.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/elements/joints/all.hpp"
#include "driftless/model/element_types.hpp"

namespace driftless::cli {
namespace {

/// What depends on the measure is told for both kinds of measures: "N/m or N*m/rad".
std::string describe_field_unit(const std::string& unit) {
  const auto replace = [&](std::string_view effort, std::string_view coordinate) {
    std::string text = unit;
    for (const auto& [mark, by] :
         {std::pair{std::string_view("<effort>"), effort}, {"<coordinate>", coordinate}}) {
      if (const std::size_t at = text.find(mark); at != std::string::npos) {
        text.replace(at, mark.size(), by);
      }
    }
    return text;
  };
  const std::string of_length = replace("N", "m");
  return of_length == unit ? unit : of_length + " or " + replace("N*m", "rad");
}

std::string describe_kind(const ElementField& field) {
  switch (field.kind) {
    case FieldKind::number:
      return field.unit.empty() ? "a number" : "in " + describe_field_unit(field.unit);
    case FieldKind::flag: return "true or false";
    case FieldKind::measure: return "the name of a measure";
    case FieldKind::measures: return "names of measures";
    case FieldKind::formula: return "a number or an expression";
    case FieldKind::formulas: return "numbers or expressions";
    case FieldKind::matrix: return "rows, or the diagonal";
    case FieldKind::choice: return fmt::format("\"{}\"", fmt::join(field.choices, "\" or \""));
  }
  return {};
}

/// "    radius, in m: of the rim (needed; greater than 0)"
void print_field(const std::string& name, const ElementField& field) {
  std::string notes;
  const auto add = [&](const std::string& note) { notes += (notes.empty() ? "" : "; ") + note; };
  if (field.needed) add("needed");
  if (!field.standard.empty()) add("default: " + field.standard);
  if (const std::string bounds = describe_bounds(field.bounds); !bounds.empty()) add(bounds);
  fmt::print("    {}, {}: {}{}\n", name, describe_kind(field), field.description,
             notes.empty() ? "" : " (" + notes + ")");
}

/// The keys that every element of that attachment has.
void print_attachment(Attachment attachment, bool has_place) {
  constexpr std::string_view kAxis =
      "    axis, x: directions of its axes z (in the plane: x) and x, as drawn: numbers, or two "
      "points";
  if (attachment == Attachment::two_frames) {
    fmt::print(
        "    between: the two bodies; one may be \"ground\"\n"
        "    at: where, as drawn: a point, or a list of two, one on each body{}\n"
        "{}; or a list of two, one per body\n"
        "    on, to: instead of all these, frames on the two bodies: {{ body, at, x, z }} or {{ "
        "frame }}\n",
        has_place ? "" : "; may be left out", kAxis);
  } else if (attachment == Attachment::one_frame) {
    fmt::print(
        "    body: on which it is\n"
        "    at: where, as drawn; left out: the mass centre\n"
        "{}\n"
        "    on: instead of all these, a frame on the body: {{ body, at, x, z }} or {{ frame }}\n",
        kAxis);
  }
}

/// "    coordinates, with their rates: NAME.position (NAME.speed) in m, NAME.angle (NAME.rate) in rad"
void print_coordinates(const ElementType& type) {
  std::string list;
  for (const ElementCoordinate& each : type.coordinates) {
    list += fmt::format("{}NAME.{} (NAME.{}) in {}", list.empty() ? "" : ", ", each.name, each.rate,
                        each.unit);
  }
  if (!list.empty()) fmt::print("    coordinates, with their rates: {}\n", list);
}

void print_example(const ElementType& type) {
  const Example* example = find_gallery_model(type.kind, type.name);
  std::string section = find_section(type.kind, type.name);
  if (example == nullptr || section.empty()) return;
  for (std::size_t at = section.find('\n'); at != std::string::npos; at = section.find('\n', at)) {
    section.replace(at, 1, "\n        ");
    at += 9;
  }
  fmt::print("    example, from driftless examples {}:\n        {}\n", example->name, section);
}

}  // namespace

std::vector<std::vector<std::string>> list_element_types(std::string_view kind) {
  std::vector<std::vector<std::string>> rows;
  for (const ElementType& type : all_element_types()) {
    if (type.kind == kind) rows.push_back({type.name, type.summary});
  }
  return rows;
}

bool explain_element_type(std::string_view name) {
  bool found = false;
  for (const ElementType& type : all_element_types()) {
    if (type.name != name) continue;
    fmt::print("{} ({}{})\n    {}\n", type.name, type.kind,
               type.in_plane ? "" : ", not in the plane", type.summary);
    print_attachment(type.attachment, type.has_place);
    for (const ElementField& field : type.fields) print_field(field.key, field);
    print_coordinates(type);
    print_example(type);
    found = true;
  }
  return found;
}

bool explain_element_key(std::string_view word) {
  bool found = false;
  for (const ElementType& type : all_element_types()) {
    for (const ElementField& field : type.fields) {
      const bool is_choice =
          std::find(field.choices.begin(), field.choices.end(), word) != field.choices.end();
      const bool is_full = word == type.name + "." + field.key;
      if (field.key != word && !is_choice && !is_full) continue;
      if (!found) fmt::print("{} ({} of elements)\n", word, is_choice ? "value" : "key");
      print_field(type.name + "." + field.key, field);
      found = true;
    }
  }
  return found;
}

namespace {

/// What a measure is called behind its owner's name, in results and in expressions.
struct MeasureWord {
  std::string_view word;
  std::string_view description;
};

constexpr MeasureWord kMeasureWords[] = {
    {"x", "place along x: of a body's mass centre, of a frame on it, or of a declared point; in m"},
    {"y", "likewise along y"},
    {"z", "likewise along z"},
    {"angle", "in the plane: how far a body has turned since the drawing; in rad, over all turns"},
    {"wx", "of a body in space: angular velocity along its own axis x, in rad/s"},
    {"wy", "likewise along its y"},
    {"wz", "likewise along its z"},
    {"q0", "of a body in space: the quaternion that turns its axes into the world's, q0 to q3"},
    {"q1", "likewise"},
    {"q2", "likewise"},
    {"q3", "likewise"},
    {"force.x", "reaction of a joint or constraint on the second body along the world's x, in N"},
    {"force.y", "likewise along y"},
    {"force.z", "likewise along z"},
    {"torque.x",
     "reaction of a joint or constraint on the second body about the world's x, in N*m"},
    {"torque.y", "likewise about y"},
    {"torque.z", "likewise about z"},
    {"force", "what a spring, motor, drive, rack or belt does along its line or measure, in N"},
    {"torque", "what a spring, motor, drive or gear does on its angle, in N*m"},
    {"effort", "what a coupler or an equation of velocities does, per unit of the equation"},
    {"power", "of a force, or of what moves by t, in W"},
};

/// The words that joints give their coordinates and rates, with the joints that do.
std::map<std::string, std::string> find_coordinate_words() {
  std::map<std::string, std::string> words;
  const auto add = [&](std::string_view word, const std::string& what) {
    std::string& text = words[std::string(word)];
    text += (text.empty() ? "" : "; ") + what;
  };
  std::apply(
      [&](auto... spec) {
        const auto describe = [&](const auto& each) {
          for (const JointCoordinate& info : make_joint(each, Space::space).coordinate_info) {
            add(info.name, fmt::format("coordinate of a {} joint, in {}", each.kName, info.unit));
            add(info.rate,
                fmt::format("rate of {} of a {} joint, in {}/s", info.name, each.kName, info.unit));
          }
        };
        (describe(spec), ...);
      },
      AllJoints{});
  return words;
}

}  // namespace

bool explain_measure(std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  std::string_view word = name.substr(dot + 1);
  std::string_view what = "";
  for (const auto& [prefix, meaning] :
       {std::pair{std::string_view("first."), std::string_view("on the first body: ")},
        std::pair{std::string_view("joint."),
                  std::string_view("along the axes of the joint's first frame: ")}}) {
    if (!word.starts_with(prefix)) continue;
    word.remove_prefix(prefix.size());
    what = meaning;
  }
  std::size_t rates = 0;
  for (; word.ends_with('\''); word.remove_suffix(1)) ++rates;
  if (rates > 2) return false;
  std::vector<std::string> texts;
  for (const MeasureWord& each : kMeasureWords) {
    if (each.word == word) texts.emplace_back(each.description);
  }
  const auto coordinates = find_coordinate_words();
  if (const auto found = coordinates.find(std::string(word)); found != coordinates.end()) {
    texts.push_back(found->second);
  }
  if (texts.empty()) return false;
  fmt::print("NAME.{} (column of a mechanism's result, measure in expressions)\n",
             name.substr(dot + 1));
  for (const std::string& text : texts) {
    fmt::print("    {}{}{}\n",
               rates == 1   ? "rate of: "
               : rates == 2 ? "acceleration of: "
                            : "",
               what, text);
  }
  return true;
}

}  // namespace driftless::cli
