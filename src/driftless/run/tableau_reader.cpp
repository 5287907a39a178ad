#include "driftless/run/tableau_reader.hpp"

#include <numeric>

#include <fmt/format.h>

#include "driftless/model/keys.hpp"

namespace driftless {
namespace {

std::vector<double> read_list(const Value& value, std::string_view key,
                              const OptionContext& context) {
  if (!value.is_list()) {
    throw ModelError(Diagnostic{
        value.where, fmt::format("method.tableau.{}: a list is wanted, not {}", key, value.kind()),
        ""});
  }
  std::vector<double> numbers;
  for (const Value& item : value.list())
    numbers.push_back(read_number(item, {key, "", {}}, context));
  return numbers;
}

std::vector<std::vector<double>> read_rows(const Value& value, const OptionContext& context) {
  if (!value.is_list()) {
    throw ModelError(Diagnostic{value.where,
                                "method.tableau.a: a list of rows is wanted, not " + value.kind(),
                                "one row per stage, the first one empty: a = [[], [0.5]]"});
  }
  std::vector<std::vector<double>> rows;
  for (const Value& row : value.list()) rows.push_back(read_list(row, "a", context));
  return rows;
}

}  // namespace

Tableau read_tableau(const Value& value, const OptionContext& context) {
  if (!value.is_table()) {
    throw ModelError(Diagnostic{value.where,
                                "method.tableau: a table is wanted, not " + value.kind(),
                                "tableau = { order = ..., a = [...], b = [...] }"});
  }
  OptionContext local = context;
  local.prefix = "method.tableau.";
  Tableau tableau;
  tableau.name = "tableau";
  std::vector<double> b_hat;
  for (const auto& [key, entry] : value.table()) {
    if (key == "order") {
      read_option(entry, {"order", "", find_key_bounds("method.tableau.order")}, local,
                  tableau.order);
    } else if (key == "error_order") {
      read_option(entry, {"error_order", "", find_key_bounds("method.tableau.error_order")}, local,
                  tableau.error_order);
    } else if (key == "a") {
      tableau.a = read_rows(entry, local);
    } else if (key == "b") {
      tableau.b = read_list(entry, "b", local);
    } else if (key == "c") {
      tableau.c = read_list(entry, "c", local);
    } else if (key == "b_hat") {
      b_hat = read_list(entry, "b_hat", local);
    } else {
      throw ModelError(Diagnostic{entry.where, "method.tableau has no key '" + key + "'",
                                  suggest(key, list_keys_below("method.tableau"))});
    }
  }
  if (tableau.c.empty()) {
    for (const std::vector<double>& row : tableau.a)
      tableau.c.push_back(std::accumulate(row.begin(), row.end(), 0.0));
  }
  if (!b_hat.empty() && b_hat.size() != tableau.b.size()) {
    throw ModelError(Diagnostic{value.where,
                                fmt::format("method.tableau.b_hat has {} entries, b has {}",
                                            b_hat.size(), tableau.b.size()),
                                ""});
  }
  for (std::size_t k = 0; k < b_hat.size(); ++k) tableau.e.push_back(tableau.b[k] - b_hat[k]);
  try {
    check_tableau(tableau);
  } catch (const ModelError& error) {
    std::vector<Diagnostic> placed = error.diagnostics();
    for (Diagnostic& diagnostic : placed) diagnostic.where = value.where;
    throw ModelError(std::move(placed));
  }
  return tableau;
}

}  // namespace driftless
