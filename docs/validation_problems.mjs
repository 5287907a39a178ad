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
    title: "Andrews' squeezer as equations in seven angles",
    words: "The same mechanism by its energies; multipliers too.",
    model: "andrews_squeezer_angles", options: [...tight],
    values: [["beta", "15.810771195153707097"], ["Theta", "-15.756371058411839470"], ["gamma", "0.040822240119645804858"],
      ["lambda1", "199.17534810453862819"], ["lambda6", "11.617392352611255907"]],
  },
  {
    title: "Pendulum of index 3 (MEBDFDAE test set)",
    words: "The equations of index 3 as they are written, implicitly; known to 20 digits by a run in 128 bits.",
    model: "pendulum_index3", options: ["--method", "index3/radau5", "--tolerance", "1e-12"],
    values: [["x", "0.8673486406004393217343"], ["y", "0.4977010504796729293537"], ["lam", "-0.4931031514390187880611"]],
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

// Digits of positions by method: those that solve the equations of index 3, 2 and 1 by themselves, at falling tolerances,
// or steps where a method has no error estimate. `step`: the longest of these.
export const digitMethods = {
  tolerances: ["1e-4", "1e-6", "1e-8"],
  adaptive: ["index1/dopri5", "index2/hedop5", "index2/phem56",
    ...["index1", "index2", "index3", "ggl", "stabilized_index1"].flatMap((form) => [`${form}/radau5`, `${form}/bdf`]),
    ...["index1", "index2", "ggl", "stabilized_index1"].map((form) => `${form}/ida`),
    ...["index2", "index3", "ggl"].flatMap((form) => [`${form}/hht`, `${form}/generalized_alpha`])],
  fixed: ["index2/hem3", "index2/hem4", "index2_baumgarte/radau5", "index2_baumgarte/bdf", "index3/newmark", "ggl/newmark",
    "index3/rattle", "index1/rkmk4", "ggl/backward_euler"],
};

const angles = [["beta", "2.1601131315315265062"], ["Theta", "-1.8833642311070443193"], ["gamma", "0.15851675800122669325"],
  ["Phi", "-0.32864107517467030658"], ["delta", "0.52515477479772946110"], ["epsilon", "1.0684272046324011487"]];
const place = [["top.x", "-3.11686470626238197744e-02"], ["top.y", "-9.83383681419676809500e-01"],
  ["top.z", "-1.78843648357354807238e-01"]];

export const digitProblems = [
  { title: "squeezer, angles", model: "andrews_squeezer_angles", until: "0.01", step: 1e-4, values: angles },
  { title: "squeezer, bodies", model: "andrews_squeezer", until: "0.01", step: 1e-4, values: angles },
  { title: "pendulum", model: "pendulum_index3", until: "1", step: 0.05,
    values: [["x", "0.8673486406004393217343"], ["y", "0.4977010504796729293537"]] },
  { title: "slider-crank", model: "slider_crank_damped", until: "2.5", step: 0.1,
    values: [["q", "0.07223610546591181718"], ["x", "1.498044718149749700"], ["p", "-0.03609448680772366461"]] },
  { title: "top, quaternions", model: "heavy_top", until: "1", step: 0.02, values: place },
  { title: "top, Euler angles", model: "heavy_top", until: "1", step: 0.02, values: place, rotations: "euler" },
  { title: "top, group", model: "heavy_top", until: "1", step: 0.02, values: place, rotations: "lie" },
];
