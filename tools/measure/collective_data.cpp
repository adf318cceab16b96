#include "measure/collective_data.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include <vnode/error.hpp>

namespace vnode {
namespace {

/// How many times m a node brings, and takes.
struct Shares {
  std::size_t in, out;
};

Shares shares(Collective collective, std::size_t p) {
  switch (collective) {
    case Collective::broadcast:
      return {0, 1};
    case Collective::all_gather:
    case Collective::gather:
      return {1, p};
    case Collective::reduce_scatter:
    case Collective::scatter:
      return {p, 1};
    case Collective::all_to_all:
      return {p, p};
    case Collective::barrier:
      return {0, 0};
    default:
      return {1, 1};
  }
}

Shares shares(const Demand& demand) {
  return shares(demand.collective, static_cast<std::size_t>(demand.parameters.nodes));
}

}  // namespace

CollectiveData::CollectiveData(const Demand& demand, Rank rank) : demand_(demand) {
  Shares sizes = shares(demand);
  if (combines(demand.collective)) {
    if (demand.bytes % sizeof(double) != 0)
      throw UsageError(fmt::format("doubles are combined: m has to be a multiple of {} bytes, {} is none",
                                   sizeof(double), demand.bytes));
    const std::size_t count = demand.bytes / sizeof(double);
    numbers_in_.resize(sizes.in * count);
    numbers_out_.resize(sizes.out * count);
    return;
  }
  // Only the root has what it scatters or gathers.
  if (has_root(demand.collective) && rank != demand.parameters.root) {
    if (demand.collective == Collective::scatter) sizes.in = 0;
    if (demand.collective == Collective::gather) sizes.out = 0;
  }
  in_.resize(sizes.in * demand.bytes);
  out_.resize(sizes.out * demand.bytes);
}

Persistent CollectiveData::plan(Node& me, const CallOptions& options) {
  Planning planned = me.persistent();
  const Rank root = demand_.parameters.root;
  switch (demand_.collective) {
    case Collective::broadcast:
      return planned.broadcast(out_, root, options);
    case Collective::reduce:
      return planned.reduce(numbers_in_, numbers_out_, std::plus<>{}, root, options);
    case Collective::all_gather:
      return planned.all_gather(in_, out_, options);
    case Collective::reduce_scatter:
      return planned.reduce_scatter(numbers_in_, numbers_out_, std::plus<>{}, options);
    case Collective::all_reduce:
      return planned.all_reduce(numbers_in_, numbers_out_, std::plus<>{}, options);
    case Collective::scan:
      return planned.scan(numbers_in_, numbers_out_, std::plus<>{}, options);
    case Collective::exclusive_scan:
      return planned.exclusive_scan(numbers_in_, numbers_out_, std::plus<>{}, options);
    case Collective::scatter:
      return planned.scatter(in_, out_, root, options);
    case Collective::gather:
      return planned.gather(in_, out_, root, options);
    case Collective::all_to_all:
      return planned.all_to_all(in_, out_, options);
    case Collective::circular_shift:
      return planned.circular_shift(in_, out_, demand_.parameters.shift, options);
    case Collective::barrier:
      break;
  }
  return planned.barrier(options);
}

void CollectiveData::rewrite(int value) {
  std::ranges::fill(numbers_in_, value);
  std::ranges::fill(demand_.collective == Collective::broadcast ? out_ : in_, static_cast<std::byte>(value));
}

double CollectiveData::total_bytes(const Demand& demand) {
  const auto [in, out] = shares(demand);
  return static_cast<double>(in + out) * static_cast<double>(demand.bytes) * demand.parameters.nodes;
}

}  // namespace vnode
