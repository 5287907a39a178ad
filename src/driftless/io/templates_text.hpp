#pragma once
// The templates that have no options, word for word.

#include <string_view>

namespace driftless {

inline constexpr std::string_view kFirstTemplate =
    R"toml(# A first model: a crank A-B turns and a rocker D-C swings, joined by the coupler B-C.
#   driftless check FILE      degrees of freedom, joints, start values
#   driftless run FILE        simulate: a result (.h5) and a page with animation, plots, report (.html)
# A number is in SI units; a text may be an expression and may carry a unit: "50 mm", "30 deg".
format = "driftless/1"
name = "first"
description = "A crank and a rocker in the plane: three rods, four hinges, a motor"
space = "plane"                  # leave it out for three dimensions
gravity = [0, -9.81]

[parameters]                     # numbers by name: driftless run FILE --set "length=50 cm"
length = "40 cm"                 # of the crank
speed = "8 rad/s"                # at the start

[points]                         # places as drawn; bodies and joints refer to them
A = [0, 0]
B = [0, "length"]
C = ["90 cm", "80 cm"]
D = ["1 m", 0]

[body.crank]                     # a rod: mass centre and inertia follow from its ends
rod = ["A", "B"]
mass = "1 kg"

[body.coupler]
rod = ["B", "C"]
mass = "2 kg"

[body.rocker]
rod = ["D", "C"]
mass = "1.5 kg"

[joint]                          # hinges; "ground" is what does not move
A = { type = "revolute", between = ["ground", "crank"], at = "A" }
B = { type = "revolute", between = ["crank", "coupler"], at = "B" }
C = { type = "revolute", between = ["coupler", "rocker"], at = "C" }
D = { type = "revolute", between = ["ground", "rocker"], at = "D" }

[force.motor]                    # driftless list forces: springs, friction, stops, ...
type = "motor"
of = "A.angle"
torque = "12 - 1.5*A.rate"       # N*m; any formula of time and motion

[start]                          # what is not given follows from the joints
A.rate = "speed"

[record]                         # further columns of the result, beside bodies, joints and reactions
turns = "A.angle/(2*pi)"         # formulas of what moves

[display]                        # units in which columns are shown
D.angle = "deg"

[run]                            # seconds: the end, and the time between samples
until = 10
every = 0.01

[method]                         # how to solve it; try: driftless run FILE --method baumgarte/rk4
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)toml";

inline constexpr std::string_view kEquationsTemplate =
    R"toml(# A model as equations: a pendulum of a point mass on a massless rod.
#   driftless check FILE      degrees of freedom, constraints, start values
#   driftless run FILE        simulate
# A number is in SI units; a text may be an expression and may carry a unit: "50 mm", "30 deg".
format = "driftless/1"
name = "equations"
description = "A pendulum in Cartesian coordinates: gravity, one constraint, a little damping"

[parameters]                     # numbers by name; later ones may use earlier ones
m = "2 kg"
l = "500 mm"
g = 9.81
c = 0.05                         # N*s/m
swing = "60 deg"                 # angle from the vertical at the start

[coordinates]                    # what moves, with start value and start rate (left out: 0)
x = { start = "l*sin(swing)", rate = 0 }
y = { start = "-l*cos(swing)", rate = 0 }

[energy]                         # x' is the rate of x; the equations of motion follow
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"

[force]                          # what energy does not give: a force along each coordinate
x = "-c*x'"
y = "-c*y'"

[constraint]                     # each stays 0; the name is used in messages
rod = "x^2 + y^2 - l^2"

[record]                         # further columns of the result
angle = "atan2(x, -y)"
speed = "sqrt(x'^2 + y'^2)"

[run]                            # seconds
until = 10
every = 0.01

[method]                         # how to solve it; try: driftless run FILE --method baumgarte/rk4
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)toml";

inline constexpr std::string_view kPendulumTemplate = R"toml(format = "driftless/1"
name = "pendulum"
description = "The mathematical pendulum in Cartesian coordinates: the smallest constrained system"

[parameters]
m = 1.0
l = 1.0
g = 9.81

[coordinates]
x = "l"
y = 0

[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"

[constraint]
rod = "x^2 + y^2 - l^2"

[record]
angle = "atan2(x, -y)"

[run]
until = 10
every = 0.01

[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)toml";

inline constexpr std::string_view kLinearTemplate = R"toml(# M x'' + C x' + K x = E f(t)
format = "driftless/1"
name = "linear"
description = "Two masses in a row, the second one shaken: a linear system by its matrices"

[parameters]
m1 = "1 kg"
m2 = "1 kg"
k = "100 N/m"
c = "0.5 N*s/m"
F = "2 N"
w = "2*pi*1 Hz"                  # frequency of the load, rad/s

[coordinates]                    # displacements of the masses
x1 = 0.1
x2 = 0

[matrices]
M = ["m1", "m2"]                 # a flat list is a diagonal
C = [["2*c", "-c"], ["-c", "c"]]
K = [["2*k", "-k"], ["-k", "k"]]
E = [[0], [1]]                   # which coordinate each load acts on
f = ["F*sin(w*t)"]

[record]
spring_force = "k*(x2 - x1)"

[run]
until = 20
every = 0.01

[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)toml";

inline constexpr std::string_view kRollingTemplate =
    R"toml(# The centre of mass is a in front of the blade, which slides along the body, not across:
# the blade's velocity across the heading, -x'*sin(th) + y'*cos(th) - a*th', stays 0.
format = "driftless/1"
name = "rolling"
description = "Chaplygin's sleigh: a body on a knife edge, held by a constraint on velocities"

[parameters]
m = 1.0
J = 0.1                          # about the centre of mass
a = 0.2                          # from the blade to the centre of mass
u0 = -1.0                        # forward speed at the start: backwards, so it will turn round
w0 = 0.5                         # turning rate at the start

[coordinates]                    # centre of mass and heading
x = { start = "a", rate = "u0" }
y = { start = 0, rate = "a*w0" }
th = { start = 0, rate = "w0" }

[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*th'^2"

[velocity_constraint]
blade = "-x'*sin(th) + y'*cos(th) - a*th'"

[record]
x_blade = "x - a*cos(th)"
y_blade = "y - a*sin(th)"
speed = "x'*cos(th) + y'*sin(th)"

[run]
until = 10
every = 0.01

[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01
)toml";

}  // namespace driftless
