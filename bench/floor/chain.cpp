// The floor of open chains: the recursion that a textbook gives (Featherstone 2008, ch. 7), link by link in the axes of each
// link, with 3 x 3 blocks and no use of the fact that axes are coordinate axes. At a link's joint, in its axes,
//
//   twist          (w, v) = Rᵀ (w_p, v_p + w_p x p) + S u,     bias  c = (w x S u, v x S u)                        [ABA.1]
//   inertia        I = [A B; Bᵀ C],   force  f = [A B; Bᵀ C] (a, b) + (n, f)                                       [ABA.2]
//   revolute       S = s:  U = (A s, Bᵀ s), d = s.A s,   I' = I - U Uᵀ/d,   f' = f + I' c - U (s.n)/d              [ABA.3]
//   spherical      S = 1:  all moments vanish:   C' = C - Bᵀ A⁻¹ B,   f' = f + C' c_v - Bᵀ A⁻¹ n                   [ABA.4]
//   to the parent  R I' Rᵀ, then B + p x C,  A - B p̂ + p x (B + p x C)ᵀ                                            [ABA.5]
//
// Gravity is an acceleration of the ground. The rates u of a ball are the relative angular velocity in the link's axes.

#include "bench/common/data.hpp"
#include "bench/common/harness.hpp"
#include "bench/floor/vec3.hpp"

namespace {

using namespace bench;

struct Link {
  Mat3 turn;          // link to parent
  Vec3 w, v, cw, cv;  // twist and bias
  Mat3 A, B, C;       // articulated inertia
  Vec3 n, f;          // and force
  Vec3 Uw, Uv;        // revolute
  double d = 0, u = 0;
  Mat3 inverse;  // spherical: A⁻¹
  Vec3 aw, av;   // acceleration
};

struct State {
  std::vector<double> angle;     // revolute
  std::vector<Quaternion> turn;  // spherical
  std::vector<Vec3> rate;        // revolute: x only
};

class Chain {
 public:
  Chain(int n, bool spherical) : spherical_(spherical), links_(static_cast<std::size_t>(n)) {}

  State make_start() const;
  /// rates' = of a state.
  void evaluate(const State& state, std::vector<Vec3>& acceleration);

 private:
  void go_out(const State& state);
  void go_in();
  void add_to_parent(std::size_t k);
  void solve_out(std::vector<Vec3>& acceleration);
  static Vec3 axis(std::size_t k) {
    return turns_about_z(static_cast<int>(k) + 1) ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  }

  bool spherical_;
  std::vector<Link> links_;
};

constexpr Vec3 kCentre{kLinkLength / 2, 0, 0};
constexpr Vec3 kToNext{kLinkLength, 0, 0};

State Chain::make_start() const {
  State state;
  state.rate.resize(links_.size());
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const int joint = static_cast<int>(k) + 1;
    state.angle.push_back(find_chain_angle(joint));
    state.turn.push_back(make_quaternion(turns_about_z(joint), find_chain_angle(joint)));
  }
  return state;
}

void Chain::go_out(const State& state) {
  constexpr double m = kLinkMass, t = kLinkTransverse + m * kCentre.x * kCentre.x;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& link = links_[k];
    Vec3 rate = state.rate[k];
    if (spherical_) {
      link.turn = make_turn(state.turn[k]);
    } else {
      link.turn = make_turn_about(turns_about_z(static_cast<int>(k) + 1), state.angle[k]);
      rate = rate.x * axis(k);
    }
    link.w = rate;
    link.v = {};
    if (k > 0) {
      const Link& parent = links_[k - 1];
      link.w = link.w + transpose_times(link.turn, parent.w);
      link.v = transpose_times(link.turn, parent.v + cross(parent.w, kToNext));
    }
    link.cw = cross(link.w, rate);
    link.cv = cross(link.v, rate);
    link.A = {{kLinkAxial, 0, 0}, {0, t, 0}, {0, 0, t}};
    link.B = {{0, 0, 0}, {0, 0, m * kCentre.x}, {0, -m * kCentre.x, 0}};  // m ĉ
    link.C = {{m, 0, 0}, {0, m, 0}, {0, 0, m}};
    const Vec3 p = m * (link.v + cross(link.w, kCentre));
    const Vec3 l = link.A * link.w + cross(m * kCentre, link.v);
    link.n = cross(link.w, l) + cross(link.v, p);
    link.f = cross(link.w, p);
  }
}

void Chain::go_in() {
  for (std::size_t k = links_.size(); k-- > 0;) {
    Link& link = links_[k];
    if (spherical_) {
      link.inverse = inverse_symmetric(link.A);
      if (k == 0) continue;
      const Mat3 Bt = transpose(link.B);
      link.C = mirror(link.C - Bt * (link.inverse * link.B));
      link.f = link.f + link.C * link.cv - Bt * (link.inverse * link.n);
      // What is left is a force at the joint: of [ABA.5] only C.
      Link& parent = links_[k - 1];
      const Mat3 C = mirror(turn(link.turn, link.C));
      const Mat3 B = cross(kToNext, C);
      parent.C = parent.C + C;
      parent.B = parent.B + B;
      parent.A = parent.A + mirror(cross(kToNext, transpose(B)));
      const Vec3 f = link.turn * link.f;
      parent.f = parent.f + f;
      parent.n = parent.n + cross(kToNext, f);
      continue;
    }
    const Vec3 s = axis(k);
    link.Uw = link.A * s;
    link.Uv = transpose_times(link.B, s);
    link.d = 1.0 / dot(s, link.Uw);
    link.u = -dot(s, link.n);
    if (k > 0) add_to_parent(k);
  }
}

