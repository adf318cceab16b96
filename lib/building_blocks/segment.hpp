#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>

#include "building_blocks/phases.hpp"
#include "building_blocks/remembered.hpp"
#include "building_blocks/row.hpp"

namespace vnode {

/// Counts what it takes to begin a segment's schedule anew for the next segment as soon as no node's port is
/// in the way, every `period` rounds, from the messages of one segment.
class Overlap {
 public:
  /// Takes the messages of one segment, of whose pieces `message_pieces` make m. Cost: O(messages + nodes *
  /// rounds^2).
  Overlap(Tally segment, int message_pieces);

  int rounds_of_segment() const { return static_cast<int>(segment_.rounds.size()); }
  int period() const { return period_; }
  int messages_of_segment() const { return messages_; }

  /// Return what so many segments take.
  int rounds(int segments) const;
  int transfers(int segments) const { return messages_ * segments; }
  Cost cost(int segments) const;
  bool peers(int segments, int round, Rank from, Rank to) const;

 private:
  Tally segment_;
  int message_pieces_;
  int period_ = 1;
  int messages_ = 0;
  std::vector<long> largest_, received_, combined_;  // by round of the segment, in pieces
};

/// Returns `segment` for so many segments. Those of a block lie side by side.
Schedule overlapped(const Schedule& segment, int segments, int period);

/// Describes one segment of a hierarchical algorithm: phases, and how they are played.
struct Segment {
  enum class Played {
    as_they_are,
    sided,      ///< parts combine already
    backwards,  ///< reversed()
    dual,       ///< backwards, and all that is received is combined
    in_order    ///< dual, in rank order
  };

  Phases phases;
  Played played = Played::as_they_are;

  /// Returns the segment as it is played. Throws UsageError, a reason as why_not() gives it, if it cannot be
  /// played so.
  Schedule schedule() const;
  /// Returns the segment's messages, not counted in the schedule.
  Tally tally() const;
};

/// Makes the row of a hierarchical algorithm: it is built of one segment's schedule, which is overlapped with
/// those of the other segments; what it promises is counted in the messages of the algorithms of which a
/// segment is made. `segment` throws UsageError if one of them cannot serve.
template <Collective collective, Segment (*segment)(const Parameters&)>
struct Hierarchical {
  static Schedule scheduled(const Parameters& parameters) { return segment(parameters).schedule(); }
  static const Schedule& one(Parameters parameters) {
    parameters.segments = 1;
    return remembered<scheduled>(parameters);
  }
  /// The schedule takes longer to make than all other questions of a choice, so it is made here only where
  /// that may fail.
  static Overlap tallied(const Parameters& parameters) {
    const Segment made = segment(parameters);
    if (made.played == Segment::Played::dual || made.played == Segment::Played::in_order) one(parameters);
    Tally tally = made.tally();
    const int pieces = contract(collective, parameters, tally.pieces).message_blocks;
    return Overlap(std::move(tally), pieces);
  }
  static const Overlap& overlap(Parameters parameters) {
    parameters.segments = 1;
    return remembered<tallied>(parameters);
  }

  static std::optional<std::string> refused(const Parameters& parameters) try {
    overlap(parameters);
    return std::nullopt;
  } catch (const UsageError& error) {
    return error.what();
  }
  static Schedule build(const Parameters& parameters) {
    const int period = overlap(parameters).period();
    return overlapped(one(parameters), parameters.segments, period);
  }
  static Cost cost(const Parameters& parameters) { return overlap(parameters).cost(parameters.segments); }

  static constexpr Symbol R{
      "R", "the rounds of one segment: of the outer and of the inner algorithms, in turn",
      [](const Parameters& parameters) -> double { return overlap(parameters).rounds_of_segment(); }};
  static constexpr Symbol P{"P",
                            "the rounds from one segment's beginning to the next one's: until all ports "
                            "are free again; 0 if nothing is sent",
                            [](const Parameters& parameters) -> double {
                              return overlap(parameters).rounds(2) - overlap(parameters).rounds(1);
                            }};
  static constexpr Symbol M{"M", "the messages of one segment", [](const Parameters& parameters) -> double {
                              return overlap(parameters).messages_of_segment();
                            }};
  static constexpr Symbol W{"W", "the largest messages of all rounds together, in m",
                            [](const Parameters& parameters) -> double { return cost(parameters).words; }};
  static constexpr Symbol C{"C", "what those who combine most in each round combine, together, in m",
                            [](const Parameters& parameters) -> double { return cost(parameters).combined; }};
  static constexpr Symbol moving[] = {R, P, M, W};
  static constexpr Symbol combining[] = {R, P, M, W, C};
  static constexpr Symbol signalling[] = {R, M};
  static constexpr Need needs[] = {Need::domains};

  /// Returns the row: a segment after the other is moved, or is combined, where the collective combines.
  static constexpr Algorithm row(const RowOverrides& own) {
    const bool combined = collective == Collective::reduce || collective == Collective::reduce_scatter ||
                          collective == Collective::all_reduce;
    const RowOverrides all{
        .build = build,
        .cost = cost,
        .rounds = "R + (k - 1) P",
        .transfers = {"M k", [](const Parameters& told) { return overlap(told).transfers(told.segments); }},
        .time = combined ? "(R + (k - 1) P) t_s + (W t_w + C t_op) m" : "(R + (k - 1) P) t_s + W t_w m",
        .symbols = combined ? std::span<const Symbol>(combining) : std::span<const Symbol>(moving),
        .peers = [](const Parameters& told, int round, Rank from,
                    Rank to) { return overlap(told).peers(told.segments, round, from, to); },
        .ports = Ports::all,
        .needs = needs,
        .segments = collective != Collective::barrier,
        .carriers = fully_connected,
        .best_for = "domains that are far from each other",
        .source = "Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020",
    };
    Algorithm stated = derived(vnode::row(all), own);
    stated.domains_refused = refused;
    return stated;
  }
};

}  // namespace vnode
