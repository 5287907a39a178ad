#pragma once
// Models that `driftless new TEMPLATE` writes. Each is complete: it runs as it stands, with the
// method that suits it.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace driftless {

/// A whole number within bounds, or one of some words.
struct TemplateOption {
  std::string_view name;
  int standard = 0;  ///< value when the option is left out; of words, which of them
  int least = 0;
  int most = 0;
  std::string_view description;
  std::span<const std::string_view> words = {};
};

/// "number of rods (1 to 500, default 3)"
std::string describe(const TemplateOption& option);

struct TemplateInfo {
  std::string_view name;
  std::string_view description;
  std::span<const TemplateOption> options;
};

/// In the order of listing; the first is what `new` writes when no template is named.
std::span<const TemplateInfo> all_templates();

/// The model as text. Throws ModelError for an unknown template or option and for a value out of
/// its bounds.
std::string make_template(std::string_view name,
                          const std::vector<std::pair<std::string, std::string>>& options = {});

}  // namespace driftless
