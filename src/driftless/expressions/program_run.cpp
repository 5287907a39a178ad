// The inner loop of every equation model.

#include <cmath>

#include "driftless/expressions/operations.hpp"
#include "driftless/expressions/program.hpp"
#include "driftless/expressions/program_kinds.hpp"
#include "driftless/expressions/spline.hpp"

namespace driftless {

namespace program {

namespace {

using Operand = const std::uint32_t*;

inline void calc_sincos(double a, double& sine, double& cosine) {
#ifdef __GLIBC__
  ::sincos(a, &sine, &cosine);
#else
  sine = std::sin(a);
  cosine = std::cos(a);
#endif
}

// One loop per kind. `f` reads before the result is written: the result may take an operand's place.
template <class F>
inline Operand each_unary(Operand p, Operand end, double* w, F f) {
  for (; p != end; p += 2) w[p[0]] = f(w[p[1]]);
  return p;
}
template <class F>
inline Operand each_binary(Operand p, Operand end, double* w, F f) {
  for (; p != end; p += 3) w[p[0]] = f(w[p[1]], w[p[2]]);
  return p;
}
template <class F>
inline Operand each_ternary(Operand p, Operand end, double* w, F f) {
  for (; p != end; p += 4) w[p[0]] = f(w[p[1]], w[p[2]], w[p[3]]);
  return p;
}

}  // namespace

// One flat switch, longer than a function should be and nothing but a table.
Operand interpret(const Run& run, Operand p, double* w, const Table* tables) {
  const Operand end = p + run.length;
  switch (run.kind) {
    case kind_of(Op::add):
      p = each_binary(p, end, w, [](double a, double b) { return a + b; });
      break;
    case kind_of(Op::sub):
      p = each_binary(p, end, w, [](double a, double b) { return a - b; });
      break;
    case kind_of(Op::mul):
      p = each_binary(p, end, w, [](double a, double b) { return a * b; });
      break;
    case kind_of(Op::div):
      p = each_binary(p, end, w, [](double a, double b) { return a / b; });
      break;
    case kMulAdd:
      p = each_ternary(p, end, w, [](double a, double b, double c) { return a * b + c; });
      break;
    case kMulSub:
      p = each_ternary(p, end, w, [](double a, double b, double c) { return a * b - c; });
      break;
    case kSubMul:
      p = each_ternary(p, end, w, [](double a, double b, double c) { return c - a * b; });
      break;
    case kind_of(Op::neg): p = each_unary(p, end, w, [](double a) { return -a; }); break;
    case kSquare: p = each_unary(p, end, w, [](double a) { return a * a; }); break;
    case kCube: p = each_unary(p, end, w, [](double a) { return a * (a * a); }); break;
    case kind_of(Op::powi):
      for (; p != end; p += 3) w[p[0]] = operations::calc_powi(w[p[1]], static_cast<int>(p[2]));
      break;
    case kSinCos:
      for (; p != end; p += 3) calc_sincos(w[p[2]], w[p[0]], w[p[1]]);
      break;
    case kind_of(Op::sqrt): p = each_unary(p, end, w, [](double a) { return std::sqrt(a); }); break;
    case kind_of(Op::abs): p = each_unary(p, end, w, [](double a) { return std::fabs(a); }); break;
    case kind_of(Op::sign): p = each_unary(p, end, w, operations::calc_sign); break;
    case kind_of(Op::min): p = each_binary(p, end, w, operations::calc_min); break;
    case kind_of(Op::max): p = each_binary(p, end, w, operations::calc_max); break;
    case kind_of(Op::less):
      p = each_binary(p, end, w, [](double a, double b) { return a < b ? 1.0 : 0.0; });
      break;
    case kind_of(Op::less_equal):
      p = each_binary(p, end, w, [](double a, double b) { return a <= b ? 1.0 : 0.0; });
      break;
    case kind_of(Op::equal):
      p = each_binary(p, end, w, [](double a, double b) { return a == b ? 1.0 : 0.0; });
      break;
    case kind_of(Op::select): p = each_ternary(p, end, w, operations::calc_select); break;
    case kind_of(Op::pow):
      p = each_binary(p, end, w, [](double a, double b) { return std::pow(a, b); });
      break;
    case kind_of(Op::atan2):
      p = each_binary(p, end, w, [](double a, double b) { return std::atan2(a, b); });
      break;
    case kind_of(Op::spline):
      for (; p != end; p += 3) {
        const Table& table = tables[p[2]];
        w[p[0]] = table.spline->value(w[p[1]], table.derivative);
      }
      break;
    default: {
      const Op op = static_cast<Op>(run.kind);
      p = each_unary(p, end, w, [op](double a) { return operations::calc_unary(op, a); });
      break;
    }
  }
  return p;
}

namespace {

[[gnu::noinline]] void interpret_all(const Code& code, const Table* tables, double* registers,
                                     double* const* fields) {
  Operand p = code.operands.data();
  for (const Run& run : code.runs) p = interpret(run, p, registers, tables);
  for (const Store& to : code.stores) fields[to.field][to.offset] = registers[to.place];
}

}  // namespace

}  // namespace program

void Program::interpret(const Part& part, double* registers, double* const* fields) const {
  program::interpret_all(part.code, tables_.data(), registers, fields);
}

}  // namespace driftless
