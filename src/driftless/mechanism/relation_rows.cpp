#include "driftless/mechanism/relation_rows.hpp"

#include <utility>

#include <fmt/format.h>

#include "driftless/model/mechanism_check.hpp"

namespace driftless {

bool RelationRows::add(const ElementSpec& element, const Relation& relation,
                       const std::vector<int>& frames, bool is_sound) {
  if (!relation.drives.empty()) {
    const auto [first, is_new] = driven_.try_emplace(relation.drives, element.name);
    if (!is_new) {
      errors_.add(element.where,
                  fmt::format("constraint.{} drives '{}', which constraint.{} drives already",
                              element.name, relation.drives, first->second),
                  "remove one of them");
      return false;
    }
  }
  RelationBlock block{element.name, frames, {}, {}, element.where};
  LawParts& laws = parts_.laws;
  bool moves = relation.prescribes;
  for (const Relation::Row& row : relation.rows) {
    if (!check_row(element, row, is_sound)) return false;
    moves |= laws.graph.depends_on(row.node, LawParts::time());
    block.rows.push_back(static_cast<int>(laws.position_rows.size()));
    std::string name = fmt::format("{}.{}", element.name, row.name);
    const std::string driven = relation.drives.empty() ? name : relation.drives;
    laws.position_rows.push_back(
        {std::move(name), row.node, std::string(row.unit), row.asked, driven, row.least});
  }
  for (const Relation::Row& row : relation.velocity_rows) {
    if (!check_row(element, row, is_sound) || !check_rate(element, row, is_sound)) return false;
    moves |= !relation.effort.empty();  // what is not homogeneous in the rates does work
    block.velocity_rows.push_back(static_cast<int>(laws.velocity_rows.size()));
    laws.velocity_rows.push_back(
        {fmt::format("{}.{}", element.name, row.name), row.node, std::string(row.unit)});
  }
  parts_.relations.push_back(std::move(block));
  measures_.add_relation(element.name, static_cast<int>(parts_.relations.size()) - 1, relation,
                         moves);
  return true;
}

bool RelationRows::check_row(const ElementSpec& element, const Relation::Row& row, bool is_sound) {
  for (const int variable : parts_.laws.graph.dependencies(row.node)) {
    if (variable != LawParts::time()) return true;
  }
  if (is_sound) {
    errors_.add(
        element.where,
        fmt::format("constraint.{}: the equation contains nothing that moves", element.name),
        "use measures, such as A.angle or crank.x");
  }
  return false;
}

bool RelationRows::check_rate(const ElementSpec& element, const Relation::Row& row, bool is_sound) {
  for (const int variable : parts_.laws.graph.dependencies(row.node)) {
    if (variable != LawParts::time() && variable % 2 == 0) return true;
  }
  if (is_sound) {
    const Value* equation = find_value(element.entries, "equation");
    errors_.add(equation != nullptr ? equation->where : element.where,
                fmt::format("constraint.{}.equation contains no rate, so that it holds nothing",
                            element.name),
                "for an equation of positions: type = \"coupler\"; a rate is A.rate or A.angle'");
  }
  return false;
}

}  // namespace driftless
