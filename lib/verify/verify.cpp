#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/verify.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "schedule/each_block.hpp"
#include "schedule/traffic.hpp"
#include "verify/replay.hpp"

namespace vnode {
namespace {

// Adds a finding, whose sentence is made if it will be read.
template <class... Values>
void report(Findings& findings, fmt::format_string<const Values&...> sentence, const Values&... values) {
  findings.add([&] { return fmt::format(sentence, values...); });
}

// Knows for every node which nodes it knows to have come, as a set of bits.
class Knowledge {
 public:
  explicit Knowledge(int nodes)
      : words_((static_cast<std::size_t>(nodes) + 63) / 64),
        known_(static_cast<std::size_t>(nodes) * words_) {
    for (Rank rank = 0; rank < nodes; ++rank) word(rank, rank) |= bit(rank);
  }

  bool knows(Rank rank, Rank other) const { return word(rank, other) & bit(other); }

  // Tells `to` what `from` knew `before`. Returns whether it was news.
  bool tell(Rank from, Rank to, const Knowledge& before) {
    bool news = false;
    const std::size_t told = static_cast<std::size_t>(from) * words_,
                      hears = static_cast<std::size_t>(to) * words_;
    for (std::size_t i = 0; i < words_; ++i) {
      news |= (before.known_[told + i] & ~before.known_[hears + i]) != 0;
      known_[hears + i] |= before.known_[told + i];
    }
    return news;
  }

 private:
  static std::uint64_t bit(Rank other) { return std::uint64_t{1} << other % 64; }
  std::size_t index(Rank rank, Rank other) const {
    return static_cast<std::size_t>(rank) * words_ + static_cast<std::size_t>(other) / 64;
  }
  std::uint64_t& word(Rank rank, Rank other) { return known_[index(rank, other)]; }
  std::uint64_t word(Rank rank, Rank other) const { return known_[index(rank, other)]; }

  std::size_t words_;
  std::vector<std::uint64_t> known_;
};

// Finds the places whose values an output depends on, from the last round to the first.
class Liveness {
 public:
  explicit Liveness(const Contract& contract)
      : blocks_(static_cast<std::size_t>(contract.blocks)), live_(contract.shares.size() * blocks_) {
    for (Rank rank = 0; rank < contract.nodes(); ++rank)
      each_block(at(contract.shares, rank).output, [&](int block) { live_[place(rank, block)] = true; });
  }

  // Goes back before a round. A place that is replaced held nothing of interest, unless it is sent too.
  void before(const Schedule& schedule, const Round& round, int number, Findings& findings) {
    sent_.clear();
    replaced_.clear();
    for (const Transfer& t : round)
      each_block(schedule, t, [&](int what, int into) {
        const std::size_t to = place(t.to, into);
        if (!live_[to])
          report(findings, "round {}: node {} sends block {} to node {} in vain: no output depends on it",
                 number, t.from, what, t.to);
        else
          sent_.push_back(place(t.from, what));
        if (t.effect == Effect::replace) replaced_.push_back(to);
      });
    for (const std::size_t place : replaced_) live_[place] = false;
    for (const std::size_t place : sent_) live_[place] = true;
  }

 private:
  std::size_t place(Rank rank, int block) const {
    return static_cast<std::size_t>(rank) * blocks_ + static_cast<std::size_t>(block);
  }

