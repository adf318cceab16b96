#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <vnode/node.hpp>

#include "data/vectors.hpp"

namespace vnode::bench {

/// One of the p callers of a contestant: a node of the team, or a thread of OpenMP's that stands where it
/// stands.
struct Seat {
  Rank rank = 0;
  Node* node = nullptr;  ///< null in an OpenMP region
};

/// Whose threads call.
enum class Host { team, openmp };

/// One way to do what a question asks for. All p callers call it, in one order.
struct Contestant {
  std::string by;           ///< vnode, std, openmp, naive; of a limit: its variant
  std::string requested{};  ///< what --algorithm said; empty for others
  std::function<void(const Seat&)> call{};
  Host host = Host::team;
  double repeats = 1;       ///< how often one call does what is asked: its time is divided by this
  bool delivers = true;     ///< the result can be checked
  std::string algorithm{};  ///< the one that ran; filled by the measurement
};

/// A lower bound of the time of what a question asks for: `times` x the fastest of the variants.
struct Limit {
  std::string name;
  double times = 1;
  std::vector<Contestant> variants;
};

/// The number of the call, over all contestants of a measurement: data differ from call to call.
using Iteration = std::uint64_t;

/// What is measured, and who competes. The functions are called by every caller, for its own rank.
struct Question {
  std::vector<Contestant> contestants;
  std::vector<Limit> limits;                ///< the largest is the limit; none where p exceeds the cores
  std::shared_ptr<const Vectors> result{};  ///< where it arrives; null: there is none, or more than one
  bool collective = true;                   ///< nodes know afterwards which algorithm ran
  /// Not timed: the owner writes its data anew.
  std::function<void(const Seat&, Iteration)> rewrite = [](const Seat&, Iteration) {};
  /// Not timed: how many elements of this rank are not what they should be.
  std::function<std::size_t(const Seat&, const Contestant&, Iteration)> wrong =
      [](const Seat&, const Contestant&, Iteration) { return std::size_t{0}; };
};

}  // namespace vnode::bench
