#pragma once
// A model whose page, scene and meshes are tested.

#include "driftless/result/result.hpp"

namespace driftless::testing {

inline constexpr const char* kArmModel = R"(format = "driftless/1"
name = "arm"
space = "plane"
gravity = [0, -9.81]
[parameters]
l = "2 m"
half = "l/2"
[points]
A = [0, 0]
B = ["l", 0]
[body.bar]
rod = ["A", "B"]
mass = 1
[body.bar.frame.tip]
at = ["half", 0]
[body.wheel]
centre = "B"
disc = "30 cm"
mass = 2
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = "A"
[joint.axle]
type = "revolute"
between = ["bar", "wheel"]
at = "B"
[force.spring]
type = "spring_damper"
between = ["ground", "bar"]
at = [[0, 1], "B"]
stiffness = 10
)";

inline RunInfo make_arm_info() {
  RunInfo info;
  info.model_name = "arm";
  info.model_path = "somewhere/arm.toml";
  info.model_text = kArmModel;
  info.method = "index1/rk4";
  info.version = "0.1.0";
  info.parameters = {{"l", 2.0}, {"half", 1.0}};
  return info;
}

}  // namespace driftless::testing
