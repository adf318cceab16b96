#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vnode/operator.hpp>
#include <vnode/rank.hpp>

#include "data/vectors.hpp"
#include "data/work.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// The largest size at which the limit is the time of a loop by hand, raw().
inline constexpr std::size_t most_raw_bytes = 8192;

/// Returns ranks 0 to p - 1.
std::vector<Rank> all_of(int p);

/// Returns the time of a loop by hand, of flags and memcpy, that does this work between these callers, by
/// rank, and in which nobody leaves whose data are still needed. What others need is written once into a
/// mailbox that all of them read (mail); or, once all are there whose data it needs, each takes them from
/// where they are (pull), or all do a part of everything (share). If the work is one result of all, or one
/// vector for all, among more than two: one gathers and lets all others read (flat), or a tree of four
/// branches does (radix 4). If `meeting`, each waits for all others' messages even if it needs none of their
/// data.
Limit raw(const Work& work, const std::vector<Rank>& callers, Arithmetic datatype, StandardOperator op,
          bool meeting);

/// Describes one way to pass a vector from one caller to another.
struct RawLink {
  std::string name;
  std::function<void(const std::byte* from)> send;
  std::function<void(std::byte* to)> receive;
};
/// Returns all ways by hand: the vector goes through a mailbox, or the receiver copies it while the sender
/// waits.
std::vector<RawLink> raw_links(std::size_t bytes);

}  // namespace vnode::bench
