# driftless/base/build_info.hpp: generated into the build tree, installed with the other headers.

set(DRIFTLESS_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")
configure_file("${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in"
               "${DRIFTLESS_GENERATED_DIR}/driftless/base/build_info.hpp" @ONLY)
