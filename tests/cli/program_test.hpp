#pragma once
// The program as a user calls it: arguments in, standard output, standard error and exit code out.

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>

namespace driftless::testing {

struct Outcome {
  int code = -1;  ///< exit code; 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

using Words = std::vector<std::string>;

std::vector<std::string> split_lines(const std::string& text);
std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);

bool contains(const std::string& text, const std::string& part);
/// At most 24 lines of at most `width` characters.
void expect_one_screen(const std::string& text, std::size_t width = 80);

/// What a command of the shell writes to a terminal of so many columns.
std::string run_on_terminal(const std::string& command, unsigned short columns = 80);

/// Keys of the text's one JSON object in their order, with their raw values. Fails the test if the text is not exactly
/// one object.
std::vector<std::pair<std::string, std::string>> parse_object(const std::string& text);
Words find_keys(const std::string& json);
std::string find_value(const std::string& json, const std::string& key);

/// A folder of its own for each test, with first.toml in it, removed afterwards.
class Program : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const Words& words, const std::map<std::string, std::string>& environment = {}) const;
  /// Sends a signal some milliseconds after `file` is in the folder (empty: after the start).
  Outcome run_and_signal(const Words& words, int signal, const std::string& file,
                         int wait = 300) const;
  /// Sends a signal as soon as `text` stands on its standard error, or after a minute.
  Outcome signal_when_told(const Words& words, int signal, const std::string& text) const;
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  bool exists(const std::string& name) const { return std::filesystem::exists(path(name)); }

 private:
  pid_t start(const Words& words, const std::map<std::string, std::string>& environment) const;
  Outcome finish(pid_t child) const;

  std::filesystem::path folder_;
};

/// A pendulum with display units and two methods.
extern const char* const kPendulum;

}  // namespace driftless::testing
