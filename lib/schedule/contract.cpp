#include <vnode/contract.hpp>

namespace vnode {

namespace {

std::vector<Interval> all(int blocks) { return {{0, blocks}}; }

}  // namespace

Contract broadcast_contract(int nodes, int blocks, Rank root) {
  Contract contract{blocks, blocks, false, {}};
  for (Rank rank = 0; rank < nodes; ++rank)
    contract.shares.push_back(
        {rank == root ? all(blocks) : std::vector<Interval>{}, all(blocks), {0, nodes}});
  return contract;
}

Contract reduce_contract(int nodes, int blocks, Rank root) {
  Contract contract{blocks, blocks, false, {}};
  for (Rank rank = 0; rank < nodes; ++rank)
    contract.shares.push_back(
        {all(blocks), rank == root ? all(blocks) : std::vector<Interval>{}, {0, nodes}});
  return contract;
}

Contract barrier_contract(int nodes) {
  return {0, 0, true, std::vector<Share>(static_cast<std::size_t>(nodes))};
}

}  // namespace vnode
