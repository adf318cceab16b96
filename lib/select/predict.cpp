#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/segments.hpp>
#include <vnode/model/select.hpp>
#include <vnode/model/verify.hpp>

#include "base/counted.hpp"
#include "building_blocks/needs.hpp"
#include "channel/board.hpp"
#include "compile/plan.hpp"
#include "schedule/patterns.hpp"
#include "select/levels.hpp"
#include "select/meeting_form.hpp"

namespace vnode {
namespace {

/// The time from one node's turn to the next one's on a PU that they share, for a yield and what it
/// displaces; a guess.
constexpr double turn = 0.7e-6;

/// Returns the time to start a message: where nodes share a PU, the receiver waits for the turns of all, and
/// fibers for those of the nodes that have something to do.
double startup_seconds(const CostModel& costs) {
  if (costs.turn > 0) return costs.t_s + costs.nodes_per_pu * costs.turn;
  return costs.nodes_per_pu > 1 ? costs.nodes_per_pu * std::max(costs.t_s, turn) : costs.t_s;
}

/// Returns a node that stands for all if all are alike.
std::optional<Rank> one_of(const Algorithm& algorithm, const Parameters& parameters) {
  return alike(algorithm, parameters) ? std::optional<Rank>(0) : std::nullopt;
}

/// Returns why the algorithm cannot serve the demand with these segments, if so.
std::optional<std::string> refusal(const Algorithm& algorithm, const Demand& demand,
                                   const Parameters& parameters) {
  if (auto reason = why_not(algorithm, parameters)) return reason;
  if (const int needed = rounds(algorithm, parameters); needed > most_rounds)
    return fmt::format("needs {} rounds, {} is the most", needed, most_rounds);
  if (!demand.deterministic && !demand.varying) return std::nullopt;
  if (demand.deterministic) {
    const Schedule schedule = algorithm.build(parameters);
    if (!canonical(schedule, contract(algorithm.collective, parameters, schedule.blocks())))
      return fmt::format("does not compute the canonical expression on {}",
                         counted(parameters.nodes, "node"));
  }
  const bool known_to_all = combines(demand.collective);
  if (demand.varying && !known_to_all) {
    Parameters part = parameters;
    part.only = one_of(algorithm, parameters);
    const Schedule schedule = algorithm.build(part);
    if (!within_shares(schedule, contract(algorithm.collective, part, schedule.blocks()), part.only))
      return "carries parts whose sizes only other nodes know";
  }
  return std::nullopt;
}

/// Describes what the busiest node writes into the memory of others: to so many, so many m.
struct Written {
  int messages;
  double words;
  bool goes_on;  ///< each result is made of another one
};

/// Returns what is written where the runtime saves the second of two rounds by writing results straight to
/// where they go; nothing where it does not.
std::optional<Written> written(const Algorithm& algorithm, const Demand& demand, const Parameters& parameters,
                               const CostModel& costs) {
  if (costs.shared_link || demand.bytes <= costs.eager_to) return std::nullopt;  // on a link, or in lines
  if (!combines(demand.collective) || rounds(algorithm, parameters) != 2) return std::nullopt;
  Parameters part = parameters;
  part.only = one_of(algorithm, parameters);
  const Schedule schedule = algorithm.build(part);
  const Contract wanted = contract(demand.collective, part, schedule.blocks());
  const int whole = std::max(wanted.message_blocks, 1);
  if (demand.bytes / static_cast<std::size_t>(whole) <= costs.eager_to) return std::nullopt;
  const auto back = returned(schedule, wanted, 0);
  if (!back) return std::nullopt;
  return Written{back->messages, double(back->blocks) / whole, back->goes_on};
}

/// The part of o that a read costs between two meetings: reads do not wait for each other.
constexpr double further_read = 1.0 / 16;

/// Schedules of more messages are not made only to see where senders help.
constexpr int most_counted = 1 << 16;

/// Returns the algorithm's cost by its formula or, where senders help, by its schedule.
Cost cost_of(const Algorithm& algorithm, const Demand& demand, const Parameters& parameters,
             std::size_t shared_from) {
  // The nodes of a pipeline receive while they send, and so do those that are alike.
  if (demand.bytes < shared_from || algorithm.segments || alike(algorithm, parameters) ||
      algorithm.transfers.value(parameters) > most_counted)
    return algorithm.cost(parameters);
  const Schedule schedule = algorithm.build(parameters);
  const Contract wanted = contract(algorithm.collective, parameters, schedule.blocks());
  const auto least = static_cast<double>(shared_from) / static_cast<double>(demand.bytes);
  return cost_with_help(schedule, wanted.message_blocks, least);
}

/// Returns how many messages the node gets in each round that gets most, in all rounds together: of messages
/// without blocks no cost tells it.
double most_heard(const Algorithm& algorithm, Parameters parameters) {
  parameters.only = one_of(algorithm, parameters);
  const Schedule schedule = algorithm.build(parameters);
  double sum = 0;
  std::vector<int> heard;
  for (const Round& round : schedule.rounds()) {
    heard.assign(static_cast<std::size_t>(parameters.nodes), 0);
    for (const Transfer& transfer : round) ++heard[static_cast<std::size_t>(transfer.to)];
    sum += *std::ranges::max_element(heard);
  }
  return sum;
}

/// Describes the work of nodes beside each other: messages, and bytes per byte that the busiest node moves.
/// On a PU of its own the busiest node counts, on a PU that several share the work of all of them.
struct Burden {
  double messages, bytes;
};

Burden burden_of(const Algorithm& algorithm, const Parameters& parameters, const Cost& cost,
                 const std::optional<Written>& back, double nodes_per_pu) {
  const int transfers = algorithm.transfers.value(parameters);
  if (transfers == 0) return {0, 1};
  const double on_average = static_cast<double>(transfers) / parameters.nodes;
  // Several ports that each get a message of the round's greatest length.
  const double ports = cost.words > 0 ? std::max(cost.received / cost.words, 1.0) : 1;
  const double busiest = algorithm.ports == Ports::single ? cost.startups
                         : back                           ? ports + back->messages
                         : cost.words > 0                 ? cost.startups * ports
                                                          : most_heard(algorithm, parameters);
  const double messages = std::max(busiest, nodes_per_pu > 1 ? 2 * on_average * nodes_per_pu : 0.0);
  const double bytes = cost.received > 0 ? on_average * cost.words / cost.startups / cost.received : 1;
  return {std::max(messages - cost.startups, 0.0), std::max(nodes_per_pu * std::min(bytes, 1.0), 1.0)};
}

/// Tells whether what a node sends to several others in a round is shown once, on its board, and read there.
bool is_shown(const Algorithm& algorithm, const Demand& demand) {
  if (demand.collective == Collective::barrier) return true;
  const bool parts_of_m = demand.collective != Collective::all_to_all &&
                          demand.collective != Collective::scatter &&
                          demand.collective != Collective::reduce_scatter;
  const auto others = static_cast<std::size_t>(std::max(demand.parameters.nodes - 1, 1));
  return algorithm.ports == Ports::all && demand.bytes * (parts_of_m ? 1 : others) <= Board::max_inline;
}

Estimate estimated(const Algorithm& algorithm, const Demand& demand, Parameters parameters, int segments,
                   const CostModel& costs) {
  parameters.segments = segments;
  using enum MeetingForm;
  const MeetingForm form = meeting_form(algorithm, demand, parameters, costs);
  const std::optional<Written> back =
      form == none ? written(algorithm, demand, parameters, costs) : std::nullopt;
  Cost cost = back ? algorithm.cost(parameters) : cost_of(algorithm, demand, parameters, costs.shared_from);
  if (form != none) cost.startups = form == exchange ? 2 : 1;
  // A message of as many lines as there may be takes as long as one that is announced and answered.
  const double usual = cost.startups > 0 ? cost.words / cost.startups * static_cast<double>(demand.bytes) : 0;
  const double handshake = std::min(usual / std::max(static_cast<double>(costs.eager_to), 1.0), 1.0);
  const double startup = demand.near.empty() && costs.shared_link ? 1 : 1 + handshake;
  const auto [messages, crowding] =
      burden_of(algorithm, parameters, algorithm.cost(parameters), back, costs.nodes_per_pu);
  // On a PU that nodes share, and on a link, messages wait for turns anyway.
  const bool apart = costs.nodes_per_pu <= 1 && !costs.shared_link && !is_shown(algorithm, demand);
  Estimate estimate{.startups = startup * cost.startups,
                    .messages = apart || (form != none && costs.turn > 0) ? 0 : messages,
                    .peers = apart ? messages : 0,
                    .received = cost.received,
                    .combined = cost.combined,
                    .crowding = crowding};
  if (form == gathered || form == exchange) {
    const int reads = parameters.nodes - 1;
    estimate.messages = further_read * reads * (form == exchange ? costs.nodes_per_pu : 1);
    estimate.peers = 0;
  }
  if (form == gathered) {  // brought to each PU once, and then in its caches
    estimate.received = cost.received / crowding;
    estimate.written = cost.received;
  }
  if (!back) return estimate;
  // What the second round brings is written instead, and not announced; but on a PU that nodes share, all
  // need another turn to see that it is there.
  estimate.startups = costs.nodes_per_pu > 1 ? 2 * startup : 2 * startup - 1;
  estimate.received = cost.received / 2;
  estimate.written = back->words;
  // A result that goes on from another one takes one more step, and what it writes there it does not write
  // in its own memory; unless each is rounded once, or is a tree.
  if (back->goes_on && !demand.at_once && !demand.deterministic) {
    estimate.combined = estimate.received;
    estimate.written = 0;
  }
  return estimate;
}

double seconds(const Estimate& estimate, const CostModel& costs, std::size_t bytes) {
  const double put = costs.t_put > 0 ? costs.t_put : costs.t_w;
  return (estimate.startups + further_peer * estimate.peers) * startup_seconds(costs) +
         estimate.messages * costs.o +
         (estimate.received * costs.t_w + estimate.written * put + estimate.combined * costs.t_op) *
             estimate.crowding * static_cast<double>(bytes);
}

/// Returns the costs of messages between nodes that are apart at so many levels.
const CostModel& costs_at(std::size_t apart, const Demand& demand, const CostModel& costs) {
  return apart < demand.near.size() ? demand.near[apart] : costs;
}

/// Returns from how many levels apart on nodes are in domains that have one link each, 0 if each node has its
/// own; nothing if domains have as many links as they have nodes.
std::optional<int> linked_from(const Demand& demand, const CostModel& costs) {
  if (demand.near.empty()) return costs.shared_link ? std::optional(0) : std::nullopt;
  for (std::size_t apart = 1; apart <= demand.near.size(); ++apart)
    if (costs_at(apart, demand, costs).shared_link) return static_cast<int>(apart);
  return std::nullopt;
}

/// The share of a message's time on a link that it keeps a PU busy at either end. It was measured for TCP
/// between namespaces of one system, where simultaneous messages compete for PUs only.
constexpr double busy = 0.75;

/// Returns the time of the rounds that use the links of domains: what a link carries takes turns there, and
/// each message but the first takes its share of the work of starting them. Where nodes share PUs, the work
/// for what all links carry takes turns there, too, and so does what goes inside domains, at `inside` seconds
/// per byte, which is done meanwhile where they do not.
double seconds_on_links(const Cost& whole, const ShareOfLevel& share, const CostModel& costs, double inside,
                        int nodes, std::size_t bytes) {
  const double rounds = whole.startups * share.rounds, m = whole.words * static_cast<double>(bytes);
  const auto time = [&](double turns, double messages, double words) {
    return rounds * (costs.t_s + turns) + std::max(whole.startups * messages - rounds, 0.0) * costs.o +
           words * costs.t_w * m;
  };
  if (costs.nodes_per_pu <= 1) return time(0, share.link_messages, share.link_words);
  const double pus = std::max(nodes / costs.nodes_per_pu, 1.0), work = busy / std::max(pus / 2, 1.0);
  return time(costs.nodes_per_pu * turn, std::max(share.link_messages, work * share.all_messages),
              std::max(share.link_words, work * share.all_words)) +
         share.inside_words * inside * m / pus;
}

/// Returns the time where near nodes have costs of their own: every round has the costs of its farthest
/// message.
double seconds(const Estimate& estimate, const Cost& whole, const std::vector<ShareOfLevel>& shares,
               const Demand& demand, const CostModel& costs) {
  double sum = 0, all_sent = 0;
  for (const ShareOfLevel& share : shares) all_sent += share.sent;
  for (std::size_t apart = 0; apart < shares.size(); ++apart) {
    CostModel own = costs_at(apart, demand, costs);
    own.t_op = costs.t_op;  // a core's own
    const ShareOfLevel& share = shares[apart];
    Estimate part{.startups = estimate.startups * share.rounds,
                  .messages = estimate.messages * share.rounds,
                  .peers = estimate.peers * share.rounds,
                  .received = estimate.received * share.words,
                  .written = estimate.written * share.words,
                  .combined = estimate.combined * share.words,
                  .crowding = estimate.crowding};
    if (own.turn > 0 && share.sent > 0) {
      // Two nodes for each message of a round have a turn, on each PU that many of all.
      const double pus = demand.parameters.nodes / own.nodes_per_pu, turns = 2 * share.sent / share.rounds;
      own.nodes_per_pu = std::clamp(turns / pus, 1.0, own.nodes_per_pu);
      part.messages = estimate.messages * share.sent / all_sent;
    }
    if (own.shared_link && share.link_messages > 0) {
      const double inside = demand.near.empty() ? 0 : demand.near.front().t_w;
      sum += seconds_on_links(whole, share, own, inside, demand.parameters.nodes, demand.bytes);
      part.startups = part.messages = part.peers = part.received = part.written = 0;
    }
    sum += seconds(part, own, demand.bytes);
  }
  return sum;
}

/// Returns the predicted time with so many segments.
double predicted(const Algorithm& algorithm, const Demand& demand, Parameters parameters,
                 const Estimate& estimate, const CostModel& costs, SharesOfLevels& shares) {
  const std::optional<int> linked = linked_from(demand, costs);
  // Where each fiber sends to many, some messages of all rounds go between carriers, and all have turns.
  const bool flat = costs.turn > 0 && !linked && algorithm.transfers.value(parameters) > 8 * parameters.nodes;
  if (flat || (demand.near.empty() && !linked)) return seconds(estimate, costs, demand.bytes);
  const Cost whole = algorithm.cost(parameters);
  return seconds(estimate, whole, shares.of(algorithm, std::move(parameters), linked), demand, costs);
}

/// Returns the number of segments with the least predicted time where domains have one link each, among the
/// powers of two.
int best_segments_on_links(const Algorithm& algorithm, const Demand& demand, const CostModel& costs,
                           SharesOfLevels& shares) {
  const int most = most_segments(algorithm, demand.parameters, demand.bytes);
  int best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int segments = 1; segments <= most; segments *= 2) {
    Parameters cut = demand.parameters;
    cut.segments = segments;
    const Estimate estimate = estimated(algorithm, demand, cut, segments, costs);
    const double time = predicted(algorithm, demand, std::move(cut), estimate, costs, shares);
    if (time < least) {
      least = time;
      best = segments;
    }
  }
  return best;
}

/// Returns the number of segments with the least predicted time. A message of n bytes is started in t_s (1 +
/// n / l) where n is at most l, the bytes that go in lines, and in 2 t_s where it is longer. That is the
/// lesser of the two for every n, so that the best of both optima is the best of all.
int best_segments(const Algorithm& algorithm, const Demand& demand, const CostModel& costs,
                  SharesOfLevels& shares) {
  if (linked_from(demand, costs)) return best_segments_on_links(algorithm, demand, costs, shares);
  CostModel usual = costs;
  usual.t_s = startup_seconds(costs);
  CostModel lines = usual, announced = usual;
  lines.t_w += usual.t_s / std::max(static_cast<double>(costs.eager_to), 1.0);
  announced.t_s *= 2;
  const auto optimum = [&](const CostModel& model) {
    return optimum_segments(algorithm, demand.parameters, demand.bytes, model);
  };
  const auto time = [&](int segments) {
    return seconds(estimated(algorithm, demand, demand.parameters, segments, costs), costs, demand.bytes);
  };
  const int whole_messages = optimum(announced), in_lines = optimum(lines);
  return time(in_lines) < time(whole_messages) ? in_lines : whole_messages;
}

/// Assesses an algorithm in the form that the demand's hierarchy says, if there are several.
Candidate assessed_as_is(const Algorithm& algorithm, const Demand& demand, const CostModel& costs,
                         SharesOfLevels& shares) {
  Candidate candidate{&algorithm};
  Parameters parameters = demand.parameters;
  if (needs(algorithm, Need::domains)) candidate.hierarchy = parameters.hierarchy;
  if (algorithm.segments && parameters.segments == 0) {
    parameters.segments = 1;
    if (!why_not(algorithm, parameters)) candidate.segments = best_segments(algorithm, demand, costs, shares);
  } else if (algorithm.segments) {
    candidate.segments = parameters.segments;
  }
  parameters.segments = candidate.segments;
  if (auto reason = refusal(algorithm, demand, parameters)) {
    candidate.excluded = *std::move(reason);
    return candidate;
  }
  candidate.estimate = estimated(algorithm, demand, parameters, candidate.segments, costs);
  candidate.seconds = predicted(algorithm, demand, std::move(parameters), candidate.estimate, costs, shares);
  return candidate;
}

/// Returns the algorithms among domains to try where the hierarchy does not say which: the usual one and,
/// where links are shared, those that reduce with the fewest bytes on each, in few rounds for powers of two,
/// or for any number.
std::vector<std::string> outer_ways(const Demand& demand, const CostModel& costs) {
  std::vector<std::string> ways{demand.parameters.hierarchy.ways().outer};
  if (ways.front().empty() && demand.collective == Collective::all_reduce && linked_from(demand, costs))
    ways.insert(ways.end(), {"rabenseifner", "ring"});
  return ways;
}

/// Returns the algorithms inside domains to try where the hierarchy does not say which: the usual one and,
/// where a domain is a carrier, the one of the fewest rounds, in each of which all nodes have a turn.
std::vector<std::string> inner_ways(const Demand& demand, const CostModel& costs) {
  std::vector<std::string> ways{demand.parameters.hierarchy.ways().inner};
  // Sums of whole vectors and of shares would meet in a round of a direct reduce_scatter.
  if (ways.front().empty() && costs.turn > 0 && demand.collective != Collective::reduce_scatter)
    ways.emplace_back("direct");
  return ways;
}

}  // namespace

