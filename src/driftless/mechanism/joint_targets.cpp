#include "driftless/mechanism/joint_system.hpp"
#include "driftless/mechanism/tree_bodies.hpp"

namespace driftless {
namespace {

/// Measures see bodies: values as they are, derivatives by Vᵀ ([TRB.2]).
class JointTargets final : public StartTargets {
 public:
  JointTargets(std::shared_ptr<const MechanismParts> parts,
               std::shared_ptr<const SpanningTree> spanning,
               std::shared_ptr<const StartTargets> of_bodies)
      : parts_(std::move(parts)),
        spanning_(std::move(spanning)),
        of_bodies_(std::move(of_bodies)),
        recursion_(spanning_->tree),
        bodies_(*parts_, *spanning_, recursion_),
        tree_(recursion_.make_state()),
        ws_(bodies_.make_workspace()) {
    list_ = of_bodies_->list();
    int nq = 0;
    int nv = 0;
    for (const Body& body : parts_->bodies) {
      nq += body.nq();
      nv += body.nv();
    }
    body_q_ = Vector::Zero(nq);
    body_v_ = body_row_ = Vector::Zero(nv);
  }

  double eval_position(std::size_t index, ConstVectorRef q, VectorRef row) const override {
    place(q);
    const double missing = of_bodies_->eval_position(index, body_q_, body_row_);
    carry_row(row);
    return missing;
  }

  int find_counter(std::size_t index) const override { return of_bodies_->find_counter(index); }

  double eval_rate(std::size_t index, ConstVectorRef q, ConstVectorRef v,
                   VectorRef row) const override {
    place(q);
    bodies_.find_velocities(v, tree_, ws_, body_v_);
    const double missing = of_bodies_->eval_rate(index, body_q_, body_v_, body_row_);
    carry_row(row);
    return missing;
  }

 private:
  void place(ConstVectorRef q) const {
    recursion_.place(q, tree_);
    bodies_.find_coordinates(q, tree_, ws_, body_q_);
  }
  void carry_row(VectorRef row) const {
    row.setZero();
    bodies_.add_force(body_row_, 1.0, tree_, ws_, row);
  }

  std::shared_ptr<const MechanismParts> parts_;
  std::shared_ptr<const SpanningTree> spanning_;
  std::shared_ptr<const StartTargets> of_bodies_;
  TreeRecursion recursion_;
  TreeBodies bodies_;
  mutable TreeState tree_;
  mutable TreeBodiesWorkspace ws_;
  mutable Vector body_q_, body_v_, body_row_;
};

}  // namespace

std::shared_ptr<const StartTargets> make_joint_targets(
    std::shared_ptr<const MechanismParts> parts, std::shared_ptr<const SpanningTree> spanning,
    std::shared_ptr<const StartTargets> of_bodies) {
  return std::make_shared<JointTargets>(std::move(parts), std::move(spanning),
                                        std::move(of_bodies));
}

}  // namespace driftless
