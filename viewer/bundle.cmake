# Install the packages of the lock file unless they are there, then bundle. Called while building, with
#   NODE, NPM: programs   VIEWER: this folder   DIR: where the packages go   PAGE: file to write

foreach(file IN ITEMS package.json package-lock.json .npmrc)
  file(SHA256 "${VIEWER}/${file}" hash)
  string(APPEND wanted "${hash}\n")
endforeach()

set(stamp "${DIR}/installed.txt")
set(installed "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" installed)
endif()
if(NOT installed STREQUAL wanted)
  file(MAKE_DIRECTORY "${DIR}")
  file(REMOVE "${stamp}")
  foreach(file IN ITEMS package.json package-lock.json .npmrc)
    file(COPY "${VIEWER}/${file}" DESTINATION "${DIR}")
  endforeach()
  execute_process(
    COMMAND "${NPM}" ci --ignore-scripts --no-fund --no-audit --prefer-offline
    WORKING_DIRECTORY "${DIR}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR
      "npm could not install the packages of the report page (three, uplot, esbuild):\n${output}\n"
      "Without a network, build without the page: -DDRIFTLESS_VIEWER=OFF")
  endif()
  file(WRITE "${stamp}" "${wanted}")
endif()

execute_process(
  COMMAND "${NODE}" "${VIEWER}/bundle.mjs" "${DIR}" "${PAGE}"
  RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "The report page could not be bundled")
endif()
