// How each model of the gallery is drawn: options of a run of its own, and the command for its picture. A mechanism moves;
// of an equation model the motion is plotted. Models without an entry have no picture,
// but for those of the elements: these move by themselves, some with options of their own.

const animate = (...options) => (run) => ["animate", run, ...options];
const plot = (...words) => (run) => ["plot", run, ...words];
const moving = (run, ...options) => ({ run, draw: animate(...options) });
const plotted = (run, ...words) => ({ run, draw: plot(...words) });

export const pictures = {
  "machines/delta_robot": moving([], "--seconds", "3"),
  "machines/double_cardan": moving([], "--seconds", "4", "--view", "side"),
  "machines/double_wishbone": moving([], "--seconds", "2", "--view", "side"),
  "machines/four_cylinder_engine": moving([], "--seconds", "0.08"),
  "machines/jansen_leg": moving([], "--seconds", "1.0827", "--from", "1", "--trail", "lower.foot"),
  "machines/peaucellier": moving([], "--seconds", "6"),
  "machines/stewart_platform": moving([], "--seconds", "3"),

  andrews_squeezer: moving([], "--seconds", "0.03"),
  andrews_squeezer_angles: plotted([], "gamma", "delta", "epsilon"),
  bead_on_moving_wire: plotted([], "y", "--x", "x"),
  chain: plotted([], "x10", "y10"),
  change_point_four_bar: plotted([], "x1", "x2"),
  chaplygin_sleigh: plotted([], "y", "--x", "x"),
  chaplygin_sleigh_bodies: moving([], "--seconds", "6", "--trail", "sleigh"),
  double_bar_pendulum: moving([], "--seconds", "10", "--speed", "2", "--trail", "bar2.p"),
  double_four_bar: plotted(["--until", "6", "--every", "0.01"], "x3", "y3"),
  double_four_bar_bodies: moving(["--until", "4", "--every", "0.01"], "--seconds", "1.9425", "--trail", "B3"),
  double_pendulum: plotted([], "x1", "x2"),
  double_pendulum_angles: plotted([], "a1", "a2"),
  driven_damped: plotted([], "x", "y"),
  four_bar: moving([], "--seconds", "3", "--trail", "C"),
  four_bar_3d: moving(["--until", "5", "--every", "0.01"], "--seconds", "3"),
  heavy_top: moving([], "--seconds", "5", "--trail", "top"),
  heavy_top_fast: moving([], "--seconds", "1", "--speed", "0.25", "--trail", "top"),
  heavy_top_turned: moving([], "--seconds", "5", "--trail", "top"),
  pendulum: plotted([], "x"),
  pendulum_bodies: moving([], "--seconds", "2.367842"),
  pendulum_index3: plotted([], "x", "y", "lam"),
  pendulum_maxwell: plotted([], "x", "c"),
  planar_four_bar: moving([], "--seconds", "4", "--trail", "C"),
  rolling_disc: moving([], "--seconds", "3.07", "--trail", "disc"),
  stiff_slider_crank: moving([], "--seconds", "1.5", "--from", "0.2"),
  slider_crank: plotted(["--until", "10", "--every", "0.01"], "x_s"),
  slider_crank_bodies: moving(["--until", "10", "--every", "0.01"], "--seconds", "6", "--trail", "rod"),
  slider_crank_damped: moving([], "--seconds", "6"),
  spatial_four_bar: moving([], "--seconds", "6"),
  three_masses: plotted([], "q1", "q2", "q3"),
  three_masses_two: plotted([], "q1", "q2", "q3"),
  yoon_pendulum: plotted(["--until", "5", "--every", "0.01"], "x", "y"),
  yoon_pendulum_angle: plotted(["--until", "5", "--every", "0.01"], "theta"),
};

export const elementOptions = {
  bushing: ["--seconds", "1.4", "--speed", "0.5"],
  cylindrical: ["--seconds", "0.45", "--speed", "0.25", "--trail", "mark"],
  fixed: ["--seconds", "0.5", "--speed", "0.25", "--view", "front", "--trail", "weld"],
  knife_edge: ["--seconds", "4", "--trail", "skate"],
  planar: ["--seconds", "1", "--speed", "0.5", "--trail", "disc"],
  prismatic: ["--seconds", "0.5", "--speed", "0.25"],
};
