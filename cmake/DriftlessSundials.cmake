# IDA of SUNDIALS as the target driftless_sundials_ida. Its own package file is passed by: that one asks for MPI, PETSc and
# whatever else its optional parts were built with. The library of IDA holds all that we use, vectors included.
if(NOT TARGET driftless_sundials_ida)
  find_path(DRIFTLESS_SUNDIALS_INCLUDE ida/ida.h)
  find_library(DRIFTLESS_SUNDIALS_IDA sundials_ida)
  mark_as_advanced(DRIFTLESS_SUNDIALS_INCLUDE DRIFTLESS_SUNDIALS_IDA)
  if(NOT DRIFTLESS_SUNDIALS_INCLUDE OR NOT DRIFTLESS_SUNDIALS_IDA)
    message(FATAL_ERROR "IDA of SUNDIALS 6.4 or later is missing (Debian: libsundials-dev)")
  endif()
  add_library(driftless_sundials_ida UNKNOWN IMPORTED)
  set_target_properties(driftless_sundials_ida PROPERTIES
    IMPORTED_LOCATION "${DRIFTLESS_SUNDIALS_IDA}"
    INTERFACE_INCLUDE_DIRECTORIES "${DRIFTLESS_SUNDIALS_INCLUDE}")
endif()
