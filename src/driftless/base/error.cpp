#include "driftless/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "driftless/base/names.hpp"

namespace driftless {

std::string format_source(const Source& where) {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format("{}{}", text.empty() ? "" : ":", where.line);
  if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
  return text;
}

std::string format_diagnostic(const Diagnostic& diagnostic) {
  std::string text = format_source(diagnostic.where);
  if (!text.empty()) text += ": ";
  text += "error: " + diagnostic.message;
  if (!diagnostic.remedy.empty()) text += "\n    " + diagnostic.remedy;
  return text;
}

namespace {

std::string join_diagnostics(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += "\n";
    text += format_diagnostic(diagnostic);
  }
  return text;
}

}  // namespace

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join_diagnostics(diagnostics)), diagnostics_(std::move(diagnostics)) {}

ModelError::ModelError(Diagnostic diagnostic)
    : ModelError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

ModelError::ModelError(std::string message, std::string remedy)
    : ModelError(Diagnostic{{}, std::move(message), std::move(remedy)}) {}

void DiagnosticList::add(const ModelError& error) {
  items_.insert(items_.end(), error.diagnostics().begin(), error.diagnostics().end());
}

void DiagnosticList::add(const ModelError& error, std::string_view element, const Source& where) {
  for (Diagnostic each : error.diagnostics()) {
    if (each.where.line == where.line) each.message = fmt::format("{}: {}", element, each.message);
    items_.push_back(std::move(each));
  }
}

void DiagnosticList::add_further(const ModelError& error) {
  const auto told = static_cast<std::ptrdiff_t>(items_.size());
  for (const Diagnostic& each : error.diagnostics()) {
    const bool known =
        each.where.line > 0 && each.more == 0 &&
        std::any_of(items_.begin(), items_.begin() + told, [&](const Diagnostic& item) {
          return item.where.line == each.where.line && item.where.column == each.where.column;
        });
    if (!known) items_.push_back(each);
  }
}

void DiagnosticList::finish() const {
  if (items_.empty()) return;
  std::vector<Diagnostic> sorted = items_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.where.line, a.where.column, a.more) <
           std::tie(b.where.line, b.where.column, b.more);
  });
  // What several stages found, or several users of one formula, is told once.
  sorted.erase(std::unique(sorted.begin(), sorted.end(),
                           [](const Diagnostic& a, const Diagnostic& b) {
                             return a.where.line == b.where.line &&
                                    a.where.column == b.where.column && a.message == b.message;
                           }),
               sorted.end());
  std::size_t more = 0;  // of what earlier stages found and did not tell
  for (const Diagnostic& each : sorted) more += each.more;
  std::erase_if(sorted, [](const Diagnostic& each) { return each.more > 0; });
  // Nobody reads more than this; what remains shows once these are mended.
  constexpr std::size_t kMaxShown = 50;
  if (sorted.size() > kMaxShown) {
    more += sorted.size() - kMaxShown;
    sorted.resize(kMaxShown);
  }
  if (more > 0) {
    const Source last = sorted.empty() ? items_.back().where : sorted.back().where;
    sorted.push_back({last,
                      fmt::format("and {} more error{} after this one", more, more == 1 ? "" : "s"),
                      {},
                      more});
  }
  throw ModelError(std::move(sorted));
}

namespace {

/// Letters added, left out, replaced, or two neighbours exchanged.
std::size_t find_edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), above(b.size() + 1), second(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(second, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, above[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], second[j - 2] + 1);
    }
  }
  return row[b.size()];
}

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_first_letter(std::string_view a, std::string_view b) {
  return !a.empty() && !b.empty() && to_lower(a.front()) == to_lower(b.front());
}

/// The parts of a name: 'torsion' and 'spring' of 'torsion_spring', 'A' and 'angle' of 'A.angle'.
std::vector<std::string_view> split_name(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("_."), name.size());
    if (end > 0) parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

bool is_part(std::string_view word, std::string_view name) {
  const std::vector<std::string_view> parts = split_name(name);
  return std::find(parts.begin(), parts.end(), word) != parts.end();
}

/// 'body' of 'bodies', which no third of its letters away is near to.
bool is_plural(std::string_view word, std::string_view name) {
  constexpr std::string_view kEnding = "ies";
  return name.ends_with('y') && word.ends_with(kEnding) &&
         word.substr(0, word.size() - kEnding.size()) == name.substr(0, name.size() - 1);
}

constexpr std::size_t kShortPart = 3;  // fewer letters stand in words of all kinds

/// 'damp' of 'damping'.
bool is_beginning(std::string_view word, std::string_view name) {
  return word.size() > kShortPart && name.starts_with(word);
}

/// Known words of which a newcomer may have written a part, the beginning or the plural, or to which something was added,
/// each once and in the order of the known ones.
std::vector<std::string> find_kin(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> parts = split_name(word);
  const auto is_added =
      [&](const std::string& name) {  // 'rest_length' or 'rest_lenght' for 'length'
        return name.size() >= kShortPart && parts.size() > 1 &&
               std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
                 return part.size() >= kShortPart && find_edit_distance(part, name) <= 1;
               });
      };
  const auto is_glued = [&](const std::string& name) {  // 'stepsize' or 'timestep' for 'step'
    return name.size() > kShortPart && parts.size() == 1 &&
           (word.starts_with(name) || word.ends_with(name));
  };
  std::vector<std::string> kin;
  for (const std::string& name : known) {
    if (is_part(word, name) || is_plural(word, name) || is_beginning(word, name) ||
        is_added(name) || is_glued(name))
      kin.push_back(name);
  }
  return kin;
}

}  // namespace

std::string find_nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, (word.size() + 2) / 3) + 1;
  bool tied = false;
  const bool is_short = word.size() <= 2;
  for (const std::string& candidate : known) {
    if (is_short && !same_first_letter(word, candidate)) continue;
    const std::size_t distance = find_edit_distance(word, candidate);
    // Of two as near, the one that only goes on: 'points' for 'point', not 'joint'.
    const bool goes_on = candidate.starts_with(word) && !best.starts_with(word);
    if (distance < best_distance || (distance == best_distance && !best.empty() && goes_on)) {
      best_distance = distance;
      best = candidate;
      tied = false;
    } else if (distance == best_distance && candidate != best) {
      tied = true;
    }
  }
  return is_short && tied ? std::string() : best;
}

std::vector<std::string> find_meant(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kMaxKin = 3;  // of more, the list tells as well
  if (std::string nearest = find_nearest(word, known); !nearest.empty()) return {nearest};
  std::vector<std::string> kin = find_kin(word, known);
  if (kin.size() > kMaxKin) kin.clear();
  return kin;
}

std::string suggest(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string> meant = find_meant(word, known);
  if (!meant.empty()) return fmt::format("did you mean '{}'?", fmt::join(meant, "' or '"));
  constexpr std::size_t kListed = 40;
  return "known: " + list_names(known, kListed);
}

}  // namespace driftless
