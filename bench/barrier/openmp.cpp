#include "barrier/contestants.hpp"

namespace vnode::bench {
namespace {

void meet(const Seat&) {
#pragma omp barrier
}

}  // namespace

Contestant barrier_openmp() { return {.by = "openmp", .call = meet, .host = Host::openmp}; }

}  // namespace vnode::bench
