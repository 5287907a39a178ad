// Words and options into a Method.

#include "driftless/run/method_reader_test.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "driftless/integrators/all.hpp"

namespace driftless::method_words {
namespace {

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

TEST(MethodReader, AnIntegratorHasItsOwnOptionsOnly) {
  const auto tell = [](const char* integrator) {
    return describe_options(find({}, (std::string("ggl/") + integrator).c_str()));
  };
  for (const char* key : {"rho_infinity", "hht_alpha", "start_velocity", "group"})
    EXPECT_EQ(tell("rattle").find(key), std::string::npos) << key;
  EXPECT_EQ(tell("newmark").find("rho_infinity"), std::string::npos);
  EXPECT_NE(tell("newmark").find("group"), std::string::npos);
  EXPECT_EQ(tell("hht").find("rho_infinity"), std::string::npos);
  EXPECT_NE(tell("hht").find("hht_alpha"), std::string::npos);
  EXPECT_EQ(tell("generalized_alpha").find("hht_alpha"), std::string::npos);
  EXPECT_NE(tell("generalized_alpha").find("rho_infinity"), std::string::npos);
  EXPECT_NE(
      find_error([] {
        read({{"formulation", text("ggl")},
              {"integrator", text("generalized_alpha")},
              {"hht_alpha", number(-0.2)}});
      }).find("method.hht_alpha is an option of hht, but this method is ggl/generalized_alpha"),
      std::string::npos);
}

TEST(MethodReader, AWordInTheWrongPlaceIsToldItsKind) {
  EXPECT_EQ(find_error([] { find({}, "rk4"); }),
            "error: there is no method 'rk4'\n    rk4 is an integrator: write "
            "formulation/integrator[/drift+drift], for example braun_goldfarb/rk4");
  for (const char* word : {"rattle", "newmark", "radau5", "bdf", "ida"}) {
    const std::string message = find_error([&] { find({}, word); });
    EXPECT_NE(message.find(std::string("for example ggl/") + word), std::string::npos) << message;
  }
  const std::string swapped = find_error([] { find({}, "ab3/index1"); });
  EXPECT_NE(swapped.find("ab3 is an integrator: write"), std::string::npos) << swapped;
  EXPECT_NE(find_error([] { find({}, "project"); }).find("project is a drift control: write"),
            std::string::npos);
  EXPECT_NE(find_error([] { find({}, "index1/rk4/baumgarte"); }).find("is a formulation: write"),
            std::string::npos);
}

TEST(MethodReader, WordsThatDoNotGoTogetherAreRefusedWithTheRightOnes) {
  EXPECT_EQ(
      find_error([] { find({}, "index1/hedop5"); }),
      "error: hedop5 is half-explicit: it takes constraints at velocity level, which index1 "
      "does not give\n    works with index1: euler, heun, kutta3, rk4, rkmk4, ab2, ab3, ab4, "
      "ab5, dopri5, dop853, adams, radau5, bdf, ida, backward_euler; hedop5 works with index2");
  EXPECT_EQ(find_error([] { find({}, "ggl/rk4"); }),
            "error: rk4 needs accelerations from positions and velocities, which ggl does not "
            "give\n    works with ggl: radau5, bdf, ida, backward_euler, newmark, hht, "
            "generalized_alpha, "
            "rattle; rk4 works with braun_goldfarb, index1, udwadia_kalaba, baumgarte, partition, "
            "partial_velocity");
  EXPECT_NE(find_error([] { find({}, "baumgarte/radau5"); }).find("radau5 is implicit"),
            std::string::npos);
  EXPECT_NE(find_error([] { find({}, "ggl/bdf/project"); }).find("builds on the states before it"),
            std::string::npos);
  EXPECT_EQ(
      find_error([] { find({}, "index3/ida"); }),
      "error: ida takes constraints of index 1 or 2 (for more its error test does not hold), "
      "which index3 does not give\n    works with index3: radau5, bdf, backward_euler, newmark, "
      "hht, generalized_alpha, rattle; ida works with index1, index2, ggl, stabilized_index1");
  EXPECT_NE(find_error([] { find({}, "index2_baumgarte/ida"); }).find("index 1 or 2"),
            std::string::npos);
  EXPECT_NE(find_error([] { find({}, "ggl/ida/project"); }).find("builds on the states before it"),
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
    } else if (option.owner == "generalized_alpha" || option.owner == "hht" ||
               option.owner == "newmark") {
      entries.emplace_back("formulation", text("ggl"));
      entries.emplace_back("integrator", text(option.owner.c_str()));
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

}  // namespace
}  // namespace driftless::method_words