  std::size_t blocks_;
  std::vector<char> live_;
  std::vector<std::size_t> sent_, replaced_;
};

// Reports every block that is sent although no output depends on it. The schedule keeps its contract.
void check_nothing_in_vain(const Schedule& schedule, const Contract& contract, Findings& findings) {
  Liveness liveness(contract);
  for (std::size_t i = schedule.rounds().size(); i > 0; --i)
    liveness.before(schedule, schedule.rounds()[i - 1], static_cast<int>(i), findings);
}

const Round& round_of(const Schedule& schedule, int index) { return at(schedule.rounds(), index); }

void check_twice(const Round& round, int number, Findings& findings) {
  const auto same = [](const Transfer& a, const Transfer& b) {
    return a.from == b.from && a.to == b.to && a.what == b.what && a.into == b.into;
  };
  for (auto t = round.begin(); t != round.end(); ++t)
    if (std::any_of(round.begin(), t, [&](const Transfer& earlier) { return same(earlier, *t); }))
      report(findings, "round {}: the transfer from node {} to node {} is given twice", number, t->from,
             t->to);
}

// Reports `count` messages of a port in a round unless there is one at most.
void check_port(int count, Rank rank, std::string_view verb, int number, Findings& findings) {
  if (count > 1)
    report(findings, "round {}: node {} {} {} messages through its one port", number, rank, verb, count);
}

void check_one_port(const std::vector<Transfer>& messages, int nodes, int number, Findings& findings) {
  std::vector<int> out(static_cast<std::size_t>(nodes)), in(out);
  for (const Transfer& message : messages) {
    ++at(out, message.from);
    ++at(in, message.to);
  }
  for (Rank rank = 0; rank < nodes; ++rank) {
    check_port(at(out, rank), rank, "sends", number, findings);
    check_port(at(in, rank), rank, "receives", number, findings);
  }
}

// Reports pairs of nodes with several messages in a round. `messages` are sorted by their ends.
void check_one_per_pair(const std::vector<Transfer>& messages, int number, Findings& findings) {
  const auto other_ends = [](const Transfer& a, const Transfer& b) {
    return a.from != b.from || a.to != b.to;
  };
  for (auto first = messages.begin(); first != messages.end();) {
    const auto last =
        std::find_if(first, messages.end(), [&](const Transfer& t) { return other_ends(*first, t); });
    if (last - first > 1)
      report(findings, "round {}: node {} sends node {} {} messages", number, first->from, first->to,
             last - first);
    first = last;
  }
}

std::string spelled(const Cost& cost) {
  return fmt::format("{} t_s + {} t_w m ({} received)", cost.startups, cost.words, cost.received);
}

bool near(double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(x)); }

bool equal(const Cost& a, const Cost& b) {
  return near(a.startups, b.startups) && near(a.words, b.words) && near(a.received, b.received);
}

// Plays a barrier on knowledge, that is who knows of whom, and reports what is wrong.
void replay_knowledge(const Schedule& schedule, Findings& findings) {
  Knowledge knowledge(schedule.nodes());
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    ++number;
    const Knowledge before = knowledge;
    for (const Transfer& t : round) {
      if (!knowledge.tell(t.from, t.to, before))
        report(findings, "round {}: node {} tells node {} nothing new", number, t.from, t.to);
      if (t.effect != Effect::replace)
        report(findings, "round {}: the signal from node {} to node {} combines nothing: it is a replace",
               number, t.from, t.to);
    }
  }
  for (Rank rank = 0; rank < schedule.nodes(); ++rank)
    for (Rank other = 0; other < schedule.nodes(); ++other)
      if (!knowledge.knows(rank, other))
        report(findings, "at the end node {} does not know that node {} has come", rank, other);
}

// Checks whether round `index` can be replayed. The schedule fits the contract in nodes and blocks.
void check_well_formed(const Schedule& schedule, int index, const Contract& contract, Findings& findings) {
  const int number = index + 1;
  for (const Transfer& t : round_of(schedule, index)) {
    for (const Rank rank : {t.from, t.to})
      if (rank < 0 || rank >= schedule.nodes())
        report(findings, "round {}: there is no node {}", number, rank);
    if (t.from == t.to) report(findings, "round {}: node {} sends to itself", number, t.from);
    const int leave = schedule.count(t.what), enter = t.into == t.what ? leave : schedule.count(t.into);
    if (leave != enter)
      report(findings, "round {}: node {} sends {}, node {} takes in {}", number, t.from,
             counted(leave, "block"), t.to, enter);
    if (!contract.knowledge && leave == 0)
      report(findings, "round {}: node {} sends node {} no block", number, t.from, t.to);
  }
}

// Checks a well-formed round by itself: no transfer is given twice, ports and peers are as promised. Returns
// its traffic.
Traffic check_round(const Schedule& schedule, int index, const Promises& promises, Findings& findings) {
  const int number = index + 1;
  const Round& round = round_of(schedule, index);
  const std::vector<Transfer> list = messages(round);
  if (list.size() < round.size()) check_twice(round, number, findings);
  if (promises.ports == Ports::single) check_one_port(list, schedule.nodes(), number, findings);
  check_one_per_pair(list, number, findings);
  if (promises.peers && index < promises.rounds.value_or(number))
    for (const Transfer& t : list)
      if (!promises.peers(index, t.from, t.to))
        report(findings, "round {}: nodes {} and {} are not peers in this round", number, t.from, t.to);
  return traffic(schedule, round, list);
}

// Checks what is promised of all rounds together, except what is combined: check_end knows of empty places.
void check_totals(const Traffic& sum, const Contract& contract, const Promises& promises,
                  Findings& findings) {
  if (promises.rounds && sum.rounds != *promises.rounds)
    report(findings, "{} promised, there are {}", counted(*promises.rounds, "round"), sum.rounds);
  if (promises.transfers && sum.messages != *promises.transfers)
    report(findings, "{} promised, there are {}", counted(*promises.transfers, "transfer"), sum.messages);
  if (!promises.cost) return;
  const Cost cost = sum.cost(contract.message_blocks);
  if (!equal(cost, *promises.cost))
    report(findings, "the promised cost is {}, the schedule's {}", spelled(*promises.cost), spelled(cost));
}

// Checks a schedule that has been replayed to its end: outputs are what the contract wants and as promised,
// and if nothing else is wrong, nothing was sent in vain.
void check_end(const Replay& replay, const Schedule& schedule, const Contract& contract,
               const Promises& promises, Findings& findings) {
  replay.check_outputs(findings);
  if (promises.in_order) replay.check_order(findings);
  if (promises.same_bits) replay.check_same_bits(findings);
  const double combined =
      contract.message_blocks > 0 ? double(replay.state().combined) / contract.message_blocks : 0;
  if (promises.cost && !near(combined, promises.cost->combined))
    report(findings, "{} m promised to be combined, it is {} m", promises.cost->combined, combined);
  if (findings.none()) check_nothing_in_vain(schedule, contract, findings);
}

