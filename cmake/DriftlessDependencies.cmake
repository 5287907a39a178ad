# Third-party libraries. The first block must agree with driftlessConfig.cmake.in.

find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(driftless_toml REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_search_module(driftless_hdf5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
pkg_check_modules(driftless_cairo REQUIRED IMPORTED_TARGET cairo)
include(DriftlessSundials)

find_package(CLI11 REQUIRED)

if(DRIFTLESS_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    message(STATUS "GoogleTest not found: no tests will be built")
  endif()
endif()
