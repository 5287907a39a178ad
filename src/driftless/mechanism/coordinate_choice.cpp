#include "driftless/mechanism/coordinate_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/mechanism/joint_system.hpp"
#include "driftless/mechanism/mixed_pattern.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

void check_cut(const MechanismModel& model, DiagnosticList& errors) {
  std::vector<std::string> known;
  for (const ElementSpec& joint : model.joints) known.push_back(joint.name);
  for (const Text& name : model.cut) {
    if (!model.joint_coordinates) {
      errors.add(
          name.where,
          fmt::format("cut = '{}': no joint is cut in absolute coordinates", shorten(name.text)),
          "add coordinates = \"joint\", or leave it out");
      return;
    }
    if (std::find(known.begin(), known.end(), name.text) != known.end()) continue;
    errors.add(name.where, fmt::format("cut = '{}': there is no such joint", shorten(name.text)),
               suggest_name(name.text, known));
  }
}

void choose_coordinates(const MechanismModel& model,
                        const std::shared_ptr<const MechanismParts>& parts, CompiledModel& out) {
  std::vector<std::string> cut;
  for (const Text& name : model.cut) cut.push_back(name.text);
  const auto spanning = std::make_shared<SpanningTree>(find_spanning_tree(*parts, cut));
  out.mixed_pattern = find_mixed_pattern(*parts, *spanning, out.system->make_workspace()->jacobian);
  if (!model.joint_coordinates) return;
  out.system = make_joint_system(parts, spanning);
  out.joint_coordinates = true;
  for (const int row : spanning->cut) {
    out.cut_joints.push_back(parts->rows[static_cast<std::size_t>(row)].name);
  }
}

}  // namespace driftless
