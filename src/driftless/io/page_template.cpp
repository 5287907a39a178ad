// The template of the report page. The assembler takes it in as it is, so that the program needs no other file.

#include "driftless/base/error.hpp"
#include "driftless/io/page.hpp"

#ifdef DRIFTLESS_HAS_VIEWER
// clang-format off
asm(".pushsection .rodata\n"
    ".global driftless_page_begin\n"
    ".global driftless_page_end\n"
    "driftless_page_begin:\n"
    ".incbin \"driftless_page.html\"\n"
    "driftless_page_end:\n"
    ".byte 0\n"
    ".popsection\n");
// clang-format on
extern "C" const char driftless_page_begin[];
extern "C" const char driftless_page_end[];
#endif

namespace driftless {

std::string_view page_template() {
#ifdef DRIFTLESS_HAS_VIEWER
  return {driftless_page_begin,
          static_cast<std::size_t>(driftless_page_end - driftless_page_begin)};
#else
  return {};
#endif
}

bool has_page_template() { return !page_template().empty(); }

void check_page_template() {
  if (has_page_template()) return;
  throw ModelError("this program was built without the report page",
                   "build it again with node and npm installed and -DDRIFTLESS_VIEWER=ON; plots "
                   "are there without it: driftless plot --help");
}

}  // namespace driftless
