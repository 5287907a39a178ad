export default {
  name: "chain",
  title: "Open chains in space",
  text:
    "N links of 1 m and 1 kg; hinges whose axes alternate, or balls. Times of one evaluation of the accelerations, and of one step of the " +
    "classical Runge-Kutta method (Simbody: one of Runge-Kutta-Merson, five evaluations). Ours in absolute coordinates, 6 per link with 5 or 3 " +
    "rows, and in joint coordinates.",
  sizes: ["revolute", "spherical"].flatMap((joint) => [10, 100, 1000, 10000].map((n) => ({ joint, n }))),
  quickSizes: ["revolute", "spherical"].flatMap((joint) => [10, 100].map((n) => ({ joint, n }))),
  bodies: ({ n }) => n,
  steps: true,
  counted: ({ n }) => n <= 100,
  evaluations: ({ joint, n }) => [
    "ours",
    "oursJoint",
    ...(n <= 1000 ? ["simbody"] : []),
    ...(n <= 100 || (n <= 1000 && joint === "revolute") ? ["mujoco"] : []),
    "recursion",
  ],
  runs: () => [],
};
