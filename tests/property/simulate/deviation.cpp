#include "deviation.hpp"

#include <fmt/format.h>
#include <utility>
#include <vector>

namespace vnode {

namespace {

// Describes what a round adds to the chain.
struct Spent {
  int messages = 0;
  bool extra =
      false;  // the chain came to one of them through a port of this round or a link, or passes again
  double largest = 0, combined = 0;  // bytes
  double seconds = 0;
};

// Returns the t_op term of a round.
double combining(const RoundTime& round, const Volume& volume, const Hockney& costs) {
  return round.uncongested - costs.t_s - costs.t_w * volume.of(round.load.largest);
}

}  // namespace

Deviation deviation(const Simulation& simulation, const StepSynchronous& steps, const Volume& volume,
                    const Hockney& costs, double t_op) {
  Deviation result{simulation.seconds - steps.uncongested, {}, {}};
  const auto fail = [&](const std::string& what) { result.unexplained += what + "; "; };
  const std::vector<CriticalStep>& path = simulation.critical_path;
  std::vector<Spent> rounds(steps.rounds.size());
  double reached = 0;
  const auto at = [&](int round) -> Spent& { return rounds[static_cast<std::size_t>(round)]; };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const TimedMessage& message = path[i].message;
    const HeldBy held_by = path[i].held_by;
    const bool last = i + 1 == path.size();
    const double next = last                                  ? simulation.seconds
                        : path[i + 1].held_by == HeldBy::link ? path[i + 1].message.departure
                                                              : path[i + 1].message.start;
    const double piece = next - std::exchange(reached, next);
    // A message that waits for a link waits after its start-up.
    const double start_up = held_by == HeldBy::link ? 0 : costs.t_s;
    const auto bytes = static_cast<double>(message.bytes);
    const double alone = path[i].combines() ? t_op * bytes : start_up + costs.t_w * bytes;
    if (piece != alone) fail(fmt::format("round {}: {} s for a step of {} s", message.round, piece, alone));
    Spent& spent = at(message.round);
    (path[i].combines() ? spent.combined : spent.largest) += bytes;
    spent.messages += !path[i].combines();
    spent.seconds += piece;
    if (i == 0) {
      if (held_by != HeldBy::none || message.start != 0) fail("the chain does not begin at the beginning");
      continue;
    }
    const int before = path[i - 1].message.round;
    const int rounds_on = message.round - before;
    if (held_by == HeldBy::none) fail("the chain is torn");
    if (held_by == HeldBy::data && rounds_on < (path[i].combines() ? 0 : 1)) fail("data of a later round");
    if (held_by != HeldBy::link && rounds_on < 0) fail("a port does not serve in order");
    if (held_by == HeldBy::link)
      result.reasons.insert(rounds_on == 0 ? Reason::shared_link : Reason::rounds_meet);
    if (held_by != HeldBy::link && rounds_on == 0 && !path[i].combines())
      result.reasons.insert(Reason::shared_port);
    if (held_by == HeldBy::link || rounds_on == 0)
      for (int round = message.round; round <= before || round == message.round; ++round)
        at(round).extra = at(round).extra || !path[i].combines();
  }
  double explained = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const double difference = rounds[i].seconds - steps.rounds[i].uncongested;
    explained += difference;
    if (rounds[i].messages == 0 && difference < 0) result.reasons.insert(Reason::round_skipped);
    // The chain passes the round, by less than is the most there.
    const RoundTime& round = steps.rounds[i];
    const bool smaller =
        rounds[i].messages > 0 && (rounds[i].largest < volume.of(round.load.largest) ||
                                   t_op * rounds[i].combined < combining(round, volume, costs));
    if (smaller && difference != 0) result.reasons.insert(Reason::smaller_part);
    const bool shorter = difference < 0 && (rounds[i].messages == 0 || smaller);
    const bool reason = difference == 0 || rounds[i].extra || shorter;
    if (!reason) fail(fmt::format("round {} differs by {} s", i, difference));
    if (rounds[i].messages > 1 && !rounds[i].extra) fail(fmt::format("round {} counts twice", i));
  }
  if (explained != result.seconds) fail(fmt::format("{} s of {} s are explained", explained, result.seconds));
  return result;
}

}  // namespace vnode
