#pragma once
// The report page: runs with their animation, plots and report as one HTML file that opens without a server and loads
// nothing. docs/reference/report.md is the user's side of it; viewer/ holds the part that runs in the browser.
//
// The page is a template (viewer/, bundled when the program is built) with data in it:
//   <script type="application/json" id="runs">            what was run, reports, columns, scenes
//   <script type="application/octet-stream" id="c0">      columns of run 0 in Base64, all of the same length
//   <script type="application/octet-stream" id="p0">      times and poses of run 0 in Base64
//   <script type="application/octet-stream" id="l0">      of a thinned run: loads at the times of the poses, in Base64,
//                                                         column by column; their places are in "sampled"
//   <script type="application/octet-stream" id="m0">      points, then triangles of mesh 0 in Base64

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/io/display.hpp"
#include "driftless/io/page_thinning.hpp"
#include "driftless/result/result.hpp"
#include "driftless/system/scene.hpp"

namespace driftless {

/// False: this build has no template, and pages cannot be written.
bool has_page_template();

/// Text of a page with `DATA` where the data go. Empty if the build has none.
std::string_view page_template();

/// Throws ModelError with the remedy if this build has no template.
void check_page_template();

/// What a page says about a scene that is not there, or about one that is incomplete.
struct SceneOfRun {
  Scene scene;
  std::string note;
  std::string description = {};  ///< the model's own words about it
};

/// The scene of a run, from the model text that its result holds.
SceneOfRun find_scene(const RunInfo& info);

/// Gathers a run for a page, in bounded memory: rows are thinned as they come.
class PageRun final : public ResultSink {
 public:
  /// `label` tells runs of one page apart; empty: the method does. `runs_on_page` share what a page may hold.
  explicit PageRun(std::string label = {}, std::size_t runs_on_page = 1)
      : label_(std::move(label)), runs_on_page_(runs_on_page) {}
  void set_label(std::string label) { label_ = std::move(label); }
  const RunInfo& info() const { return info_; }
  const std::vector<Column>& columns() const { return columns_; }
  const ThinnedColumns& thinned() const { return *rows_; }

  void begin(const RunInfo& info, const std::vector<Column>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Report& report) override;

 private:
  friend class PageWriter;
  std::string label_;
  std::size_t runs_on_page_;
  RunInfo info_;
  std::vector<Column> columns_;
  std::vector<DisplayUnit> units_;  ///< in which the columns are shown
  Report report_;
  bool complete_ = false;
  SceneOfRun scene_;
  std::unique_ptr<ThinnedColumns> rows_;
  std::unique_ptr<ThinnedFrames> frames_;  ///< null: no scene, or its columns are missing
  /// Forces and torques at the frames. Smallest and largest values of a thinned column would not do for arrows: their
  /// components would be those of different moments.
  std::vector<std::size_t> load_columns_;
  std::unique_ptr<ThinnedFrames> loads_;  ///< null: there are none
};

/// All of a result that is in memory.
std::unique_ptr<PageRun> make_page_run(const Result& result, std::string label);

/// The page of one run, or of several on top of each other.
std::string make_page(const std::vector<const PageRun*>& runs);

/// True if the file begins as a page that Driftless wrote.
bool is_our_page(const std::string& path);

/// Writes at once or not at all, never over a file that Driftless did not write. Throws ModelError.
void write_page(const std::string& text, const std::string& path);

/// Writes the page of one run when it ends.
std::unique_ptr<ResultSink> make_page_sink(const std::string& path);

}  // namespace driftless
