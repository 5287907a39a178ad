# Compiler and linker settings for our own code. Third-party headers are SYSTEM includes and stay out of it.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# -Wconversion would demand a cast wherever an index enters a formula; -Wfloat-conversion finds the
# narrowing that loses digits and leaves the formulas alone.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wfloat-conversion -Wnon-virtual-dtor
                    -Woverloaded-virtual)
if(DRIFTLESS_WERROR)
  add_compile_options(-Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Seen through inlined Eigen expressions, these are often false: shown, but not fatal.
    add_compile_options(-Wno-error=maybe-uninitialized -Wno-error=array-bounds
                        -Wno-error=stringop-overflow -Wno-error=stringop-overread)
  endif()
endif()

# A heap that may grow before it is swept saves an eighth of g++'s time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=1000000")
endif()

# Results must not depend on which products a compiler happens to fuse (but for a few passes, see src/driftless/CMakeLists.txt).
add_compile_options(-ffp-contract=off)

# File names in assertions are relative to the repository.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# Null pointers are caught by the address sanitizer as well; checking each access for them and for alignment costs a fifth
# of the compile time.
if(DRIFTLESS_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment -fno-sanitize-recover=all -fno-omit-frame-pointer
                      "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitize_ignore.txt")
  add_link_options(-fsanitize=address,undefined)
endif()

# Programs, tests and the folders that read and write are compiled without optimisation under sanitizers, in half the time; what
# computes keeps it.
function(driftless_compile_fast target)
  if(DRIFTLESS_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# What nearly every source of the library includes, read once: target driftless_headers and, for those that
# driftless_compile_fast, driftless_headers_fast.
function(driftless_precompile_headers)
  file(WRITE "${PROJECT_BINARY_DIR}/generated/headers.cpp" "")
  set(targets driftless_headers)
  if(DRIFTLESS_SANITIZE)
    list(APPEND targets driftless_headers_fast)
  endif()
  foreach(target IN LISTS targets)
    add_library(${target} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/generated/headers.cpp")
    target_compile_definitions(${target} PRIVATE EIGEN_MPL2_ONLY EIGEN_DONT_PARALLELIZE)
    target_link_libraries(${target} PRIVATE Eigen3::Eigen fmt::fmt)
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <functional>
      <map> <memory> <optional> <set> <string> <unordered_map> <variant> <vector>)
  endforeach()
  if(DRIFTLESS_SANITIZE)
    driftless_compile_fast(driftless_headers_fast)
  else()
    add_library(driftless_headers_fast ALIAS driftless_headers)  # nothing differs
  endif()
endfunction()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CCACHE_PROGRAM ccache)
  mark_as_advanced(CCACHE_PROGRAM)
  if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  endif()
endif()

find_program(MOLD_PROGRAM ld.mold)
find_program(LLD_PROGRAM ld.lld)
mark_as_advanced(MOLD_PROGRAM LLD_PROGRAM)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
elseif(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()
