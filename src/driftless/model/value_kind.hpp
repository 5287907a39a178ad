#pragma once
// What may stand as the value of a key in a model file. Wherever a number may stand, an expression in quotes may, too.

namespace driftless {

enum class ValueKind {
  number,
  whole_number,
  flag,            ///< true or false
  text,            ///< words for people, or the name of something
  word,            ///< one of a few words
  words,           ///< one of them, or a list of them
  names,           ///< two names
  list,            ///< of numbers
  numbers,         ///< a list of numbers, or one alone
  rows,            ///< a matrix: a list of lists of numbers
  matrix,          ///< rows, or the diagonal as a list, or one number
  gain,            ///< as a matrix, or { constraint = number }
  vector,          ///< [x, y, z], in the plane [x, y]
  direction,       ///< a vector, two points, or two of these: one for each body
  point,           ///< a point's name, or a vector
  points,          ///< two points
  place,           ///< a point, or two: one on each body
  pose,            ///< a table of the keys below body.pose
  frame,           ///< a table of the keys below joint.on
  keys,            ///< a table of the keys below this one
  number_or_keys,  ///< such a table, or its first key's value alone
  text_or_keys,    ///< likewise, if that is a text
};

}  // namespace driftless
