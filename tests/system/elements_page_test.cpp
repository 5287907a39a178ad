// The pages list every type of element as the program knows it.

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

/// "`position` (`speed`), `angle` (`rate`)"
std::string list_coordinates(const ElementType& type) {
  std::string list;
  for (const ElementCoordinate& each : type.coordinates) {
    list += fmt::format("{}`{}` (`{}`)", list.empty() ? "" : ", ", each.name, each.rate);
  }
  return list;
}

/// The table of a kind, as it must stand on the page.
std::string make_table(const std::string& kind) {
  const bool has_rows = kind == "joint" || kind == "constraint";
  std::vector<std::string> titles{"type", ""};
  if (has_rows) titles.emplace_back("rows");
  if (kind == "joint") titles.emplace_back("coordinates (rates)");
  titles.insert(titles.end(), {"in the plane", "example"});
  std::string table = "|", line = "|";
  for (const std::string& title : titles) {
    table += title.empty() ? " |" : " " + title + " |";
    line += "---|";
  }
  table += "\n" + line + "\n";
  for (const ElementType& type : all_element_types()) {
    if (type.kind != kind) continue;
    const std::string file = find_gallery_file(type) + ".toml";
    const auto [what, rows] =
        has_rows ? split_summary(type.summary) : std::pair{type.summary, std::string()};
    table += fmt::format("| `{}` | {} |", type.name, what);
    if (has_rows) table += fmt::format(" {} |", rows.empty() ? "none" : rows);
    if (kind == "joint") {
      const std::string list = list_coordinates(type);
      table += fmt::format(" {} |", list.empty() ? "none" : list);
    }
    table += fmt::format(" {} | [{}](../../models/elements/{}) |\n", type.in_plane ? "yes" : "no",
                         file, file);
  }
  return table;
}

std::string read_page(const std::string& path) {
  std::ifstream file(DRIFTLESS_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ElementsPage, ListsEveryTypeAsItIs) {
  const std::string page = read_page("docs/reference/elements.md");
  for (const std::string kind : {"joint", "constraint", "force", "measure"}) {
    const std::string table = make_table(kind);
    EXPECT_NE(page.find(table), std::string::npos) << "docs/reference/elements.md must contain:\n\n"
                                                   << table;
  }
}

TEST(ElementsPage, TheReadmeNamesEveryType) {
  const std::string page = read_page("README.md");
  for (const ElementType& type : all_element_types()) {
    const std::size_t line = page.find("\n| " + type.kind + "s | ");
    ASSERT_NE(line, std::string::npos) << type.kind;
    const std::string list = page.substr(line, page.find('\n', line + 1) - line);
    EXPECT_NE(list.find("`" + type.name + "`"), std::string::npos)
        << "README.md: add `" << type.name << "` to the line \"| " << type.kind << "s |\"";
  }
}

/// Whether a table of the page has a line for it: the name is a word of the line's first cell.
bool has_line(const std::string& page, const std::string& name) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    std::istringstream words(line.substr(2, line.find('|', 1) - 2));
    for (std::string word; words >> word;) {
      if (word == name || word == name + ",") return true;
    }
  }
  return false;
}

TEST(ElementsPage, TheTheoryHasTheEquationsOfEveryType) {
  const std::string page = read_page("docs/theory/README.md");
  for (const ElementType& type : all_element_types()) {
    if (type.kind == "measure") continue;
    EXPECT_TRUE(has_line(page, type.name))
        << "docs/theory/README.md: add the line of " << type.name << " to the table of "
        << type.kind << "s, with the rows of its .cpp file";
  }
}

}  // namespace
}  // namespace driftless::trials
