// The programs and how they are set up, fairly: each gets the settings under which we saw it do best, and several of them.
//
// A variant is a program with fixed keys; `peer` says that it is someone else's. Settings are what is varied.

export const variants = {
  ours: { label: "Driftless", program: "ours", keys: {}, ours: true },
  oursJoint: { label: "Driftless, joint coordinates", program: "ours", keys: { coordinates: "joint" }, ours: true },
  simbodyFixed: { label: "Simbody, fixed steps", program: "peers/simbody", keys: {}, peer: true },
  simbody: { label: "Simbody, adaptive", program: "peers/simbody", keys: {}, peer: true },
  mujoco: { label: "MuJoCo, stiff", program: "peers/mujoco", keys: { stiff: 1 }, peer: true },
  mujocoSoft: { label: "MuJoCo, default", program: "peers/mujoco", keys: { stiff: 0 }, peer: true },
  ida: { label: "IDA, GGL, KLU", program: "peers/ida", keys: {}, peer: true },
  erk8: { label: "ARKODE, order 8", program: "peers/erk8", keys: {}, peer: true },
  reduced: { label: "floor: one coordinate", program: "reduced", keys: {} },
  ladder: { label: "floor: block LDLᵀ", program: "ladder", keys: {} },
  recursion: { label: "floor: plain recursion", program: "chain", keys: {} },
};

/** Formulations that solve for accelerations at a cost linear in the bodies. */
export const formulations = ["index1", "udwadia_kalaba", "baumgarte", "braun_goldfarb"];
for (const word of formulations) {
  const method = `${word}/rk4`;
  variants[word] = { label: word, program: "ours", keys: { method }, ours: true };
  variants[`${word}Joint`] = { label: `${word}, joint coordinates`, program: "ours", keys: { method, coordinates: "joint" }, ours: true };
}

/** What the page says of each peer. */
export const notes = [
  "All times are CPU times, the shortest of several repetitions, without reading and setting up the model. " +
    "Figures (energy, gaps) are taken in a run that is not timed.",
  "<b>Driftless</b>: the public library. <code>rk4</code> with fixed steps, <code>dop853</code> and <code>dopri5</code> with tolerances, all with the " +
    "formulation <code>braun_goldfarb</code> and its corrections of position, velocity and energy after each step. g++ -O2.",
  "<b>Simbody 3.7</b> (Debian's package, which is not an optimised build: built with -O2 -DNDEBUG for the machine it is 1.6 to 2.6 times as " +
    "fast): joint coordinates, loops closed by pairs of PointInPlane (in space by a ball and two right angles), Runge-Kutta-Merson with error " +
    "control, or with fixed steps and projection to 1e-10 after each.",
  "<b>MuJoCo 2.2</b>: joint coordinates, loops closed by <code>connect</code>, its RK4, Newton solver, sparse Jacobians from 20 coordinates on. " +
    "Stiff: solref = (2 h, 1), solimp = (0.9999, 0.9999, 0.001), as hard as the step allows; default: as it comes. The slider-crank is built " +
    "from a slider of 1e-9 kg, since a point cannot be held on a line.",
  "<b>IDA</b> (SUNDIALS 6.4): the GGL form in absolute coordinates of the plane, analytic sparse Jacobian, KLU; multipliers out of the error " +
    "test and with an absolute tolerance of 1e8. rtol = atol.",
  "<b>ARKODE</b> (SUNDIALS 6.4): explicit order 8 on the index-1 equations in absolute coordinates of the plane, G M⁻¹ Gᵀ factorised by a sparse " +
    "LDLᵀ in a fixed pattern, projection of q and v after each step. rtol = atol.",
  "IDA and ARKODE get the redundant four-bar in the plane, without its redundant rows.",
  "<b>Floors</b> are programs for one problem: mechanisms of one degree of freedom in their one coordinate (order 8, fixed steps), one bare " +
    "evaluation of the ladder by block LDLᵀ, the textbook recursion along a chain. They also check the peers: all programs must tell the same " +
    "acceleration. References are computed by the first one in extended precision.",
];

const tolerances = (...values) => values.map((tolerance) => ({ tolerance }));
const steps = (...values) => values.map((step) => ({ step }));
const accuracies = (...values) => values.map((accuracy) => ({ accuracy }));
const withMethod = (method, settings) => settings.map((each) => ({ method, ...each }));
export { tolerances, steps, accuracies, withMethod };

/** Our runs: fixed steps by rk4, tolerances by dop853. */
export const ourRuns = (h, tol, variant = "ours") => [
  { variant, settings: withMethod("braun_goldfarb/rk4", steps(...h)) },
  { variant, settings: withMethod("braun_goldfarb/dop853", tolerances(...tol)) },
];
