import { accuracies, ourRuns, steps, tolerances, withMethod } from "./programs.mjs";

export default {
  name: "andrews",
  title: "IFToMM A03: Andrews' squeezer, 0.05 s",
  text: "Seven bodies, a motor and a spring. Error: of the crank's angle at 0.05 s, 33.8 rad, relative.",
  sizes: [{}],
  reference: { step: 1e-5 },
  relative: true,
  evaluations: () => ["ours", "oursJoint", "simbody", "mujoco", "erk8", "reduced"],
  runs: () => [
    ...ourRuns([1e-4, 5e-5, 2e-5, 1e-5], [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]),
    { variant: "ours", settings: withMethod("braun_goldfarb/dopri5", tolerances(3e-3, 1e-3, 3e-4, 1e-4)) },
    ...ourRuns([1e-4, 2e-5], [1e-3, 1e-4, 1e-6, 1e-8, 1e-10], "oursJoint"),
    { variant: "simbody", settings: accuracies(1e-3, 1e-4, 1e-7, 1e-10) },
    { variant: "mujoco", settings: steps(1e-4, 1e-5, 1e-6) },
    { variant: "mujocoSoft", settings: steps(1e-5) },
    { variant: "ours", settings: withMethod("ggl/bdf", tolerances(1e-4, 1e-6, 1e-8, 1e-10, 1e-11)) },
    { variant: "ida", settings: tolerances(1e-4, 1e-6, 1e-8, 1e-10, 1e-11) },
    { variant: "erk8", settings: tolerances(1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10) },
    { variant: "reduced", settings: steps(5e-4, 2e-4, 1e-4, 5e-5) },
  ],
};
