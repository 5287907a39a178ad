#include "driftless/run/method_suggestions.hpp"

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/run/integrator_reader.hpp"
#include "driftless/run/method_reader.hpp"
#include "driftless/run/method_words.hpp"

namespace driftless {
namespace {

/// "rk4 is an integrator: ..." for a word of another kind than the one wanted; empty for other words.
std::string explain_place(const std::string& word) {
  constexpr std::string_view kPlaces = "write formulation/integrator[/drift+drift], for example ";
  if (find_integrator(word) != nullptr)
    return fmt::format("{} is an integrator: {}{}/{}", word, kPlaces,
                       find_integrator(word)->half_explicit ? "index2"
                       : find_integrator(word)->implicit || find_integrator(word)->second_order
                           ? "ggl"
                           : "braun_goldfarb",
                       word);
  if (const auto found = find_spec<Formulation>(word))
    return fmt::format("{} is a formulation: {}{}/{}", word, kPlaces, word,
                       find_usual_integrator(word));
  if (find_spec<DriftSpec>(word))
    return fmt::format("{} is a drift control: {}index1/rk4/{}", word, kPlaces, word);
  return {};
}

std::vector<std::string> find_all_words() {
  std::vector<std::string> words = find_names<Formulation>();
  for (const IntegratorInfo& info : all_integrators()) words.emplace_back(info.name);
  for (const std::string& name : find_names<DriftSpec>()) words.push_back(name);
  return words;
}

}  // namespace

std::string suggest_word(const std::string& word, const std::vector<std::string>& known) {
  const std::string place = explain_place(word);
  if (!place.empty()) return place;
  if (find_meant(word, known).empty()) {
    const std::vector<std::string> elsewhere = find_meant(word, find_all_words());
    if (!elsewhere.empty()) {
      return fmt::format("did you mean '{}'? {}", elsewhere.front(),
                         explain_place(elsewhere.front()));
    }
  }
  return suggest(word, known);
}

std::vector<std::string> find_formulation_names() {
  std::vector<std::string> names = find_names<Formulation>();
  names.emplace_back(kConstraintStabilisation);
  return names;
}

}  // namespace driftless
