#include "driftless/io/json.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::string quote(std::string_view text) { return JsonWriter().value(text).text(); }

TEST(Json, EscapesEverythingThatNeedsIt) {
  EXPECT_EQ(quote("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
  EXPECT_EQ(quote("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
  EXPECT_EQ(quote(std::string_view("\0\x1f", 2)), "\"\\u0000\\u001f\"");
  EXPECT_EQ(quote("\xCE\xA6 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\"\xCE\xA6 \xE2\x82\xAC \xF0\x9F\x98\x80\"");
}

TEST(Json, InvalidUtf8BecomesTheReplacementCharacter) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(quote("a\xFFz"), "\"a" + mark + "z\"");
  EXPECT_EQ(quote("\xC0\xAF"), "\"" + mark + mark + "\"") << "overlong";
  EXPECT_EQ(quote("\xED\xA0\x80"), "\"" + mark + mark + mark + "\"") << "surrogate";
  EXPECT_EQ(quote("\xF4\x90\x80\x80"), "\"" + mark + mark + mark + mark + "\"")
      << "beyond U+10FFFF";
  EXPECT_EQ(quote("\xE2\x82"), "\"" + mark + mark + "\"") << "cut off";
}

TEST(Json, NumbersAreExactAndNonFiniteOnesNull) {
  const auto number = [](double value) { return JsonWriter().value(value).text(); };
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(1e-300), "1e-300");
  EXPECT_EQ(std::stod(number(0.1 + 0.2)), 0.1 + 0.2);
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(JsonWriter().value(-9'000'000'000'000'000'001LL).text(), "-9000000000000000001");
}

TEST(Json, NestsWithAndWithoutLines) {
  const auto fill = [](JsonWriter json) {
    json.begin_object().member("a", std::vector<int>{1, 2}).key("b").begin_object().end_object();
    json.member("c", true).key("d").null().key("e").begin_array().begin_object().member("f", "g");
    return json.end_object().end_array().end_object().text();
  };
  EXPECT_EQ(fill(JsonWriter()), R"({"a":[1,2],"b":{},"c":true,"d":null,"e":[{"f":"g"}]})");
  EXPECT_EQ(fill(JsonWriter(2)),
            "{\n  \"a\": [1, 2],\n  \"b\": {},\n  \"c\": true,\n  \"d\": null,\n  \"e\": [{\n      "
            "\"f\": \"g\"\n"
            "    }]\n}");
}

TEST(Json, ReportHasItsKeysInTheirOrder) {
  RunInfo info;
  info.method = "index1/rk4";
  info.options = "step = 0.01; engine dense: 2 rates, 1 row, because there are few rows";
  info.model_name = "crank";
  Report report;
  report.max_phi = std::numeric_limits<double>::quiet_NaN();
  report.redundant = {"pin_x"};
  report.not_unique = {"A.force.z"};
  report.figures = {{"coupling", 0.5}};
  report.seconds = {{"steps", 0.25}, {"output", 0.125}};
  report.t_end = 10;
  const std::string ok = R"({
  "status": "ok",
  "message": "",
  "t_end": 10,
  "steps": 0,
  "rejected": 0,
  "evaluations": 0,
  "factorisations": 0,
  "cpu_seconds": 0,
  "max_phi": null,
  "max_phi_dot": 0,
  "max_energy_error": 0,
  "dof": 0,
  "rows": 0,
  "rank": 0,
  "redundant": ["pin_x"],
  "not_unique": ["A.force.z"],
  "min_rank": 0,
  "warnings": [],
  "figures": {
    "coupling": 0.5
  },
  "seconds": {
    "steps": 0.25,
    "output": 0.125
  },
  "method": "index1/rk4",
  "model": "crank",
  "engine": "dense: 2 rates, 1 row, because there are few rows"
})";
  EXPECT_EQ(report_to_json(info, report), ok);

  report.status = Status::failed;
  report.failure = {.t = 2.5,
                    .message = "m",
                    .worst = "pin_y",
                    .rank = -1,
                    .last_good = {1, 2},
                    .suggestion = "s"};
  const std::string failed = report_to_json(info, report);
  EXPECT_NE(failed.find(R"("failure": {
    "t": 2.5,
    "message": "m",
    "worst": "pin_y",
    "rank": null,
    "last_good": [1, 2],
    "suggestion": "s"
  },
  "method")"),
            std::string::npos)
      << failed;
}

}  // namespace
}  // namespace driftless
