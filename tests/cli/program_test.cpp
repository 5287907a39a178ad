#include "tests/cli/program_test.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace driftless::testing {

const char* const kPendulum = R"toml(format = "driftless/1"
name = "swing"

[parameters]
m = "2 kg"
l = "500 mm"
g = 9.81

[coordinates]
x = { start = "l*sin(60 deg)", rate = 0 }
y = { start = "-l*cos(60 deg)", rate = 0 }

[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"

[constraint]
rod = "x^2 + y^2 - l^2"

[record]
angle = "atan2(x, -y)"

[run]
until = 2

[method]
formulation = "braun_goldfarb"
integrator = "rk4"
step = 0.01

[method.drifting]
formulation = "index1"
integrator = "rk4"
step = 0.01

[display]
x = "mm"
angle = "deg"
)toml";

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_one_screen(const std::string& text, std::size_t width) {
  const auto lines = split_lines(text);
  EXPECT_LE(lines.size(), 24U) << text;
  for (const std::string& line : lines) EXPECT_LE(line.size(), width) << line;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

namespace {

/// Enough of JSON to see that a text is JSON.
class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  /// The raw text of the value that begins here; empty if it is not one.
  std::string read_value() {
    skip();
    const std::size_t begin = at_;
    const char c = peek();
    bool good = false;
    if (c == '{') {
      good = read_members(nullptr);
    } else if (c == '[') {
      good = read_list();
    } else if (c == '"') {
      good = read_string() >= 0;
    } else {
      at_ = text_.find_first_of(",]} \t\r\n", at_);
      if (at_ == std::string::npos) at_ = text_.size();
      good = is_scalar(text_.substr(begin, at_ - begin));
    }
    return good ? text_.substr(begin, at_ - begin) : "";
  }

  bool read_members(std::vector<std::pair<std::string, std::string>>* members) {
    skip();
    if (!take('{')) return false;
    if (skip(), take('}')) return true;
    do {
      skip();
      const std::size_t begin = at_ + 1;
      const long end = read_string();
      if (end < 0) return false;
      const std::string key = text_.substr(begin, static_cast<std::size_t>(end) - begin);
      if (skip(), !take(':')) return false;
      const std::string value = read_value();
      if (value.empty()) return false;
      if (members != nullptr) members->emplace_back(key, value);
      skip();
    } while (take(','));
    return take('}');
  }

  bool at_end() {
    skip();
    return at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool read_list() {
    take('[');
    if (skip(), take(']')) return true;
    do {
      if (read_value().empty()) return false;
      skip();
    } while (take(','));
    return take(']');
  }
  /// Position of the closing quote, or -1.
  long read_string() {
    if (!take('"')) return -1;
    for (; at_ < text_.size(); ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return -1;
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        return static_cast<long>(at_++);
      }
    }
    return -1;
  }
  static bool is_scalar(const std::string& word) {
    if (word == "null" || word == "true" || word == "false") return true;
    if (word.empty() || word.find_first_not_of("0123456789+-.eE") != std::string::npos)
      return false;
    return word[0] == '-' || (word[0] >= '0' && word[0] <= '9');
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_object(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> members;
  JsonReader reader(text);
  EXPECT_TRUE(reader.read_members(&members) && reader.at_end()) << "not one JSON object:\n" << text;
  return members;
}

Words find_keys(const std::string& json) {
  Words keys;
  for (const auto& [key, value] : parse_object(json)) keys.push_back(key);
  return keys;
}

std::string find_value(const std::string& json, const std::string& key) {
  for (const auto& [known, value] : parse_object(json)) {
    if (known == key) return value;
  }
  ADD_FAILURE() << "no key " << key << " in\n" << json;
  return {};
}

std::string run_on_terminal(const std::string& command, unsigned short columns) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(terminal, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

void Program::SetUp() {
  std::string name = (std::filesystem::temp_directory_path() / "driftless_cli_XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
  write_text(path("first.toml"), kPendulum);
}

void Program::TearDown() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

pid_t Program::start(const Words& words,
                     const std::map<std::string, std::string>& environment) const {
  std::vector<std::string> all{DRIFTLESS_BINARY};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const auto redirect = [](const char* file, int flags, int target) {
    const int id = ::open(file, flags, 0600);
    if (id < 0 || ::dup2(id, target) < 0) ::_exit(127);
  };
  if (::chdir(folder_.c_str()) != 0) ::_exit(127);
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(".stdout", O_CREAT | O_WRONLY | O_TRUNC, STDOUT_FILENO);
  redirect(".stderr", O_CREAT | O_WRONLY | O_TRUNC, STDERR_FILENO);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

Outcome Program::finish(pid_t child) const {
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_text(path(".stdout"));
  outcome.err = read_text(path(".stderr"));
  return outcome;
}

Outcome Program::run(const Words& words,
                     const std::map<std::string, std::string>& environment) const {
  return finish(start(words, environment));
}

Outcome Program::run_and_signal(const Words& words, int signal, const std::string& file,
                                int wait) const {
  using namespace std::chrono_literals;
  const pid_t child = start(words, {});
  for (int k = 0; k < 1000 && !file.empty() && !exists(file); ++k) std::this_thread::sleep_for(5ms);
  std::this_thread::sleep_for(std::chrono::milliseconds(wait));
  ::kill(child, signal);
  return finish(child);
}

Outcome Program::signal_when_told(const Words& words, int signal, const std::string& text) const {
  using namespace std::chrono_literals;
  const pid_t child = start(words, {});
  for (int k = 0; k < 1200; ++k) {
    std::this_thread::sleep_for(50ms);
    if (exists(".stderr") && read_text(path(".stderr")).find(text) != std::string::npos) break;
  }
  ::kill(child, signal);
  return finish(child);
}

}  // namespace driftless::testing
