#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/verify.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "verify/checks.hpp"
#include "verify/replay.hpp"

namespace vnode {
namespace {

// Tells whether the schedule can be replayed.
bool well_formed(const Schedule& schedule, const Contract& contract, Findings& findings) {
  if (schedule.nodes() != contract.nodes() || schedule.blocks() != contract.blocks)
    findings.add([&] {
      return fmt::format("the schedule has {} and {}, the contract {} and {}",
                         counted(schedule.nodes(), "node"), counted(schedule.blocks(), "block"),
                         contract.nodes(), contract.blocks);
    });
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
