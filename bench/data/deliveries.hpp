#pragma once

#include <vector>

#include <vnode/lab/contract.hpp>

namespace vnode::bench {

/// A vector of m bytes in a caller's memory: the `place`-th of those that lie there in a row.
struct Location {
  Rank rank;
  int place;
  friend bool operator==(const Location&, const Location&) = default;
};

/// A vector of a result, and what it is combined from, in rank order; what comes from one is copied.
struct Delivery {
  Location to;
  std::vector<Location> from;
};

/// What a collective asks for: how many vectors everybody brings and takes away, by rank, and what goes
/// where.
struct Deliveries {
  std::vector<int> brought, taken;
  std::vector<Delivery> list;
};

/// What fulfils the contract; its blocks are vectors of m bytes.
Deliveries deliveries(const Contract& contract);

}  // namespace vnode::bench
