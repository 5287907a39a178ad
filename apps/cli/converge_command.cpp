// driftless converge: work and precision of several methods over steps or tolerances.

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "converge_output.hpp"
#include "many_runs.hpp"
#include "plotting.hpp"
#include <fmt/format.h>

#include "driftless/studies/value_list.hpp"

namespace driftless::cli {
namespace {

struct ConvergeArguments {
  ModelArguments model;
  std::vector<std::string> methods;
  std::optional<std::string> steps, tolerances;
  std::string reference;
  std::string plot;
  std::vector<Cost> costs{Cost::evaluations, Cost::cpu};
  std::string title;
  int jobs = 1;
};

// ---- settings

constexpr const char* kStepForms =
    "write --steps 0.04,0.02,0.01, or --steps 0.04:0.0025:5 for five with equal ratios; \"4 ms:1 "
    "ms:3\" has units";
constexpr const char* kToleranceForms =
    "write --tolerances 1e-4,1e-6,1e-8, or --tolerances 1e-3:1e-9:7 for seven with equal ratios";

void check_settings(const std::vector<double>& values, const ValuePlace& place, double most,
                    const char* what) {
  constexpr std::size_t kMost = 100;
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end() && sorted.size() > 1)
    throw ModelError(fmt::format("{}: {:g} is there twice", place.shown, *twice), place.remedy);
  if (values.size() < 2)
    throw ModelError(fmt::format("{}: one {} shows no order, two are the least", place.shown, what),
                     place.remedy);
  if (values.size() > kMost)
    throw ModelError(
        fmt::format("{}: {} values; at most {} are run", place.shown, values.size(), kMost),
        place.remedy);
  if (!(sorted.front() > 0.0))
    throw ModelError(fmt::format("{}: {:g} is not positive", place.shown, sorted.front()),
                     place.remedy);
  if (sorted.back() > most)
    throw ModelError(fmt::format("{}: {:g} is greater than {:g}{}", place.shown, sorted.back(),
                                 most, std::string_view(what) == "step" ? " s, the whole run" : ""),
                     place.remedy);
}

/// From the coarsest on.
std::vector<double> parse_settings(const std::string& option, const std::string& text,
                                   const char* forms, const char* unit) {
  const ValuePlace place{fmt::format("{} {}", option, text), forms};
  ValueList list = parse_values(text, place, Spacing::geometric);
  if (!list.unit.empty() && list.unit != unit)
    throw ModelError(fmt::format("{}: '{}' is no unit of {}", place.shown, list.shown_unit,
                                 *unit != '\0' ? "time" : "tolerances, which have none"),
                     place.remedy);
  std::sort(list.values.begin(), list.values.end(), std::greater<>());
  return std::move(list.values);
}

struct Settings {
  std::optional<std::vector<double>> steps, tolerances;
};

Settings find_settings(const ConvergeArguments& arguments, double until) {
  Settings settings;
  if (arguments.steps) {
    settings.steps = parse_settings("--steps", *arguments.steps, kStepForms, "s");
    check_settings(*settings.steps, {"--steps " + *arguments.steps, kStepForms}, until, "step");
  }
  if (arguments.tolerances) {
    const ValuePlace place{"--tolerances " + *arguments.tolerances, kToleranceForms};
    settings.tolerances =
        parse_settings("--tolerances", *arguments.tolerances, kToleranceForms, "");
    check_settings(*settings.tolerances, place, IntegratorChoice::kToleranceBounds.high,
                   "tolerance");
    if (settings.tolerances->back() < IntegratorChoice::kToleranceBounds.low)
      throw ModelError(
          fmt::format("{}: {:g} is less than {:g}, which no run can keep", place.shown,
                      settings.tolerances->back(), IntegratorChoice::kToleranceBounds.low),
          place.remedy);
  }
  return settings;
}

// ---- methods

/// Each takes what it can; one that can do both takes tolerances, unless only steps are given.
ConvergeMethod make_method(const ConvergeArguments& arguments, const ModelFile& file,
                           const PreparedModel& model, const Settings& settings,
                           const std::string& word) {
  const MethodRequest request = arguments.model.request(word).method;
  const Method base = prepare_method(file, model, request);
  const bool adapts = can_adapt(base);
  ConvergeMethod method{.name = word.empty() ? describe(base) : word};
  if (!adapts && settings.tolerances && !settings.steps) {
    const std::string reason = can_adapt(base.integrator)
                                   ? "its feedback goes with 1/step"
                                   : fmt::format("{} has no error estimate", base.integrator.name);
    throw ModelError(
        fmt::format("{}: {}, so it cannot keep --tolerances", method.name, reason),
        "add --steps for it, for example --steps 0.04:0.0025:5, or take dopri5, dop853 or adams");
  }
  method.adaptive = adapts && (settings.tolerances || !settings.steps);
  const double until = model.options.until;
  const double step = base.integrator.adaptive ? until / 1000.0 : base.integrator.step;
  method.settings = method.adaptive ? settings.tolerances.value_or(make_default_tolerances())
                                    : settings.steps.value_or(make_default_steps(step, until));
  for (const double setting : method.settings) {
    MethodRequest each = request;
    (method.adaptive ? each.tolerance : each.step) = setting;
    method.methods.push_back(prepare_method(file, model, each));
  }
  return method;
}

std::vector<ConvergeMethod> make_methods(const ConvergeArguments& arguments, const ModelFile& file,
                                         const PreparedModel& model) {
  const Settings settings = find_settings(arguments, model.options.until);
  std::vector<std::string> words = arguments.methods;
  if (words.empty()) words.emplace_back();
  std::vector<ConvergeMethod> methods;
  for (const std::string& word : words)
    methods.push_back(make_method(arguments, file, model, settings, word));
  const bool any_fixed = std::any_of(methods.begin(), methods.end(),
                                     [](const ConvergeMethod& each) { return !each.adaptive; });
  if (settings.steps && !any_fixed) {
    throw ModelError(
        fmt::format("--steps and --tolerances are both given, but no method here takes steps: {} "
                    "can keep tolerances, and then does",
                    methods.front().name),
        "leave --tolerances out for fixed steps, or leave --steps out, or add a method of fixed "
        "steps, for example index1/rk4");
  }
  return methods;
}

// ---- the reference

bool is_result_path(const std::string& word) {
  const std::string ending = std::filesystem::path(word).extension().string();
  return ending == ".h5" || ending == ".csv" || ending == ".toml";
}

/// What --reference names; nothing: the study makes its own.
std::optional<Reference> find_given_reference(const ConvergeArguments& arguments,
                                              const ModelFile& file, const PreparedModel& model,
                                              const RunOptions& options, const Voice& voice) {
  const std::string& word = arguments.reference;
  if (word.empty() || word == "tight") return {};
  Reference reference;
  if (is_result_path(word)) {
    reference.name = word;
    reference.result = read_run(word, voice);
    const ErrorMeasure check(model.system().info(), reference.result, word);
    add_multipliers(model.system(), reference.result);
    return reference;
  }
  const Method base = prepare_method(file, model, {.word = word});
  if (!can_adapt(base)) {
    throw ModelError(
        fmt::format(
            "--reference {}: {} has no error estimate, so it cannot keep the tolerance {:g}", word,
            base.integrator.name, kReferenceTolerance),
        "name a method with dop853, dopri5 or adams, or a result: --reference RUN.h5");
  }
  const Method method =
      prepare_method(file, model, {.word = word, .tolerance = kReferenceTolerance});
  reference.name = fmt::format("{} at tolerance {:g}", describe(method), kReferenceTolerance);
  reference.result = run_prepared(model, method, options);
  return reference;
}

/// Says on which run the study is: a line of its own for each that takes long, or one for all that run at the same time.
class StudyDisplay {
 public:
  StudyDisplay(const Voice& voice, const RunOptions& options) : voice_(voice), options_(options) {}

