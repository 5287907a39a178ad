#include "driftless/mechanism/linearizer.hpp"

namespace driftless {
namespace {

Wrench read_row(const double* g) { return {{g[0], g[1], g[2]}, {g[3], g[4], g[5]}}; }

Wrench scale(double factor, const Wrench& wrench) {
  return {factor * wrench.force, factor * wrench.torque};
}

}  // namespace

// ---- evaluation ------------------------------------------------------------------------------------------

void Linearizer::eval(ConstVectorRef lambda, MotionState& state, const LawWorkspace& laws,
                      LinearizerWorkspace& ws, Linearization& out) const {
  std::call_once(once_, [this] { compile(); });
  if (ws.tape.empty()) ws.tape = compiled_.tape.make_scratch();
  ws.out.resize(compiled_.tape.output_count());
  if (!ws.out.empty()) compiled_.tape.eval(laws.variables, ws.out, ws.tape);
  for (const RowBlock& row : parts_.rows) add_rows(row, lambda, state, ws, out);
  add_scalars(lambda, state, ws, out);
  for (const ForceBlock& force : parts_.forces) add_kernel(force, state, ws, out);
  for (const Body& body : parts_.bodies) add_gyroscopic(body, state.v, out);
  add_rates(ws, out);
  for (std::size_t k = 0; k < compiled_.residual.size(); ++k) {
    const int row = static_cast<int>(k) + parts_.frame_rows;
    for_each_slope(compiled_.residual[k], ws,
                   [&](int rate, double by_q, double) { out.residual_q.at(row, rate) += by_q; });
  }
}

void Linearizer::find_columns(const std::vector<int>& frames, const MotionState& state,
                              std::vector<Column>& columns) const {
  columns.clear();
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const auto frame = static_cast<std::size_t>(frames[f]);
    const int index = parts_.frames[frame].body;
    if (index < 0) continue;
    const Body& body = parts_.bodies[static_cast<std::size_t>(index)];
    const BodyState& now = state.bodies[static_cast<std::size_t>(index)];
    const Vector3 arm = state.frames[frame].pose.origin - now.position;
    const int shifts = body.in_plane() ? 2 : 3;
    constexpr Vector3 kUnits[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < body.nv(); ++i) {
      const bool is_shift = i < shifts;
      const Vector3 shift = is_shift ? kUnits[i] : Vector3{};
      const Vector3 turn = is_shift          ? Vector3{}
                           : body.in_plane() ? kUnits[2]
                                             : apply(now.axes, kUnits[i - shifts]);
      const Vector3 arm_change = cross(turn, arm);
      const Vector3 spin_change = cross(turn, now.angular);  // ω = R ω_b with ω_b held
      columns.push_back({f,
                         body.v + i,
                         turn,
                         {shift + arm_change, turn},
                         {cross(spin_change, arm) + cross(now.angular, arm_change), spin_change}});
    }
  }
}

template <class Entries>
void Linearizer::add_wrench_change(const std::vector<int>& frames, const Column& column, bool moves,
                                   const Wrench* wrenches, const Wrench* changes,
                                   const MotionState& state, Entries&& entries) const {
  for (std::size_t f = 0; f < frames.size(); ++f) {
    kinematics_.add_wrench(frames[f], scale(-1.0, changes[f]), state, entries);
    if (!moves || f != column.frame) continue;
    const auto frame = static_cast<std::size_t>(frames[f]);
    const int body = parts_.frames[frame].body;
    const Vector3 arm =
        state.frames[frame].pose.origin - state.bodies[static_cast<std::size_t>(body)].position;
    const Wrench& w = wrenches[f];
    const Vector3 turn = cross(cross(column.turn, arm), w.force) -
                         cross(column.turn, w.torque + cross(arm, w.force));
    kinematics_.add_entries(body, {}, -turn, state, entries);
  }
}

