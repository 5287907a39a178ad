#include "driftless/base/status.hpp"

namespace driftless {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::failed: return "failed";
    case Status::interrupted: return "interrupted";
    case Status::invalid: return "invalid";
  }
  return "invalid";
}

}  // namespace driftless