  /// From here on, so many at the same time.
  void begin_many(std::size_t all) { many_.emplace(voice_, "converge", all); }

  RunOptions begin(const std::string& title) {
    RunOptions options = options_;
    if (many_) {
      options.watch = many_->begin_run();
      return options;
    }
    run_.emplace(voice_, title);
    options.watch = [this](const Progress& progress) { run_->show(progress); };
    return options;
  }
  void count(std::size_t done) {
    if (many_) many_->note_done(done);
  }
  void clear() {
    run_.reset();
    many_.reset();
  }

 private:
  Voice voice_;
  RunOptions options_;
  std::optional<ManyRunsDisplay> many_;
  std::optional<ProgressDisplay> run_;
};

// ---- the study

/// A result may end before the runs do.
void warn_short_reference(const Result& reference, const ConvergeAnswer& answer,
                          const Session& session) {
  const std::vector<double> t =
      reference.column(static_cast<std::size_t>(reference.find_column("t")));
  if (t.back() >= (1.0 - 1e-9) * answer.until) return;
  warn(session.voice,
       fmt::format("{} ends at t = {:.6g} s: errors are those up to there, costs those of {:g} s",
                   answer.reference.name, t.back(), answer.until));
}

/// Nothing if the reference failed or was interrupted: then that has been told.
std::optional<ConvergeAnswer> run_study(const ConvergeArguments& arguments, Session& session) {
  ModelFile file = arguments.model.read();
  record_multipliers(file);
  PreparedModel model = prepare(file, arguments.model.request(""));
  for (const std::string& warning : model.warnings) warn(session.voice, warning);
  model.options.stop = &stop_flag();
  const std::vector<ConvergeMethod> methods = make_methods(arguments, file, model);
  catch_interrupts();
  StudyDisplay display(session.voice, model.options);
  ConvergeAnswer answer{.model = model.options.info.model_name, .until = model.options.until};
  for (const ConvergeMethod& method : methods) answer.wanted += method.settings.size();
  const RunOptions options = display.begin("reference");
  std::optional<Reference> given =
      find_given_reference(arguments, file, model, options, session.voice);
  const bool given_failed =
      given && !is_result_path(arguments.reference) && given->result.report.status != Status::ok;
  answer.reference =
      given_failed ? std::move(*given) : make_reference(model, options, std::move(given));
  const Report& report = answer.reference.result.report;
  const bool failed = !is_result_path(arguments.reference) && report.status != Status::ok;
  display.clear();
  if (failed || stop_flag()) {
    session.exit_code = stop_flag() ? kExitInterrupted : kExitFailed;
    const std::string message =
        stop_flag() ? "interrupted before the reference was there: there is nothing to show"
                    : fmt::format("the reference {} failed at t = {:.6g} s: {}",
                                  answer.reference.name, report.t_end, report.message);
    tell_error(session.voice, message);
    if (session.json) print_converge_json(answer);
    return {};
  }
  const ErrorMeasure measure(model.system().info(), std::move(answer.reference.result),
                             answer.reference.name);
  warn_short_reference(measure.reference(), answer, session);
  ConvergeOptions study{.threads = arguments.jobs};
  study.begin = [&](const ConvergeMethod& method, double setting) {
    return display.begin(fmt::format("{} {:.3g}", method.name, setting));
  };
  study.watch = [&](std::size_t done, std::size_t) { display.count(done); };
  if (arguments.jobs > 1) display.begin_many(answer.wanted);
  answer.curves = converge(model, methods, measure, study);
  display.clear();
  return answer;
}

void check_picture_request(const ConvergeArguments& arguments) {
  if (arguments.plot.empty()) return;
  if (!is_picture(arguments.plot)) {
    throw ModelError("--plot " + arguments.plot + ": pictures are written as .svg or .png",
                     "choose a name that ends in one of these");
  }
  check_picture(arguments.plot);
}

std::size_t count_runs(const ConvergeAnswer& answer, bool only_ended) {
  std::size_t count = 0;
  for (const ConvergeCurve& curve : answer.curves) {
    for (const ConvergeRun& run : curve.runs)
      count += !only_ended || run.report.status == Status::ok ? 1 : 0;
  }
  return count;
}

void execute(const ConvergeArguments& arguments, Session& session) {
  check_picture_request(arguments);
  const std::optional<ConvergeAnswer> answer = run_study(arguments, session);
  if (!answer) return;
  if (session.json) {
    print_converge_json(*answer);
  } else {
    print_converge_tables(*answer);
  }
  const std::size_t ended = count_runs(*answer, true);
  if (!arguments.plot.empty() && ended > 0) {
    const std::string title = arguments.title.empty() ? answer->model : arguments.title;
    write_converge_picture(arguments.plot, title, arguments.costs, *answer);
    if (!session.json) fmt::print("\n{}\n", arguments.plot);
  }
  if (stop_flag()) {
    warn(session.voice, fmt::format("interrupted: {} of {} runs were finished",
                                    count_runs(*answer, false), answer->wanted));
    session.exit_code = kExitInterrupted;
    return;
  }
  const std::string problem = find_reference_problem(answer->curves, answer->reference);
  if (!problem.empty()) {
    warn(session.voice,
         problem + (arguments.reference.empty() ? "; end earlier (--until), or take larger steps"
                                                : "; leave --reference out"));
  }
  if (ended == 0) {
    session.exit_code = kExitFailed;
    if (!session.json) tell_error(session.voice, "every run failed");
  }
}

}  // namespace

