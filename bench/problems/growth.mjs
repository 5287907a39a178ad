import { formulations } from "./programs.mjs";

export default {
  name: "growth",
  title: "How the cost of an evaluation grows",
  text:
    "The same number of bodies as an open chain of hinges in space, as a tree in which two links hang on each, and as a ladder of four-bars in the " +
    "plane (A02): one evaluation by each formulation that solves at linear cost, in absolute and in joint coordinates.",
  sizes: ["chain", "tree", "ladder"].flatMap((shape) => [11, 31, 101, 315, 999].map((n) => ({ shape, n }))),
  quickSizes: ["chain", "tree", "ladder"].flatMap((shape) => [11, 101, 999].map((n) => ({ shape, n }))),
  bodies: ({ n }) => n,
  counted: () => false,
  evaluations: () => formulations.flatMap((word) => [word, `${word}Joint`]),
  runs: () => [],
};
