# cmake -D MODELS=<folder> -D OUT=<file.cpp> -P embed_examples.cmake: the model files as strings, by name, so that
# `driftless examples` has them wherever the program is installed.
file(GLOB_RECURSE files RELATIVE "${MODELS}" "${MODELS}/*.toml")
list(SORT files)
set(out "// Made from models/ by cmake/embed_examples.cmake.\n#include \"apps/cli/examples.hpp\"\n\n")
string(APPEND out "namespace driftless::cli {\nnamespace {\n\nconstexpr Example kExamples[] = {\n")
foreach(file IN LISTS files)
  file(READ "${MODELS}/${file}" text)
  string(REGEX REPLACE "\\.toml$" "" name "${file}")
  string(APPEND out "    {\"${name}\", R\"~~(${text})~~\"},\n")
endforeach()
string(APPEND out "};\n\n}  // namespace\n\n")
string(APPEND out "std::span<const Example> all_examples() { return kExamples; }\n\n}  // namespace driftless::cli\n")
file(WRITE "${OUT}" "${out}")
