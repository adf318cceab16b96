#pragma once

#include <cstddef>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/rank.hpp>

#include "data/vectors.hpp"

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

/// A vector that must get from one caller's memory into another's, or to another place of its own.
struct Movement {
  Rank giver, taker;
  const std::byte* from;
  std::byte* to;
};

/// Vectors that are combined one after the other, and where what there is so far is wanted.
struct Fold {
  struct Tap {
    Rank taker;
    std::byte* to;
    int after;  ///< so many of `from` are combined: at least one
  };
  std::vector<const std::byte*> from;
  std::vector<Tap> taps;  ///< in the order in which they become ready
};

/// The memory traffic of a collective operation, without the waiting: what must be copied and combined.
struct Work {
  std::size_t bytes = 0;  ///< of every vector
  std::vector<Movement> movements;
  std::vector<Fold> folds;
};

/// What the deliveries mean for these vectors, whose parts are of `bytes` bytes. What is where it should be
/// is no work.
Work work(const Deliveries& deliveries, const Vectors& in, const Vectors& out, std::size_t bytes);
/// The part of it that one caller wants.
Work wanted_by(const Work& work, Rank taker);
/// The same work with the caller's own taps first, where several become ready at once.
Work own_first(Work work, Rank caller);

}  // namespace vnode::bench