void add_converge(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<ConvergeArguments>();
  Verb verb =
      line.add_verb("converge", "error, cost and order of methods over steps or tolerances");
  arguments->model.declare(verb, ModelArguments::Stepping::several);
  verb.list("--methods", arguments->methods,
            "methods, separated by commas (default: the file's [method])")
      .completes(Values::method);
  verb.text("--steps", arguments->steps,
            "fixed steps: 0.04,0.02,0.01 or 0.04:0.0025:5, five with equal ratios (default: around "
            "the file's)");
  verb.text("--tolerances", arguments->tolerances,
            "of adaptive methods: 1e-3:1e-9:7, which is the default");
  verb.text("--reference", arguments->reference,
            "a result file, or a method, run at tolerance 1e-12 (default: one that fits the model)")
      .completes(Values::reference);
  verb.text("--plot", arguments->plot,
            "draw errors against evaluations and CPU time: picture to write, .svg or .png")
      .completes(Values::file);
  const auto take_cost = [arguments](const std::string& word) {
    if (word == "evaluations") {
      arguments->costs = {Cost::evaluations};
    } else if (word == "cpu") {
      arguments->costs = {Cost::cpu};
    } else if (word == "step") {
      arguments->costs = {Cost::step};
    } else {
      throw ModelError("--against " + word + " is not known", "use evaluations, cpu or step");
    }
  };
  verb.choice("--against", take_cost, "COST", "draw only against evaluations, cpu or step")
      .completes(Values::cost);
  verb.text("--title", arguments->title, "title of the picture (default: the model's name)");
  verb.count("--jobs", arguments->jobs, 1024,
             "runs at the same time (default: 1, so that CPU times are undisturbed)");
  add_common_flags(verb, session);
  verb.footer(R"(Examples:
  driftless converge pendulum.toml
  driftless converge pendulum.toml --methods index1/rk4,index1/ab3 --steps 0.04:0.0025:5
  driftless converge planar_four_bar.toml --methods braun_goldfarb/dop853,partition/adams --plot work.svg
  driftless converge pendulum.toml --methods index1/dopri5 --tolerances 1e-4,1e-6,1e-8 --reference run.h5

A method that can choose its steps takes the tolerances, unless only --steps is given. Errors are the largest over all
samples, relative to the largest value with the same unit. Errors that are less than ten times those of the reference
have a star and are not used for orders. A run that fails is part of the table: the exit code is 0, and 1 if all fail.)");
  verb.action([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
