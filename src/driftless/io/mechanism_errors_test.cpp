// Every way in which a mechanism's file can be wrong: the message, the remedy and the place.

#include <gtest/gtest.h>

#include "driftless/io/model_file_test.hpp"

namespace driftless {
namespace {

using testing::find_errors;
using testing::four_bar;
using testing::has_error;
using testing::print;
using testing::with_head;
using testing::with_plane_head;

/// All that is said about a plane mechanism with these lines from line 11 on.
std::string complain(std::string_view lines) { return print(find_errors(with_plane_head(lines))); }

/// The same about a revolute joint with this line 12.
std::string complain_of_joint(std::string_view line) {
  return complain("[joint.J]\n" + std::string(line) + "\ntype = \"revolute\"\nat = \"A\"\n");
}

TEST(MechanismErrorsTest, EitherBodiesOrEquations) {
  EXPECT_EQ(complain("[coordinates]\nx = 1\n[energy]\nkinetic = 1\n"),
            "model.toml:11:2: error: a model is either a mechanism (space, [points], [body]) or "
            "equations ([coordinates], [energy]); this file has both\n    with bodies and joints "
            "it must be a mechanism: remove [coordinates], [energy]\n");
  EXPECT_EQ(print(find_errors("gravity = [0, 0, -9.81]\n" + with_head(""))),
            "model.toml:1:1: error: a model is either a mechanism (gravity) or equations "
            "([coordinates], [energy]); this file has both\n    without bodies and joints it must "
            "be an equation model: remove gravity\n");
  EXPECT_ONLY_ERROR(with_head("[force.k]\ntype = \"spring_damper\"\n"), 6, 2, "remove [force]");
}

TEST(MechanismErrorsTest, WithoutBodies) {
  EXPECT_EQ(print(find_errors("format = \"driftless/1\"\ngravity = [0, 0, -9.81]\n")),
            "model.toml:1:1: error: the mechanism has no bodies\n    add a section such as "
            "[body.crank] with mass = \"1 kg\"\n");
}

TEST(MechanismErrorsTest, UnknownSections) {
  EXPECT_EQ(complain("[joints.A]\ntype = \"revolute\"\n"),
            "model.toml:11:2: error: [joints]: there is no such section\n    did you mean "
            "'joint'?\nmodel.toml:11:9: error: joint.A does not say which bodies it connects\n    "
            "add between = [\"ground\", \"crank\"] and at = \"A\", or the frames on = {...} and to "
            "= {...}\n");
  EXPECT_ONLY_ERROR("grafity = [0, 1]\n" + with_plane_head(""), 1, 1, "did you mean 'gravity'?");
}

TEST(MechanismErrorsTest, SpaceAndGravity) {
  EXPECT_EQ(print(find_errors("format = \"driftless/1\"\nspace = \"plan\"\n[body.a]\n[points]\nA = "
                              "[0, 0]\n")),
            "model.toml:2:10: error: space = 'plan' is not known\n    did you mean 'plane'?\n");
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\nspace = 2\n[body.a]\n", 2, 9,
                    "space is a number; wanted: \"plane\" or \"space\"");
  EXPECT_EQ(print(find_errors("gravity = [0, 0, -9.81]\n" + with_plane_head(""))),
            "model.toml:1:11: error: gravity has 3 numbers; 2 wanted in the plane\n    write [x, "
            "y]\n");
  EXPECT_ONLY_ERROR("gravity = -9.81\n" + with_plane_head(""), 1, 11,
                    "gravity is a number; wanted: 2 numbers, [x, y]");
  EXPECT_ONLY_ERROR("gravity = []\n" + with_plane_head(""), 1, 11, "gravity has 0 numbers");
  EXPECT_ONLY_ERROR("gravity = [0, nan]\n" + with_plane_head(""), 1, 15, "finite number");
}

TEST(MechanismErrorsTest, Points) {
  EXPECT_EQ(print(find_errors("format = \"driftless/1\"\n[body.a]\n[points]\nA = [0, 0]\n")),
            "model.toml:4:5: error: points.A has 2 numbers; 3 wanted in space\n    write [x, y, "
            "z], or space = \"plane\" at the top\n");
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\n[body.a]\n[points]\nA = [0, true, 0]\n", 4, 9,
                    "points.A[2] is true or false; wanted: a number or a text with an expression");
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\n[body.a]\n[points]\nA = [0, \" \", 0]\n", 4, 10,
                    "points.A[2] is empty");
}