Candidate assessed(const Algorithm& algorithm, const Demand& demand, const CostModel& costs,
                   SharesOfLevels& shares) {
  const Hierarchy& hierarchy = demand.parameters.hierarchy;
  if (!needs(algorithm, Need::domains) || !hierarchy) return assessed_as_is(algorithm, demand, costs, shares);
  std::vector<HierarchyForm> forms{HierarchyForm::leaders, HierarchyForm::slices};
  if (costs.turn > 0) forms.pop_back();  // one node of a carrier runs at a time: the leader may as well
  if (const auto& form = hierarchy.ways().form) forms = {*form};
  std::optional<Candidate> best;
  for (const std::string& outer : outer_ways(demand, costs))
    for (const std::string& inner : inner_ways(demand, costs))
      for (const HierarchyForm form : forms) {
        Demand formed = demand;
        Hierarchy::Ways ways = hierarchy.ways();
        ways.outer = outer;
        ways.inner = inner;
        ways.form = form;
        formed.parameters.hierarchy = hierarchy.with(ways);
        Candidate candidate = assessed_as_is(algorithm, formed, costs, shares);
        const bool better = !best || (candidate.excluded.empty() &&
                                      (!best->excluded.empty() || candidate.seconds < best->seconds));
        if (better) best = std::move(candidate);
      }
  return *std::move(best);
}

}  // namespace vnode
