#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <vnode/team.hpp>

#include "timing/series.hpp"

namespace vnode {

/// Stands for one of the p callers of a contestant: a node of the team, or a thread that is bound as that
/// node is.
struct Seat {
  Rank rank = 0;
  Node* node = nullptr;  ///< null where the team's nodes rest
};

/// Says whose threads call.
struct Host {
  /// Calls body(seat) on p threads, or on one that calls on behalf of all, bound as the team's nodes are. It
  /// must not be called inside a run.
  void (*run)(Team& team, const std::function<void(const Seat&)>& body);
  /// Calls each(rank) for every rank, spread over the threads behind the one that calls; null unless one
  /// thread calls.
  void (*for_every_rank)(int ranks, const std::function<void(Rank)>& each) = nullptr;
  /// The team that is given to run() instead of the measured one, of as many nodes, where those of the
  /// measured one cannot call: they are fibers, and the contestant blocks threads.
  Team* instead = nullptr;

  bool one_caller() const { return for_every_rank != nullptr; }
};

/// Lets the team's nodes call.
extern const Host team_host;

/// Numbers the calls, over all contestants of a measurement: data differ from call to call.
using Iteration = std::uint64_t;

/// Describes a number of calls in succession.
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

/// Describes one way to do what a question asks for. All p callers call it, in one order.
struct Contestant {
  std::string by;           ///< vnode, std, openmp, naive, tbb; of a choice: its variant
  std::string requested{};  ///< what --algorithm said; empty for others
  std::function<void(const Seat&)> call{};
  const Host* host = &team_host;
  double repeats = 1;       ///< how often one call does what is asked: its time is divided by this
  bool delivers = true;     ///< the result can be checked
  std::string algorithm{};  ///< the one that ran; filled by the measurement
  int segments = 0;         ///< that it cut the message into; likewise
  /// Are called before the first call of a lap, and after its last; not timed.
  std::function<void(const Seat&)> prepare = [](const Seat&) {}, finish = [](const Seat&) {};
  /// Makes another process, which has no host here, run a lap, and returns its stamps.
  std::function<Stamps(const Lap&)> lap{};
};

/// Holds several ways to do the same, of which the fastest counts.
struct Choice {
  std::string name;
  double times = 1;  ///< its time is multiplied by this
  std::vector<Contestant> variants;
};

/// A limit is a lower bound of the time of what a question asks for.
using Limit = Choice;

/// Says what is measured, and of which contestants. The functions are called by every caller, for its own
/// rank.
struct Question {
  std::vector<Contestant> contestants;
  std::vector<Limit> limits;     ///< the largest is the limit; none where p exceeds the cores
  std::vector<Choice> beside{};  ///< what is measured beside: other libraries, in their best configuration
  bool collective = true;        ///< nodes know afterwards which algorithm ran
  /// Writes the owner's data anew; not timed.
  std::function<void(const Seat&, Iteration)> rewrite = [](const Seat&, Iteration) {};
  /// Returns how many elements of this rank are not what they should be; not timed.
  std::function<std::size_t(const Seat&, const Contestant&, Iteration)> wrong =
      [](const Seat&, const Contestant&, Iteration) { return std::size_t{0}; };
};

}  // namespace vnode