TEST(MechanismErrorsTest, Types) {
  EXPECT_EQ(complain("[joint.J]\nbetween = [\"ground\", \"crank\"]\n"),
            "model.toml:11:8: error: joint.J.type is missing\n    say what it is, for example type "
            "= \"revolute\"; see driftless list joints\n");
  EXPECT_EQ(complain("[joint.J]\nbetween = [\"ground\", \"crank\"]\ntype = \"revolut\"\n"),
            "model.toml:13:9: error: joint.J.type = 'revolut': there is no such joint\n    did you "
            "mean 'revolute'?\n");
  EXPECT_ONLY_ERROR(
      with_plane_head("[joint.J]\nbetween = [\"ground\", \"crank\"]\ntype = [\"revolute\"]\n"), 13,
      8, "joint.J.type is a list; wanted: a word in quotes");
  EXPECT_ONLY_ERROR(with_plane_head("[force.k]\ntype = \"\"\n"), 12, 9, "force.k.type is empty");
  EXPECT_ONLY_ERROR(with_plane_head("[force.k]\nstiffness = 1\n"), 11, 8,
                    "force.k.type is missing");
  EXPECT_ONLY_ERROR(with_plane_head("[constraint.c]\n"), 11, 13, "constraint.c.type is missing");
}

TEST(MechanismErrorsTest, SectionsThatAreNone) {
  EXPECT_ONLY_ERROR(with_plane_head("[joint]\nJ = 1\n"), 12, 5,
                    "joint.J is a number; wanted: a section, [joint.NAME], with its entries");
  EXPECT_ONLY_ERROR("joint = 1\n" + with_plane_head(""), 1, 9,
                    "joint is a number; wanted: a section [joint.NAME]");
  EXPECT_ONLY_ERROR("format = \"driftless/1\"\n[[body]]\nname = \"a\"\n", 2, 1,
                    "body is a list; wanted: a section [body.NAME]");
}

TEST(MechanismErrorsTest, Between) {
  EXPECT_EQ(complain_of_joint("between = [\"ground\", \"crnk\"]"),
            "model.toml:12:23: error: joint.J.between: there is no body 'crnk'\n    did you mean "
            "'crank'?\n");
  EXPECT_EQ(complain_of_joint("between = [\"crank\", \"crank\"]"),
            "model.toml:12:22: error: joint.J.between: both bodies are 'crank'\n    a joint acts "
            "between two different bodies\n");
  EXPECT_EQ(complain_of_joint("between = [\"ground\", \"crank\", \"rod\"]"),
            "model.toml:12:11: error: joint.J.between has 3 names; wanted: two bodies, such as "
            "[\"ground\", \"crank\"]\n");
  EXPECT_EQ(complain_of_joint("between = \"crank\""),
            "model.toml:12:12: error: joint.J.between is a text; wanted: two bodies, such as "
            "[\"ground\", \"crank\"]\n");
  EXPECT_EQ(complain_of_joint("between = [\"crank\", 1]"),
            "model.toml:12:21: error: joint.J.between[2] is a number; wanted: the name of a "
            "body\n");
  EXPECT_EQ(complain_of_joint(""),
            "model.toml:11:8: error: joint.J does not say which bodies it connects\n    add "
            "between = [\"ground\", \"crank\"] and at = \"A\", or the frames on = {...} and to = "
            "{...}\n");
}

