#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/contract.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

using Intervals = std::vector<Interval>;

// All blocks, if `wanted`.
Intervals all(int blocks, bool wanted = true) { return wanted ? Intervals{{0, blocks}} : Intervals{}; }

// Returns the r-th of `parts` equal shares of the blocks.
Intervals part(int r, int parts, int blocks) {
  const int size = blocks / parts;
  return {{r * size, (r + 1) * size}};
}

// The share of a rank is share(rank); all but `only` are left empty.
template <class ShareOf>
Contract made(int nodes, int blocks, int message_blocks, const ShareOf& share,
              std::optional<Rank> only = {}) {
  Contract contract{blocks, message_blocks, false, std::vector<Share>(static_cast<std::size_t>(nodes))};
  for (Rank rank = only.value_or(0); rank < (only ? *only + 1 : nodes); ++rank)
    at(contract.shares, rank) = share(rank);
  return contract;
}

}  // namespace

Contract broadcast_contract(int nodes, int blocks, Rank root) {
  return made(nodes, blocks, blocks, [=](Rank rank) {
    return Share{all(blocks, rank == root), all(blocks), {0, nodes}};
  });
}

Contract reduce_contract(int nodes, int blocks, Rank root) {
  return made(nodes, blocks, blocks, [=](Rank rank) {
    return Share{all(blocks), all(blocks, rank == root), {0, nodes}};
  });
}

Contract all_gather_contract(int nodes, int blocks, std::optional<Rank> only) {
  return made(
      nodes, blocks, blocks / nodes,
      [=](Rank rank) {
        return Share{part(rank, nodes, blocks), all(blocks), {0, nodes}};
      },
      only);
}

Contract reduce_scatter_contract(int nodes, int blocks, std::optional<Rank> only) {
  return made(
      nodes, blocks, blocks / nodes,
      [=](Rank rank) {
        return Share{all(blocks), part(rank, nodes, blocks), {0, nodes}};
      },
      only);
}

Contract all_reduce_contract(int nodes, int blocks, std::optional<Rank> only) {
  return made(
      nodes, blocks, blocks,
      [=](Rank) {
        return Share{all(blocks), all(blocks), {0, nodes}};
      },
      only);
}

Contract scan_contract(int nodes, int blocks, int message_blocks) {
  Contract contract = made(nodes, blocks, message_blocks, [=](Rank rank) {
    return Share{all(blocks), all(message_blocks), {0, rank + 1}};
  });
  contract.originals = message_blocks;
  return contract;
}

Contract sliced_scan_contract(int nodes, int blocks) {
  const int message_blocks = blocks / nodes;
  Contract contract = made(nodes, blocks, message_blocks, [=](Rank rank) {
    const Interval result = {rank * message_blocks, (rank + 1) * message_blocks};
    Intervals input = {{result.first, blocks}};
    if (rank == 0) input = {{0, message_blocks / nodes}, {result.last, blocks}};
    return Share{std::move(input), {result}, {0, rank + 1}};
  });
  contract.originals = message_blocks;
  return contract;
}

Contract exclusive_scan_contract(int nodes, int blocks, int message_blocks) {
  Contract contract = made(nodes, blocks, message_blocks, [=](Rank rank) {
    return Share{{{message_blocks, blocks}}, all(message_blocks, rank > 0), {0, rank}};
  });
  contract.originals = message_blocks;
  return contract;
}

Contract scatter_contract(int nodes, int blocks, Rank root) {
  return made(nodes, blocks, blocks / nodes, [=](Rank rank) {
    return Share{all(blocks, rank == root), part(rank, nodes, blocks), {0, nodes}};
  });
}

Contract gather_contract(int nodes, int blocks, Rank root) {
  return made(nodes, blocks, blocks / nodes, [=](Rank rank) {
    return Share{part(rank, nodes, blocks), all(blocks, rank == root), {0, nodes}};
  });
}

Contract all_to_all_contract(int nodes, int blocks, std::optional<Rank> only) {
  return made(
      nodes, blocks, blocks / (nodes * nodes),
      [=](Rank rank) {
        Intervals column;
        for (Rank from = 0; from < nodes; ++from)
          column.push_back(part(from * nodes + rank, nodes * nodes, blocks).front());
        return Share{part(rank, nodes, blocks), std::move(column), {0, nodes}};
      },
      only);
}

Contract circular_shift_contract(int nodes, int blocks, int shift) {
  return made(nodes, blocks, blocks / nodes, [=](Rank rank) {
    const auto source = static_cast<int>(((rank - long{shift}) % nodes + nodes) % nodes);
    return Share{part(rank, nodes, blocks), part(source, nodes, blocks), {0, nodes}};
  });
}

Contract barrier_contract(int nodes) {
  return {0, 0, true, std::vector<Share>(static_cast<std::size_t>(nodes))};
}

bool within_shares(const Schedule& schedule, const Contract& contract, std::optional<Rank> only) {
  if (schedule.nodes() != contract.nodes() || schedule.blocks() != contract.blocks)
    throw UsageError(fmt::format("a schedule of {} and {} has no shares in a contract of {} and {}",
                                 counted(schedule.nodes(), "node"), counted(schedule.blocks(), "block"),
                                 contract.nodes(), contract.blocks));
  const auto blocks = static_cast<std::size_t>(contract.blocks);
  std::vector<bool> shared((only ? 1 : contract.shares.size()) * blocks);
  const auto place = [&](Rank rank, int block) {
    return (only ? 0 : static_cast<std::size_t>(rank)) * blocks + static_cast<std::size_t>(block);
  };
  const auto looked_at = [&](Rank rank) { return !only || rank == *only; };
  for (Rank rank = 0; rank < contract.nodes(); ++rank) {
    if (!looked_at(rank)) continue;
    const Share& share = at(contract.shares, rank);
    for (const Intervals* part : {&share.input, &share.output})
      for (const Interval& interval : *part)
        for (int block = interval.first; block < interval.last; ++block) shared[place(rank, block)] = true;
  }
  const auto knows = [&](const Transfer& t) {
    bool known = schedule.count(t.what) == schedule.count(t.into);
    if (known)
      each_block(schedule, t, [&](int what, int into) {
        known = known && (!looked_at(t.from) || shared[place(t.from, what)]) &&
                (!looked_at(t.to) || shared[place(t.to, into)]) &&
                contract.original(what) == contract.original(into);
      });
    return known;
  };
  return std::ranges::all_of(schedule.rounds(),
                             [&](const Round& round) { return std::ranges::all_of(round, knows); });
}

}  // namespace vnode
