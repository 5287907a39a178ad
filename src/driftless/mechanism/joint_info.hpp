#pragma once
// What a System in joint coordinates says about itself, and which of its numbers are recorded.

#include <memory>
#include <vector>

#include "driftless/mechanism/spanning_tree.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// The mechanism without the joints of the tree and without records.
std::shared_ptr<const MechanismParts> make_open_parts(const MechanismParts& parts,
                                                      const SpanningTree& spanning);

/// `open` is that of the System of make_open_parts, `full` that of the whole mechanism in absolute coordinates.
/// Coordinates and rates are named after the measures that they are, A.angle and A.rate; of a body that nothing carries
/// as in absolute coordinates. Records: those of `full` but for coordinates and rates, then coordinates and rates of all
/// bodies.
SystemInfo make_joint_info(const MechanismParts& parts, const SpanningTree& spanning,
                           const SystemInfo& open, const SystemInfo& full);

/// Where a record comes from.
struct JointRecord {
  enum class Kind { record, body_coordinate, body_rate };
  Kind kind = Kind::record;
  int index = 0;  ///< of `full`
};
std::vector<JointRecord> list_joint_records(const SystemInfo& joint, const SystemInfo& full);

/// A coordinate of the tree that is an angle with a count of its turns.
struct CountedCoordinate {
  int coordinate = 0;
  int counter = 0;  ///< in MechanismParts
};
std::vector<CountedCoordinate> list_counted_coordinates(const MechanismParts& parts,
                                                        const SpanningTree& spanning);

}  // namespace driftless
