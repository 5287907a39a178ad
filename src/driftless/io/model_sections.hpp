#pragma once
// The sections of an equation model's file, one function each (in model_sections.cpp).

#include "driftless/io/model_fields.hpp"
#include "driftless/io/toml_tree.hpp"
#include "driftless/model/equation_model.hpp"

namespace driftless {

/// Reads all sections of the root table into `file` (whose path is set) and throws whatever is
/// wrong, all at once.
void read_sections(const TomlNode& root, ModelFile& file);

}  // namespace driftless
