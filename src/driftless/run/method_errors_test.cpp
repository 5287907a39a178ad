// What is said of words and options that make no Method.

#include <gtest/gtest.h>

#include "driftless/run/method_reader_test.hpp"

namespace driftless::method_words {
namespace {

TEST(MethodReaderErrors, UnknownWordsNameTheNearest) {
  EXPECT_EQ(read_error({{"formulation", text("baumgart")}, {"stepp", number(1)}}),
            place("there is no formulation 'baumgart'\n    did you mean 'baumgarte'?") + "\n" +
                place("method has no option 'stepp'\n    did you mean 'step'?"));
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

TEST(MethodReaderErrors, MisspeltWordsOfAnotherKindAreToldTheirPlace) {
  EXPECT_EQ(find_error([] { find({}, "generalised_alpha"); }),
            "error: there is no method 'generalised_alpha'\n    did you mean 'generalized_alpha'? "
            "generalized_alpha is an integrator: write formulation/integrator[/drift+drift], for "
            "example ggl/generalized_alpha");
  EXPECT_EQ(find_error([] { find({}, "index1/rk4/rattel"); }),
            "error: there is no drift control 'rattel'\n    did you mean 'rattle'? rattle is an "
            "integrator: write formulation/integrator[/drift+drift], for example ggl/rattle");
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
  EXPECT_EQ(
      read_error({{"integrator", text("rk4")}, {"tolerance", number(1e-3)}}),
      place("rk4 has no error estimate, so it cannot keep a tolerance\n"
            "    give a step, or use an integrator that adapts: dopri5, dop853, adams, hem3, hem4, "
            "hedop5, phem56, radau5, bdf, ida, newmark, hht, generalized_alpha"));
  EXPECT_EQ(read_error({{"integrator", text("rk4")}, {"max_step", number(0.1)}}),
            place("method.max_step bounds adaptive steps, but the step is fixed\n"
                  "    remove it, or use an integrator that adapts: dopri5, dop853, adams, hem3, "
                  "hem4, hedop5, "
                  "phem56, radau5, bdf, ida, newmark, hht, generalized_alpha"));
  EXPECT_EQ(read_error(
                {{"formulation", text("ggl")}, {"integrator", text("ida")}, {"step", number(0.1)}}),
            place("ida chooses its steps by a tolerance: it cannot keep a fixed one\n"
                  "    give a tolerance instead, or use bdf, which takes fixed steps, too"));
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
}  // namespace driftless::method_words
