#include "driftless/model/names.hpp"

#include <fmt/format.h>

#include "driftless/expressions/parser.hpp"

namespace driftless {

namespace {

std::string explain_reserved(std::string_view name) {
  if (name == "t") return "it means the time";
  if (name == "pi") return "it means the number 3.14159...";
  if (name == "T") return "it means the kinetic energy";
  if (name == "U") return "it means the potential energy";
  return "it is a function";
}

}  // namespace

std::string shorten(std::string_view word) {
  constexpr std::size_t kMaxLength = 60;
  if (word.size() <= kMaxLength) return std::string(word);
  std::size_t end = kMaxLength;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U)
    --end;  // whole characters
  return std::string(word.substr(0, end)) + "...";
}

std::string suggest_name(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kMaxWord = 60;
  constexpr std::size_t kMaxCompared = 2000;
  constexpr std::size_t kMaxListed = 20;
  if (word.size() > kMaxWord || known.empty() || known.size() > kMaxCompared) return {};
  if (known.size() > kMaxListed && find_meant(word, known).empty()) return {};
  return suggest(word, known);
}

std::string describe_place(const Source& where) {
  if (where.line <= 0) return "earlier";
  return fmt::format("in line {}, column {}", where.line, where.column);
}

void Namespace::declare(std::string_view what, const std::string& name, const Source& where) {
  if (!is_identifier(name)) {
    findings_.push_back({where, fmt::format("'{}' cannot be the name of a {}", shorten(name), what),
                         "a name has letters, digits and _, and does not begin with a digit"});
    return;
  }
  if (is_reserved(name)) {
    findings_.push_back(
        {where,
         fmt::format("'{}' cannot be the name of a {}: {}", name, what, explain_reserved(name)),
         fmt::format("choose another name, for example '{}1'", name)});
    return;
  }
  const auto [first, inserted] = first_.try_emplace(name, Declared{std::string(what), where});
  if (inserted) return;
  findings_.push_back(
      {where,
       fmt::format("the name '{}' is given twice: to a {} here and to a {} {}", shorten(name), what,
                   first->second.what, describe_place(first->second.where)),
       fmt::format("{} must have different names", sharing_)});
}

void check_column_name(std::string_view what, const std::string& name, const Source& where,
                       Findings& findings) {
  if (name != "phi" && name != "phi_dot" && name != "energy_error" && name != "sigma_min" &&
      name != "order") {
    return;
  }
  findings.push_back(
      {where,
       fmt::format("'{}' cannot be the name of a {}: every result has a column of that name", name,
                   what),
       fmt::format("choose another name, for example '{}1'", name)});
}

void check_tables(const std::vector<TableSpec>& tables, Findings& findings) {
  for (const TableSpec& table : tables) {
    const bool plain = !table.file.empty() &&
                       table.file.find_first_of("/\\") == std::string::npos && table.file != "." &&
                       table.file != ".." && table.file.find(':') == std::string::npos;
    if (plain) continue;
    findings.push_back(
        {table.where,
         fmt::format("table.{} = '{}': must be the name of a file in the model's own folder",
                     shorten(table.name), shorten(table.file)),
         "put the CSV file beside the model and give its name without a path"});
  }
}

}  // namespace driftless
