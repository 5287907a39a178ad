#pragma once
// IDA's memory and the callbacks that C asks for, so that ida.cpp is a stepper and nothing else.

#include <exception>
#include <span>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>

namespace driftless {

inline std::span<double> view(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

/// What the callbacks of IDA do. Nothing is thrown through C: what is thrown here is kept in `error`.
class IdaCalls {
 public:
  virtual ~IdaCalls() = default;
  /// Newton's method in one attempt of a step. False: no solution.
  virtual bool solve(std::span<double> correction) = 0;
  virtual void write_weights(std::span<const double> y, std::span<double> weights) = 0;
  virtual bool eval_residual(double t, std::span<const double> y, std::span<const double> slope,
                             std::span<double> residual) = 0;
  /// A factor for the norm that IDA asks for: [ID.2].
  virtual double find_norm_factor() = 0;
  std::exception_ptr error;
};

/// IDA and all it owns.
class IdaMemory {
 public:
  /// Vectors of size n; `id` is 1 where a derivative appears. Throws bad_alloc.
  IdaMemory(IdaCalls& calls, std::size_t n);
  ~IdaMemory() { free_all(); }
  IdaMemory(const IdaMemory&) = delete;
  IdaMemory& operator=(const IdaMemory&) = delete;

  /// One step towards t_end: IDA's flag, and t_new, y and slope where it ended.
  int step(double t_end, double& t_new);

  void* ida = nullptr;
  N_Vector y = nullptr, slope = nullptr, id = nullptr, scratch = nullptr;

 private:
  void require(bool done);
  void free_all();

  IdaCalls& calls_;
  SUNContext context_ = nullptr;
  SUNNonlinearSolver solver_ = nullptr;
};

}  // namespace driftless