/// [LIN.2]
void Linearizer::add_rows(const RowBlock& row, ConstVectorRef lambda, MotionState& state,
                          LinearizerWorkspace& ws, Linearization& out) const {
  const std::vector<int>& frames = row.block.frames;
  const std::size_t count = frames.size();
  const auto outputs = static_cast<std::size_t>(row.block.function->outputs());
  std::vector<double>& jacobian = ws.jacobian;
  std::vector<double>& change = ws.change;
  std::vector<Wrench>& wrenches = ws.wrenches;
  std::vector<Wrench>& changes = ws.changes;
  std::vector<Twist>& directions = ws.directions;
  jacobian.resize(outputs * count * kTwist);
  change.resize(jacobian.size());
  wrenches.assign(count, {});
  changes.assign(count, {});
  directions.assign(count, {});
  kinematics_.eval_jacobian(row.block, state, state.first.data(), jacobian.data());
  for (std::size_t i = 0; i < outputs; ++i) {
    const double force = -lambda[row.first_row + static_cast<int>(i)];
    for (std::size_t f = 0; f < count; ++f)
      wrenches[f] += scale(force, read_row(jacobian.data() + (i * count + f) * kTwist));
  }
  find_columns(frames, state, ws.columns);
  for (const Column& column : ws.columns) {
    std::fill(directions.begin(), directions.end(), Twist{});
    directions[column.frame] = column.direction;
    kinematics_.eval_jacobian_rate(row.block, directions.data(), state, change.data());
    std::fill(changes.begin(), changes.end(), Wrench{});
    for (std::size_t i = 0; i < outputs; ++i) {
      const int index = row.first_row + static_cast<int>(i);
      double residual =
          dot(read_row(jacobian.data() + (i * count + column.frame) * kTwist), column.change);
      for (std::size_t f = 0; f < count; ++f) {
        const Wrench g = read_row(change.data() + (i * count + f) * kTwist);
        residual += dot(g, state.frames[static_cast<std::size_t>(frames[f])].velocity);
        changes[f] += scale(-lambda[index], g);
      }
      out.residual_q.at(index, column.rate) += residual;
    }
    add_wrench_change(frames, column, true, wrenches.data(), changes.data(), state,
                      out.stiffness.column(column.rate));
  }
}

// ---- scalars ---------------------------------------------------------------------------------------------

const Linearizer::ScalarSlopes& Linearizer::slopes_of(int scalar, LinearizerWorkspace& ws) const {
  const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(scalar)];
  const std::size_t block =
      static_cast<std::size_t>(s.block) + (s.is_velocity ? parts_.functions.size() : 0);
  return ws.of_block[block][static_cast<std::size_t>(s.output)];
}

template <class Add>
void Linearizer::for_each_slope(const Gradient& gradient, LinearizerWorkspace& ws, Add add) const {
  for (const Gradient::Part& part : gradient.parts) {
    const ScalarSlopes& slopes = slopes_of(part.scalar, ws);
    const double factor = ws.out[part.output];
    for (std::size_t k = 0; k < slopes.rates.size(); ++k) {
      if (part.by_rate) {
        add(slopes.rates[k], factor * slopes.r_q[k], factor * slopes.r_v[k]);
      } else {
        add(slopes.rates[k], factor * slopes.s_q[k], 0.0);
      }
    }
  }
}

/// [LIN.5]
void Linearizer::add_rates(LinearizerWorkspace& ws, Linearization& out) const {
  for (std::size_t k = 0; k < compiled_.rates.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    for_each_slope(compiled_.rates[k], ws, [&](int rate, double by_q, double by_v) {
      out.states.rate_q(row, rate) += by_q;
      out.states.rate_v(row, rate) += by_v;
    });
    for (const Gradient::StatePart& part : compiled_.rates[k].states)
      out.states.rate_c(row, part.state) += ws.out[part.output];
  }
}

/// [LIN.4]
void Linearizer::add_scalars(ConstVectorRef lambda, MotionState& state, LinearizerWorkspace& ws,
                             Linearization& out) const {
  const std::vector<LawScalar>& scalars = parts_.laws.scalars;
  ws.of_block.resize(parts_.functions.size() + parts_.velocities.size());
  ws.weights.assign(scalars.size(), 0.0);
  for (const Factor& factor : compiled_.factors) {
    const double multiplier = factor.row < 0 ? 1.0 : lambda[factor.row];
    ws.weights[static_cast<std::size_t>(factor.scalar)] +=
        factor.sign * multiplier * ws.out[factor.gradient.value];
  }
  std::vector<std::vector<int>>& members = ws.members;
  const bool is_new = members.empty();
  members.resize(ws.of_block.size());
  for (std::size_t k = 0; k < scalars.size() && is_new; ++k) {
    if (!compiled_.is_used[k]) continue;
    const LawScalar& s = scalars[k];
    members[static_cast<std::size_t>(s.block) + (s.is_velocity ? parts_.functions.size() : 0)]
        .push_back(static_cast<int>(k));
  }
  for (std::size_t b = 0; b < members.size(); ++b) {
    if (members[b].empty()) continue;
    const bool is_velocity = b >= parts_.functions.size();
    add_block(is_velocity, is_velocity ? b - parts_.functions.size() : b, members[b], state, ws,
              out);
  }
  for (const Factor& factor : compiled_.factors) {
    const double multiplier = factor.sign * (factor.row < 0 ? 1.0 : lambda[factor.row]);
    const ScalarSlopes& own = slopes_of(factor.scalar, ws);
    for_each_slope(factor.gradient, ws, [&](int rate, double by_q, double by_v) {
      for (std::size_t k = 0; k < own.rates.size(); ++k) {
        out.stiffness.at(own.rates[k], rate) -= multiplier * own.r_v[k] * by_q;
        out.damping.at(own.rates[k], rate) -= multiplier * own.r_v[k] * by_v;
      }
    });
    for (const Gradient::StatePart& part : factor.gradient.states) {
      for (std::size_t k = 0; k < own.rates.size(); ++k)
        out.states.residual_c(own.rates[k], part.state) -=
            multiplier * own.r_v[k] * ws.out[part.output];
    }
  }
}

