#pragma once
// Four-bars and slider-cranks with random dimensions, drawn closed and asked to start at another crank angle. Whether
// that can be is decided by the triangle inequality, not by the program.

#include <array>
#include <functional>
#include <random>
#include <string>

namespace driftless::trials {

enum class Surroundings { plane, space, tilted };

struct Linkage {
  std::string text;                             ///< the model
  double turn = 0.0;                            ///< by how much the crank is to be turned, rad
  std::function<double(double turn)> find_gap;  ///< by how much the parts miss each other there, m
  double gap = 0.0;                             ///< at `turn`; not positive: it closes
  std::array<double, 3> normal{0, 0, 1};        ///< of the linkage's plane
  bool is_loose = false;                        ///< the coupler may lean out of it
  std::string describe;                         ///< for messages
};

/// `priority`: that of the wanted angle, or "drive" if a drive demands it.
///
/// Four rods with revolute joints; `loose` in space: a spherical joint and a universal one instead of two of them.
Linkage make_four_bar(std::mt19937_64& random, Surroundings where, bool loose,
                      const std::string& priority);
/// Crank, rod and a block on a line beside the crank's axis.
Linkage make_slider_crank(std::mt19937_64& random, Surroundings where, const std::string& priority);

/// Three rods hinged to each other and to the ground, at random places and angles.
struct ScatteredRods {
  std::string text;
  double gap = 0.0;  ///< the longest of the four lengths less the others together
};
ScatteredRods scatter_rods(std::mt19937_64& random, bool plane, bool too_long);

}  // namespace driftless::trials
