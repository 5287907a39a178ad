// Long results: what their page costs in time and memory, while they run and read again from the file.
//
//   chain of 10 links, 1e6 samples; chain of 200 links, 1e5 samples; 200 discs on springs in the plane, 1e6 samples (13 GB,
//   for a while twice that): real runs, written to .h5 and .html at once, then read
//   chain of 200 links, 1e6 samples: a file of 34 GB with the columns of such a run, whose table is a hole but for the
//   times and one peak, so that it takes 4 GB of disk; only read
//
// Memory is the largest that a process of its own took (ru_maxrss). Files go to a folder beside the temporary ones, which
// is removed. `long_result --quick` takes a hundredth of the samples.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driftless/driftless.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/result_files.hpp"
#include "driftless/io/result_hdf5_container.hpp"
#include "driftless/io/result_posix.hpp"
#include "driftless/io/templates.hpp"

namespace {

using namespace driftless;
namespace fs = std::filesystem;

constexpr double kPeak = 12345.0;

/// Runs an action in a process of its own and prints what it took.
void measure(const std::string& name, const std::function<void()>& action) {
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      action();
    } catch (const std::exception& error) {
      fmt::print("{}\n", error.what());
      std::_Exit(1);
    }
    std::_Exit(0);
  }
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  fmt::print("  {:<34} {:>8.1f} s of CPU {:>8.1f} s {:>7} MiB{}\n", name,
             seconds(used.ru_utime) + seconds(used.ru_stime), wall.count(), used.ru_maxrss / 1024,
             status == 0 ? "" : "  FAILED");
}

class Both final : public ResultSink {
 public:
  Both(const std::string& h5, const std::string& page)
      : first_(make_result_file(h5)), second_(make_result_file(page)) {}
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    first_->begin(info, columns);
    second_->begin(info, columns);
  }
  void row(std::span<const double> values) override {
    first_->row(values);
    second_->row(values);
  }
  void finish(const Report& report) override {
    first_->finish(report);
    second_->finish(report);
  }

 private:
  std::unique_ptr<ResultSink> first_, second_;
};

std::string make_chain(int links) { return make_template("chain", {{"n", std::to_string(links)}}); }

/// Many bodies that cost little.
std::string make_discs(int count) {
  std::string text =
      "format = \"driftless/1\"\nname = \"discs\"\nspace = \"plane\"\ngravity = [0, -9.81]\n"
      "[method]\nformulation = \"index1\"\nintegrator = \"rk4\"\nstep = 1e-3\n";
  for (int k = 0; k < count; ++k) {
    text += fmt::format(
        "[body.b{0}]\ncentre = [{1}, {2}]\ndisc = 0.3\nmass = 1\n"
        "[force.s{0}]\ntype = \"spring_damper\"\nbetween = [\"ground\", \"b{0}\"]\n"
        "at = [[{1}, {3}], [{1}, {2}]]\nstiffness = {4}\n",
        k, k % 20, k / 20, k / 20 + 1, 100 + k);
  }
  return text;
}

PreparedModel prepare_text(const std::string& text, double until, std::size_t samples,
                           ModelFile& file) {
  file = parse_model(text, "model.toml");
  RunRequest request;
  request.until = until;
  request.every = until / static_cast<double>(samples);
  return prepare_model(file, request);
}

/// Page, picture and overview of a file, as the commands report, plot and info make them.
void measure_reading(const fs::path& folder) {
  const std::string run = folder / "run.h5";
  measure("read again: report", [&] {
    PageRun page;
    stream_result(run, page);
    write_page(make_page({&page}), folder / "again.html");
  });
  measure("read again: a column, as plot does", [&] {
    const Result part = read_part(run, [](const RunInfo&, const std::vector<Column>& columns) {
      ResultPart wanted;
      wanted.columns = {0, columns.size() - 5};
      return wanted;
    });
    fmt::print("    {} samples of {}\n", part.row_count(), part.columns[1].name);
  });
  measure("read again: overview, as info does", [&] { read_overview(run); });
  fmt::print("    page of {:.1f} MB from a file of {:.2f} GB\n",
             1e-6 * static_cast<double>(fs::file_size(folder / "again.html")),
             1e-9 * static_cast<double>(fs::file_size(run)));
}

void bench_run(const fs::path& folder, const std::string& name, const std::string& text,
               std::size_t samples) {
  fmt::print("\n{}, {} samples\n", name, samples);
  measure("run with .h5 and .html", [&] {
    ModelFile file;
    const PreparedModel model =
        prepare_text(text, 1e-3 * static_cast<double>(samples), samples, file);
    Both sink(folder / "run.h5", folder / "run.html");
    run_prepared(model, prepare_method(file, model, {}), model.options, sink);
  });
  measure_reading(folder);
}

void write_sparse(const std::string& path, int links, std::size_t samples) {
  ModelFile file;
  const PreparedModel model = prepare_text(make_chain(links), 1e-3, 1, file);
  const Result one = run_prepared(model, prepare_method(file, model, {}), model.options);
  const Container container = create_container(path, one.info, one.columns, samples, &one.report);
  PosixFile out(path, O_RDWR);
  const std::size_t bytes = one.columns.size() * sizeof(double);
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    const auto place = static_cast<off_t>(container.data + k * bytes);
    if (out.write(&t, sizeof t, place) != 0) throw std::runtime_error("the disk is full");
    if (k != samples / 3) continue;
    const auto column = static_cast<off_t>((one.columns.size() - 5) * sizeof(double));
    out.write(&kPeak, sizeof kPeak, place + column);
  }
}

void bench_sparse(const fs::path& folder, int links, std::size_t samples) {
  fmt::print("\n{} links, {} samples, table mostly a hole\n", links, samples);
  measure("write it", [&] { write_sparse(folder / "run.h5", links, samples); });
  measure_reading(folder);
  PageRun page;
  stream_result(folder / "run.h5", page);
  const std::vector<double> shown = page.thinned().column(page.columns().size() - 5);
  fmt::print("    the one peak is {}\n",
             *std::max_element(shown.begin(), shown.end()) == kPeak ? "kept" : "LOST");
}

}  // namespace

int main(int count, char** words) {
  const std::size_t part = count > 1 && std::strcmp(words[1], "--quick") == 0 ? 100 : 1;
  std::string name = fs::temp_directory_path() / "driftless_long_XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return 1;
  const fs::path folder = name;
  bench_run(folder, "10 links", make_chain(10), 1'000'000 / part);
  bench_run(folder, "200 links", make_chain(200), 100'000 / part);
  bench_run(folder, "200 discs on springs", make_discs(200), 1'000'000 / part);
  fs::remove(folder / "run.h5");
  bench_sparse(folder, 200, 1'000'000 / part);
  fs::remove_all(folder);
  return 0;
}
