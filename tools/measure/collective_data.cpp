#include "measure/collective_data.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

/// Says how many times m a node brings, and takes.
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

template <class T>
void CollectiveData::Memory<T>::make(std::size_t count, Rank rank, const Team* team, int pieces) {
  if (team == nullptr || count == 0)
    usual_.resize(count);
  else
    placed_ = team->buffer<T>(rank, count, pieces);
}

CollectiveData::CollectiveData(const Demand& demand, Rank rank) : CollectiveData(demand, rank, nullptr) {}

CollectiveData::CollectiveData(const Demand& demand, Rank rank, const Team& team)
    : CollectiveData(demand, rank, &team) {}

CollectiveData::CollectiveData(const Demand& demand, Rank rank, const Team* team) : demand_(demand) {
  Shares sizes = shares(demand);
  const int ports = team != nullptr ? std::max(team->topology().degree(rank), 1) : 1;
  const auto make = [&](auto& in, auto& out, std::size_t count) {
    in.make(sizes.in * count, rank, team, static_cast<int>(sizes.in) * ports);
    out.make(sizes.out * count, rank, team, static_cast<int>(sizes.out) * ports);
  };
  if (combines(demand.collective)) {
    if (demand.bytes % sizeof(double) != 0)
      throw UsageError(fmt::format("doubles are combined: bytes must be a multiple of {}, got {}",
                                   sizeof(double), demand.bytes));
    make(numbers_in_, numbers_out_, demand.bytes / sizeof(double));
    return;
  }
  // Only the root has what it scatters or gathers.
  if (has_root(demand.collective) && rank != demand.parameters.root) {
    if (demand.collective == Collective::scatter) sizes.in = 0;
    if (demand.collective == Collective::gather) sizes.out = 0;
  }
  make(in_, out_, demand.bytes);
}

std::vector<const Pages*> CollectiveData::pages() const {
  return {&in_.pages(), &out_.pages(), &numbers_in_.pages(), &numbers_out_.pages()};
}

Persistent CollectiveData::plan(Node& me, const CallOptions& options) {
  Planning planned = me.persistent();
  const Rank root = demand_.parameters.root;
  switch (demand_.collective) {
    case Collective::broadcast:
      return planned.broadcast(out_.all(), root, options);
    case Collective::reduce:
      return planned.reduce(numbers_in_.all(), numbers_out_.all(), std::plus<>{}, root, options);
    case Collective::all_gather:
      return planned.all_gather(in_.all(), out_.all(), options);
    case Collective::reduce_scatter:
      return planned.reduce_scatter(numbers_in_.all(), numbers_out_.all(), std::plus<>{}, options);
    case Collective::all_reduce:
      return planned.all_reduce(numbers_in_.all(), numbers_out_.all(), std::plus<>{}, options);
    case Collective::scan:
      return planned.scan(numbers_in_.all(), numbers_out_.all(), std::plus<>{}, options);
    case Collective::exclusive_scan:
      return planned.exclusive_scan(numbers_in_.all(), numbers_out_.all(), std::plus<>{}, options);
    case Collective::scatter:
      return planned.scatter(in_.all(), out_.all(), root, options);
    case Collective::gather:
      return planned.gather(in_.all(), out_.all(), root, options);
    case Collective::all_to_all:
      return planned.all_to_all(in_.all(), out_.all(), options);
    case Collective::circular_shift:
      return planned.circular_shift(in_.all(), out_.all(), demand_.parameters.shift, options);
    case Collective::barrier:
      break;
  }
  return planned.barrier(options);
}

void CollectiveData::rewrite(int value) {
  std::ranges::fill(numbers_in_.all(), value);
  std::ranges::fill((demand_.collective == Collective::broadcast ? out_ : in_).all(),
                    static_cast<std::byte>(value));
}

double CollectiveData::total_bytes(const Demand& demand) {
  const auto [in, out] = shares(demand);
  return static_cast<double>(in + out) * static_cast<double>(demand.bytes) * demand.parameters.nodes;
}

void CollectiveData::check_memory(const Demand& demand, const Machine& machine) {
  double memory = 0;
  for (const NumaNode& numa : machine.numas) memory += static_cast<double>(numa.bytes);
  const double needed = total_bytes(demand);
  if (memory > 0 && needed > memory / 2)
    throw UsageError(
        fmt::format("{} of {} on {} needs {:.0f} MiB, more than half of the memory: "
                    "measure shorter messages",
                    enums::name(demand.collective), counted(demand.bytes, "byte"),
                    counted(demand.parameters.nodes, "node"), needed / (1 << 20)));
}

PlannedCalls::PlannedCalls(const Demand& demand, const Team* buffers)
    : demand_(demand), buffers_(buffers), data_(static_cast<std::size_t>(demand.parameters.nodes)) {
  question_.collective = false;  // the algorithms are known
  question_.rewrite = [this](const Seat& seat, Iteration iteration) {
    data_[static_cast<std::size_t>(seat.rank)]->rewrite(static_cast<int>(iteration % 128));
  };
}

void PlannedCalls::add(const Algorithm& algorithm, int segments, const Hierarchy& hierarchy) {
  const CallOptions options{.algorithm = algorithm.name,
                            .segments = segments,
                            .radix = demand_.parameters.radix,
                            .hierarchy = hierarchy ? &hierarchy : nullptr};
  const auto plans = std::make_shared<std::vector<std::optional<Persistent>>>(data_.size());
  const auto plan_of = [plans](const Seat& seat) -> auto& {
    return (*plans)[static_cast<std::size_t>(seat.rank)];
  };
  Contestant& contestant = question_.contestants.emplace_back();
  contestant.by = algorithm.name;
  contestant.delivers = false;
  contestant.prepare = [this, plan_of, options](const Seat& seat) {
    auto& data = data_[static_cast<std::size_t>(seat.rank)];
    if (!data)
      data = buffers_ != nullptr ? std::make_unique<CollectiveData>(demand_, seat.rank, *buffers_)
                                 : std::make_unique<CollectiveData>(demand_, seat.rank);
    plan_of(seat) = data->plan(*seat.node, options);
  };
  contestant.call = [plan_of](const Seat& seat) {
    plan_of(seat)->start();
    plan_of(seat)->wait();
  };
  contestant.finish = [plan_of](const Seat& seat) { plan_of(seat).reset(); };
}

CallTimes call_times(const Series& series) {
  CallTimes times{.seconds = series.all(), .calls = 0, .late = series.late_us.size()};
  times.calls = times.seconds.size() + times.late;
  if (times.seconds.empty()) times.seconds = series.late_us;
  for (double& each : times.seconds) each *= 1e-6;
  return times;
}

}  // namespace vnode
