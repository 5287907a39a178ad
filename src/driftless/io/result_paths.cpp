#include "driftless/io/result_paths.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "driftless/io/page.hpp"
#include "driftless/io/result_csv.hpp"
#include "driftless/io/result_hdf5.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

bool is_empty_file(const std::string& path) {
  std::error_code ignored;
  return fs::file_size(path, ignored) == 0 && !ignored;
}

bool is_our_csv(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(kCsvMark.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return file && start == kCsvMark;
}

void check_directory(const std::string& path) {
  fs::path directory = fs::path(path).parent_path();
  if (directory.empty()) directory = ".";
  std::error_code problem;
  if (!fs::is_directory(directory, problem)) {
    throw ModelError(
        "cannot write '" + path + "': there is no directory '" + directory.string() + "'",
        "create it, or choose another file");
  }
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw make_write_error(path, format_errno(errno));
}

}  // namespace

std::string format_errno(int code) { return std::generic_category().message(code); }

std::string format_write_error(const std::string& path, const std::string& reason) {
  return "cannot write '" + path + "': " + reason;
}

ModelError make_write_error(const std::string& path, const std::string& reason) {
  return ModelError(format_write_error(path, reason), find_write_remedy(reason));
}

std::string find_write_remedy(std::string_view reason) {
  const auto is_one_of = [&](std::initializer_list<int> codes) {
    return std::any_of(codes.begin(), codes.end(),
                       [&](int code) { return reason.ends_with(format_errno(code)); });
  };
  if (is_one_of({EACCES, EPERM, EROFS}))
    return "choose a file in a folder that you may write to, or change the permissions";
  if (is_one_of({ENOSPC, EFBIG, EDQUOT})) return "choose another file, or free some space";
  return "choose another file, or check the folder and its disk";
}

bool is_device(const std::string& path) {
  std::error_code ignored;
  const auto kind = fs::status(path, ignored).type();
  return kind == fs::file_type::character || kind == fs::file_type::fifo ||
         kind == fs::file_type::socket || kind == fs::file_type::block;
}

void check_writable(const std::string& path, bool devices) {
  std::error_code problem;
  const auto kind = fs::status(path, problem).type();
  if (kind == fs::file_type::not_found) return check_directory(resolve_links(path));
  if (problem) throw make_write_error(path, problem.message());
  if (kind == fs::file_type::directory) {
    throw ModelError("cannot write '" + path + "': it is a directory", "choose another file");
  }
  if (is_device(path)) {
    if (devices && kind != fs::file_type::block) return;
    throw ModelError("cannot write '" + path + "': it is not an ordinary file",
                     "choose another file");
  }
  // An empty file holds nothing that could be lost (mktemp makes such).
  if (!is_empty_file(path) && !is_our_csv(path) && !is_our_hdf5(path) && !is_our_page(path)) {
    throw ModelError("'" + path + "' exists and was not written by Driftless: it is left alone",
                     "choose another file, or move that file away");
  }
  if (::access(path.c_str(), W_OK) != 0) throw make_write_error(path, format_errno(errno));
  check_directory(resolve_links(path));
}

std::string resolve_links(const std::string& path) {
  std::error_code problem;
  const fs::path target = fs::weakly_canonical(path, problem);
  return problem || !fs::is_symlink(path) ? path : target.string();
}

std::string make_temporary_path(const std::string& path) {
  static std::atomic<unsigned> count{0};
  const fs::path whole(path);
  const std::string name =
      fmt::format(".{}.{}-{}.tmp", whole.filename().string(), ::getpid(), count++);
  return (whole.parent_path() / name).string();
}

}  // namespace driftless
