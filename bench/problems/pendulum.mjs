import { accuracies, ourRuns, steps, tolerances, withMethod } from "./programs.mjs";

export default {
  name: "pendulum",
  title: "IFToMM A01: simple pendulum, 10 s",
  text: "A point mass on a massless rod of 1 m, released at the rod's level. Error: distance at 10 s, m. There is no loop, so that MuJoCo is as stiff by default.",
  sizes: [{}],
  reference: { step: 1e-3 },
  evaluations: () => ["ours", "oursJoint", "simbody", "mujoco", "erk8", "reduced"],
  runs: () => [
    ...ourRuns([5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3], [1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12]),
    ...ourRuns([1e-2, 1e-3], [1e-4, 1e-6, 1e-8, 1e-10, 1e-12], "oursJoint"),
    { variant: "simbody", settings: accuracies(1e-4, 1e-6, 1e-7, 1e-8, 1e-10) },
    { variant: "simbodyFixed", settings: steps(1e-2) },
    { variant: "mujoco", settings: steps(5e-2, 2e-2, 1e-2, 2e-3, 1e-3) },
    { variant: "ours", settings: withMethod("ggl/bdf", tolerances(1e-4, 1e-6, 1e-8, 1e-10)) },
    { variant: "ida", settings: tolerances(1e-4, 1e-6, 1e-8, 1e-10) },
    { variant: "erk8", settings: tolerances(1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12) },
    { variant: "reduced", settings: steps(0.2, 0.1, 0.05, 0.02) },
  ],
};
