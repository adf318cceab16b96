#pragma once

#include <cstddef>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/rank.hpp>

#include "data/vectors.hpp"

namespace vnode::bench {

/// Names a vector of m bytes in a caller's memory: it is the `place`-th of those that lie there in a row.
struct Location {
  Rank rank;
  int place;
  friend bool operator==(const Location&, const Location&) = default;
};

/// Names a vector of a result, and the vectors that it is combined from, in rank order; a result of one
/// vector is copied.
struct Delivery {
  Location to;
  std::vector<Location> from;
};

/// Says what a collective asks for: how many vectors each rank brings and takes away, and what goes where.
struct Deliveries {
  std::vector<int> brought, taken;
  std::vector<Delivery> list;
};

/// Returns the deliveries that fulfil the contract, whose blocks are vectors of m bytes.
Deliveries deliveries(const Contract& contract);

/// A movement is a vector that must get from one caller's memory into another's, or to another place of the
/// same memory.
struct Movement {
  Rank giver, taker;
  const std::byte* from;
  std::byte* to;
};

/// Lists vectors that are combined one after the other, and where the intermediate results are wanted.
struct Fold {
  struct Tap {
    Rank taker;
    std::byte* to;
    int after;  ///< the number of vectors of `from` that are combined by then, at least one
  };
  std::vector<const std::byte*> from;
  std::vector<Tap> taps;  ///< in the order in which they become ready
};

/// Describes the memory traffic of a collective operation without the waiting: what must be copied and
/// combined.
struct Work {
  std::size_t bytes = 0;  ///< of every vector
  std::vector<Movement> movements;
  std::vector<Fold> folds;
};

/// Returns the work that the deliveries mean for these vectors, whose parts are of `bytes` bytes. What is
/// already where it should be is no work.
Work work(const Deliveries& deliveries, const Vectors& in, const Vectors& out, std::size_t bytes);
/// Returns the part of the work whose results one caller wants.
Work wanted_by(const Work& work, Rank taker);
/// Returns the same work with the caller's own taps first, where several become ready at once.
Work own_first(Work work, Rank caller);

}  // namespace vnode::bench
