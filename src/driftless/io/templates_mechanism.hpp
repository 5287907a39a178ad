#pragma once
// The templates that are mechanisms of any size.

#include <string>
#include <string_view>

namespace driftless {

/// 2n + 1 equal bars: n four-bar linkages side by side, n >= 1.
std::string make_n_four_bar(int n);

/// n >= 1 links that hang on joints of the type `joint`: "revolute" or "spherical".
std::string make_link_chain(int n, std::string_view joint);

}  // namespace driftless
