#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include <vnode/verify.hpp>

#include "verify/replay.hpp"

namespace vnode {

namespace {

using Findings = std::vector<std::string>;

// Whether a replay makes sense at all.
bool well_formed(const Schedule& schedule, const Contract& contract, Findings& findings) {
  if (schedule.nodes() != contract.nodes() || schedule.blocks() != contract.blocks) {
    findings.push_back(fmt::format("the schedule has {} nodes and {} blocks, the contract {} and {}",
                                   schedule.nodes(), schedule.blocks(), contract.nodes(), contract.blocks));
    return false;
  }
  const std::size_t before = findings.size();
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    ++number;
    for (const Transfer& t : round) {
      for (const Rank rank : {t.from, t.to})
        if (rank < 0 || rank >= schedule.nodes())
          findings.push_back(fmt::format("round {}: there is no node {}", number, rank));
      if (t.from == t.to)
        findings.push_back(fmt::format("round {}: node {} sends to itself", number, t.from));
      if (schedule.count(t.what) != schedule.count(t.into))
        findings.push_back(fmt::format("round {}: {} blocks leave node {}, {} enter node {}", number,
                                       schedule.count(t.what), t.from, schedule.count(t.into), t.to));
      if (!contract.knowledge && schedule.count(t.what) == 0)
        findings.push_back(fmt::format("round {}: node {} sends node {} no block", number, t.from, t.to));
    }
  }
  return findings.size() == before;
}

void check_twice(const Schedule& schedule, Findings& findings) {
  const auto same = [](const Transfer& a, const Transfer& b) {
    return a.from == b.from && a.to == b.to && a.what == b.what && a.into == b.into;
  };
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    ++number;
    for (auto t = round.begin(); t != round.end(); ++t)
      if (std::any_of(round.begin(), t, [&](const Transfer& earlier) { return same(earlier, *t); }))
        findings.push_back(fmt::format("round {}: the transfer from node {} to node {} stands there twice",
                                       number, t->from, t->to));
  }
}

void check_ports(const Schedule& schedule, Ports ports, Findings& findings) {
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    ++number;
    std::map<Rank, int> out, in;
    std::map<std::pair<Rank, Rank>, int> between;
    for (const Transfer& message : messages(round)) {
      ++out[message.from];
      ++in[message.to];
      ++between[{message.from, message.to}];
    }
    const auto report = [&](Rank rank, std::string_view verb, int count) {
      if (count > 1)
        findings.push_back(
            fmt::format("round {}: node {} {} {} messages through its one port", number, rank, verb, count));
    };
    if (ports == Ports::single) {
      for (const auto& [rank, count] : out) report(rank, "sends", count);
      for (const auto& [rank, count] : in) report(rank, "receives", count);
    }
    for (const auto& [pair, count] : between)
      if (count > 1)
        findings.push_back(fmt::format("round {}: node {} sends node {} {} messages", number, pair.first,
                                       pair.second, count));
  }
}

std::string spelled(const Cost& cost) {
  return fmt::format("{} t_s + {} t_w m ({} received, {} combined)", cost.startups, cost.words, cost.received,
                     cost.combined);
}

void check_promises(const Schedule& schedule, const Contract& contract, const Promises& promises,
                    Findings& findings) {
  const auto rounds = static_cast<int>(schedule.rounds().size());
  if (promises.rounds && rounds != *promises.rounds)
    findings.push_back(fmt::format("{} rounds are promised, there are {}", *promises.rounds, rounds));
  std::size_t transfers = 0;
  for (const Round& round : schedule.rounds()) transfers += messages(round).size();
  if (promises.transfers && static_cast<int>(transfers) != *promises.transfers)
    findings.push_back(
        fmt::format("{} transfers are promised, there are {}", *promises.transfers, transfers));
  if (promises.cost) {
    const Cost cost = step_synchronous_cost(schedule, contract.message_blocks);
    const auto differ = [](double a, double b) {
      return std::abs(a - b) > 1e-9 * std::max(1.0, std::abs(a));
    };
    if (differ(cost.startups, promises.cost->startups) || differ(cost.words, promises.cost->words) ||
        differ(cost.received, promises.cost->received) || differ(cost.combined, promises.cost->combined))
      findings.push_back(
          fmt::format("the promised cost is {}, the schedule's {}", spelled(*promises.cost), spelled(cost)));
  }
  if (!promises.peers) return;
  for (int round = 0; round < std::min(rounds, promises.rounds.value_or(rounds)); ++round)
    for (const Transfer& t : schedule.rounds()[static_cast<std::size_t>(round)])
      if (!promises.peers(round, t.from, t.to))
        findings.push_back(
            fmt::format("round {}: nodes {} and {} are no peers in this round", round + 1, t.from, t.to));
}

}  // namespace

std::vector<std::string> verify(const Schedule& schedule, const Contract& contract,
                                const Promises& promises) {
  Findings findings;
  if (!well_formed(schedule, contract, findings)) return findings;
  check_twice(schedule, findings);
  check_ports(schedule, promises.ports, findings);
  if (contract.knowledge) {
    replay_knowledge(schedule, findings);
  } else {
    Replay replay(schedule, contract, findings);
    replay.check_outputs();
    if (promises.in_order) replay.check_order();
  }
  check_promises(schedule, contract, promises, findings);
  return findings;
}

bool keeps_order(const Schedule& schedule, const Contract& contract) {
  Findings findings;
  if (contract.knowledge || !well_formed(schedule, contract, findings)) return findings.empty();
  Replay replay(schedule, contract, findings);
  findings.clear();
  replay.check_order();
  return findings.empty();
}

}  // namespace vnode
