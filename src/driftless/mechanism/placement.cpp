#include "driftless/mechanism/placement.hpp"

#include <fmt/format.h>

#include "driftless/model/model_check.hpp"

namespace driftless {
namespace {

std::vector<std::string> list_bodies(const Assembly& assembly) {
  std::vector<std::string> names{"ground"};
  for (const DrawnBody& drawn : assembly.bodies) names.push_back(drawn.body.name);
  return names;
}

/// `on` or `to`: { body = "shaft", at = [...], x = ..., z = ... } in the body's own coordinates, or { frame = "shaft.tip" }.
std::optional<BodyFrame> read_side(std::string_view key, ElementReader& reader,
                                   Assembly& assembly) {
  const Value* value = reader.take(key);
  if (value == nullptr) {
    reader.miss(key, "give both: on = { body = ..., at = ... } and to = { ... }");
    return {};
  }
  ElementReader table(fmt::format("{}.{}", reader.path(), key), *value, reader.context());
  table.know("frame");
  table.know("body");
  std::optional<BodyFrame> frame;
  if (const auto name = table.text("frame")) {
    const Source& where = table.take("frame")->where;
    const std::size_t dot = name->find('.');
    const auto body = assembly.find_body(name->substr(0, dot), where, table);
    if (body && *body >= 0) {
      const DrawnBody& drawn = assembly.bodies[static_cast<std::size_t>(*body)];
      std::vector<std::string> names;
      for (const auto& [key_of, each] : drawn.frames) {
        names.push_back(drawn.body.name + "." + key_of);
        if (names.back() != *name) continue;
        frame = each;
        reader.context().used_frames.insert(*name);
      }
      if (frame) frame->body = *body;
      if (!frame) {
        table.fault(where, fmt::format("{}: there is no frame '{}'", table.path(), *name),
                    names.empty()
                        ? fmt::format("declare it as [body.{}.frame.NAME]", drawn.body.name)
                        : suggest_name(*name, names));
      }
    } else if (body) {
      table.fault(where, fmt::format("{}: the ground has no named frames", table.path()),
                  "give { body = \"ground\", at = [...] }");
    }
  } else if (const auto body_name = table.text("body")) {
    const auto body = assembly.find_body(*body_name, table.take("body")->where, table);
    const Vector3 at =
        (body && *body < 0 ? table.point("at") : table.vector("at", "m")).value_or(Vector3{});
    const Axes<double> axes = read_axes(table);
    if (body) {
      frame = BodyFrame{*body, at, axes, find_angle(axes)};
      if (*body >= 0) {
        frame->offset = assembly.bodies[static_cast<std::size_t>(*body)].origin + at;
      }
    }
  } else if (value->is_table() && !table.has("frame") && !table.has("body")) {
    table.fault(value->where, fmt::format("{}: neither body nor frame is given", table.path()),
                "for example { body = \"crank\", at = [0.1, 0, 0] } or { frame = \"crank.tip\" }");
  }
  table.finish();
  return frame;
}

/// One point for both frames, or a list of two names.
std::optional<std::array<Vector3, 2>> read_points(ElementReader& reader, bool needed) {
  const Value* at = reader.take("at");
  if (at == nullptr && !needed) return {};
  if (at == nullptr) {
    reader.miss("at", "name a point of [points], or give coordinates");
    return {{}};
  }
  if (at->is_list() && at->list().size() == 2) {
    const Value::List& list = at->list();
    const bool two =
        (list[0].is_text() && reader.context().find_point(list[0].text()) != nullptr) ||
        list[0].is_list() || list[1].is_list() ||
        (list[1].is_text() && reader.context().find_point(list[1].text()) != nullptr);
    if (two) return {{reader.read_point(list[0], "at"), reader.read_point(list[1], "at")}};
  }
  const Vector3 point = reader.read_point(*at, "at");
  return {{point, point}};
}

}  // namespace

std::optional<int> Assembly::find_body(const std::string& name, const Source& where,
                                       ElementReader& reader) {
  if (name == "ground") return -1;
  const int place = body_places_.find(
      name, bodies, [](const DrawnBody& each) -> const std::string& { return each.body.name; });
  if (place >= 0) {
    if (bodies[static_cast<std::size_t>(place)].doubtful) ++reader.context().doubts;
    return place;
  }
  reader.fault(where, fmt::format("{}: there is no body '{}'", reader.path(), shorten(name)),
               suggest_name(name, list_bodies(*this)));
  return {};
}

BodyFrame Assembly::fix(int body, const Vector3& origin, const Axes<double>& axes) const {
  if (body < 0) return {-1, origin, axes, find_angle(axes)};
  const BodyState& pose = bodies[static_cast<std::size_t>(body)].pose;
  BodyFrame frame;
  frame.body = body;
  frame.offset = apply_inverse(pose.axes, origin - pose.position);
  frame.axes = {apply_inverse(pose.axes, axes.x), apply_inverse(pose.axes, axes.y),
                apply_inverse(pose.axes, axes.z)};
  frame.angle = find_angle(axes) - pose.angle;
  return frame;
}

Frame<double> Assembly::find_drawn(int frame) const {
  const BodyFrame& each = frames[static_cast<std::size_t>(frame)];
  if (each.body < 0) return {each.offset, each.axes, each.angle};
  const BodyState& pose = bodies[static_cast<std::size_t>(each.body)].pose;
  return {pose.position + apply(pose.axes, each.offset), compose(pose.axes, each.axes),
          pose.angle + each.angle};
}

int Assembly::add(const BodyFrame& frame) {
  frames.push_back(frame);
  return static_cast<int>(frames.size()) - 1;
}

std::optional<std::array<int, 2>> read_placement(ElementReader& reader, Assembly& assembly,
                                                 bool has_place) {
  if (reader.has("on") || reader.has("to")) {
    const auto on = read_side("on", reader, assembly);
    const auto to = read_side("to", reader, assembly);
    if (!on || !to) return {};
    if (on->body == to->body) {
      const std::string name =
          on->body < 0 ? "ground" : assembly.bodies[static_cast<std::size_t>(on->body)].body.name;
      reader.fault(reader.where(),
                   fmt::format("{} connects a body with itself: '{}'", reader.path(), name),
                   "name two different bodies in on and to");
      return {};
    }
    return std::array{assembly.add(*on), assembly.add(*to)};
  }
  const Value* between = reader.take("between");
  reader.know("on");
  reader.know("to");
  const auto names = reader.words("between", 2);
  const auto points = read_points(reader, has_place);
  const std::array<Axes<double>, 2> axes = read_axes_pair(reader);
  if (!names) {
    if (between == nullptr) {
      reader.miss("between", "name two bodies: between = [\"ground\", \"crank\"]");
    }
    return {};
  }
  const auto first = assembly.find_body((*names)[0], between->list()[0].where, reader);
  const auto second = assembly.find_body((*names)[1], between->list()[1].where, reader);
  if (!first || !second) return {};
  if (*first == *second) {
    reader.fault(between->list()[1].where,
                 fmt::format("{} connects '{}' with itself", reader.path(), (*names)[0]),
                 "name two different bodies");
    return {};
  }
  // Without a place the frames stand in the mass centres; the ground has its own with the other body.
  const auto find_centre = [&](int body) {
    return assembly.bodies[static_cast<std::size_t>(body)].pose.position;
  };
  const Vector3 from = points ? (*points)[0] : find_centre(*first < 0 ? *second : *first);
  const Vector3 to = points ? (*points)[1] : find_centre(*second < 0 ? *first : *second);
  return std::array{assembly.add(assembly.fix(*first, from, axes[0])),
                    assembly.add(assembly.fix(*second, to, axes[1]))};
}

std::optional<int> read_body_placement(ElementReader& reader, Assembly& assembly) {
  if (reader.has("on")) {
    const auto on = read_side("on", reader, assembly);
    if (!on) return {};
    return assembly.add(*on);
  }
  reader.know("on");
  const Value* key = reader.take("body");
  const auto name = reader.text("body");
  const Source where = key != nullptr ? key->where : reader.where();
  const Axes<double> axes = read_axes(reader);
  const auto at = reader.point("at");
  if (!name) {
    if (key == nullptr) reader.miss("body", "name the body: body = \"crank\"");
    return {};
  }
  const auto body = assembly.find_body(*name, where, reader);
  if (!body) return {};
  if (*body < 0) {
    reader.fault(where, fmt::format("{}.body: the ground does not move", reader.path()),
                 "name another body");
    return {};
  }
  if (!at) {  // the mass centre
    const BodyState& pose = assembly.bodies[static_cast<std::size_t>(*body)].pose;
    return assembly.add(assembly.fix(*body, pose.position, axes));
  }
  return assembly.add(assembly.fix(*body, *at, axes));
}

}  // namespace driftless
