# driftless_folder(<name> [LINKS <folder>...] [EXTERNAL <target>...] [EXTERNAL_PRIVATE <target>...])
#
# One folder of src/driftless becomes one object library driftless_<name> that sees the usage
# requirements of the folders it may include, and of nothing else. A folder with headers only becomes an
# interface library; so does one that nobody has created yet. EXTERNAL libraries may appear in public
# headers, EXTERNAL_PRIVATE ones only in .cpp files.
#
# Its *_test.cpp files become the executable <name>_test (see DriftlessTests.cmake).
function(driftless_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;EXTERNAL;EXTERNAL_PRIVATE")
  set(target driftless_${name})
  set(dir "${CMAKE_CURRENT_SOURCE_DIR}/${name}")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${dir}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  if(sources)
    add_library(${target} OBJECT ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_EXTERNAL_PRIVATE})
    set_property(GLOBAL APPEND PROPERTY DRIFTLESS_OBJECT_FOLDERS ${target})
    if(name MATCHES "^(io|model|studies|result|run|assembly)$")  # no numbers are crunched in the step loop
      driftless_compile_fast(${target})
      target_precompile_headers(${target} REUSE_FROM driftless_headers_fast)
    else()
      target_precompile_headers(${target} REUSE_FROM driftless_headers)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()

  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/src" "${DRIFTLESS_GENERATED_DIR}")
  target_compile_definitions(${target} ${scope} EIGEN_MPL2_ONLY EIGEN_DONT_PARALLELIZE)
  list(TRANSFORM arg_LINKS PREPEND driftless_)
  target_link_libraries(${target} ${scope} ${arg_LINKS} ${arg_EXTERNAL})

  if(tests)
    driftless_declare_test(${name}_test SOURCES ${tests} LINKS ${arg_EXTERNAL_PRIVATE})
  endif()
endfunction()
