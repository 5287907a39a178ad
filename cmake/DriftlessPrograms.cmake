# The command-line program and the benchmarks.

# The model files become a source of the program.
function(driftless_embed_examples target)
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_examples.cmake")
  set(out "${PROJECT_BINARY_DIR}/generated/examples.cpp")
  file(GLOB_RECURSE models CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/models/*.toml")
  add_custom_command(OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} -D "MODELS=${PROJECT_SOURCE_DIR}/models" -D "OUT=${out}" -P "${script}"
    DEPENDS ${models} "${script}" VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()

# apps/cli: main.cpp makes the program `driftless`; the other files form an object library, so that tests
# beside them can use it.
function(driftless_add_cli)
  set(dir "${PROJECT_SOURCE_DIR}/apps/cli")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${dir}/*.cpp")
  if(NOT "${dir}/main.cpp" IN_LIST sources)
    message(STATUS "apps/cli/main.cpp not found: no program will be built")
    return()
  endif()
  list(REMOVE_ITEM sources "${dir}/main.cpp")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

  set(parts)
  if(sources)
    set(parts driftless_cli_parts)
    add_library(${parts} OBJECT ${sources})
    target_include_directories(${parts} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${parts} PUBLIC driftless::driftless PRIVATE CLI11::CLI11)
    driftless_compile_fast(${parts})
    target_precompile_headers(${parts} REUSE_FROM driftless_headers_fast)
    driftless_embed_examples(${parts})
  endif()

  add_executable(driftless_cli "${dir}/main.cpp")
  set_target_properties(driftless_cli PROPERTIES
    OUTPUT_NAME driftless
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  target_include_directories(driftless_cli PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(driftless_cli PRIVATE ${parts} driftless::driftless)
  driftless_compile_fast(driftless_cli)

  if(tests)
    driftless_declare_test(cli_test SOURCES ${tests} LINKS ${parts})
  endif()
endfunction()

# The benchmark's programs, made only by the target `bench`: bench/<name>.cpp and bench/floor/<name>.cpp become
# build/bench/<name>, bench/ours/*.cpp becomes build/bench/ours. Peers have a project of their own, bench/peers.
function(driftless_add_bench)
  add_custom_target(bench)
  # What nearly all of them include, read once.
  file(WRITE "${PROJECT_BINARY_DIR}/generated/bench_headers.cpp" "int main() {}\n")
  add_executable(driftless_bench_headers EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/generated/bench_headers.cpp")
  driftless_set_up_bench(driftless_bench_headers)
  target_precompile_headers(driftless_bench_headers PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <filesystem>
    <functional> <map> <memory> <optional> <string> <variant> <vector>)
  file(GLOB singles CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp"
                                      "${PROJECT_SOURCE_DIR}/bench/floor/*.cpp")
  foreach(source IN LISTS singles)
    cmake_path(GET source STEM name)
    driftless_add_bench_program(${name} "${source}")
  endforeach()
  file(GLOB ours CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/ours/*.cpp")
  driftless_add_bench_program(ours ${ours})
endfunction()

function(driftless_add_bench_program name)
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${ARGN})
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  driftless_set_up_bench(bench_${name})
  target_precompile_headers(bench_${name} REUSE_FROM driftless_bench_headers)
  add_dependencies(bench bench_${name})
endfunction()

function(driftless_set_up_bench target)
  target_compile_definitions(${target} PRIVATE DRIFTLESS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE driftless::driftless)
endfunction()
