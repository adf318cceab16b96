#include <fmt/format.h>

#include <vnode/lab/verify.hpp>

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
