// Problems with a known answer. `values`: columns at the end of the run, and what they must be, with as many digits as are
// known. The same references stand in tests/problems and tests/system with their derivations.

const tight = ["--method", "braun_goldfarb/dop853", "--tolerance", "1e-12"];

export const problems = [
  {
    title: "Pendulum (IFToMM A01)",
    words: "A point mass on a massless rod, released level. Closed form by elliptic functions.",
    model: "pendulum_bodies", options: [...tight, "--until", "10"],
    values: [["bob.x", "-0.27508746257611686"], ["bob.y", "-0.96141920509912506"]],
  },
  {
    title: "Double four-bar (IFToMM A02, two windows)",
    words: "1000 s through 1030 singular poses, at the model's step of 0.01 s. Closed form by elliptic functions.",
    model: "double_four_bar", options: [],
    values: [["x3", "1.5010068653139877"], ["y3", "0.86660593786116376"]],
  },
  {
    title: "Double four-bar, at a tenth of the step",
    words: "The same at a step of 0.001 s: with order 4, four digits more.",
    model: "double_four_bar", options: ["--step", "0.001", "--every", "1"],
    values: [["x3", "1.5010068653139877"], ["y3", "0.86660593786116376"]],
  },
  {
    title: "Slider-crank through its singular pose (Braun and Goldfarb 2012)",
    words: "100 s at a step of 0.001 s. Closed form by quadrature.",
    model: "slider_crank", options: ["--until", "100", "--step", "0.001"],
    values: [["x_s", "-1.713427331666"]],
  },
  {
    title: "Andrews' squeezer (Schiehlen 1990; IVP test set; IFToMM A03)",
    words: "Seven bodies, two and a half turns in 0.03 s: known to 20 digits by extrapolation in 128 bits.",
    model: "andrews_squeezer", options: [...tight],
    values: [["beta", "15.810771195153707097"], ["gamma", "0.040822240119645804858"]],
  },
  {
    title: "Damped slider-crank (SUNDIALS, idaSlCrank)",
    words: "Spring and damper between crank and rod: known to 18 digits.",
    model: "slider_crank_damped", options: [...tight],
    values: [["q", "1.27567584865"], ["x", "1.02357855898"], ["p", "-0.498813049182"]],
  },
  {
    title: "Heavy top (Bruls and Cardona 2010)",
    words: "Rotation in space by quaternions; known to 20 digits by extrapolation.",
    model: "heavy_top", options: [...tight, "--until", "10"],
    values: [["top.x", "0.186964766776935503857"], ["top.y", "0.532607737463549793619"], ["top.z", "-0.825453314232855044085"]],
  },
  {
    title: "Fast heavy top (Bruls and Cardona 2010)",
    words: "The same top at a hundred times its spin.",
    model: "heavy_top_fast", options: [...tight, "--until", "1"],
    values: [["top.x", "0.173343964098386042592"], ["top.y", "0.640088592070568782861"], ["top.z", "-0.748490791133581309484"]],
  },
  {
    title: "Bead on a moving wire",
    words: "A moving constraint does work; closed form.",
    model: "bead_on_moving_wire", options: [...tight, "--until", "3"],
    values: [["x", "-16.5285164323667935"]],
  },
  {
    title: "Chaplygin's sleigh",
    words: "A constraint of velocities that cannot be integrated; closed form.",
    model: "chaplygin_sleigh_bodies", options: [...tight, "--until", "10"],
    values: [["blade.x", "3.8480720884629111"]],
  },
  {
    title: "Rolling disc",
    words: "Steady rolling in a circle; closed form for the turning rate.",
    model: "rolling_disc", options: [...tight],
    values: [["disc.x", "-0.0234252619464314782"], ["disc.y", "0.549500916380255975"], ["disc.z", "0.281907786235772515"]],
  },
];
