#pragma once
// Copies of a sound function that are wrong in one respect, for exams that must notice it.

#include <memory>
#include <utility>
#include <vector>

#include "driftless/elements/frame_function.hpp"

namespace driftless::testing {

/// One of its answers is falsified in one output.
class Tampered final : public FrameFunction {
 public:
  enum class Part { jacobian, first, second, rate };
  static constexpr Part kParts[] = {Part::jacobian, Part::first, Part::second, Part::rate};

  Tampered(std::unique_ptr<FrameFunction> sound, Part part, int output)
      : sound_(std::move(sound)), part_(part), output_(output) {}

  int frames() const override { return sound_->frames(); }
  int outputs() const override { return sound_->outputs(); }
  int turn_inputs() const override { return sound_->turn_inputs(); }
  void eval(const Frame<double>* frames, double* f, const double* turns) const override {
    sound_->eval(frames, f, turns);
  }
  void eval_jacobian(const Frame<double>* frames, double* f, double* jacobian,
                     const double* turns) const override {
    sound_->eval_jacobian(frames, f, jacobian, turns);
    if (part_ == Part::jacobian) jacobian[find_entry()] += kError;
  }
  void eval_motion(const FrameMotion* frames, double* first, double* second,
                   const double* turns) const override {
    sound_->eval_motion(frames, first, second, turns);
    if (part_ == Part::first) first[output_] += kError;
    if (part_ == Part::second) second[output_] += kError;
  }
  void eval_jacobian_rate(const Frame<double>* frames, const Twist* twists, double* rate,
                          const double* turns) const override {
    sound_->eval_jacobian_rate(frames, twists, rate, turns);
    if (part_ == Part::rate) rate[find_entry()] += kError;
  }

 private:
  static constexpr double kError = 1e-3;
  /// Of the last frame's turn about z, which exists in the plane, too.
  int find_entry() const { return (output_ + 1) * kTwist * frames() - 1; }

  std::unique_ptr<FrameFunction> sound_;
  Part part_;
  int output_;
};

/// Some of its outputs, in any order: one may be missing, another there twice.
class Picked final : public FrameFunction {
 public:
  Picked(std::unique_ptr<FrameFunction> sound, std::vector<int> outputs)
      : sound_(std::move(sound)), outputs_(std::move(outputs)) {}

  int frames() const override { return sound_->frames(); }
  int outputs() const override { return static_cast<int>(outputs_.size()); }
  int turn_inputs() const override { return sound_->turn_inputs(); }
  void eval(const Frame<double>* frames, double* f, const double* turns) const override {
    std::vector<double> all(sound_->outputs());
    sound_->eval(frames, all.data(), turns);
    pick(all, 1, f);
  }
  void eval_jacobian(const Frame<double>* frames, double* f, double* jacobian,
                     const double* turns) const override {
    std::vector<double> all(sound_->outputs()), rows(sound_->outputs() * columns());
    sound_->eval_jacobian(frames, all.data(), rows.data(), turns);
    pick(all, 1, f);
    pick(rows, columns(), jacobian);
  }
  void eval_motion(const FrameMotion* frames, double* first, double* second,
                   const double* turns) const override {
    std::vector<double> firsts(sound_->outputs()), seconds(sound_->outputs());
    sound_->eval_motion(frames, firsts.data(), seconds.data(), turns);
    pick(firsts, 1, first);
    pick(seconds, 1, second);
  }
  void eval_jacobian_rate(const Frame<double>* frames, const Twist* twists, double* rate,
                          const double* turns) const override {
    std::vector<double> rows(sound_->outputs() * columns());
    sound_->eval_jacobian_rate(frames, twists, rows.data(), turns);
    pick(rows, columns(), rate);
  }

 private:
  int columns() const { return kTwist * frames(); }
  void pick(const std::vector<double>& from, int width, double* to) const {
    for (const int output : outputs_) {
      for (int j = 0; j < width; ++j) *to++ = from[output * width + j];
    }
  }

  std::unique_ptr<FrameFunction> sound_;
  std::vector<int> outputs_;
};

}  // namespace driftless::testing
