#include <cstring>

#include "collectives/contestants.hpp"

namespace vnode::bench {
namespace {

void broadcast(const Vectors& data, Rank root, Rank rank) {
  const std::byte* source = nullptr;
#pragma omp single copyprivate(source)
  source = data[root];
  if (rank != root) std::memcpy(data[rank], source, data.bytes());
#pragma omp barrier
}

}  // namespace

Contestant broadcast_openmp(const SharedTask& task) {
  return {.by = "openmp",
          .call = [task](const Seat& seat) { broadcast(*task->out, task->setting.root, seat.rank); },
          .host = Host::openmp};
}

}  // namespace vnode::bench
