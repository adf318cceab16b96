#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <vnode/team.hpp>

#include "timing/series.hpp"

namespace vnode {

/// One of the p callers of a contestant: a node of the team, or a thread that stands where it stands.
struct Seat {
  Rank rank = 0;
  Node* node = nullptr;  ///< null where the team's nodes rest
};

/// Whose threads call.
struct Host {
  /// Calls body(seat) on p threads, or on one that calls on behalf of all, bound as the team's nodes are. Not
  /// from inside a run.
  void (*run)(Team& team, const std::function<void(const Seat&)>& body);
  /// Null, or, where one thread calls: calls each(rank) for every rank, spread over those behind it.
  void (*for_every_rank)(int ranks, const std::function<void(Rank)>& each) = nullptr;

  bool one_caller() const { return for_every_rank != nullptr; }
};

/// The team's nodes.
extern const Host team_host;

/// The number of the call, over all contestants of a measurement: data differ from call to call.
using Iteration = std::uint64_t;

/// A number of calls in succession.
struct Lap {
  Iteration first = 0;
  int settling = 0;    ///< calls at its beginning that do not count
  int iterations = 0;  ///< that do
  int batch = 1;       ///< calls between two meetings
  Loop loop = Loop::completion;
  bool core_each = true;  ///< every caller has a core of its own
  bool fetch = false;     ///< the result of the last call is brought to the question's vectors
  std::size_t cold = 0;   ///< bytes that every caller walks before each timed call
};

/// One way to do what a question asks for. All p callers call it, in one order.
struct Contestant {
  std::string by;           ///< vnode, std, openmp, naive, tbb; of a choice: its variant
  std::string requested{};  ///< what --algorithm said; empty for others
  std::function<void(const Seat&)> call{};
  const Host* host = &team_host;
  double repeats = 1;       ///< how often one call does what is asked: its time is divided by this
  bool delivers = true;     ///< the result can be checked
  std::string algorithm{};  ///< the one that ran; filled by the measurement
  int segments = 0;         ///< that it cut the message into; likewise
  /// Not timed: before the first call of a lap, and after its last.
  std::function<void(const Seat&)> prepare = [](const Seat&) {}, finish = [](const Seat&) {};
  /// Of another process, which has no host here: makes it run a lap, and brings its stamps.
  std::function<Stamps(const Lap&)> lap{};
};

/// Several ways to do the same, of which the fastest counts.
struct Choice {
  std::string name;
  double times = 1;  ///< that many times its time
  std::vector<Contestant> variants;
};

/// A lower bound of the time of what a question asks for.
using Limit = Choice;

/// What is measured, and who competes. The functions are called by every caller, for its own rank.
struct Question {
  std::vector<Contestant> contestants;
  std::vector<Limit> limits;     ///< the largest is the limit; none where p exceeds the cores
  std::vector<Choice> beside{};  ///< what is measured beside: other libraries, in their best configuration
  bool collective = true;        ///< nodes know afterwards which algorithm ran
  /// Not timed: the owner writes its data anew.
  std::function<void(const Seat&, Iteration)> rewrite = [](const Seat&, Iteration) {};
  /// Not timed: how many elements of this rank are not what they should be.
  std::function<std::size_t(const Seat&, const Contestant&, Iteration)> wrong =
      [](const Seat&, const Contestant&, Iteration) { return std::size_t{0}; };
};

}  // namespace vnode
