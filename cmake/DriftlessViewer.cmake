# The report page: viewer/ is bundled into one HTML template, which the assembler takes into the library. Node and npm are
# wanted for building only. Packages are installed once per lock file, into DRIFTLESS_VIEWER_DIR; nothing is fetched while
# they are up to date.

option(DRIFTLESS_VIEWER "Put the report page into the program (needs node and npm while building)" ON)
set(DRIFTLESS_VIEWER_DIR "${PROJECT_BINARY_DIR}/viewer" CACHE PATH "Where the packages of the report page are installed")

# driftless_embed_viewer(<target>): makes the template a part of the target that has io/page_template.cpp.
function(driftless_embed_viewer target)
  if(NOT DRIFTLESS_VIEWER)
    return()
  endif()
  find_program(NODE_PROGRAM node)
  find_program(NPM_PROGRAM npm)
  mark_as_advanced(NODE_PROGRAM NPM_PROGRAM)
  if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    message(FATAL_ERROR
      "The report page is bundled by node (18 or newer) and npm, which were not found. Install them (on Debian: "
      "apt-get install nodejs npm), or build without the page: -DDRIFTLESS_VIEWER=OFF")
  endif()

  set(viewer "${PROJECT_SOURCE_DIR}/viewer")
  file(GLOB sources CONFIGURE_DEPENDS "${viewer}/src/*")
  set(page "${PROJECT_BINARY_DIR}/viewer/driftless_page.html")
  add_custom_command(
    OUTPUT "${page}"
    COMMAND "${CMAKE_COMMAND}" "-DNODE=${NODE_PROGRAM}" "-DNPM=${NPM_PROGRAM}" "-DVIEWER=${viewer}"
            "-DDIR=${DRIFTLESS_VIEWER_DIR}" "-DPAGE=${page}" -P "${viewer}/bundle.cmake"
    DEPENDS ${sources} "${viewer}/bundle.cmake" "${viewer}/bundle.mjs" "${viewer}/package-lock.json"
    COMMENT "Bundling the report page"
    VERBATIM)
  set(source "${PROJECT_SOURCE_DIR}/src/driftless/io/page_template.cpp")
  # The assembler reads the page by name from this folder: no path of the build gets into the object.
  set_source_files_properties("${source}" PROPERTIES
    OBJECT_DEPENDS "${page}"
    COMPILE_DEFINITIONS DRIFTLESS_HAS_VIEWER
    COMPILE_OPTIONS "-Wa,-I${PROJECT_BINARY_DIR}/viewer"
    SKIP_PRECOMPILE_HEADERS ON)
endfunction()