TEST(MechanismErrorsTest, Frames) {
  EXPECT_EQ(complain_of_joint("on = { body = \"crank\" }"),
            "model.toml:11:8: error: joint.J.to is missing\n    on = {...} and to = {...} are the "
            "frames on the first and the second body\n");
  EXPECT_EQ(complain_of_joint("on = { body = \"crnk\" }\nto = { frame = \"rid.tip\" }"),
            "model.toml:12:16: error: joint.J.on.body: there is no body 'crnk'\n    did you mean "
            "'crank'?\n"
            "model.toml:13:17: error: joint.J.to.frame: there is no body 'rid'\n    did you mean "
            "'rod'?\n");
  EXPECT_EQ(
      complain_of_joint("on = { body = \"crank\", at = [1] }\nto = { body = \"rod\" }"),
      "model.toml:12:29: error: joint.J.on.at has 1 number; 2 wanted in the plane\n    write [x, "
      "y]\n");
}

TEST(MechanismErrorsTest, Places) {
  const std::string joint = "[joint.J]\ntype = \"revolute\"\nbetween = [\"ground\", \"crank\"]\n";
  EXPECT_EQ(complain(joint + "at = \"Q\"\n"),
            "model.toml:14:7: error: joint.J.at: there is no point 'Q'\n    known: A, B\n");
  EXPECT_EQ(complain(joint + "at = [\"A\", \"Q\"]\n"),
            "model.toml:14:13: error: joint.J.at[2]: there is no point 'Q'\n    known: A, B\n");
  EXPECT_EQ(complain(joint + "at = [0, 0, 0]\n"),
            "model.toml:14:6: error: joint.J.at has 3 numbers; 2 wanted in the plane\n    write "
            "[x, y]\n");
  EXPECT_EQ(complain(joint + "at = 3\n"),
            "model.toml:14:6: error: joint.J.at is a number; wanted: the name of a point, or [x, "
            "y]\n");
  EXPECT_EQ(complain(joint + "at = [\"P\", \"Q\"]\n"),
            "model.toml:14:8: error: joint.J.at[1]: there is no point 'P'\n    known: A, B\n"
            "model.toml:14:13: error: joint.J.at[2]: there is no point 'Q'\n    known: A, B\n");
  EXPECT_EQ(
      complain("[body.c]\nrod = [\"A\", \"BB\"]\n"),
      "model.toml:12:14: error: body.c.rod[2]: there is no point 'BB'\n    did you mean 'B'?\n");
  EXPECT_EQ(complain("[body.c]\nrod = \"A\"\n"),
            "model.toml:12:8: error: body.c.rod: wanted: its two ends, such as [\"A\", \"B\"]\n");
}

TEST(MechanismErrorsTest, Names) {
  EXPECT_EQ(complain("[joint.crank]\ntype = \"revolute\"\nbetween = [\"crank\", \"rod\"]\n"),
            "model.toml:11:8: error: the name 'crank' is given twice: to a joint here and to a "
            "body in line 8, column 7\n    parameters, bodies, joints, constraints, forces, "
            "measures, tables, conserved quantities and records must have different names\n");
  EXPECT_EQ(complain("[body.ground]\nmass = 1\n"),
            "model.toml:11:7: error: 'ground' cannot be the name of a body: it is the body that "
            "does not move\n    choose another name; ground need not be declared\n");
  EXPECT_EQ(complain("[body.pi]\nmass = 1\n"),
            "model.toml:11:7: error: 'pi' cannot be the name of a body: it means the number "
            "3.14159...\n    choose another name, for example 'pi1'\n");
  EXPECT_ONLY_ERROR(with_plane_head("[body.a-b]\n"), 11, 7, "'a-b' cannot be the name of a body");
  EXPECT_ONLY_ERROR(
      "format = \"driftless/1\"\n[body.a]\n[parameters]\nP = 1\n[points]\nP = [0, 0, "
      "0]\n",
      6, 1,
      "to a point here and to a parameter in line 4, column 1\nparameters and points "
      "must have different names");
  EXPECT_ONLY_ERROR(with_plane_head("[measure.order]\ntype = \"point\"\nof = \"a\"\n"), 11, 10,
                    "every result has a column");
  EXPECT_ONLY_ERROR(with_plane_head("[record]\nphi = 1\n"), 12, 1, "every result has a column");
}

