import { accuracies, ourRuns, steps, tolerances, withMethod } from "./programs.mjs";

export default {
  name: "slider_crank",
  title: "Slider-crank of Braun and Goldfarb, 100 s",
  text:
    "Two equal rods of 1 m and 1 kg; both upright is a singular pose, passed 57 times. Error: of the crank's angle at 100 s, rad.",
  sizes: [{}],
  reference: { step: 2e-3 },
  targets: [1e-3, 1e-5, 1e-6, 1e-9],
  evaluations: () => ["ours", "oursJoint", "simbody", "mujoco", "erk8", "reduced"],
  runs: () => [
    ...ourRuns([5e-2, 2e-2, 1e-2, 5e-3, 2e-3], [1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12]),
    ...ourRuns([5e-2, 1e-2], [1e-4, 1e-6, 1e-8, 1e-10], "oursJoint"),
    { variant: "simbodyFixed", settings: steps(2e-2, 1e-2, 5e-3) },
    { variant: "simbody", settings: accuracies(1e-3, 1e-6) },
    { variant: "mujoco", settings: steps(1e-2, 1e-3, 1e-4) },
    { variant: "mujocoSoft", settings: steps(1e-2, 1e-3) },
    { variant: "ours", settings: withMethod("ggl/bdf", tolerances(1e-6, 1e-8, 1e-9)) },
    { variant: "ida", settings: tolerances(1e-6, 1e-8, 1e-9) },
    { variant: "erk8", settings: [...tolerances(1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12), ...steps(2e-2)] },
    { variant: "reduced", settings: steps(0.2, 0.1, 0.05, 0.02) },
  ],
};
