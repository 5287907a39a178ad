#include "driftless/io/model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "driftless/io/model_sections.hpp"
#include "driftless/io/toml_scan.hpp"
#include "driftless/io/toml_tree.hpp"
#include "driftless/model/model_check.hpp"

namespace driftless {

namespace {

namespace fs = std::filesystem;

fs::path find_folder(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// "did you mean 'pendulum.toml'?": the file in the same folder whose name is nearest, or empty.
std::string suggest_file(const fs::path& path) {
  constexpr std::size_t kMaxNames = 1000;
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(find_folder(path), error), end; !error && it != end;
       it.increment(error)) {
    if (names.size() == kMaxNames) break;
    std::error_code ignored;
    if (!it->is_directory(ignored)) names.push_back(it->path().filename().string());
  }
  // A forgotten extension is more than a third of a short name, so it is tried first.
  const std::string wanted = path.filename().string();
  for (const std::string& name : names) {
    if (name == wanted + ".toml")
      return fmt::format("did you mean '{}'?", (path.parent_path() / name).string());
  }
  const std::string nearest = find_nearest(wanted, names);
  if (nearest.empty()) return {};
  return fmt::format("did you mean '{}'?", (path.parent_path() / nearest).string());
}

/// At most one byte more than a model may have: enough to see that it is too long, also for a file
/// without end.
std::string read_text_file(const std::string& path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  for (std::size_t piece = 1 << 16; stream && text.size() <= kMaxModelFileBytes; piece *= 2) {
    const std::size_t before = text.size();
    text.resize(std::min(before + piece, kMaxModelFileBytes + 1));
    stream.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad() || (!stream && !stream.eof())) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "unknown reason";
    throw ModelError({{path, 0, 0}, fmt::format("the file cannot be read: {}", reason), {}});
  }
  if (text.size() > kMaxModelFileBytes) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    const std::string bytes = error ? std::string("too many bytes") : fmt::format("{} bytes", size);
    throw ModelError({{path, 0, 0},
                      fmt::format("the file has {}; a model may have at most {} (64 MB)", bytes,
                                  kMaxModelFileBytes),
                      "put measured data into a CSV file beside the model and name it in [table]"});
  }
  return text;
}

}  // namespace

ModelFile read_model_file(const std::string& path) {
  DiagnosticList findings;
  ModelFile file = read_model_file(path, findings);
  findings.finish();
  return file;
}

ModelFile read_model_file(const std::string& path, DiagnosticList& findings) {
  if (path.empty())
    throw ModelError("no model file was named", "for example: driftless run pendulum.toml");
  if (path.find('\0') != std::string::npos)
    throw ModelError("the file's name contains a zero byte");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw ModelError({{path, 0, 0}, "there is no such file", suggest_file(path)});
  }
  if (status.type() == fs::file_type::directory) {
    throw ModelError({{path, 0, 0}, "this is a folder; a model file is wanted", {}});
  }
  return parse_model(read_text_file(path), path, findings);
}

ModelFile parse_model(std::string_view toml_text, const std::string& path) {
  DiagnosticList findings;
  ModelFile file = parse_model(toml_text, path, findings);
  findings.finish();
  return file;
}

ModelFile parse_model(std::string_view toml_text, const std::string& path,
                      DiagnosticList& findings) {
  ModelFile file;
  file.path = path;
  file.text = std::string(toml_text);
  file.model.where = {path, 1, 1};
  file.model.folder = find_folder(path).string();
  file.model.name = fs::path(path).stem().string();
  read_sections(parse_toml(toml_text, path, findings), file, findings);
  return file;
}

}  // namespace driftless