void Chain::add_to_parent(std::size_t k) {
  Link& link = links_[k];
  Link& parent = links_[k - 1];
  const Mat3 A = link.A - outer(link.d, link.Uw, link.Uw);
  const Mat3 B = link.B - outer(link.d, link.Uw, link.Uv);
  const Mat3 C = link.C - outer(link.d, link.Uv, link.Uv);
  const Vec3 n = link.n + A * link.cw + B * link.cv + (link.d * link.u) * link.Uw;
  const Vec3 f = link.f + transpose_times(B, link.cw) + C * link.cv + (link.d * link.u) * link.Uv;
  const Mat3 Cp = mirror(turn(link.turn, C));
  const Mat3 Bp = turn(link.turn, B);
  const Mat3 shifted = Bp + cross(kToNext, Cp);
  // - B p̂ = (p x Bᵀ)ᵀ
  parent.A = parent.A + mirror(turn(link.turn, A) + transpose(cross(kToNext, transpose(Bp))) +
                               cross(kToNext, transpose(shifted)));
  parent.B = parent.B + shifted;
  parent.C = parent.C + Cp;
  const Vec3 fp = link.turn * f;
  parent.f = parent.f + fp;
  parent.n = parent.n + link.turn * n + cross(kToNext, fp);
}

void Chain::solve_out(std::vector<Vec3>& acceleration) {
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& link = links_[k];
    const Vec3 aw = k > 0 ? links_[k - 1].aw : Vec3{};
    const Vec3 av = k > 0 ? links_[k - 1].av + cross(aw, kToNext) : Vec3{0, kGravity, 0};
    link.aw = transpose_times(link.turn, aw) + link.cw;
    link.av = transpose_times(link.turn, av) + link.cv;
    if (spherical_) {
      acceleration[k] = -1.0 * (link.aw + link.inverse * (link.n + link.B * link.av));
      link.aw = link.aw + acceleration[k];
    } else {
      const double a = link.d * (link.u - dot(link.Uw, link.aw) - dot(link.Uv, link.av));
      acceleration[k] = {a, 0, 0};
      link.aw = link.aw + a * axis(k);
    }
  }
}

void Chain::evaluate(const State& state, std::vector<Vec3>& acceleration) {
  go_out(state);
  go_in();
  solve_out(acceleration);
}

/// The classical method of order 4.
class RungeKutta {
 public:
  RungeKutta(Chain& chain, const State& start, bool spherical)
      : chain_(chain), spherical_(spherical), state_(start), stage_(start), sum_(start) {
    acceleration_.resize(start.rate.size());
  }

  void step(double h) {
    constexpr double kNode[] = {0.5, 0.5, 1.0}, kWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    sum_ = state_;
    stage_ = state_;
    for (int stage = 0; stage < 4; ++stage) {
      chain_.evaluate(stage_, acceleration_);
      const State here = stage_;
      add_slopes(sum_, here, h * kWeight[stage]);
      if (stage == 3) break;
      stage_ = state_;
      add_slopes(stage_, here, h * kNode[stage]);
    }
    state_ = sum_;
    for (Quaternion& q : state_.turn) {
      const double s = 1.0 / std::sqrt(q.w * q.w + dot(q.v, q.v));
      q = {s * q.w, s * q.v};
    }
  }

 private:
  void add_slopes(State& to, const State& at, double h) const {
    for (std::size_t k = 0; k < to.rate.size(); ++k) {
      const Vec3 w = at.rate[k];
      if (spherical_) {
        const Quaternion& q = at.turn[k];
        to.turn[k].w -= h / 2 * dot(q.v, w);
        to.turn[k].v = to.turn[k].v + (h / 2) * (q.w * w + cross(q.v, w));
      } else {
        to.angle[k] += h * w.x;
      }
      to.rate[k] = to.rate[k] + h * acceleration_[k];
    }
  }

  Chain& chain_;
  bool spherical_;
  State state_, stage_, sum_;
  std::vector<Vec3> acceleration_;
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    const bool spherical = arguments.word("joint", "revolute") == "spherical";
    if (arguments.problem() != "chain" || arguments.mode() == "run")
      throw NotOffered("this floor is a recursion along a chain");
    Chain chain(arguments.whole("n", 10), spherical);
    State state = chain.make_start();
    std::vector<Vec3> acceleration(state.rate.size());
    line.set("status", std::string("ok"));
    if (arguments.mode() == "step") {
      RungeKutta method(chain, state, spherical);
      line.set("seconds", measure_call([&] { method.step(kChainStep); }, arguments));
      return;
    }
    chain.evaluate(state, acceleration);
    for (std::size_t k = 0; k < acceleration.size(); ++k)
      state.rate[k] = kChainSpeedTime * acceleration[k];
    chain.evaluate(state, acceleration);
    line.set("check", spherical ? acceleration[0].z : acceleration[0].x);
    line.set("seconds", measure_call([&] { chain.evaluate(state, acceleration); }, arguments));
  });
}
