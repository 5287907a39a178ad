#pragma once
// What `driftless converge` shows: a table per method, one JSON object, a picture.

#include <string>
#include <vector>

#include "commands.hpp"

#include "driftless/studies/converge.hpp"

namespace driftless::cli {

/// A study that has ended, or as far as it came.
struct ConvergeAnswer {
  std::string model;
  double until = 0.0;
  std::size_t wanted = 0;    ///< runs
  Reference reference = {};  ///< its result may have been moved on
  std::vector<ConvergeCurve> curves = {};
};

void print_converge_tables(const ConvergeAnswer& answer);
void print_converge_json(const ConvergeAnswer& answer);

/// What the errors are drawn against.
enum class Cost { evaluations, cpu, step };

/// One panel for each cost.
void write_converge_picture(const std::string& path, const std::string& title,
                            const std::vector<Cost>& costs, const ConvergeAnswer& answer);

}  // namespace driftless::cli
