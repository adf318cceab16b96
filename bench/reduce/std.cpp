#include <barrier>

#include "limits/kernels.hpp"
#include "reduce/contestants.hpp"

namespace vnode::bench {

Contestant reduce_std(const SharedVectors& data, Rank root, Arithmetic datatype, StandardOperator op) {
  auto meeting = std::make_shared<std::barrier<>>(data->callers());
  const auto combine = combine_kernels(datatype, op).front().combine;
  return {.by = "std", .call = [=](const Seat& seat) {
            meeting->arrive_and_wait();
            const Part part = part_of(data->bytes(), seat.rank, data->callers());
            for (Rank rank = 0; rank < data->callers(); ++rank)
              if (rank != root) combine((*data)[root] + part.begin, (*data)[rank] + part.begin, part.size);
            meeting->arrive_and_wait();
          }};
}

}  // namespace vnode::bench
