#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/contract.hpp>

#include "base/counted.hpp"
#include "schedule/each_block.hpp"

namespace vnode {

namespace {

using Intervals = std::vector<Interval>;

Intervals all(int blocks) { return {{0, blocks}}; }

// The r-th of `parts` equal shares of the blocks.
Intervals part(int r, int parts, int blocks) {
  const int size = blocks / parts;
  return {{r * size, (r + 1) * size}};
}

// One share per rank, of input(rank), output(rank), origins(rank).
template <class Input, class Output>
std::vector<Share> shares(int nodes, const Input& input, const Output& output) {
  std::vector<Share> list;
  for (Rank rank = 0; rank < nodes; ++rank) list.push_back({input(rank), output(rank), {0, nodes}});
  return list;
}

}  // namespace

Contract broadcast_contract(int nodes, int blocks, Rank root) {
  return {blocks, blocks, false,
          shares(
              nodes, [=](Rank rank) { return rank == root ? all(blocks) : Intervals{}; },
              [=](Rank) { return all(blocks); })};
}

Contract reduce_contract(int nodes, int blocks, Rank root) {
  return {blocks, blocks, false,
          shares(
              nodes, [=](Rank) { return all(blocks); },
              [=](Rank rank) { return rank == root ? all(blocks) : Intervals{}; })};
}

Contract all_gather_contract(int nodes, int blocks) {
  return {
      blocks, blocks / nodes, false,
      shares(
          nodes, [=](Rank rank) { return part(rank, nodes, blocks); }, [=](Rank) { return all(blocks); })};
}

Contract reduce_scatter_contract(int nodes, int blocks) {
  return {
      blocks, blocks / nodes, false,
      shares(
          nodes, [=](Rank) { return all(blocks); }, [=](Rank rank) { return part(rank, nodes, blocks); })};
}

Contract all_reduce_contract(int nodes, int blocks) {
  const auto both = [=](Rank) { return all(blocks); };
  return {blocks, blocks, false, shares(nodes, both, both)};
}

Contract scan_contract(int nodes, int blocks, int message_blocks) {
  Contract contract{blocks, message_blocks, false,
                    shares(
                        nodes, [=](Rank) { return all(blocks); }, [=](Rank) { return all(message_blocks); }),
                    message_blocks};
  for (Rank rank = 0; rank < nodes; ++rank)
    contract.shares[static_cast<std::size_t>(rank)].origins = {0, rank + 1};
  return contract;
}

Contract exclusive_scan_contract(int nodes, int blocks, int message_blocks) {
  Contract contract{blocks, message_blocks, false,
                    shares(
                        nodes,
                        [=](Rank) {
                          return Intervals{{message_blocks, blocks}};
                        },
                        [=](Rank rank) { return rank > 0 ? all(message_blocks) : Intervals{}; }),
                    message_blocks};
  for (Rank rank = 0; rank < nodes; ++rank)
    contract.shares[static_cast<std::size_t>(rank)].origins = {0, rank};
  return contract;
}

Contract scatter_contract(int nodes, int blocks, Rank root) {
  return {blocks, blocks / nodes, false,
          shares(
              nodes, [=](Rank rank) { return rank == root ? all(blocks) : Intervals{}; },
              [=](Rank rank) { return part(rank, nodes, blocks); })};
}

Contract gather_contract(int nodes, int blocks, Rank root) {
  return {blocks, blocks / nodes, false,
          shares(
              nodes, [=](Rank rank) { return part(rank, nodes, blocks); },
              [=](Rank rank) { return rank == root ? all(blocks) : Intervals{}; })};
}

Contract all_to_all_contract(int nodes, int blocks) {
  const auto column = [=](Rank rank) {
    Intervals list;
    for (Rank from = 0; from < nodes; ++from)
      list.push_back(part(from * nodes + rank, nodes * nodes, blocks).front());
    return list;
  };
  return {blocks, blocks / (nodes * nodes), false,
          shares(
              nodes, [=](Rank rank) { return part(rank, nodes, blocks); }, column)};
}

Contract circular_shift_contract(int nodes, int blocks, int shift) {
  const auto source = [=](Rank rank) {
    return static_cast<int>(((rank - long{shift}) % nodes + nodes) % nodes);
  };
  return {blocks, blocks / nodes, false,
          shares(
              nodes, [=](Rank rank) { return part(rank, nodes, blocks); },
              [=](Rank rank) { return part(source(rank), nodes, blocks); })};
}

Contract barrier_contract(int nodes) {
  return {0, 0, true, std::vector<Share>(static_cast<std::size_t>(nodes))};
}

bool within_shares(const Schedule& schedule, const Contract& contract) {
  if (schedule.nodes() != contract.nodes() || schedule.blocks() != contract.blocks)
    throw UsageError(fmt::format("a schedule of {} and {} has no shares in a contract of {} and {}",
                                 counted(schedule.nodes(), "node"), counted(schedule.blocks(), "block"),
                                 contract.nodes(), contract.blocks));
  const auto blocks = static_cast<std::size_t>(contract.blocks);
  std::vector<bool> shared(contract.shares.size() * blocks);
  const auto place = [&](Rank rank, int block) {
    return static_cast<std::size_t>(rank) * blocks + static_cast<std::size_t>(block);
  };
  for (Rank rank = 0; rank < contract.nodes(); ++rank) {
    const Share& share = contract.shares[static_cast<std::size_t>(rank)];
    for (const Intervals* part : {&share.input, &share.output})
      for (const Interval& interval : *part)
        for (int block = interval.first; block < interval.last; ++block) shared[place(rank, block)] = true;
  }
  const auto knows = [&](const Transfer& t) {
    bool known = schedule.count(t.what) == schedule.count(t.into);
    if (known)
      each_block(schedule, t, [&](int what, int into) {
        known = known && shared[place(t.from, what)] && shared[place(t.to, into)] &&
                contract.original(what) == contract.original(into);
      });
    return known;
  };
  return std::ranges::all_of(schedule.rounds(),
                             [&](const Round& round) { return std::ranges::all_of(round, knows); });
}

}  // namespace vnode
