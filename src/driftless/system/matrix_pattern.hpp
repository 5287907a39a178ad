#pragma once
// Where a symmetric matrix has entries, in figures: as it is written and after its rows and columns are ordered.

namespace driftless {

struct MatrixPattern {
  int size = 0;
  long long entries = 0;
  // half of the band: the largest distance of an entry from the diagonal
  int band_before = 0;
  int band_after = 0;
  // the envelope: per row, what lies between its first entry and the diagonal, which a factor may fill
  long long envelope_before = 0;
  long long envelope_after = 0;
};

}  // namespace driftless
