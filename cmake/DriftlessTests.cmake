# Tests: one executable per folder, to keep linking cheap; one ctest entry per GoogleTest case.
#
# Labels follow the suite's name: Long... is `long`, Verify... is `verify`, all others are `quick`. An
# instantiated suite counts by its own name or by its instantiation's. Random states are seeded: a test
# passes always or never.
include(GoogleTest)

set(DRIFTLESS_LONG "Long*:*/Long*")
set(DRIFTLESS_VERIFY "Verify*:*/Verify*")

# Not under sanitizers: tables of orders, which run the same few loops over and over, and programs run by the hundred for
# their words, whose reading and refusing the tests of io and run go through as well.
set(DRIFTLESS_UNSANITIZED
  "ImplicitOrders.A*:ImplicitOrders.Stab*:ImplicitOrders.Gaps*:ImplicitOrders.Bdf*:Rattle.HasOrder*"
  "JointCoordinates.Move*:HalfExplicit.Ha*:HalfExplicit.Keep*:HalfExplicit.Err*:*IntegratorExam.ObservedOrder*"
  "Rotations.Sec*:Rotations.Fast*:Rotations.Rattle*:NewtonFailure.*Tiny*:Turns.AW*:Paper002*"
  "*WrongModels.*:CliStudies.*:CliConverge.*:CliHelp.*:CliCompletion.*")
list(JOIN DRIFTLESS_UNSANITIZED ":" DRIFTLESS_UNSANITIZED)

