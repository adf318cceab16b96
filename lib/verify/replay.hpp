#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/schedule.hpp>

#include "verify/values.hpp"

namespace vnode {

/// Collects what is wrong with a schedule. Who only asks whether anything is, as with mutants, needs no
/// sentences; and nobody reads a sentence for each of a million blocks.
class Findings {
 public:
  enum class Wanted { sentences, number };
  explicit Findings(Wanted wanted = Wanted::sentences) : wanted_(wanted) {}

  /// So many findings have sentences; the others are counted.
  static constexpr std::size_t most = 100;

  /// Adds a finding. `sentence()` is called only if it will be read.
  template <class Sentence>
  void add(const Sentence& sentence) {
    ++number_;
    if (wanted_ == Wanted::sentences && sentences_.size() < most) sentences_.push_back(sentence());
  }

  bool none() const { return number_ == 0; }
  /// Returns the sentences; the last one says how many findings there are beyond the most.
  std::vector<std::string> sentences() && {
    if (const long more = number_ - static_cast<long>(sentences_.size()); more > 0)
      sentences_.push_back("and " + std::to_string(more) + " more");
    return std::move(sentences_);
  }

 private:
  Wanted wanted_;
  long number_ = 0;
  std::vector<std::string> sentences_;
};

/// Plays a schedule on contributions, round by round. Every block of every node is a place that holds a value
/// or none. A transfer, and a schedule, must be well formed and fit the contract in nodes and blocks.
class Replay {
 public:
  struct State {
    std::vector<Value> places;  ///< what they hold, by rank and block
    /// The sum over the rounds of how often the busiest node has combined a block with another. What comes
    /// first to an empty place is put there, and does not count.
    long combined = 0;
  };

  /// Begins before the first round.
  explicit Replay(const Contract& contract, Nary nary = Nary::left_to_right);

  /// Plays round `number`, counted from 1.
  void play(const Schedule& schedule, const Round& round, int number, Findings& findings);
  const State& state() const { return state_; }
  /// Goes back to a state of this replay, or of another one of the same contract and its expressions.
  void restore(const State& state) { state_ = state; }

  /// Reports every output that is not what the contract wants.
  void check_outputs(Findings& findings) const;
  /// Reports every output that is not combined in rank order.
  void check_order(Findings& findings) const;
  /// Reports every output that is not the same expression as the first node's output of this block.
  void check_same_bits(Findings& findings) const;
  /// Returns whether every output is the canonical expression of the contributions wanted.
  bool canonical();

 private:
  struct Arrival {
    const Transfer* transfer;
    Value value;
    std::size_t place;
    int earlier;  // the arrival before it at this place, or -1
    bool leads;   // the first block of its transfer, which decides the side of all
  };

  void send(const Schedule& schedule, const Transfer& transfer, Findings& findings);
  void check_sends_copy(Rank rank, int block, Findings& findings) const;
  void arrive(int latest, Findings& findings);
  void replace(const Arrival& arrival, Findings& findings);
  void combine(std::vector<Arrival>& arrivals, Findings& findings);
  void check_side(const Arrival& arrival, bool before, Findings& findings) const;
  void check_operands(std::size_t place, Findings& findings) const;
  std::string spelled(Value value) const;

  template <class Check>
  void each_output(const Check& check) const;
  std::span<const Rank> wanted(Rank rank, int block) const;
  bool holds(Value value, std::span<const Rank> ranks) const;
  std::size_t place(Rank rank, int block) const;
  Rank rank_of(std::size_t place) const { return static_cast<int>(place / blocks_); }
  int block_of(std::size_t place) const { return static_cast<int>(place % blocks_); }

  const Contract& contract_;
  std::size_t blocks_;
  Values values_;
  State state_;
  std::vector<std::vector<Rank>> bring_;  // by original block: the ranks that bring it, ascending
  int round_ = 0;
  // These are the state of the round that is played.
  std::vector<long> combined_;  // by node
  std::vector<Arrival> arrivals_;
  std::vector<int> latest_;        // by place: its latest arrival, or -1
  std::vector<Arrival> together_;  // arrivals at one place
  std::vector<Value> operands_;    // of one combine
};

}  // namespace vnode
