#include "verify/checks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/counted.hpp"

namespace vnode {

namespace {

const Round& round_of(const Schedule& schedule, int index) {
  return schedule.rounds()[static_cast<std::size_t>(index)];
}

void check_twice(const Round& round, int number, Findings& findings) {
  const auto same = [](const Transfer& a, const Transfer& b) {
    return a.from == b.from && a.to == b.to && a.what == b.what && a.into == b.into;
  };
  for (auto t = round.begin(); t != round.end(); ++t)
    if (std::any_of(round.begin(), t, [&](const Transfer& earlier) { return same(earlier, *t); }))
      findings.add([&] {
        return fmt::format("round {}: the transfer from node {} to node {} stands there twice", number,
                           t->from, t->to);
      });
}

// `count` messages are one too many, or more.
void check_port(int count, Rank rank, std::string_view verb, int number, Findings& findings) {
  if (count > 1)
    findings.add([&] {
      return fmt::format("round {}: node {} {} {} messages through its one port", number, rank, verb, count);
    });
}

void check_one_port(const std::vector<Transfer>& messages, int nodes, int number, Findings& findings) {
  std::vector<int> out(static_cast<std::size_t>(nodes)), in(out);
  for (const Transfer& message : messages) {
    ++out[static_cast<std::size_t>(message.from)];
    ++in[static_cast<std::size_t>(message.to)];
  }
  for (Rank rank = 0; rank < nodes; ++rank) {
    check_port(out[static_cast<std::size_t>(rank)], rank, "sends", number, findings);
    check_port(in[static_cast<std::size_t>(rank)], rank, "receives", number, findings);
  }
}

// `messages` are sorted by their ends.
void check_one_per_pair(const std::vector<Transfer>& messages, int number, Findings& findings) {
  const auto other_ends = [](const Transfer& a, const Transfer& b) {
    return a.from != b.from || a.to != b.to;
  };
  for (auto first = messages.begin(); first != messages.end();) {
    const auto last =
        std::find_if(first, messages.end(), [&](const Transfer& t) { return other_ends(*first, t); });
    if (last - first > 1)
      findings.add([&] {
        return fmt::format("round {}: node {} sends node {} {} messages", number, first->from, first->to,
                           last - first);
      });
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

}  // namespace

void check_well_formed(const Schedule& schedule, int index, const Contract& contract, Findings& findings) {
  const int number = index + 1;
  for (const Transfer& t : round_of(schedule, index)) {
    for (const Rank rank : {t.from, t.to})
      if (rank < 0 || rank >= schedule.nodes())
        findings.add([&] { return fmt::format("round {}: there is no node {}", number, rank); });
    if (t.from == t.to)
      findings.add([&] { return fmt::format("round {}: node {} sends to itself", number, t.from); });
    const int leave = schedule.count(t.what), enter = t.into == t.what ? leave : schedule.count(t.into);
    if (leave != enter)
      findings.add([&] {
        return fmt::format("round {}: node {} sends {}, node {} takes in {}", number, t.from,
                           counted(leave, "block"), t.to, enter);
      });
    if (!contract.knowledge && leave == 0)
      findings.add(
          [&] { return fmt::format("round {}: node {} sends node {} no block", number, t.from, t.to); });
  }
}

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
        findings.add([&] {
          return fmt::format("round {}: nodes {} and {} are no peers in this round", number, t.from, t.to);
        });
  return traffic(schedule, round, list);
}

void check_totals(const Traffic& sum, const Contract& contract, const Promises& promises,
                  Findings& findings) {
  if (promises.rounds && sum.rounds != *promises.rounds)
    findings.add([&] {
      return fmt::format("{} promised, there are {}", counted(*promises.rounds, "round"), sum.rounds);
    });
  if (promises.transfers && sum.messages != *promises.transfers)
    findings.add([&] {
      return fmt::format("{} promised, there are {}", counted(*promises.transfers, "transfer"), sum.messages);
    });
  if (!promises.cost) return;
  const Cost cost = sum.cost(contract.message_blocks);
  if (!equal(cost, *promises.cost))
    findings.add([&] {
      return fmt::format("the promised cost is {}, the schedule's {}", spelled(*promises.cost),
                         spelled(cost));
    });
}

void check_end(const Replay& replay, const Schedule& schedule, const Contract& contract,
               const Promises& promises, Findings& findings) {
  replay.check_outputs(findings);
  if (promises.in_order) replay.check_order(findings);
  if (promises.same_bits) replay.check_same_bits(findings);
  const double combined =
      contract.message_blocks > 0 ? double(replay.state().combined) / contract.message_blocks : 0;
  if (promises.cost && !near(combined, promises.cost->combined))
    findings.add([&] {
      return fmt::format("{} m promised to be combined, it is {} m", promises.cost->combined, combined);
    });
  if (findings.none()) check_nothing_in_vain(schedule, contract, findings);
}

}  // namespace vnode