# driftless_declare_test(<name> SOURCES <file>... [LINKS <target>...]): remembered, made later by
# driftless_add_tests(), when the library and the program are known.
function(driftless_declare_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  set_property(GLOBAL APPEND PROPERTY DRIFTLESS_TESTS ${name})
  set_property(GLOBAL PROPERTY DRIFTLESS_TEST_SOURCES_${name} ${arg_SOURCES})
  set_property(GLOBAL PROPERTY DRIFTLESS_TEST_LINKS_${name} ${arg_LINKS})
endfunction()

function(driftless_discover name label filter timeout)
  string(REGEX REPLACE "_test$" "" prefix ${name})
  gtest_discover_tests(${name}
    TEST_PREFIX "${prefix}:"
    TEST_FILTER "${filter}"
    TEST_LIST ${name}_${label}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    NO_PRETTY_VALUES
    PROPERTIES LABELS ${label} TIMEOUT ${timeout})
endfunction()

# Under sanitizers a process takes long to start: all quick tests of an executable run in a few processes.
function(driftless_add_shards name count)
  string(REGEX REPLACE "_test$" "" prefix ${name})
  math(EXPR last "${count} - 1")
  # Pointers to locals that are gone: a third more time, so not in the whole simulations of tests/.
  set(after_return 1)
  if(name MATCHES "^tests_(system|assembly)$")
    set(after_return 0)
  endif()
  set(environment
    "GTEST_TOTAL_SHARDS=${count}"
    "ASAN_OPTIONS=check_initialization_order=1:strict_string_checks=1:detect_stack_use_after_return=${after_return}"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks_of_others.txt:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1")
  foreach(shard RANGE ${last})
    add_test(NAME "${prefix}:quick:${shard}"
      COMMAND ${name} --gtest_brief=1 "--gtest_filter=-${DRIFTLESS_LONG}:${DRIFTLESS_VERIFY}:${DRIFTLESS_UNSANITIZED}")
    set_tests_properties("${prefix}:quick:${shard}" PROPERTIES LABELS quick TIMEOUT 900
      ENVIRONMENT "${environment};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# What nearly every test includes, read once for all of them.
function(driftless_precompile_for_tests)
  file(WRITE "${PROJECT_BINARY_DIR}/generated/test_headers.cpp" "")
  add_executable(driftless_test_headers EXCLUDE_FROM_ALL
    "${PROJECT_BINARY_DIR}/generated/test_headers.cpp")
  driftless_set_up_test(driftless_test_headers)
  target_precompile_headers(driftless_test_headers PRIVATE <gtest/gtest.h> <Eigen/Dense> <fmt/format.h> <algorithm>
    <filesystem> <fstream> <functional> <map> <memory> <optional> <random> <set> <sstream> <string> <variant> <vector>)
endfunction()

# What all test targets have in common, the precompiled headers among it.
function(driftless_set_up_test name)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE
    DRIFTLESS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    DRIFTLESS_BINARY="${PROJECT_BINARY_DIR}/bin/driftless")
  target_link_libraries(${name} PRIVATE driftless::driftless GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O1)
  driftless_compile_fast(${name})
endfunction()

# Sources all of whose suites are Long... or Verify... have nothing to run under sanitizers.
function(driftless_drop_long_sources variable)
  set(kept)
  foreach(source IN LISTS ${variable})
    file(STRINGS "${source}" tests REGEX "^(TYPED_)?TEST(_F|_P)?\\(")
    set(quick ${tests})
    list(FILTER quick EXCLUDE REGEX "\\((Long|Verify)")
    if(quick OR NOT tests)
      list(APPEND kept "${source}")
    endif()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

function(driftless_make_test name)
  get_property(sources GLOBAL PROPERTY DRIFTLESS_TEST_SOURCES_${name})
  if(DRIFTLESS_SANITIZE)
    if(name STREQUAL "tests_layering")  # it reads the sources, and calls none
      return()
    endif()
    driftless_drop_long_sources(sources)
  endif()
  get_property(links GLOBAL PROPERTY DRIFTLESS_TEST_LINKS_${name})
  add_executable(${name} EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${links})
  driftless_set_up_test(${name})
  target_precompile_headers(${name} REUSE_FROM driftless_test_headers)
  if(TARGET driftless_cli)
    add_dependencies(${name} driftless_cli)
  endif()
  add_dependencies(tests ${name})

  if(DRIFTLESS_SANITIZE)
    if(name MATCHES "^tests_(system|assembly)$")  # they take longest
      driftless_add_shards(${name} 4)
    else()
      driftless_add_shards(${name} 2)
    endif()
    return()
  endif()
  driftless_discover(${name} quick "-${DRIFTLESS_LONG}:${DRIFTLESS_VERIFY}" 120)
  driftless_discover(${name} long "${DRIFTLESS_LONG}" 300)
  driftless_discover(${name} verify "${DRIFTLESS_VERIFY}" 7200)
endfunction()

# tests/<folder>/**/*_test.cpp becomes the executable tests_<folder>. Other .cpp files under tests/ are
# helpers; they go into one library that all tests of tests/ link.
function(driftless_declare_system_tests)
  file(GLOB_RECURSE all RELATIVE "${PROJECT_SOURCE_DIR}/tests" CONFIGURE_DEPENDS
       "${PROJECT_SOURCE_DIR}/tests/*.cpp")
  list(FILTER all EXCLUDE REGEX "^consumer/")
  set(helpers ${all})
  list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER all INCLUDE REGEX "_test\\.cpp$")

  set(helper_library)
  if(helpers)
    list(TRANSFORM helpers PREPEND "${PROJECT_SOURCE_DIR}/tests/")
    set(helper_library driftless_test_helpers)
    add_library(${helper_library} STATIC EXCLUDE_FROM_ALL ${helpers})
    driftless_set_up_test(${helper_library})
  endif()

  set(folders)
  foreach(file IN LISTS all)
    string(REGEX MATCH "^[^/]+/" folder "${file}")
    string(REPLACE "/" "" folder "${folder}")
    if(NOT folder)
      set(folder main)
    endif()
    list(APPEND folders ${folder})
    list(APPEND sources_${folder} "${PROJECT_SOURCE_DIR}/tests/${file}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    driftless_declare_test(tests_${folder} SOURCES ${sources_${folder}} LINKS ${helper_library})
  endforeach()
endfunction()

function(driftless_add_tests)
  if(NOT DRIFTLESS_TESTS OR NOT GTest_FOUND)
    return()
  endif()
  add_custom_target(tests)
  driftless_precompile_for_tests()
  driftless_declare_system_tests()
  get_property(names GLOBAL PROPERTY DRIFTLESS_TESTS)
  foreach(name IN LISTS names)
    driftless_make_test(${name})
  endforeach()
endfunction()
