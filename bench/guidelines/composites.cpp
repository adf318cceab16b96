#include "guidelines/composites.hpp"

#include <algorithm>
#include <functional>

#include "collectives/ranges.hpp"

namespace vnode::bench {
namespace {

constexpr std::plus<> sum;

Ranges<double> data(const Node& me, const Task& task) { return ranges<double>(task, me.rank()); }

void reduce_and_broadcast(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.reduce(in, out, sum);
  me.broadcast(out);
}

void gather_and_broadcast(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.gather(in, out);
  me.broadcast(out);
}

void scatter_and_all_gather(Node& me, const Task& task) {
  const std::span<double> all = data(me, task).out;
  const std::size_t part = all.size() / static_cast<std::size_t>(me.size());
  me.scatter(me.rank() == 0 ? all : all.subspan(static_cast<std::size_t>(me.rank()) * part, part));
  me.all_gather(all);
}

void exclusive_scan_and_local(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.exclusive_scan(in, out, sum);
  if (me.rank() == 0)
    std::ranges::copy(in, out.begin());
  else
    std::ranges::transform(out, in, out.begin(), sum);
}

void all_reduce(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.all_reduce(in, out, sum);
}

void reduce(Node& me, const Task& task) {
  const auto [in, out] = data(me, task);
  me.reduce(in, out, sum);
}

void barrier(Node& me, const Task&) { me.barrier(); }

constexpr Guideline table[]{
    {"all_reduce <= reduce + broadcast", Collective::all_reduce, reduce_and_broadcast},
    {"all_gather <= gather + broadcast", Collective::all_gather, gather_and_broadcast},
    {"broadcast <= scatter + all_gather", Collective::broadcast, scatter_and_all_gather, nullptr, true},
    {"scan <= exclusive_scan + local", Collective::scan, exclusive_scan_and_local},
    {"reduce <= all_reduce", Collective::all_reduce, all_reduce, reduce},
    {"barrier <= all_reduce of 1 element", Collective::all_reduce, all_reduce, barrier}};

}  // namespace

std::span<const Guideline> guidelines() { return table; }

}  // namespace vnode::bench
