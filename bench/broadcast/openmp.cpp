#include <cstring>

#include "broadcast/contestants.hpp"

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

Contestant broadcast_openmp(const SharedVectors& data, Rank root) {
  return {.by = "openmp",
          .call = [data, root](const Seat& seat) { broadcast(*data, root, seat.rank); },
          .host = Host::openmp};
}

}  // namespace vnode::bench
