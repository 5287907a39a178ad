// docs/reference/elements.md lists every type of element as the program knows it.

#include <cctype>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/model/element_types.hpp"
#include "tests/system/gallery_promises.hpp"

namespace driftless::trials {
namespace {

/// A summary ends with its rows, if it has some: "a hinge: turns about its axis, 5 rows (2 in the plane)".
std::pair<std::string, std::string> split_summary(const std::string& summary) {
  const std::size_t comma = summary.rfind(", ");
  if (comma == std::string::npos) return {summary, ""};
  const std::string rows = summary.substr(comma + 2);
  if (std::isdigit(static_cast<unsigned char>(rows[0])) == 0) return {summary, ""};
  return {summary.substr(0, comma), rows};
}

/// The table of a kind, as it must stand on the page.
std::string make_table(const std::string& kind) {
  const bool has_rows = kind == "joint" || kind == "constraint";
  std::string table = has_rows
                          ? "| type | | rows | in the plane | example |\n|---|---|---|---|---|\n"
                          : "| type | | in the plane | example |\n|---|---|---|---|\n";
  for (const ElementType& type : all_element_types()) {
    if (type.kind != kind) continue;
    const std::string file = find_gallery_file(type) + ".toml";
    const auto [what, rows] =
        has_rows ? split_summary(type.summary) : std::pair{type.summary, std::string()};
    table += fmt::format("| `{}` | {} |", type.name, what);
    if (has_rows) table += fmt::format(" {} |", rows.empty() ? "none" : rows);
    table += fmt::format(" {} | [{}](../../models/elements/{}) |\n", type.in_plane ? "yes" : "no",
                         file, file);
  }
  return table;
}

TEST(ElementsPage, ListsEveryTypeAsItIs) {
  std::ifstream file(DRIFTLESS_SOURCE_DIR "/docs/reference/elements.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  for (const std::string kind : {"joint", "constraint", "force", "measure"}) {
    const std::string table = make_table(kind);
    EXPECT_NE(page.find(table), std::string::npos) << "docs/reference/elements.md must contain:\n\n"
                                                   << table;
  }
}

}  // namespace
}  // namespace driftless::trials
