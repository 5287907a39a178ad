import { accuracies, ourRuns, steps, tolerances, withMethod } from "./programs.mjs";

const runs = ({ n }) => [
  ...ourRuns([5e-2, 2e-2, 1e-2, 5e-3, 1e-3], [1e-4, 1e-6, 1e-8, 1e-10, 1e-11]),
  { variant: "ours", settings: withMethod("braun_goldfarb/dopri5", tolerances(1e-2, 1e-3, 1e-4)) },
  ...ourRuns([5e-2, 2e-2, 1e-2, 1e-3], [1e-4, 1e-6, 1e-8, 1e-10], "oursJoint"),
  { variant: "simbodyFixed", settings: steps(5e-2, 2e-2, 1e-2) },
  ...(n <= 10 ? [{ variant: "simbody", settings: accuracies(1e-3, 1e-5, 1e-7) }] : []),
  { variant: "mujoco", settings: steps(5e-2, 2e-2, 1e-2, 1e-3, ...(n <= 2 ? [1e-4] : [])) },
  { variant: "mujocoSoft", settings: steps(1e-2) },
  { variant: "ida", settings: tolerances(1e-5, 5e-7, 1e-7, 1e-8, 1e-9) },
  { variant: "erk8", settings: tolerances(3e-6, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11) },
  { variant: "reduced", settings: steps(0.2, 0.1, 0.05, 0.02) },
];

export default {
  name: "n_four_bar",
  title: "IFToMM A02: N four-bars side by side, 10 s",
  text:
    "2N + 1 rods of 1 m and 1 kg, upright at the start, at -1 rad/s. Twice in a turn all rods lie in line, where N more motions would be " +
    "possible. Error: distance of the first crank's tip at 10 s, m; 40 windows are the size of the collection, with an energy error below 0.1 J. " +
    "One evaluation is timed with the cranks at 1 rad: velocity projection and acceleration for ours and the floor, acceleration alone for the " +
    "others.",
  sizes: [1, 2, 5, 10, 20, 40, 80, 160].map((n) => ({ n })),
  quickSizes: [{ n: 2 }, { n: 10 }, { n: 40 }],
  bodies: ({ n }) => 2 * n + 1,
  reference: { step: 1e-3 },
  energyTarget: 0.1,
  evaluations: () => ["ours", "oursJoint", "simbody", "mujoco", "erk8", "ladder"],
  counted: ({ n }) => n <= 40,
  runs,
};