// Tells whether the schedule can be replayed.
bool well_formed(const Schedule& schedule, const Contract& contract, Findings& findings) {
  if (schedule.nodes() != contract.nodes() || schedule.blocks() != contract.blocks)
    report(findings, "the schedule has {} and {}, the contract {} and {}", counted(schedule.nodes(), "node"),
           counted(schedule.blocks(), "block"), contract.nodes(), contract.blocks);
  else
    for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i)
      check_well_formed(schedule, i, contract, findings);
  return findings.none();
}

// Plays a well-formed schedule to its end.
Replay replayed(const Schedule& schedule, const Contract& contract, Nary nary, Findings& findings) {
  Replay replay(contract, nary);
  int number = 0;
  for (const Round& round : schedule.rounds()) replay.play(schedule, round, ++number, findings);
  return replay;
}

}  // namespace

/// Holds what is known of the right schedule: the traffic of every round, and the state before it.
struct ChangeVerifier::State {
  State(const Schedule& schedule, const Contract& of_contract, const Promises& of_promises)
      : contract(of_contract), promises(of_promises), replay(contract) {
    for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i) {
      Findings findings;
      traffic.push_back(check_round(schedule, i, promises, findings));
      states.push_back(replay.state());
      if (!contract.knowledge) replay.play(schedule, at(schedule.rounds(), i), i + 1, findings);
    }
  }

  const Contract contract;
  const Promises promises;
  Replay replay;
  std::vector<Traffic> traffic;
  std::vector<Replay::State> states;
};

ChangeVerifier::ChangeVerifier(const Schedule& schedule, const Contract& contract, const Promises& promises) {
  if (const auto findings = verify(schedule, contract, promises); !findings.empty())
    throw UsageError(
        fmt::format("changes of a schedule that is wrong itself are not verified: {}", findings[0]));
  state_ = std::make_unique<State>(schedule, contract, promises);
}
ChangeVerifier::~ChangeVerifier() = default;

// The cheapest checks come first.
bool ChangeVerifier::accepts(const Schedule& changed, int first, int last) {
  State& right = *state_;
  const int rounds = static_cast<int>(right.traffic.size());
  if (first < 0 || last < first || last >= rounds)
    throw UsageError(
        fmt::format("rounds {} to {} cannot be those that differ: the schedule has {}, numbered from 0",
                    first, last, rounds));
  if (static_cast<int>(changed.rounds().size()) != rounds)
    throw UsageError(fmt::format("a changed schedule has as many rounds as the right one, {}, not {}", rounds,
                                 changed.rounds().size()));
  Findings findings(Findings::Wanted::number);
  for (int i = first; i <= last; ++i) check_well_formed(changed, i, right.contract, findings);
  if (!findings.none()) return false;
  Traffic sum;
  for (int i = 0; i < rounds; ++i)
    sum += first <= i && i <= last ? check_round(changed, i, right.promises, findings) : at(right.traffic, i);
  check_totals(sum, right.contract, right.promises, findings);
  if (findings.none() && right.contract.knowledge) {
    replay_knowledge(changed, findings);
  } else if (findings.none()) {
    right.replay.restore(at(right.states, first));
    for (int i = first; i < rounds && findings.none(); ++i)
      right.replay.play(changed, at(changed.rounds(), i), i + 1, findings);
    if (findings.none()) check_end(right.replay, changed, right.contract, right.promises, findings);
  }
  return findings.none();
}

std::vector<std::string> verify(const Schedule& schedule, const Contract& contract,
                                const Promises& promises) {
  Findings findings;
  if (!well_formed(schedule, contract, findings)) return std::move(findings).sentences();
  Traffic sum;
  for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i)
    sum += check_round(schedule, i, promises, findings);
  check_totals(sum, contract, promises, findings);
  if (contract.knowledge)
    replay_knowledge(schedule, findings);
  else
    check_end(replayed(schedule, contract, Nary::left_to_right, findings), schedule, contract, promises,
              findings);
  return std::move(findings).sentences();
}

bool keeps_order(const Schedule& schedule, const Contract& contract) {
  Findings findings(Findings::Wanted::number), out_of_order(Findings::Wanted::number);
  if (contract.knowledge || !well_formed(schedule, contract, findings)) return findings.none();
  replayed(schedule, contract, Nary::left_to_right, findings).check_order(out_of_order);
  return out_of_order.none();
}

bool canonical(const Schedule& schedule, const Contract& contract) {
  Findings findings(Findings::Wanted::number);
  if (contract.knowledge || !well_formed(schedule, contract, findings)) return findings.none();
  return replayed(schedule, contract, Nary::canonical, findings).canonical();
}

}  // namespace vnode
