#pragma once
// The JSON Schema of model files, for editors: every key with its description, unit and default. It is derived from what
// is declared once: the keys (model/keys), the types of elements (model/element_types), the options of methods
// (run/method_reader) and the sections that the reader reads (io/model_sections).

#include <string>

namespace driftless {

/// Draft 2020-12, as one JSON object without a line end. What the schema refuses, the reader refuses, too; the reader
/// also knows names, units and expressions.
std::string make_model_schema();

}  // namespace driftless
