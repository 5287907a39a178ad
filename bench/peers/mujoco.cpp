// MuJoCo: joint coordinates, loops by `connect`, its own Runge-Kutta method of order 4. Key stiff=1: constraints as hard as
// the step allows, solref = (2 h, 1), solimp = (0.9999, 0.9999, 0.001); else MuJoCo's defaults. The Newton solver; sparse
// Jacobians from 20 coordinates on, which is faster there. No contacts, no geometry. MuJoCo leaves (dG/dt) v out of its
// constraints: where it is not zero the accelerations of one evaluation are those of a soft constraint, and the motion comes
// right only as the step goes to 0.

#include <cstring>
#include <memory>

#include <mujoco/mujoco.h>

#include "bench/common/data.hpp"
#include "bench/peers/tree.hpp"

namespace {

using namespace bench;

std::string text_of(Vec3 p) {
  char text[100];
  std::snprintf(text, sizeof text, "%.17g %.17g %.17g", p.x, p.y, p.z);
  return text;
}

std::string text_of(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// The XML of a model. Its reader allows about 100 levels, so that long chains go on in included files.
class Writer {
 public:
  Writer(const TreeModel& model, bool stiff, double h) : model_(model) {
    children_.resize(model.bodies.size() + 1);
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
      children_[static_cast<std::size_t>(model.bodies[k].parent + 1)].push_back(
          static_cast<int>(k));
    std::string& text = files_["model.xml"];
    text = "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\"/>";
    text += "<option integrator=\"RK4\" gravity=\"0 " + text_of(-model.gravity) +
            " 0\" timestep=\"" + text_of(h) + "\" jacobian=\"" +
            (model.bodies.size() >= 20 ? "sparse" : "auto") +
            "\"><flag contact=\"disable\"/></option><size nconmax=\"1\" njmax=\"" +
            std::to_string(8 * model.closures.size() + 8) + "\" nstack=\"" +
            std::to_string(find_stack(model)) + "\"/><worldbody>";
    if (model.spring_body >= 0)
      text += "<site name=\"anchor\" pos=\"" + text_of(model.anchor) + "\"/>";
    std::string bodies;
    for (const int child : children_[0]) write_body(child, 0, bodies);
    files_["model.xml"] += bodies + "</worldbody>";
    write_closures(stiff, h);
    if (model.spring_body >= 0) {
      files_["model.xml"] += "<tendon><spatial stiffness=\"" + text_of(model.stiffness) +
                             "\" springlength=\"" + text_of(model.length) +
                             "\"><site site=\"anchor\"/><site site=\"spring\"/></spatial></tendon>";
    }
    files_["model.xml"] += "</mujoco>";
  }

  const std::map<std::string, std::string>& files() const { return files_; }

 private:
  static constexpr int kLevels = 40;

  static std::size_t find_stack(const TreeModel& model) {
    const std::size_t n = 3 * model.bodies.size(), rows = 8 * model.closures.size() + 8;
    return 1000000 + 4 * n * n + 40 * rows * (model.closures.empty() ? 1 : n);
  }

  void write_body(int k, int level, std::string& text) {
    if (level == kLevels) {
      const std::string name = "from" + std::to_string(k) + ".xml";
      text += "<include file=\"" + name + "\"/>";
      std::string part;
      write_body(k, 0, part);
      files_[name] = "<mujocoinclude>" + part + "</mujocoinclude>";
      return;
    }
    const TreeBody& body = model_.bodies[static_cast<std::size_t>(k)];
    text += "<body name=\"b" + std::to_string(k) + "\" pos=\"" + text_of(body.origin) +
            "\"><inertial pos=\"" + text_of(body.centre) + "\" mass=\"" + text_of(body.mass) +
            "\" diaginertia=\"" + text_of(body.inertia) + "\"/><joint ";
    switch (body.joint) {
      case JointKind::hinge_z: text += "type=\"hinge\" axis=\"0 0 1\"/>"; break;
      case JointKind::hinge_y: text += "type=\"hinge\" axis=\"0 1 0\"/>"; break;
      case JointKind::slide_x: text += "type=\"slide\" axis=\"1 0 0\"/>"; break;
      case JointKind::ball: text += "type=\"ball\"/>"; break;
    }
    if (k == model_.spring_body)
      text += "<site name=\"spring\" pos=\"" + text_of(model_.spring_point) + "\"/>";
    for (const int child : children_[static_cast<std::size_t>(k + 1)])
      write_body(child, level + 1, text);
    text += "</body>";
  }

  /// A hinge in space is closed by its point alone, three rows: the tree holds the axes already.
  void write_closures(bool stiff, double h) {
    if (model_.closures.empty()) return;
    std::string text = "<equality>";
    for (const Closure& closure : model_.closures) {
      text += "<connect body1=\"b" + std::to_string(closure.b) + "\"";
      if (closure.a >= 0) text += " body2=\"b" + std::to_string(closure.a) + "\"";
      text += " anchor=\"" + text_of(closure.on_b) + "\"";
      if (stiff) text += " solref=\"" + text_of(2 * h) + " 1\" solimp=\"0.9999 0.9999 0.001\"";
      text += "/>";
    }
    files_["model.xml"] += text + "</equality>";
  }

  const TreeModel& model_;
  std::vector<std::vector<int>> children_;  // of the ground, then of each body
  std::map<std::string, std::string> files_;
};

struct Simulator {
  mjModel* model = nullptr;
  mjData* data = nullptr;
  std::vector<int> joint;  ///< of each body: MuJoCo counts them in another order

  Simulator(const TreeModel& tree, bool stiff, double h) {
    const Writer writer(tree, stiff, h);
    const auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    for (const auto& [name, text] : writer.files()) {
      mj_makeEmptyFileVFS(vfs.get(), name.c_str(), static_cast<int>(text.size()));
      const int at = mj_findFileVFS(vfs.get(), name.c_str());
      if (at < 0) throw std::runtime_error("no room for the model's files");
      std::memcpy(vfs->filedata[at], text.data(), text.size());
    }
    char error[1000] = "";
    model = mj_loadXML("model.xml", vfs.get(), error, sizeof error);
    mj_deleteVFS(vfs.get());
    if (model == nullptr) throw std::runtime_error(error);
    data = mj_makeData(model);
    for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
      const int body = mj_name2id(model, mjOBJ_BODY, ("b" + std::to_string(k)).c_str());
      joint.push_back(model->body_jntadr[body]);
    }
    reset(tree);
  }
  ~Simulator() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  void reset(const TreeModel& tree) {
    mj_resetData(model, data);
    for (std::size_t k = 0; k < tree.bodies.size(); ++k) {
      const TreeBody& body = tree.bodies[k];
      mjtNum* q = data->qpos + model->jnt_qposadr[joint[k]];
      if (body.joint == JointKind::ball) {
        const Quaternion turn = make_quaternion(body.start_about_z, body.start);
        q[0] = turn.w;
        q[1] = turn.v.x;
        q[2] = turn.v.y;
        q[3] = turn.v.z;
      } else {
        q[0] = body.start;
        data->qvel[model->jnt_dofadr[joint[k]]] = body.rate;
      }
    }
    data->qfrc_applied[0] = tree.torque;
  }
  double find_energy(const TreeModel& tree) {
    mj_fwdPosition(model, data);
    mj_fwdVelocity(model, data);
    mj_energyPos(model, data);
    mj_energyVel(model, data);
    return data->energy[0] + data->energy[1] - tree.torque * data->qpos[0];
  }
};

RunFigures run(const TreeModel& tree, double h, Simulator& simulator, bool observe) {
  simulator.reset(tree);
  simulator.model->opt.enableflags = observe ? mjENBL_ENERGY : 0;
  mjData* data = simulator.data;
  const double energy = simulator.find_energy(tree);
  RunFigures figures;
  const long steps = std::lround(tree.end / h);
  for (long k = 0; k < steps; ++k) {
    mj_step(simulator.model, data);
    if (!observe) continue;
    const double error = std::abs(simulator.find_energy(tree) - energy);
    if (!(error <= figures.energy_error)) figures.energy_error = error;
    for (int i = 0; i < data->nefc; ++i)
      figures.max_phi = std::max(figures.max_phi, std::abs(data->efc_pos[i]));
  }
  figures.steps = steps;
  figures.evaluations = 4 * steps;
  double crank = tree.crank_offset;
  for (const int body : tree.crank) {
    const int joint = simulator.joint[static_cast<std::size_t>(body)];
    crank += data->qpos[simulator.model->jnt_qposadr[joint]];
  }
  figures.end = tree.find_end(crank);
  if (data->warning[mjWARN_BADQACC].number > 0 || data->warning[mjWARN_BADQPOS].number > 0 ||
      data->warning[mjWARN_BADQVEL].number > 0)
    throw std::runtime_error("the state became unstable and was reset");
  return figures;
}

void stop(const char* message) { throw std::runtime_error(message); }

}  // namespace

