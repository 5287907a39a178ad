// driftless schema: what an editor needs to know about model files.

#include "commands.hpp"
#include <fmt/format.h>

#include "driftless/io/model_schema.hpp"

namespace driftless::cli {

void add_schema(CommandLine& line) {
  Verb verb = line.add_verb("schema", "the JSON Schema of model files, for editors");
  verb.footer(R"(Example:
  driftless schema > driftless.schema.json

An editor that knows taplo (in VS Code: Even Better TOML) then completes, explains and checks a
model beside it that has this line at its top:
  #:schema ./driftless.schema.json)");
  verb.action([] { fmt::print("{}\n", make_model_schema()); });
}

}  // namespace driftless::cli