TEST(MechanismErrorsTest, Start) {
  EXPECT_EQ(complain("[start]\ncrnk.x = 1\n"),
            "model.toml:12:6: error: start.crnk.x: there is no body or joint 'crnk'\n    did you "
            "mean 'crank'?\n");
  EXPECT_EQ(complain("[start]\ncrank = 1\n"),
            "model.toml:12:1: error: start.crank does not say which coordinate\n    for example: "
            "crank.angle = \"30 deg\"\n");
  EXPECT_EQ(complain("[start]\ncrank.x = { value = 1, priority = \"exat\" }\n"),
            "model.toml:12:36: error: start.crank.x.priority = 'exat': wanted is \"exact\", "
            "\"preferred\" (default) or \"guess\"\n    did you mean 'exact'?\n");
  EXPECT_EQ(complain("[start]\ncrank.x = { priority = \"exact\" }\n"),
            "model.toml:12:7: error: start.crank.x.value is missing\n    write a number, a text, "
            "or { value = ..., priority = \"exact\" }\n");
  EXPECT_EQ(complain("[start]\ncrank.x = { value = 1, priorty = \"exact\" }\n"),
            "model.toml:12:35: error: start.crank.x.priorty: there is no such key\n    did you "
            "mean 'priority'?\n");
  EXPECT_EQ(complain("[start]\ncrank.x = [1]\n"),
            "model.toml:12:11: error: start.crank.x is a list; wanted: a number, a text, or { "
            "value = ..., priority = \"exact\" }\n");
  EXPECT_EQ(complain("[start]\ncrank.x = { value = true, priority = 1 }\n"),
            "model.toml:12:21: error: start.crank.x.value is true or false; wanted: a number or a "
            "text\n"
            "model.toml:12:38: error: start.crank.x.priority is a number: wanted is \"exact\", "
            "\"preferred\" (default) or \"guess\"\n");
  EXPECT_EQ(complain("[start]\ncrank = {}\n"),
            "model.toml:12:1: error: start.crank is an empty table\n");
  EXPECT_EQ(complain("[start]\ncrank.x = 1\n\"crank.x\" = 2\n"),
            "model.toml:13:1: error: start.crank.x is given twice, first in line 12, column 7\n    "
            "remove one of them\n");
}

TEST(MechanismErrorsTest, Display) {
  EXPECT_EQ(complain("[display]\ncrnk.x = \"mm\"\n"),
            "model.toml:12:6: error: display.crnk: there is no such key\n    did you mean "
            "'crank'?\n");
  EXPECT_ONLY_ERROR(with_plane_head("[display]\ncrank.x = 1\n"), 12, 11,
                    "display.crank.x is a number; wanted: a unit in quotes");
}

TEST(MechanismErrorsTest, TablesStayBesideTheModel) {
  EXPECT_ONLY_ERROR(with_plane_head("[table]\nroad = \"../road.csv\"\n"), 12, 1, "own folder");
}

TEST(MechanismErrorsTest, AllInTheOrderOfTheFile) {
  std::string text = four_bar();
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("[1, 0, 0]", "[1, 0]");
  replace("\"crank\"]\nat = \"A\"", "\"cramk\"]\nat = \"AA\"");
  replace("\"revolute\"\nbetween = [\"crank\"", "\"revolut\"\nbetween = [\"crank\"");
  replace("B.angle", "Q.angle");
  const std::vector<Diagnostic> errors = find_errors(text);
  ASSERT_EQ(errors.size(), 5U) << print(errors);
  EXPECT_TRUE(has_error({errors[0]}, 11, 5, "points.B has 2 numbers"));
  EXPECT_TRUE(has_error({errors[1]}, 22, 23, "no body 'cramk'"));
  EXPECT_TRUE(has_error({errors[2]}, 23, 7, "no point 'AA'"));
  EXPECT_TRUE(has_error({errors[3]}, 36, 9, "'revolut'"));
  EXPECT_TRUE(has_error({errors[4]}, 59, 3, "no body or joint 'Q'"));
}

}  // namespace
}  // namespace driftless
