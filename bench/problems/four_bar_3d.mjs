import { accuracies, ourRuns, steps, tolerances, withMethod } from "./programs.mjs";

export default {
  name: "four_bar_3d",
  title: "Redundant four-bar in space, 10 s",
  text:
    "models/four_bar_3d.toml: four hinges in space, 20 rows of rank 17 in absolute coordinates. Error: distance of the crank's tip at 10 s, m. " +
    "IDA and ARKODE get it in the plane, without redundant rows.",
  sizes: [{}],
  reference: { step: 2e-4 },
  evaluations: () => ["ours", "oursJoint", "simbody", "mujoco", "erk8", "reduced"],
  runs: () => [
    ...ourRuns([2e-2, 1e-2, 5e-3, 2e-3, 1e-3], [1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12]),
    { variant: "ours", settings: withMethod("braun_goldfarb/dopri5", tolerances(1e-3, 3e-4, 1e-4)) },
    ...ourRuns([1e-2, 2e-3], [1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12], "oursJoint"),
    { variant: "simbody", settings: accuracies(1e-4, 1e-6, 1e-8, 1e-10) },
    { variant: "simbodyFixed", settings: steps(1e-2, 5e-3) },
    { variant: "mujoco", settings: steps(1e-2, 1e-3, 1e-4) },
    { variant: "mujocoSoft", settings: steps(1e-2, 1e-3) },
    { variant: "ida", settings: tolerances(1e-4, 1e-6, 1e-8, 1e-10) },
    { variant: "erk8", settings: tolerances(1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12) },
    { variant: "reduced", settings: steps(0.05, 0.02, 0.01, 0.005) },
  ],
};
