#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <vnode/model/schedule.hpp>

namespace vnode {

/// Counts the messages of a schedule without it: from those of the algorithms that it is made of.
struct Tally {
  /// Says how many pieces go from one node to another, and how many of them are combined there.
  struct Message {
    Rank from, to;
    long pieces, combined;
  };

  int nodes = 1;
  int pieces = 0;  ///< that the data are cut into; 0: messages are signals
  std::vector<std::vector<Message>> rounds = {};

  /// Returns the same rounds backwards. If `combining`, all that is received is combined.
  Tally backwards(bool combining) const;
};

/// Lists the units of the data that a block of a part stands for, in order.
using Units = std::vector<int>;

/// Puts schedules one after the other, in phases. Several groups of nodes play theirs in a phase at the same
/// time. Where `units` is 0 all messages are signals.
class Phases {
 public:
  Phases(int nodes, int units);

  /// Begins a phase: what is added from now on begins when all before has ended.
  void next() { phases_.emplace_back(); }
  /// Adds `schedule` to this phase, played by `ranks`. Its blocks are shared out equally among the lists of
  /// `places`: the first share is the first list's, and so on. Lists may be of any length; messages of no
  /// block vanish.
  void add(Schedule schedule, std::vector<Rank> ranks, std::vector<Units> places);

  /// Says that nothing is sent to whoever holds it already: what it was sent before, and the units held[rank]
  /// from the start. It is only for schedules that move blocks into their own places.
  void without_repeats(std::vector<Units> held) { held_ = std::move(held); }

  /// Returns the whole, with as many blocks for each unit as cut it wherever a part does. Throws UsageError
  /// if they are too many, or if a part would send what it cannot place.
  Schedule schedule() const;
  /// Returns the messages of the whole, counted part by part.
  Tally tally() const;

 private:
  struct Part {
    Schedule schedule;
    std::vector<Rank> ranks;
    std::vector<Units> places;
    int cuts() const;
    template <class Visit>
    void each_piece(Blocks blocks, int cuts, const Visit& visit) const;
  };
  int common_cuts() const;
  Schedule assembled() const;
  void play(const Part& part, int cuts, std::size_t first_round, Schedule& result) const;
  std::vector<std::vector<int>> held_pieces(int cuts) const;

  int nodes_, units_;
  std::vector<std::vector<Part>> phases_;
  std::optional<std::vector<Units>> held_;
};

}  // namespace vnode
