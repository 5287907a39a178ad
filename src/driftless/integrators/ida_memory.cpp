#include "driftless/integrators/ida_memory.hpp"

#include <new>

namespace driftless {
namespace {

static_assert(sizeof(sunindextype) == 8, "SUNDIALS is built with indices of 32 bits");
static_assert(sizeof(realtype) == sizeof(double), "SUNDIALS is not built for double precision");

// A quarter of the step each time: from a thousandth of a run to what its clock resolves.
constexpr int kMostFailures = 22;

constexpr int kGiveUp = -1, kTryAgain = 1;  // what callbacks answer

// Norms of vectors have no place for data of ours: whose step it is.
thread_local IdaCalls* stepping = nullptr;

template <class Call>
int guard(void* data, const Call& call) noexcept {
  auto& calls = *static_cast<IdaCalls*>(data);
  try {
    return call(calls);
  } catch (...) {
    calls.error = std::current_exception();
    return kGiveUp;
  }
}

extern "C" {
static int driftless_ida_residual(realtype t, N_Vector y, N_Vector slope, N_Vector residual,
                                  void* data) {
  return guard(data, [&](IdaCalls& calls) {
    return calls.eval_residual(t, view(y), view(slope), view(residual)) ? 0 : kTryAgain;
  });
}
static int driftless_ida_weights(N_Vector y, N_Vector weights, void* data) {
  return guard(data, [&](IdaCalls& calls) {
    calls.write_weights(view(y), view(weights));
    return 0;
  });
}
static int driftless_ida_solve(SUNNonlinearSolver solver, N_Vector, N_Vector correction, N_Vector,
                               realtype, booleantype, void*) {
  return guard(solver->content, [&](IdaCalls& calls) {
    return calls.solve(view(correction)) ? SUN_NLS_SUCCESS : SUN_NLS_CONV_RECVR;
  });
}
static SUNNonlinearSolver_Type driftless_ida_solver_type(SUNNonlinearSolver) {
  return SUNNONLINEARSOLVER_ROOTFIND;
}
static int driftless_ida_set_function(SUNNonlinearSolver, SUNNonlinSolSysFn) {
  return SUN_NLS_SUCCESS;  // what it would evaluate is known
}
static realtype driftless_ida_norm(N_Vector x, N_Vector weights, N_Vector id) {
  const double factor = stepping != nullptr ? stepping->find_norm_factor() : 1.0;
  return factor * N_VWrmsNormMask_Serial(x, weights, id);
}
// Statuses say it; nothing is written to the terminal.
static void driftless_ida_message(int, const char*, const char*, char*, void*) {}
}

}  // namespace

IdaMemory::IdaMemory(IdaCalls& calls, std::size_t n) : calls_(calls) {
  require(SUNContext_Create(nullptr, &context_) == 0);
  for (N_Vector* v : {&y, &slope, &id, &scratch}) {
    *v = N_VNew_Serial(static_cast<sunindextype>(n), context_);
    require(*v != nullptr);
    N_VConst(0.0, *v);
    (*v)->ops->nvwrmsnormmask = driftless_ida_norm;  // IDA's own vectors are clones of these
  }
  solver_ = SUNNonlinSolNewEmpty(context_);
  require(solver_ != nullptr);
  solver_->content = &calls;
  solver_->ops->gettype = driftless_ida_solver_type;
  solver_->ops->solve = driftless_ida_solve;
  solver_->ops->setsysfn = driftless_ida_set_function;
  ida = IDACreate(context_);
  require(ida != nullptr);
  require(IDASetErrHandlerFn(ida, driftless_ida_message, nullptr) == IDA_SUCCESS);
  require(IDAInit(ida, driftless_ida_residual, 0.0, y, slope) == IDA_SUCCESS);
  require(IDASetUserData(ida, &calls) == IDA_SUCCESS);
  require(IDAWFtolerances(ida, driftless_ida_weights) == IDA_SUCCESS);
  require(IDASetNonlinearSolver(ida, solver_) == IDA_SUCCESS);
  require(IDASetMaxErrTestFails(ida, kMostFailures) == IDA_SUCCESS);
  require(IDASetMaxConvFails(ida, kMostFailures) == IDA_SUCCESS);
}

int IdaMemory::step(double t_end, double& t_new) {
  stepping = &calls_;
  const int flag = IDASolve(ida, t_end, &t_new, y, slope, IDA_ONE_STEP);
  stepping = nullptr;
  return flag;
}

void IdaMemory::require(bool done) {
  if (done) return;
  free_all();
  throw std::bad_alloc();  // of all that could be at fault here, memory alone
}

void IdaMemory::free_all() {
  if (ida != nullptr) IDAFree(&ida);
  if (solver_ != nullptr) SUNNonlinSolFreeEmpty(solver_);
  for (N_Vector v : {y, slope, id, scratch})
    if (v != nullptr) N_VDestroy(v);
  if (context_ != nullptr) SUNContext_Free(&context_);
}

}  // namespace driftless
