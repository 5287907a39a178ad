#include "driftless/model/element_types.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>

#include "driftless/elements/constraints/all.hpp"
#include "driftless/elements/forces/all.hpp"
#include "driftless/elements/joints/all.hpp"
#include "driftless/elements/measures/all.hpp"
#include "driftless/model/names.hpp"

namespace driftless {
namespace {

template <class T>
std::string format_standard(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else if constexpr (std::is_same_v<T, Choice>) {
    return fmt::format("\"{}\"", value.word);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    const std::string_view text = value;
    return text.empty() ? std::string() : fmt::format("\"{}\"", text);
  } else {
    return {};
  }
}

template <class T>
constexpr FieldKind find_kind() {
  if constexpr (std::is_same_v<T, bool>) return FieldKind::flag;
  if constexpr (std::is_same_v<T, MeasureName>) return FieldKind::measure;
  if constexpr (std::is_same_v<T, std::vector<MeasureName>>) return FieldKind::measures;
  if constexpr (std::is_same_v<T, Formula>) return FieldKind::formula;
  if constexpr (std::is_same_v<T, FormulaVector>) return FieldKind::formulas;
  if constexpr (std::is_same_v<T, MatrixField>) return FieldKind::matrix;
  if constexpr (std::is_same_v<T, Choice>) return FieldKind::choice;
  return FieldKind::number;
}

template <class Spec>
std::vector<ElementField> describe_fields() {
  const Spec standard{};
  std::vector<ElementField> fields;
  for_each_field<Spec>([&](const auto& each) {
    const auto& value = standard.*(each.member);
    bool needed = each.bounds.needed;
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
      needed = !each.bounds.contains(static_cast<double>(value));
    }
    fields.push_back({std::string(each.key), std::string(each.unit), std::string(each.description),
                      needed ? std::string() : format_standard(value), needed, each.bounds,
                      find_kind<std::remove_cvref_t<decltype(value)>>()});
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Choice>) {
      fields.back().choices.assign(value.words.begin(), value.words.end());
    }
  });
  return fields;
}

template <class Spec>
ElementType describe_type(std::string_view kind) {
  ElementType type;
  type.kind = kind;
  type.name = Spec::kName;
  type.summary = Spec::kSummary;
  if constexpr (requires { Spec::kInPlane; }) type.in_plane = Spec::kInPlane;
  if constexpr (requires { Spec::kHasPlace; }) type.has_place = Spec::kHasPlace;
  if constexpr (requires { Spec::kAttachment; }) type.attachment = Spec::kAttachment;
  type.fields = describe_fields<Spec>();
  if constexpr (requires { make_joint(Spec{}, Space::space); }) {
    for (const JointCoordinate& each : make_joint(Spec{}, Space::space).coordinate_info) {
      type.coordinates.push_back(
          {std::string(each.name), std::string(each.rate), std::string(each.unit)});
    }
  }
  return type;
}

/// Calls function.operator()<Spec>() for every type of a list such as AllJoints.
template <class... Specs, class Function>
void for_each_type(const std::tuple<Specs...>*, Function&& function) {
  (function.template operator()<Specs>(), ...);
}

template <class List>
void add_types(std::string_view kind, std::vector<ElementType>& types) {
  for_each_type(static_cast<const List*>(nullptr),
                [&]<class Spec>() { types.push_back(describe_type<Spec>(kind)); });
}

/// Whole words, capitals or not.
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  constexpr std::size_t kMinLetters = 3;  // 'a' and 'of' tell nothing
  if (word.size() < kMinLetters) return false;
  auto found = std::search(text.begin(), text.end(), word.begin(), word.end(), same);
  while (found != text.end()) {
    const auto end = found + static_cast<std::ptrdiff_t>(word.size());
    const bool begins = found == text.begin() || !is_letter(*(found - 1));
    if (begins && (end == text.end() || !is_letter(*end))) return true;
    found = std::search(found + 1, text.end(), word.begin(), word.end(), same);
  }
  return false;
}

}  // namespace

const std::vector<ElementType>& all_element_types() {
  static const std::vector<ElementType> kTypes = [] {
    std::vector<ElementType> types;
    add_types<AllJoints>("joint", types);
    add_types<AllConstraints>("constraint", types);
    add_types<AllForces>("force", types);
    add_types<AllMeasures>("measure", types);
    return types;
  }();
  return kTypes;
}

const ElementType* find_element_type(std::string_view kind, std::string_view name) {
  const std::vector<ElementType>& types = all_element_types();
  const auto found = std::find_if(types.begin(), types.end(), [&](const ElementType& type) {
    return type.kind == kind && type.name == name;
  });
  return found == types.end() ? nullptr : &*found;
}

std::vector<std::string> known_types(std::string_view kind) {
  std::vector<std::string> names;
  for (const ElementType& type : all_element_types()) {
    if (type.kind == kind) names.push_back(type.name);
  }
  return names;
}

std::string suggest_type(std::string_view kind, const std::string& word) {
  const std::vector<std::string> known = known_types(kind);
  std::vector<std::string> sections;
  std::vector<const ElementType*> described;
  for (const ElementType& type : all_element_types()) {
    if (type.kind != kind && type.name == word)
      sections.push_back(fmt::format("[{}.NAME]", type.kind));
    if (type.kind == kind && has_word(type.summary, word)) described.push_back(&type);
  }
  if (!sections.empty())
    return fmt::format("a '{}' stands under {}", word, fmt::join(sections, " or "));
  if (find_nearest(word, known).empty() && described.size() == 1) {
    return fmt::format("did you mean '{}' ({})? known: {}", described.front()->name,
                       described.front()->summary, fmt::join(known, ", "));
  }
  return suggest_name(word, known);
}

}  // namespace driftless
