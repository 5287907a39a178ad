// driftless animate: a run of a mechanism as a moving picture.

#include <filesystem>

#include "commands.hpp"
#include "plotting.hpp"
#include <fmt/format.h>

#include "driftless/io/animated_svg.hpp"
#include "driftless/io/json.hpp"
#include "driftless/io/page.hpp"

namespace driftless::cli {
namespace {

struct AnimateArguments {
  std::string run;
  std::string out;
  std::optional<std::string> from, seconds, speed;
  std::string view;
  std::string title;
  std::vector<std::string> trails;
};

constexpr double kFewPosesPerSecond = 12.0;

void execute(const AnimateArguments& arguments, const Session& session) {
  const std::string out = arguments.out.empty()
                              ? std::filesystem::path(arguments.run).stem().string() + ".svg"
                              : arguments.out;
  if (!out.ends_with(".svg"))
    throw ModelError("animate writes SVG, not '" + out + "'", "for example -o motion.svg");
  check_picture(out);
  const ResultOverview overview = read_run_overview(arguments.run, session.voice);
  const SceneOfRun scene = find_scene(overview.ends.info);
  if (scene.scene.empty()) {
    throw ModelError(
        arguments.run + ": " + scene.note,
        "run a mechanism of bodies and joints, for example driftless examples machines/jansen_leg");
  }
  AnimationOptions options;
  options.from = parse_quantity("--from", arguments.from, "s", {})
                     .value_or(overview.rows > 0 ? overview.ends.row(0)[0] : 0.0);
  options.seconds = parse_quantity("--seconds", arguments.seconds, "s", kPositive).value_or(0.0);
  options.speed = parse_quantity("--speed", arguments.speed, "", kPositive).value_or(0.0);
  options.view = arguments.view;
  options.title = arguments.title;
  options.trails = arguments.trails;
  const Result result = read_run_part(
      arguments.run,
      [&](const RunInfo&, const std::vector<Column>& columns) {
        return choose_poses(scene.scene, columns, options);
      },
      session.voice);
  const Animation animation = make_animated_svg(scene.scene, result, options);
  write_svg(out, animation.svg);
  const double rate = animation.poses * animation.speed / animation.seconds;
  if (rate < kFewPosesPerSecond) {
    warn(session.voice,
         fmt::format("only {:.2g} poses a second fit into a small file: ask for fewer --seconds",
                     rate));
  }
  if (session.json) {
    JsonWriter json;
    json.begin_object()
        .member("status", "ok")
        .member("out", out)
        .member("from", animation.from)
        .member("seconds", animation.seconds)
        .member("speed", animation.speed)
        .member("poses", animation.poses)
        .member("closed", animation.closed)
        .member("bytes", animation.svg.size())
        .end_object();
    fmt::print("{}\n", json.text());
  } else {
    fmt::print("{}\n", out);
  }
}

}  // namespace

void add_animate(CommandLine& line, Session& session) {
  auto arguments = std::make_shared<AnimateArguments>();
  Verb verb = line.add_verb("animate", "the motion of a mechanism as a picture that moves, .svg");
  verb.text("RUN", arguments->run, "result file, .h5", Verb::Need::required)
      .completes(Values::result);
  verb.text("-o,--output", arguments->out, "picture to write, .svg (default: the run's name)")
      .completes(Values::file);
  verb.text("--from", arguments->from, "time of the run at which it begins (default: the start)");
  verb.text("--seconds", arguments->seconds,
            "how much of the run to show (default: all, at most 10 s)");
  verb.text(
      "--speed", arguments->speed,
      "2: twice as fast, 0.1: slowed down ten times (default: 1, slower if it is over too soon)");
  verb.text("--view", arguments->view, "front, top, side or corner, of a mechanism in space")
      .completes(Values::view);
  verb.list("--trail", arguments->trails,
            "joints, bodies or frames that leave a trail, separated by commas")
      .completes(Values::trail);
  verb.text("--title", arguments->title, "words at the top");
  add_common_flags(verb, session);
  verb.footer(
      R"(The picture plays in every browser, in a README and in slides; it holds no script and stays
below 200 kB. One period of a motion plays without a seam. Whoever asked the system for
reduced motion sees the first pose.

Examples:
  driftless animate four_bar.h5 --seconds 3 --trail C
  driftless animate stewart_platform.h5 --view side -o platform.svg)");
  verb.action([arguments, &session] { execute(*arguments, session); });
}

}  // namespace driftless::cli
