#include "element_help.hpp"

#include <fmt/format.h>

#include "driftless/model/element_types.hpp"

namespace driftless::cli {
namespace {

void print_field(const ElementField& field) {
  std::string notes;
  const auto add = [&](const std::string& note) { notes += (notes.empty() ? "" : "; ") + note; };
  if (field.needed) add("needed");
  if (!field.standard.empty()) add("default: " + field.standard);
  if (const std::string bounds = describe_bounds(field.bounds); !bounds.empty()) add(bounds);
  fmt::print("    {}{}: {}{}\n", field.key, field.unit.empty() ? "" : ", in " + field.unit,
             field.description, notes.empty() ? "" : " (" + notes + ")");
}

void print_example(const ElementType& type) {
  const std::string_view name = type.kind == "joint" ? "A" : type.kind == "force" ? "k" : "c";
  fmt::print("    example:\n");
  fmt::print("        [{}.{}]\n        type = \"{}\"\n", type.kind, name, type.name);
  fmt::print("        between = [\"ground\", \"crank\"]\n        at = \"A\"\n");
  for (const ElementField& field : type.fields) {
    if (field.needed) fmt::print("        {} = 1\n", field.key);
  }
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
    for (const ElementField& field : type.fields) print_field(field);
    print_example(type);
    found = true;
  }
  return found;
}

}  // namespace driftless::cli
