#pragma once
// What only some Systems know, asked for by dynamic_cast: the threads of screws, what drives ask for, and why a force
// has no value.

#include <string>
#include <vector>

#include "driftless/system/system.hpp"

namespace driftless {

/// Screws whose place on the thread nobody gave. While the start is being closed each stays within half a turn of where it
/// is drawn, or of so many turns beyond.
class ThreadedSystem {
 public:
  virtual ~ThreadedSystem() = default;
  virtual int count_free_threads() const = 0;
  virtual void set_thread_turns(Workspace& ws, const std::vector<double>& turns) const = 0;
  /// How many turns beyond the drawing they are.
  virtual std::vector<double> find_thread_turns(double t, ConstVectorRef q,
                                                Workspace& ws) const = 0;
};

/// A row that prescribes a value: what it is 0 for is value - asked.
struct DrivenRow {
  int row = 0;
  std::string value;   ///< "A.angle", "tip.x"
  std::string unit;    ///< "m", "rad"
  double least = 0.0;  ///< no pose makes the value less; -infinity: nothing is known of that
};

class DrivenSystem {
 public:
  virtual ~DrivenSystem() = default;
  virtual std::vector<DrivenRow> list_driven_rows() const = 0;
  /// What each of them asks for.
  virtual std::vector<double> find_asked(double t, ConstVectorRef q, Workspace& ws) const = 0;
};

struct ForceFault {
  std::string reason;  ///< "is turned by 175 deg, more than 170 deg"; empty: not known
  std::string remedy;
};

class ForceExplainer {
 public:
  virtual ~ForceExplainer() = default;
  /// Of the force that System::find_faulty_force has just named, in the same workspace.
  virtual ForceFault explain_force(const std::string& force, Workspace& ws) const = 0;
};

inline ForceFault explain_force(const System& system, const std::string& force, Workspace& ws) {
  const auto* explainer = dynamic_cast<const ForceExplainer*>(&system);
  return explainer == nullptr ? ForceFault{} : explainer->explain_force(force, ws);
}

}  // namespace driftless