/// The slopes of a block's outputs, and what dJ does with the weights of its scalars.
void Linearizer::add_block(bool is_velocity, std::size_t block, const std::vector<int>& scalars,
                           MotionState& state, LinearizerWorkspace& ws, Linearization& out) const {
  const FunctionBlock* function = is_velocity ? nullptr : &parts_.functions[block];
  const VelocityBlock* velocity = is_velocity ? &parts_.velocities[block] : nullptr;
  const std::vector<int>& frames = is_velocity ? velocity->frames : function->frames;
  const std::size_t count = frames.size();
  const auto outputs = static_cast<std::size_t>(is_velocity ? velocity->function->outputs()
                                                            : function->function->outputs());
  std::vector<double>& jacobian = ws.jacobian;
  std::vector<double>& change = ws.change;
  std::vector<double>& value = ws.value;
  jacobian.resize(outputs * count * kTwist);
  change.resize(jacobian.size());
  value.resize(outputs);
  if (is_velocity) {
    kinematics_.eval_velocity(*velocity, state, value.data(), jacobian.data());
  } else {
    kinematics_.eval_jacobian(*function, state, value.data(), jacobian.data());
  }
  std::vector<ScalarSlopes>& slopes =
      ws.of_block[block + (is_velocity ? parts_.functions.size() : 0)];
  slopes.resize(outputs);
  for (ScalarSlopes& each : slopes) {
    each.rates.clear();
    for (auto* list : {&each.s_q, &each.r_q, &each.r_v}) list->clear();
  }
  std::vector<double>& weights = ws.output_weights;
  weights.assign(outputs, 0.0);
  for (const int scalar : scalars) {
    const auto k = static_cast<std::size_t>(scalar);
    weights[static_cast<std::size_t>(parts_.laws.scalars[k].output)] += ws.weights[k];
  }
  std::vector<Wrench>& wrenches = ws.wrenches;
  std::vector<Wrench>& changes = ws.changes;
  wrenches.resize(count);
  changes.resize(count);
  const auto contract = [&](const std::vector<double>& rows, std::vector<Wrench>& sum) {
    std::fill(sum.begin(), sum.end(), Wrench{});
    for (std::size_t i = 0; i < outputs; ++i) {
      for (std::size_t f = 0; f < count; ++f)
        sum[f] += scale(weights[i], read_row(rows.data() + (i * count + f) * kTwist));
    }
  };
  contract(jacobian, wrenches);
  std::vector<Twist>& directions = ws.directions;
  std::vector<Twist>& twist_changes = ws.twist_changes;
  directions.resize(count);
  twist_changes.resize(count);
  find_columns(frames, state, ws.columns);
  for (const Column& column : ws.columns) {
    std::fill(directions.begin(), directions.end(), Twist{});
    std::fill(twist_changes.begin(), twist_changes.end(), Twist{});
    directions[column.frame] = column.direction;
    twist_changes[column.frame] = column.change;
    if (is_velocity) {
      kinematics_.eval_velocity_change(*velocity, directions.data(), twist_changes.data(), state,
                                       value.data(), change.data());
    } else {
      kinematics_.eval_jacobian_rate(*function, directions.data(), state, change.data());
    }
    for (std::size_t i = 0; i < outputs; ++i) {
      const Wrench own = read_row(jacobian.data() + (i * count + column.frame) * kTwist);
      const double along = dot(own, column.direction);
      double r_q = dot(own, column.change);
      if (is_velocity) {
        r_q = value[i];
      } else {
        for (std::size_t f = 0; f < count; ++f)
          r_q += dot(read_row(change.data() + (i * count + f) * kTwist),
                     state.frames[static_cast<std::size_t>(frames[f])].velocity);
      }
      slopes[i].rates.push_back(column.rate);
      slopes[i].s_q.push_back(is_velocity ? 0.0 : along);
      slopes[i].r_q.push_back(r_q);
      slopes[i].r_v.push_back(along);
    }
    contract(change, changes);
    add_wrench_change(frames, column, true, wrenches.data(), changes.data(), state,
                      out.stiffness.column(column.rate));
    if (!is_velocity) continue;
    directions[column.frame] = {};  // J may depend on the twists themselves
    twist_changes[column.frame] = column.direction;
    kinematics_.eval_velocity_change(*velocity, directions.data(), twist_changes.data(), state,
                                     value.data(), change.data());
    contract(change, changes);
    add_wrench_change(frames, column, false, wrenches.data(), changes.data(), state,
                      out.damping.column(column.rate));
  }
}

