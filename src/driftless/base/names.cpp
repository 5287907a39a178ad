#include "driftless/base/names.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

std::string list_quoted(const std::vector<std::string>& names, std::size_t most,
                        std::string_view quote, std::string_view before_last) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k == most) return text + fmt::format(" and {} more", names.size() - k);
    if (k > 0) text += k + 1 == names.size() ? before_last : ", ";
    text += fmt::format("{}{}{}", quote, names[k], quote);
  }
  return text;
}

}  // namespace

std::string list_names(const std::vector<std::string>& names, std::size_t most) {
  return list_quoted(names, most, "", ", ");
}

std::string join_names(const std::vector<std::string>& names, std::size_t most) {
  return list_quoted(names, most, "'", " and ");
}

}  // namespace driftless
