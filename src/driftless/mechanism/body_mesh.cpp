#include <fmt/format.h>

#include "driftless/base/units.hpp"
#include "driftless/mechanism/body_reader.hpp"
#include "driftless/mechanism/mesh_file.hpp"
#include "driftless/model/keys.hpp"

namespace driftless {
namespace {

/// Metres per unit of the file.
double read_scale(ElementReader& table) {
  const double scale = table.number("scale", "", find_key_bounds("body.mesh.scale")).value_or(1.0);
  const Value* unit = table.take("unit");
  if (unit == nullptr) return scale;
  const std::optional<Unit> length = unit->is_text() ? parse_unit(unit->text()) : std::nullopt;
  if (length && length->dimension == parse_unit("m")->dimension) return scale * length->factor;
  table.fault(unit->where,
              fmt::format("{}.unit{}: not a unit of length", table.path(),
                          unit->is_text() ? " = '" + unit->text() + "'" : ""),
              "say in what the file counts, for example unit = \"mm\"");
  return scale;
}

}  // namespace

/// A file's name, or a table with file, unit, scale and the place of the file's own axes on the body.
void read_body_mesh(ElementReader& reader, DrawnBody& drawn) {
  const Value* value = reader.take("mesh");
  if (value == nullptr) return;
  ReadingContext& context = reader.context();
  const std::string path = reader.path() + ".mesh";
  const Value* file = value;
  Vector3 at = drawn.origin;
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double scale = 1.0;
  if (value->is_table()) {
    ElementReader table(path, *value, context);
    file = table.take("file");
    scale = read_scale(table);
    at = at + table.vector("at", "m").value_or(Vector3{});
    axes = read_axes(table);
    table.finish();
  }
  if (file == nullptr || !file->is_text()) {
    reader.fault(value->where, fmt::format("{}: wanted: the name of a file", path),
                 "for example mesh = \"part.stl\", or mesh = { file = \"part.stl\", unit = "
                 "\"mm\" }");
    return;
  }
  try {
    TriangleMesh mesh = read_mesh_file(file->text(), context.folder, file->where);
    for (Vector3& point : mesh.points) point = at + apply(axes, scale * point);
    drawn.mesh = std::make_shared<const TriangleMesh>(std::move(mesh));
  } catch (const ModelError& error) {
    if (context.meshes_may_be_gone) {
      drawn.note =
          fmt::format("Body {} is drawn without its mesh: {} cannot be read beside the model file.",
                      drawn.body.name, file->text());
    } else {
      for (const Diagnostic& each : error.diagnostics()) {
        // A fault within the mesh is told with its line there; where the mesh is named is where to mend it.
        const bool is_within = each.where.file != file->where.file;
        context.errors.add(
            file->where,
            is_within ? fmt::format("{}: {}: {}", path, format_source(each.where), each.message)
                      : fmt::format("{}: {}", path, each.message),
            each.remedy);
      }
    }
  }
}

}  // namespace driftless