// ---- forces ------------------------------------------------------------------------------------------------

/// [LIN.3]
void Linearizer::add_kernel(const ForceBlock& force, const MotionState& state,
                            LinearizerWorkspace& ws, Linearization& out) const {
  const std::vector<int>& frames = force.frames;
  const std::size_t count = frames.size();
  const auto first = static_cast<std::size_t>(force.first_input);
  std::vector<double>& inputs = ws.inputs;
  std::vector<double>& input_changes = ws.input_changes;
  inputs.resize(static_cast<std::size_t>(force.inputs));
  input_changes.assign(inputs.size(), 0.0);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    inputs[k] = ws.out[compiled_.inputs[first + k].value];
  std::vector<FrameMotion>& motions = ws.motions;
  std::vector<Frame<double>>& poses = ws.poses;
  motions.resize(count);
  poses.resize(count);
  for (std::size_t f = 0; f < count; ++f) {
    motions[f] = state.frames[static_cast<std::size_t>(frames[f])];
    poses[f] = motions[f].pose;
  }
  std::vector<Wrench>& wrenches = ws.wrenches;
  std::vector<Wrench>& changes = ws.changes;
  std::vector<Twist>& directions = ws.directions;
  std::vector<Twist>& twist_changes = ws.twist_changes;
  wrenches.assign(count, {});
  changes.assign(count, {});
  directions.assign(count, {});
  twist_changes.assign(count, {});
  const ForceKernel& kernel = *force.kernel;
  if (kernel.has_potential()) kernel.eval_potential(poses.data(), wrenches.data());
  if (kernel.has_applied()) kernel.eval_applied(inputs.data(), motions.data(), wrenches.data());
  const auto change = [&] {
    kernel.eval_change(inputs.data(), motions.data(), input_changes.data(), directions.data(),
                       twist_changes.data(), changes.data());
  };
  find_columns(frames, state, ws.columns);
  for (const Column& column : ws.columns) {
    directions[column.frame] = column.direction;
    twist_changes[column.frame] = column.change;
    change();
    add_wrench_change(frames, column, true, wrenches.data(), changes.data(), state,
                      out.stiffness.column(column.rate));
    directions[column.frame] = {};
    twist_changes[column.frame] = column.direction;
    change();
    add_wrench_change(frames, column, false, wrenches.data(), changes.data(), state,
                      out.damping.column(column.rate));
    twist_changes[column.frame] = {};
  }
  const auto add_changes = [&](auto&& entries) {
    for (std::size_t f = 0; f < count; ++f)
      kinematics_.add_wrench(frames[f], scale(-1.0, changes[f]), state, entries);
  };
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Gradient& gradient = compiled_.inputs[first + k];
    if (gradient.parts.empty() && gradient.states.empty()) continue;
    input_changes[k] = 1.0;
    change();
    input_changes[k] = 0.0;
    for_each_slope(gradient, ws, [&](int rate, double by_q, double by_v) {
      add_changes(out.stiffness.column(rate, by_q));
      add_changes(out.damping.column(rate, by_v));
    });
    for (const Gradient::StatePart& part : gradient.states) {
      ws.entries.setZero(state.v.size());
      add_changes(ws.entries);
      out.states.residual_c.col(part.state) += ws.out[part.output] * ws.entries;
    }
  }
}

/// d(ω×Jω) = dω×Jω + ω×J dω
void Linearizer::add_gyroscopic(const Body& body, ConstVectorRef v, Linearization& out) const {
  if (body.kind != BodyKind::space_body) return;
  const Matrix& j = body.inertia;
  const auto apply_inertia = [&](const Vector3& w) {
    return Vector3{j(0, 0) * w.x + j(0, 1) * w.y + j(0, 2) * w.z,
                   j(1, 0) * w.x + j(1, 1) * w.y + j(1, 2) * w.z,
                   j(2, 0) * w.x + j(2, 1) * w.y + j(2, 2) * w.z};
  };
  const int first = body.v + 3;
  const Vector3 w{v[first], v[first + 1], v[first + 2]};
  const Vector3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k) {
    const Vector3 change = cross(units[k], apply_inertia(w)) + cross(w, apply_inertia(units[k]));
    out.damping.at(first, first + k) += change.x;
    out.damping.at(first + 1, first + k) += change.y;
    out.damping.at(first + 2, first + k) += change.z;
  }
}

}  // namespace driftless
