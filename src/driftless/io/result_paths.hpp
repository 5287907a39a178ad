#pragma once
// Where a result may be written: never over a file that Driftless did not write, and never half.

#include <string>
#include <string_view>

#include "driftless/base/error.hpp"

namespace driftless {

/// Throws ModelError unless `path` is free to be written: it does not exist and its directory is
/// writable, or it is a result that Driftless wrote, or (`devices`) something that keeps nothing,
/// such as a pipe.
void check_writable(const std::string& path, bool devices);

/// The file that `path` means: symbolic links followed, so that renaming does not replace the link.
std::string resolve_links(const std::string& path);

bool is_device(const std::string& path);

/// A name in the same directory that nobody else uses: write there, then rename over `path`.
std::string make_temporary_path(const std::string& path);

/// "cannot write 'run.h5': No space left on device" with the remedy.
ModelError make_write_error(const std::string& path, const std::string& reason);
/// What to do about a reason of the system, at the end of a message or alone: where permission is wanted, space is no
/// remedy.
std::string find_write_remedy(std::string_view reason);
std::string format_write_error(const std::string& path, const std::string& reason);

/// The system's message for an errno, without a locale.
std::string format_errno(int code);

}  // namespace driftless
