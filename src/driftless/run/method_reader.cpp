#include "driftless/run/method_reader.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/run/option_value.hpp"
#include "driftless/run/tableau_reader.hpp"

namespace driftless {
namespace {

template <class Variant, std::size_t Index = 0, class Function>
void for_each_alternative(Function&& function) {
  if constexpr (Index < std::variant_size_v<Variant>) {
    function(std::variant_alternative_t<Index, Variant>{});
    for_each_alternative<Variant, Index + 1>(function);
  }
}

template <class Variant>
std::vector<std::string> find_names() {
  std::vector<std::string> names;
  for_each_alternative<Variant>([&](const auto& spec) { names.emplace_back(spec.kName); });
  return names;
}

template <class Variant>
std::optional<Variant> find_spec(std::string_view name) {
  std::optional<Variant> found;
  for_each_alternative<Variant>([&](const auto& spec) {
    if (spec.kName == name) found = spec;
  });
  return found;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : all_integrators()) names.emplace_back(info.name);
  names.emplace_back("tableau");
  return names;
}

constexpr std::array<std::string_view, 9> kCommonKeys{"formulation", "integrator", "drift",
                                                      "step",        "tolerance",  "rtol",
                                                      "atol",        "max_step",   "tableau"};

bool is_common(std::string_view key) {
  return std::find(kCommonKeys.begin(), kCommonKeys.end(), key) != kCommonKeys.end();
}

const Value* find_entry(const MethodSpec& spec, std::string_view key) {
  for (const auto& [name, value] : spec.entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string read_word(const MethodSpec& spec, std::string_view key, std::string fallback) {
  const Value* value = find_entry(spec, key);
  if (value == nullptr) return fallback;
  if (!value->is_text()) {
    throw ModelError(Diagnostic{
        value->where, fmt::format("method.{}: a text is wanted, not {}", key, value->kind()),
        fmt::format("for example {} = \"{}\"", key, fallback)});
  }
  return value->text();
}

Formulation read_formulation(const MethodSpec& spec) {
  const std::string word = read_word(spec, "formulation", std::string(BraunGoldfarb::kName));
  if (auto found = find_spec<Formulation>(word)) return *found;
  const Value* value = find_entry(spec, "formulation");
  throw ModelError(Diagnostic{value != nullptr ? value->where : spec.where,
                              "there is no formulation '" + word + "'",
                              suggest(word, find_names<Formulation>())});
}

DriftSpec make_drift(const std::string& word, const Source& where, bool braun_goldfarb) {
  auto found = find_spec<DriftSpec>(word);
  if (!found) {
    throw ModelError(Diagnostic{where, "there is no drift control '" + word + "'",
                                suggest(word, find_names<DriftSpec>())});
  }
  if (braun_goldfarb && std::holds_alternative<Project>(*found))
    std::get<Project>(*found).iterations = 1;
  return *found;
}

std::vector<DriftSpec> read_drift(const MethodSpec& spec, const Formulation& formulation) {
  const bool braun_goldfarb = std::holds_alternative<BraunGoldfarb>(formulation);
  const Value* value = find_entry(spec, "drift");
  if (value == nullptr) {
    if (!braun_goldfarb) return {};
    return {make_drift("project", spec.where, true), make_drift("energy", spec.where, true)};
  }
  std::vector<std::pair<std::string, Source>> words;
  if (value->is_text()) {
    if (value->text() != "none" && !value->text().empty())
      words.emplace_back(value->text(), value->where);
  } else if (value->is_list()) {
    for (const Value& item : value->list()) {
      if (!item.is_text())
        throw ModelError(
            Diagnostic{item.where, "method.drift: a text is wanted, not " + item.kind(), ""});
      words.emplace_back(item.text(), item.where);
    }
  } else {
    throw ModelError(Diagnostic{value->where,
                                "method.drift: a list of words is wanted, not " + value->kind(),
                                "for example drift = [\"project\", \"energy\"]"});
  }
  std::vector<DriftSpec> drift;
  std::set<std::string> seen;
  for (const auto& [word, where] : words) {
    if (!seen.insert(word).second) {
      throw ModelError(
          Diagnostic{where, "method.drift: '" + word + "' is listed twice", "name it once"});
    }
    drift.push_back(make_drift(word, where, braun_goldfarb));
  }
  // Position and velocity are corrected before the invariants, whatever the order of the words.
  std::stable_sort(drift.begin(), drift.end(), [](const DriftSpec& a, const DriftSpec& b) {
    return std::holds_alternative<Project>(a) && !std::holds_alternative<Project>(b);
  });
  return drift;
}

IntegratorChoice read_integrator(const MethodSpec& spec, const OptionContext& context) {
  IntegratorChoice choice;
  choice.name = read_word(spec, "integrator", "rk4");
  const Value* name_value = find_entry(spec, "integrator");
  const Source& where = name_value != nullptr ? name_value->where : spec.where;
  bool can_adapt = false;
  if (const Value* tableau = find_entry(spec, "tableau")) {
    choice.tableau = read_tableau(*tableau, context);
    can_adapt = !choice.tableau->e.empty();
  } else if (const IntegratorInfo* info = find_integrator(choice.name)) {
    can_adapt = info->adaptive;
  } else if (choice.name == "tableau") {
    throw ModelError(Diagnostic{where, "integrator = \"tableau\" needs its coefficients",
                                "add tableau = { order = ..., a = [...], b = [...] }"});
  } else {
    throw ModelError(Diagnostic{where, "there is no integrator '" + choice.name + "'",
                                suggest(choice.name, integrator_names())});
  }
  const Value* step = find_entry(spec, "step");
  const Value* tolerance = find_entry(spec, "tolerance");
  const Value* rtol = find_entry(spec, "rtol");
  const Value* atol = find_entry(spec, "atol");
  const bool wants_control = tolerance != nullptr || rtol != nullptr || atol != nullptr;
  if (step != nullptr && wants_control) {
    throw ModelError(Diagnostic{step->where, "method: both a fixed step and a tolerance are given",
                                "keep step for fixed steps, or tolerance for adaptive ones"});
  }
  if (tolerance != nullptr && (rtol != nullptr || atol != nullptr)) {
    throw ModelError(Diagnostic{tolerance->where,
                                "method: both tolerance and rtol or atol are given",
                                "tolerance sets rtol and atol alike; keep one way"});
  }
  choice.adaptive = wants_control || (step == nullptr && can_adapt);
  if (choice.adaptive && !can_adapt) {
    throw ModelError(Diagnostic{
        where, fmt::format("{} has no error estimate, so it cannot keep a tolerance", choice.name),
        "give a step, or use an integrator that adapts: dopri5, dop853"});
  }
  const OptionField tolerance_field{"tolerance", "", Bounds{1e-14, 1.0}};
  if (step != nullptr) choice.step = read_number(*step, {"step", "s", kPositive}, context);
  if (tolerance != nullptr)
    choice.rtol = choice.atol = read_number(*tolerance, tolerance_field, context);
  if (rtol != nullptr) choice.rtol = read_number(*rtol, {"rtol", "", Bounds{1e-14, 1.0}}, context);
  if (atol != nullptr) choice.atol = read_number(*atol, {"atol", "", kPositive}, context);
  if (choice.adaptive) choice.step = 0.0;
  if (const Value* value = find_entry(spec, "max_step")) {
    choice.max_step = read_number(*value, {"max_step", "s", kPositive}, context);
  }
  return choice;
}

/// Reads `value` into every field of `spec` called `key`. True if there is one.
template <class Spec>
bool read_into(Spec& spec, const std::string& key, const Value& value,
               const OptionContext& context) {
  bool found = false;
  for_each_field<Spec>([&](const auto& each) {
    if (each.key != key) return;
    read_option(value, {each.key, each.unit, each.bounds}, context, spec.*(each.member));
    found = true;
  });
  return found;
}

[[noreturn]] void refuse_key(const std::string& key, const Value& value, const Method& method) {
  std::vector<std::string> known(kCommonKeys.begin(), kCommonKeys.end());
  for (const OptionInfo& option : all_options()) {
    if (option.key == key) {
      throw ModelError(Diagnostic{value.where,
                                  fmt::format("method.{} is an option of {}, but this method is {}",
                                              key, option.owner, describe(method)),
                                  fmt::format("remove it, or use {}", option.owner)});
    }
    known.push_back(option.key);
  }
  throw ModelError(
      Diagnostic{value.where, "method has no option '" + key + "'", suggest(key, known)});
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

MethodSpec spec_from_words(const std::string& word, std::string_view words) {
  const std::vector<std::string> parts = split(words, '/');
  if (parts.size() > 3) {
    throw ModelError("method '" + word + "' has more than three parts",
                     "write formulation/integrator or formulation/integrator/drift+drift");
  }
  MethodSpec spec;
  spec.name = word;
  spec.entries.emplace_back("formulation", Value{parts[0], {}});
  if (parts.size() > 1) spec.entries.emplace_back("integrator", Value{parts[1], {}});
  if (parts.size() > 2) {
    Value::List drift;
    if (parts[2] != "none") {
      for (const std::string& part : split(parts[2], '+')) drift.push_back(Value{part, {}});
    }
    spec.entries.emplace_back("drift", Value{std::move(drift), {}});
  }
  return spec;
}

void erase_entry(MethodSpec& spec, std::string_view key) {
  std::erase_if(spec.entries, [&](const auto& entry) { return entry.first == key; });
}

const MethodSpec* find_named(const std::vector<MethodSpec>& methods, std::string_view name) {
  for (const MethodSpec& spec : methods) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

/// Words on the command line take step or tolerance from the file, whichever fits the integrator.
void inherit_steps(MethodSpec& spec, const MethodSpec* base) {
  if (base == nullptr) return;
  const Value* word = find_entry(spec, "integrator");
  const Value* base_word = find_entry(*base, "integrator");
  if (word == nullptr && base_word != nullptr) {
    spec.entries.emplace_back("integrator", *base_word);
    word = base_word;
  }
  const IntegratorInfo* info =
      find_integrator(word != nullptr && word->is_text() ? word->text() : "rk4");
  const bool adaptive = info != nullptr && info->adaptive;
  for (const std::string_view key : {"step", "tolerance", "rtol", "atol", "max_step"}) {
    const Value* value = find_entry(*base, key);
    if (value != nullptr && (key == "step") != adaptive) spec.entries.emplace_back(key, *value);
  }
}

MethodSpec find_method_spec(const std::vector<MethodSpec>& methods, const std::string& word) {
  const MethodSpec* base = find_named(methods, "");
  if (word.empty()) return base != nullptr ? *base : MethodSpec{};
  if (const MethodSpec* named = find_named(methods, word)) return *named;
  const std::string head = split(word, '/')[0];
  if (word.find('/') == std::string::npos) {
    for (const Preset& preset : all_presets()) {
      if (preset.name != word) continue;
      MethodSpec spec = spec_from_words(word, preset.words);
      // A preset that is a bare formulation keeps the file's integrator.
      if (find_spec<Formulation>(word)) erase_entry(spec, "integrator");
      inherit_steps(spec, base);
      return spec;
    }
  }
  if (!find_spec<Formulation>(head)) {
    std::vector<std::string> known = find_names<Formulation>();
    for (const Preset& preset : all_presets()) known.emplace_back(preset.name);
    for (const MethodSpec& spec : methods) {
      if (!spec.name.empty()) known.push_back(spec.name);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw ModelError("there is no method '" + word + "'", suggest(head, known));
  }
  MethodSpec spec = spec_from_words(word, word);
  inherit_steps(spec, base);
  return spec;
}

}  // namespace

Method read_method(const MethodSpec& spec, const MethodContext& context) {
  OptionContext options{context.parameters, context.position_rows, "method."};
  Method method;
  method.name = spec.name;
  method.formulation = read_formulation(spec);
  method.integrator = read_integrator(spec, options);
  method.drift = read_drift(spec, method.formulation);
  // Gains may scale with the step: alpha = "2/h".
  if (!method.integrator.adaptive) options.names.emplace_back("h", method.integrator.step);
  DiagnosticList errors;
  for (const auto& [key, value] : spec.entries) {
    if (is_common(key)) continue;
    try {
      OptionContext local = options;
      if (key == "eta") local.rows = context.velocity_rows;
      bool known = std::visit(
          [&, &key_ = key, &value_ = value](auto& f) { return read_into(f, key_, value_, local); },
          method.formulation);
      for (DriftSpec& drift : method.drift) {
        known |= std::visit([&, &key_ = key, &value_ = value](
                                auto& d) { return read_into(d, key_, value_, local); },
                            drift);
      }
      if (!known) refuse_key(key, value, method);
    } catch (const ModelError& error) {
      errors.add(error);
    }
  }
  errors.finish();
  return method;
}

Method find_method(const std::vector<MethodSpec>& methods, const MethodRequest& request,
                   const MethodContext& context) {
  if (request.step && request.tolerance) {
    throw ModelError("both --step and --tolerance are given",
                     "--step is for fixed steps, --tolerance for adaptive ones");
  }
  MethodSpec spec = find_method_spec(methods, request.word);
  if (request.step || request.tolerance) {
    for (const std::string_view key : {"step", "tolerance", "rtol", "atol"}) erase_entry(spec, key);
    if (request.step) spec.entries.emplace_back("step", Value{*request.step, {}});
    if (request.tolerance) spec.entries.emplace_back("tolerance", Value{*request.tolerance, {}});
  }
  return read_method(spec, context);
}

namespace {

std::string format_default(double value) { return fmt::format("{}", value); }
std::string format_default(int value) { return fmt::format("{}", value); }
std::string format_default(const std::string& value) { return "\"" + value + "\""; }
std::string format_default(const Gain&) { return ""; }

template <class Spec>
void collect_options(const Spec& spec, std::vector<OptionInfo>& options) {
  for_each_field<Spec>([&](const auto& each) {
    options.push_back({std::string(each.key), std::string(spec.kName), std::string(each.unit),
                       std::string(each.description), format_default(spec.*(each.member))});
  });
}

}  // namespace

std::vector<OptionInfo> all_options() {
  std::vector<OptionInfo> options{
      {"step", "integrator", "s", "fixed step", "0.01"},
      {"tolerance", "integrator", "", "adaptive steps: relative and absolute tolerance alike",
       "1e-6"},
      {"rtol", "integrator", "", "relative tolerance of adaptive steps", "1e-6"},
      {"atol", "integrator", "", "absolute tolerance of adaptive steps", "1e-6"},
      {"max_step", "integrator", "s", "longest adaptive step; 0: no bound", "0"},
      {"tableau", "integrator", "",
       "a method of your own: { order, a = [[], [...], ...], b = [...], c, b_hat, error_order }",
       ""},
  };
  for_each_alternative<Formulation>([&](const auto& spec) { collect_options(spec, options); });
  for_each_alternative<DriftSpec>([&](const auto& spec) { collect_options(spec, options); });
  return options;
}

std::vector<WordInfo> all_words() {
  std::vector<WordInfo> words;
  for_each_alternative<Formulation>([&](const auto& spec) {
    words.push_back({std::string(spec.kName), "formulation", std::string(spec.kSummary)});
  });
  for (const IntegratorInfo& info : all_integrators()) {
    words.push_back({std::string(info.name), "integrator", std::string(info.summary)});
  }
  words.push_back(
      {"tableau", "integrator",
       "any explicit Runge-Kutta method, by its coefficients: see driftless explain tableau"});
  for_each_alternative<DriftSpec>([&](const auto& spec) {
    words.push_back({std::string(spec.kName), "drift", std::string(spec.kSummary)});
  });
  for (const Preset& preset : all_presets()) {
    words.push_back(
        {std::string(preset.name), "preset", fmt::format("{}: {}", preset.words, preset.summary)});
  }
  return words;
}

}  // namespace driftless