int main(int argc, char** argv) {
  mju_user_error = stop;
  mju_user_warning = [](const char*) {};
  return run_program(argc, argv, [](const Arguments& arguments, Line& line) {
    TreeModel tree = make_tree_model(arguments, true);
    const double h = arguments.number("step", tree.name == "chain" ? kChainStep : 0.01);
    const bool stiff = arguments.whole("stiff", 1) == 1;
    if (arguments.mode() != "run") set_evaluation_pose(tree);
    Simulator simulator(tree, stiff, h);
    if (arguments.mode() == "run") {
      report_run(
          line, [&](bool observe) { return run(tree, h, simulator, observe); }, arguments);
      return;
    }
    mjData* data = simulator.data;
    line.set("status", std::string("ok"));
    if (arguments.mode() == "step") {
      line.set("seconds", measure_call([&] { mj_step(simulator.model, data); }, arguments));
      return;
    }
    mj_forward(simulator.model, data);
    if (tree.name == "chain") {
      mju_scl(data->qvel, data->qacc, kChainSpeedTime, simulator.model->nv);
      mj_forward(simulator.model, data);
    }
    const bool ball = tree.bodies[0].joint == JointKind::ball;
    line.set("check", data->qacc[ball                    ? 2
                                 : tree.crank.size() > 1 ? 1
                                                         : 0] +
                          (tree.crank.size() > 1 ? data->qacc[2] : 0.0));
    line.set("seconds", measure_call([&] { mj_forward(simulator.model, data); }, arguments));
  });
}
