# Installation: program, archive, headers, licence and the files behind find_package(driftless).
include(CMakePackageConfigHelpers)

set(driftless_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")

install(TARGETS driftless EXPORT driftlessTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT driftlessTargets NAMESPACE driftless:: DESTINATION "${driftless_cmake_dir}")
if(TARGET driftless_cli)
  install(TARGETS driftless_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/driftless" "${DRIFTLESS_GENERATED_DIR}/driftless"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*_test.hpp" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/driftlessConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/driftlessConfig.cmake"
  INSTALL_DESTINATION "${driftless_cmake_dir}"
  NO_SET_AND_CHECK_MACRO)
# While the version is 0.x, each minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/driftlessConfig.cmake"
  "${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake"
  DESTINATION "${driftless_cmake_dir}")
