# Installation: program, archive, headers, licence and the files behind find_package(driftless).
include(CMakePackageConfigHelpers)

set(driftless_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")

install(TARGETS driftless EXPORT driftlessTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT driftlessTargets NAMESPACE driftless:: DESTINATION "${driftless_cmake_dir}")
if(TARGET driftless_cli)
  install(TARGETS driftless_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # Where shells look for them. The program writes them itself.
  foreach(completion "bash|bash-completion/completions/driftless" "zsh|zsh/site-functions/_driftless"
          "fish|fish/vendor_completions.d/driftless.fish")
    string(REPLACE "|" ";" completion "${completion}")
    list(GET completion 0 shell)
    list(GET completion 1 file)
    install(CODE "
      set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${file}\")
      get_filename_component(folder \"\${file}\" DIRECTORY)
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"$<TARGET_FILE:driftless_cli>\" completion ${shell}
        OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)
      message(STATUS \"Installing: \${file}\")")
  endforeach()
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
  "${PROJECT_SOURCE_DIR}/cmake/DriftlessSundials.cmake"
  DESTINATION "${driftless_cmake_dir}")
