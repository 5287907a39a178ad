// Words and options into a Method, and what is said when they make none.

#include "driftless/run/method_reader.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "driftless/integrators/all.hpp"

namespace driftless {
namespace {

const MethodContext kContext{{{"k", 3.0}, {"tau", 0.5}}, {"rod", "hinge"}, {"blade"}};

Value at(Value value, int line, int column) {
  value.where = {"model.toml", line, column};
  return value;
}
Value text(const char* t, int line = 7, int column = 9) {
  return at(Value{std::string(t), {}}, line, column);
}
Value number(double x, int line = 7, int column = 9) { return at(Value{x, {}}, line, column); }
Value list(Value::List items, int line = 7, int column = 9) {
  return at(Value{std::move(items), {}}, line, column);
}
Value table(Value::Table items) { return at(Value{std::move(items), {}}, 7, 9); }

MethodSpec spec(Value::Table entries, const char* name = "") {
  return {name, std::move(entries), {"model.toml", 5, 1}};
}
Method read(Value::Table entries) { return read_method(spec(std::move(entries)), kContext); }
Method find(const std::vector<MethodSpec>& methods, const char* word) {
  return find_method(methods, {word, {}, {}}, kContext);
}

template <class Function>
std::string find_error(Function&& function) {
  try {
    function();
  } catch (const ModelError& error) {
    std::string all;
    for (const Diagnostic& each : error.diagnostics()) {
      all += (all.empty() ? "" : "\n") + format_diagnostic(each);
    }
    return all;
  }
  return "nothing was thrown";
}
std::string read_error(Value::Table entries) {
  return find_error([&] { read(std::move(entries)); });
}
std::string place(const char* rest) { return std::string("model.toml:7:9: error: ") + rest; }

const Baumgarte& gains(const Method& method) { return std::get<Baumgarte>(method.formulation); }

// --- words -----------------------------------------------------------------------------------------

TEST(MethodReader, TheDefaultIsBraunGoldfarb) {
  for (const Method& method :
       {read({}), find({}, ""), find({}, "braun_goldfarb"), make_default_method()}) {
    EXPECT_EQ(describe(method), "braun_goldfarb/rk4/project+energy");
    EXPECT_EQ(describe_options(method), describe_options(make_default_method()));
    EXPECT_EQ(method.integrator.step, 0.01);
    EXPECT_FALSE(method.integrator.adaptive);
    EXPECT_EQ(std::get<Project>(method.drift.at(0)).iterations, 1);
  }
}

TEST(MethodReader, TheEnergyIsCorrectedUnlessAMotionIsPrescribed) {
  MethodContext driven;
  driven.has_time_rows = true;
  for (const char* word : {"", "braun_goldfarb", "braun_goldfarb/rk4"})
    EXPECT_EQ(describe(find_method({}, {.word = word}, driven)), "braun_goldfarb/rk4/project");
  EXPECT_EQ(describe(find_method({}, {.word = "braun_goldfarb/rk4/energy"}, driven)),
            "braun_goldfarb/rk4/energy");
}

TEST(MethodReader, ReadsWordsAndDriftInTheirOrder) {
  EXPECT_EQ(describe(find({}, "index1/dopri5/project")), "index1/dopri5/project");
  EXPECT_EQ(describe(find({}, "baumgarte/ab3/yoon13+yoon17")), "baumgarte/ab3/yoon13+yoon17");
  EXPECT_EQ(describe(find({}, "index1/rk4/energy+project")), "index1/rk4/project+energy")
      << "positions are corrected first";
  EXPECT_EQ(describe(find({}, "braun_goldfarb/rk4/none")), "braun_goldfarb/rk4");
  EXPECT_EQ(describe(find({}, "index1")), "index1/rk4");
  EXPECT_EQ(std::get<Project>(find({}, "index1/rk4/project").drift[0]).iterations, 5);
  EXPECT_EQ(std::get<Project>(find({}, "braun_goldfarb/rk4/project").drift[0]).iterations, 1);
}

TEST(MethodReader, WhatIsSetForTheRunHoldsForTheMethodThatRuns) {
  MethodSpec base = spec({{"formulation", text("baumgarte")}, {"alpha", number(1)}});
  MethodSpec named = spec({{"formulation", text("baumgarte")}, {"alpha", number(2)}}, "mine");
  EXPECT_EQ(describe_options(find({base, named}, "baumgarte/ab3")).find("alpha = 1"),
            std::string::npos);
  base.overrides = {{"alpha", number(5)}, {"step", number(0.125)}};
  for (const char* word : {"mine", "baumgarte", "baumgarte/ab3", "baumgarte/dopri5"}) {
    const Method method = find({base, named}, word);
    EXPECT_NE(describe_options(method).find("alpha = 5"), std::string::npos) << word;
    EXPECT_EQ(method.integrator.step, 0.125) << word;
    EXPECT_FALSE(method.integrator.adaptive) << word;
  }
  named.overrides = {{"alpha", number(2)}};
  EXPECT_NE(describe_options(find({base, named}, "mine")).find("alpha = 2"), std::string::npos)
      << "what was set for it by name wins";
  EXPECT_TRUE(find_error([&] {
                find({base, named}, "index1/rk4");
              })
                  .starts_with(place("method.alpha is an option of baumgarte, but this method is "
                                     "index1/rk4")));
}

TEST(MethodReader, AWordInTheWrongPlaceIsToldItsKind) {
  EXPECT_EQ(find_error([] { find({}, "rk4"); }),
            "error: there is no method 'rk4'\n    rk4 is an integrator: write "
            "formulation/integrator[/drift+drift], for example braun_goldfarb/rk4");
  const std::string swapped = find_error([] { find({}, "ab3/index1"); });
  EXPECT_NE(swapped.find("ab3 is an integrator: write"), std::string::npos) << swapped;
  EXPECT_NE(find_error([] { find({}, "project"); }).find("project is a drift control: write"),
            std::string::npos);
  EXPECT_NE(find_error([] { find({}, "index1/rk4/baumgarte"); }).find("is a formulation: write"),
            std::string::npos);
}

TEST(MethodReader, WordsThatDoNotGoTogetherAreRefusedWithTheRightOnes) {
  EXPECT_EQ(find_error([] { find({}, "index1/hedop5"); }),
            "error: hedop5 is half-explicit: it takes constraints at velocity level, which index1 "
            "does not give\n    works with index1: euler, heun, kutta3, rk4, rkmk4, ab2, ab3, ab4, "
            "ab5, dopri5, dop853, adams, radau5, bdf, backward_euler; hedop5 works with index2");
  EXPECT_EQ(
      find_error([] { find({}, "ggl/rk4"); }),
      "error: rk4 needs accelerations from positions and velocities, which ggl does not "
      "give\n    works with ggl: radau5, bdf, backward_euler, newmark, hht, generalized_alpha, "
      "rattle; rk4 works with braun_goldfarb, index1, udwadia_kalaba, baumgarte, partition, "
      "partial_velocity");
  EXPECT_NE(find_error([] { find({}, "baumgarte/radau5"); }).find("radau5 is implicit"),
            std::string::npos);
  EXPECT_NE(find_error([] { find({}, "ggl/bdf/project"); }).find("builds on the states before it"),
            std::string::npos);
  EXPECT_EQ(describe(find({}, "ggl")), "ggl/radau5");
  EXPECT_NE(find_error([] { find({}, "index2/hem4/yoon13"); }).find("yoon13 acts on accelerations"),
            std::string::npos);
  EXPECT_EQ(describe(find({}, "index2")), "index2/hedop5");
  EXPECT_EQ(describe(find({}, "mdop5")), "index1/dopri5");
  EXPECT_EQ(describe(find({}, "index2/hem3/project+energy")), "index2/hem3/project+energy");
}

TEST(MethodReader, EveryWordIsListedAndReads) {
  for (const WordInfo& word : all_words()) {
    EXPECT_FALSE(word.summary.empty()) << word.name;
    std::string words = word.name;
    const IntegratorInfo* integrator = find_integrator(word.name);
    const bool at_velocity =
        integrator != nullptr && (integrator->half_explicit || integrator->second_order);
    if (word.kind == "integrator") words = (at_velocity ? "index2/" : "index1/") + word.name;
    if (word.kind == "drift") words = "index1/rk4/" + word.name;
    const std::string error = find_error([&] { find({}, words.c_str()); });
    const bool wants_more = error.find("needs its coefficients") != std::string::npos;
    EXPECT_TRUE(wants_more || error == "nothing was thrown") << words << ": " << error;
  }
  EXPECT_EQ(describe(find({}, "yoon22")), "baumgarte/ab3/yoon13");
  EXPECT_EQ(describe(find({}, "yoon23")), "baumgarte/ab3/yoon17");
}

TEST(MethodReader, EveryOptionIsDescribedReadAndWrittenDown) {
  for (const OptionInfo& option : all_options()) {
    SCOPED_TRACE(option.owner + "." + option.key);
    EXPECT_FALSE(option.description.empty());
    const bool of_integrator = option.owner == "integrator";
    Value::Table entries;
    const auto formulations = {
        "index1",           "udwadia_kalaba", "baumgarte", "braun_goldfarb",   "partition",
        "partial_velocity", "index2",         "index3",    "index2_baumgarte", "ggl",
        "stabilized_index1"};
    if (of_integrator) {
      if (option.key != "tableau")
        entries.emplace_back("integrator", text(option.key == "step" ? "rk4" : "dopri5"));
    } else if (option.owner == "generalized_alpha") {
      entries.emplace_back("formulation", text("ggl"));
      entries.emplace_back("integrator", text("generalized_alpha"));
    } else if (std::find(formulations.begin(), formulations.end(), option.owner) !=
               formulations.end()) {
      entries.emplace_back("formulation", text(option.owner.c_str()));
    } else {
      entries.emplace_back("drift", text(option.owner.c_str()));
    }
    Value value = number(0.0625);
    if (option.key == "iterations") value = number(7);
    if (option.key == "projection_bound") value = number(0.0625);
    if (option.key == "projection_tolerance") value = number(0.001953125);
    if (option.key == "notation") value = text("2alpha_beta2");
    if (option.key == "algebra") value = text("dense");
    if (option.key == "rotations") value = text("lie");
    if (option.key == "engine") value = text("sparse");
    if (option.key == "hht_alpha") value = number(-0.0625);
    if (option.key == "start_velocity") value = text("given");
    if (option.key == "group") value = text("se3");
    if (option.key == "condition") value = number(7);
    if (option.key == "R" || option.key == "S")
      value = list({list({number(1), number(2)}), list({number(3), number(4)})});
    if (option.key == "tableau")
      value = table({{"order", number(1)}, {"a", list({list({})})}, {"b", list({number(1)})}});
    entries.emplace_back(option.key, value);
    const Method method = read(std::move(entries));
    // "alpha = 0.0625" stands in the result; tolerance is written as what it sets.
    const std::string written = describe_options(method);
    const std::string key = option.key == "tolerance" ? "rtol = 0.0625, atol" : option.key;
    EXPECT_NE((", " + written).find(", " + key + " = "), std::string::npos) << written;
    EXPECT_NE(written.find(option.key == "iterations"             ? "= 7"
                           : option.key == "condition"            ? "= 7"
                           : option.key == "algebra"              ? "= \"dense\""
                           : option.key == "rotations"            ? "= \"lie\""
                           : option.key == "engine"               ? "= \"sparse\""
                           : option.key == "hht_alpha"            ? "= -0.0625"
                           : option.key == "group"                ? "= \"se3\""
                           : option.key == "start_velocity"       ? "= \"given\""
                           : option.key == "projection_tolerance" ? "= 0.001953125"
                           : option.key == "notation"             ? "= \"2alpha_beta2\""
                           : value.is_list()                      ? "= [[1, 2], [3, 4]]"
                           : value.is_table() ? "= { order = 1, a = [[]], b = [1], c = [0] }"
                                              : "= 0.0625"),
              std::string::npos)
        << written;
  }
}

TEST(MethodReader, DescribesWhatIsInUse) {
  EXPECT_EQ(describe_options(read({{"formulation", text("index1")}, {"step", number(0.5)}}))
                .substr(0, 12),
            "step = 0.5, ");
  EXPECT_EQ(describe_options(read({{"formulation", text("index1")},
                                   {"integrator", text("dopri5")},
                                   {"rtol", number(1e-5)},
                                   {"max_step", number(0.25)}}))
                .substr(0, 44),
            "rtol = 1e-05, atol = 1e-06, max_step = 0.25,");
  EXPECT_EQ(describe_options(find({}, "index1/dopri5")).find("max_step"), std::string::npos);
  // Gains that follow from the step are not numbers to be written down.
  EXPECT_EQ(describe_options(find({}, "index1/rk4/yoon13")).find("rho"), std::string::npos);
}

TEST(MethodReader, DescribesGainsThatWereLeftOut) {
  const auto describe_gains = [](Value::Table entries) {
    entries.emplace_back("formulation", text("baumgarte"));
    const std::string written = describe_options(read(std::move(entries)));
    const std::size_t begin = written.find(", ") + 2;  // after the step
    return written.substr(begin, written.find(", rank_tolerance") - begin);
  };
  EXPECT_EQ(describe_gains({}), "alpha = 20, beta = 100, eta = 20, notation = \"alpha_beta\"");
  EXPECT_EQ(describe_gains({{"notation", text("2alpha_beta2")}}),
            "alpha = 10, beta = 10, eta = 20, notation = \"2alpha_beta2\"");
  EXPECT_EQ(describe_gains({{"notation", text("2alpha_beta2")}, {"alpha", number(3)}}),
            "alpha = 3, beta = 10, eta = 6, notation = \"2alpha_beta2\"");
  EXPECT_EQ(
      describe_gains({{"R", list({list({number(1), number(2)}), list({number(3), number(4)})})}}),
      "beta = 100, eta = 20, notation = \"alpha_beta\", R = [[1, 2], [3, 4]]");
  const Method method = read({{"formulation", text("baumgarte")}, {"beta", number(7)}});
  EXPECT_EQ(describe_given_options(method).substr(0, 23), "step = 0.01, beta = 7, ");
}

TEST(MethodReader, ReadsATableau) {
  const Value heun = table({{"order", number(2)},
                            {"a", list({list({}), list({number(1)})})},
                            {"b", list({number(0.5), text("1/2")})}});
  const Method method = read({{"tableau", heun}});
  EXPECT_EQ(method.integrator.name, "tableau");
  ASSERT_TRUE(method.integrator.tableau);
  EXPECT_EQ(method.integrator.tableau->c, (std::vector<double>{0.0, 1.0}));
  EXPECT_EQ(describe(read({{"integrator", text("tableau")}, {"tableau", heun}})),
            "braun_goldfarb/tableau/project+energy");
  EXPECT_EQ(format_tableau(*method.integrator.tableau),
            "{ order = 2, a = [[], [1]], b = [0.5, 0.5], c = [0, 1] }");
  EXPECT_EQ(read_error({{"integrator", text("rk4")}, {"tableau", heun}}),
            place("method: both the integrator 'rk4' and a tableau are given\n"
                  "    write integrator = \"tableau\", or remove the tableau"));
}

TEST(MethodReader, TheGainOfVelocityConstraintsIsThatOfPhiDot) {
  const auto eta = [](Value::Table entries) {
    entries.emplace_back("formulation", text("baumgarte"));
    return resolve_gains(gains(read(std::move(entries))), 2, 1).eta[0];
  };
  EXPECT_EQ(eta({{"alpha", number(6)}}), 6.0);
  EXPECT_EQ(eta({{"alpha", number(6)}, {"notation", text("2alpha_beta2")}}), 12.0);
  EXPECT_EQ(eta({{"alpha", number(6)}, {"eta", number(5)}, {"notation", text("2alpha_beta2")}}),
            5.0);
}

TEST(MethodReader, DriftIsAWordAListOrNone) {
  EXPECT_EQ(describe(read({{"formulation", text("index1")}, {"drift", text("project")}})),
            "index1/rk4/project");
  EXPECT_EQ(describe(read({{"drift", text("none")}})), "braun_goldfarb/rk4");
  EXPECT_EQ(describe(read({{"drift", list({text("yoon12"), text("project")})}})),
            "braun_goldfarb/rk4/project+yoon12");
  EXPECT_EQ(describe(read({{"drift", list({})}})), "braun_goldfarb/rk4");
}

TEST(MethodReader, WordsTakeStepOrToleranceFromTheFile) {
  const std::vector<MethodSpec> fixed{
      spec({{"formulation", text("baumgarte")},
            {"integrator", text("heun")},
            {"step", number(0.02)},
            {"alpha", number(5)}}),
      spec({{"formulation", text("index1")}, {"step", number(0.5)}}, "coarse")};
  EXPECT_EQ(find(fixed, "").integrator.step, 0.02);
  EXPECT_EQ(find(fixed, "coarse").integrator.step, 0.5);
  const Method words = find(fixed, "index1/rk4");
  EXPECT_EQ(words.integrator.step, 0.02);
  EXPECT_EQ(describe(find(fixed, "index1")), "index1/heun")
      << "a bare formulation keeps the integrator";
  EXPECT_TRUE(gains(find(fixed, "baumgarte/rk4")).alpha.empty())
      << "other options are not taken over";
  const Method adaptive = find(fixed, "index1/dopri5");
  EXPECT_TRUE(adaptive.integrator.adaptive) << "the file's fixed step is not for it";
  EXPECT_EQ(adaptive.integrator.rtol, 1e-6);

  const std::vector<MethodSpec> controlled{spec(
      {{"integrator", text("dopri5")}, {"tolerance", number(1e-9)}, {"max_step", number(0.1)}})};
  EXPECT_EQ(find(controlled, "index1/dop853").integrator.rtol, 1e-9);
  EXPECT_EQ(find(controlled, "index1/dop853").integrator.max_step, 0.1);
  EXPECT_EQ(find_method(controlled, {"", 0.005, {}}, kContext).integrator.step, 0.005)
      << "the longest adaptive step is none of a fixed one's";
  EXPECT_EQ(find(controlled, "index1/rk4").integrator.step, 0.01);
  EXPECT_FALSE(find(controlled, "index1/rk4").integrator.adaptive);
}

TEST(MethodReader, TheCommandLineReplacesTheFilesSteps) {
  const std::vector<MethodSpec> file{
      spec({{"integrator", text("dopri5")}, {"step", number(0.02)}})};
  const Method tolerance = find_method(file, {"", {}, 1e-7}, kContext);
  EXPECT_TRUE(tolerance.integrator.adaptive);
  EXPECT_EQ(tolerance.integrator.rtol, 1e-7);
  EXPECT_EQ(tolerance.integrator.atol, 1e-7);
  EXPECT_EQ(find_method(file, {"", 0.005, {}}, kContext).integrator.step, 0.005);
  EXPECT_EQ(find_error([&] {
              find_method(file, {"", 0.1, 1e-3}, kContext);
            }),
            "error: both --step and --tolerance are given\n    --step is for fixed steps, "
            "--tolerance for adaptive ones");
}

// --- options ---------------------------------------------------------------------------------------

TEST(MethodReader, ReadsNumbersUnitsAndExpressions) {
  EXPECT_EQ(read({{"step", text("5 ms")}}).integrator.step, 0.005);
  EXPECT_EQ(read({{"step", text("tau/100")}}).integrator.step, 0.005);
  const Method method = read({{"formulation", text("baumgarte")},
                              {"step", number(0.02)},
                              {"alpha", text("2/h")},
                              {"beta", text("k/h^2")},
                              {"eta", text("5 1/s")}});
  EXPECT_NEAR(gains(method).alpha.value(0, 0), 100.0, 1e-12);
  EXPECT_NEAR(gains(method).beta.value(0, 0), 7500.0, 1e-9);
  EXPECT_EQ(gains(method).eta.value(0, 0), 5.0);
  const Method adaptive =
      read({{"integrator", text("dopri5")}, {"rtol", number(1e-5)}, {"atol", number(1e-8)}});
  EXPECT_EQ(adaptive.integrator.rtol, 1e-5);
  EXPECT_EQ(adaptive.integrator.atol, 1e-8);
  const Method drift = read({{"drift", list({text("project"), text("energy")})},
                             {"iterations", number(3)},
                             {"limit", number(0.2)},
                             {"rank_tolerance", number(1e-7)}});
  EXPECT_EQ(std::get<Project>(drift.drift[0]).iterations, 3);
  EXPECT_EQ(std::get<EnergyCorrection>(drift.drift[1]).limit, 0.2);
  EXPECT_EQ(find_rank_tolerance(drift), 1e-7);
}

TEST(MethodReader, ReadsGainsPerConstraintAndMatrices) {
  const Method method =
      read({{"formulation", text("baumgarte")},
            {"alpha", table({{"hinge", number(4)}, {"rod", text("k")}})},
            {"S", list({list({number(1), number(2)}), list({number(3), number(4)})})},
            {"eta", table({{"blade", number(9)}})}});
  EXPECT_EQ(gains(method).alpha.value, (Matrix(2, 1) << 3, 4).finished());
  EXPECT_EQ(gains(method).S.value, (Matrix(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(gains(method).eta.value(0, 0), 9.0);
  const Method each =
      read({{"formulation", text("baumgarte")}, {"beta", list({number(5), text("2*k")})}});
  EXPECT_EQ(gains(each).beta.value, (Matrix(2, 1) << 5, 6).finished());
}

// --- errors ----------------------------------------------------------------------------------------

TEST(MethodReaderErrors, UnknownWordsNameTheNearest) {
  EXPECT_EQ(read_error({{"formulation", text("baumgart")}}),
            place("there is no formulation 'baumgart'\n    did you mean 'baumgarte'?"));
  EXPECT_EQ(read_error({{"integrator", text("dopri4")}}),
            place("there is no integrator 'dopri4'\n    did you mean 'dopri5'?"));
  EXPECT_EQ(
      read_error({{"drift", list({text("project", 8, 3), text("enery", 8, 14)})}}),
      "model.toml:8:14: error: there is no drift control 'enery'\n    did you mean 'energy'?");
  EXPECT_EQ(read_error({{"alpa", number(1)}}),
            place("method has no option 'alpa'\n    did you mean 'alpha'?"));
  EXPECT_EQ(find_error([] { find({}, "yoon2"); }),
            "error: there is no method 'yoon2'\n    did you mean 'yoon22'?");
  EXPECT_EQ(find_error([] { find({spec({}, "coarse")}, "coars"); }),
            "error: there is no method 'coars'\n    did you mean 'coarse'?");
  EXPECT_TRUE(find_error([] {
                find({}, "index1/rk5");
              }).starts_with("error: there is no integrator 'rk5'"));
  EXPECT_EQ(find_error([] { find({}, "index1/rk4/project/energy"); }),
            "error: method 'index1/rk4/project/energy' has more than three parts\n"
            "    write formulation/integrator or formulation/integrator/drift+drift");
}

TEST(MethodReaderErrors, OptionsOfAnotherWordNameIt) {
  EXPECT_EQ(read_error({{"formulation", text("index1")}, {"alpha", number(1)}}),
            place("method.alpha is an option of baumgarte, but this method is index1/rk4\n"
                  "    remove it, or use baumgarte"));
  EXPECT_EQ(read_error({{"drift", text("none")}, {"limit", number(0.1)}}),
            place("method.limit is an option of energy, but this method is braun_goldfarb/rk4\n"
                  "    remove it, or use energy"));
}

TEST(MethodReaderErrors, StepsAndTolerances) {
  EXPECT_EQ(
      read_error(
          {{"integrator", text("dopri5")}, {"step", number(0.1)}, {"tolerance", number(1e-3)}}),
      place("method: both a fixed step and a tolerance are given\n"
            "    keep step for fixed steps, or tolerance for adaptive ones"));
  EXPECT_EQ(
      read_error(
          {{"integrator", text("dopri5")}, {"rtol", number(0.1)}, {"tolerance", number(1e-3)}}),
      place("method: both tolerance and rtol or atol are given\n"
            "    tolerance sets rtol and atol alike; keep one way"));
  EXPECT_EQ(read_error({{"integrator", text("rk4")}, {"tolerance", number(1e-3)}}),
            place("rk4 has no error estimate, so it cannot keep a tolerance\n"
                  "    give a step, or use an integrator that adapts: dopri5, dop853, adams, "
                  "hedop5, phem56, radau5, bdf, hht, generalized_alpha"));
  EXPECT_EQ(read_error({{"integrator", text("rk4")}, {"max_step", number(0.1)}}),
            place("method.max_step bounds adaptive steps, but the step is fixed\n"
                  "    remove it, or use an integrator that adapts: dopri5, dop853, adams, hem3, "
                  "hem4, hedop5, "
                  "phem56, radau5, bdf, hht, generalized_alpha"));
  EXPECT_EQ(read_error({{"step", number(-0.1)}}),
            place("method.step = -0.1: out of bounds\n    it must be greater than 0"));
  const std::string metres = read_error({{"step", text("2 m")}});
  EXPECT_TRUE(metres.starts_with(place("method.step: '2 m' has the dimension "))) << metres;
  EXPECT_TRUE(metres.ends_with("give it in s or a unit that converts to it")) << metres;
  EXPECT_TRUE(read_error({{"step", text("1/0")}}).starts_with("model.toml:7:"))
      << read_error({{"step", text("1/0")}});
}

TEST(MethodReaderErrors, WrongKindsAndBounds) {
  EXPECT_EQ(read_error({{"formulation", number(3)}}),
            place("method.formulation: a text is wanted, not a number\n    for example formulation "
                  "= \"braun_goldfarb\""));
  EXPECT_EQ(read_error({{"drift", number(3)}}),
            place("method.drift: a list of words is wanted, not a number\n"
                  "    for example drift = [\"project\", \"energy\"]"));
  EXPECT_EQ(read_error({{"drift", list({number(1, 8, 2)})}}),
            "model.toml:8:2: error: method.drift: a text is wanted, not a number");
  EXPECT_EQ(read_error({{"drift", list({text("project"), text("project", 8, 5)})}}),
            "model.toml:8:5: error: method.drift: 'project' is listed twice\n    name it once");
  EXPECT_EQ(read_error({{"step", list({number(1)})}}),
            place("method.step is a list; wanted: a number"));
  EXPECT_EQ(read_error({{"iterations", number(2.5)}}),
            place("method.iterations: 2.5 is not a whole number"));
  EXPECT_EQ(
      read_error({{"iterations", number(0)}}),
      place("method.iterations = 0: out of bounds\n    it must be at least 1 and at most 50"));
  EXPECT_EQ(
      read_error({{"limit", number(0)}}),
      place("method.limit = 0: out of bounds\n    it must be greater than 0 and at most 0.99"));
  EXPECT_EQ(read_error({{"formulation", text("baumgarte")}, {"notation", number(2)}}),
            place("method.notation: a text is wanted, not a number"));
}

TEST(MethodReaderErrors, GainsThatDoNotFit) {
  const auto error = [](const char* key, Value value) {
    return read_error({{"formulation", text("baumgarte")}, {key, std::move(value)}});
  };
  EXPECT_EQ(error("alpha", table({{"rodd", number(1)}})),
            place("method.alpha: there is no constraint 'rodd'\n    did you mean 'rod'?"));
  EXPECT_EQ(error("alpha", table({{"rod", number(1)}})),
            place("method.alpha: no gain for constraint 'hinge'\n    name every constraint, or "
                  "give one number for all"));
  EXPECT_EQ(error("alpha", list({})), place("method.alpha: the list is empty"));
  EXPECT_EQ(error("R", list({list({number(1), number(2)}), list({number(3)})})),
            place("method.R: row 2 has 1 numbers, row 1 has 2"));
  EXPECT_EQ(error("R", list({list({number(1), number(2)}), number(3)})),
            place("method.R: rows of different kinds"));
  const std::string unknown = error("alpha", text("2*speed"));
  EXPECT_TRUE(unknown.starts_with("model.toml:7:")) << unknown;
  EXPECT_NE(unknown.find("'speed'"), std::string::npos) << unknown;
}

TEST(MethodReaderErrors, AllWrongWordsAreToldAtOnceInTheFilesOrder) {
  EXPECT_EQ(read_error({{"integrator", text("dopri4", 9, 14)},
                        {"drift", text("enery", 8, 9)},
                        {"formulation", text("baumgart", 7, 15)}}),
            "model.toml:7:15: error: there is no formulation 'baumgart'\n"
            "    did you mean 'baumgarte'?\n"
            "model.toml:8:9: error: there is no drift control 'enery'\n"
            "    did you mean 'energy'?\n"
            "model.toml:9:14: error: there is no integrator 'dopri4'\n"
            "    did you mean 'dopri5'?");
  EXPECT_EQ(find_error([] { find({}, "baumgart/dopri4"); }),
            "error: there is no formulation 'baumgart'\n    did you mean 'baumgarte'?\n"
            "error: there is no integrator 'dopri4'\n    did you mean 'dopri5'?");
}

TEST(MethodReaderErrors, AllAreToldAtOnce) {
  const std::string all = read_error(
      {{"limit", number(7)}, {"iterations", number(0, 8, 9)}, {"what", number(1, 9, 9)}});
  EXPECT_NE(all.find("model.toml:7:9: error: method.limit"), std::string::npos) << all;
  EXPECT_NE(all.find("model.toml:8:9: error: method.iterations"), std::string::npos) << all;
  EXPECT_NE(all.find("model.toml:9:9: error: method has no option 'what'"), std::string::npos)
      << all;
}

}  // namespace
}  // namespace driftless
