#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/verify.hpp>

#include "verify/checks.hpp"
#include "verify/mutation.hpp"

namespace vnode {

namespace {

// What is known of the right schedule: the traffic of every round, and the state before it.
class Trial {
 public:
  Trial(const Schedule& schedule, const Contract& contract, const Promises& promises)
      : contract_(contract), promises_(promises), replay_(contract) {
    for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i) {
      Findings findings;
      traffic_.push_back(check_round(schedule, i, promises, findings));
      states_.push_back(replay_.state());
      if (!contract.knowledge) replay_.play(schedule, schedule.rounds()[std::size_t(i)], i + 1, findings);
    }
  }

  // Like verify(mutant).empty(), the cheapest checks first.
  bool accepts(const Schedule& mutant, const Mistake& mistake) {
    Findings findings(Findings::Wanted::number);
    for (int i = mistake.first_round; i <= mistake.round; ++i)
      check_well_formed(mutant, i, contract_, findings);
    if (!findings.none()) return false;
    Traffic sum;
    for (int i = 0; i < static_cast<int>(traffic_.size()); ++i)
      sum += mistake.first_round <= i && i <= mistake.round ? check_round(mutant, i, promises_, findings)
                                                            : traffic_[std::size_t(i)];
    check_totals(sum, contract_, promises_, findings);
    if (findings.none()) replay(mutant, mistake.first_round, findings);
    return findings.none();
  }

 private:
  void replay(const Schedule& mutant, int first, Findings& findings) {
    if (contract_.knowledge) return replay_knowledge(mutant, findings);
    replay_.restore(states_[std::size_t(first)]);
    for (int i = first; i < static_cast<int>(mutant.rounds().size()) && findings.none(); ++i)
      replay_.play(mutant, mutant.rounds()[std::size_t(i)], i + 1, findings);
    if (findings.none()) check_end(replay_, mutant, contract_, promises_, findings);
  }

  const Contract& contract_;
  const Promises& promises_;
  Replay replay_;
  std::vector<Traffic> traffic_;
  std::vector<Replay::State> states_;
};

}  // namespace

MutantFindings verify_mutants(const Schedule& schedule, const Contract& contract, const Promises& promises) {
  if (const auto findings = verify(schedule, contract, promises); !findings.empty())
    throw UsageError(fmt::format("a wrong schedule has no mutants worth verifying: {}", findings[0]));
  Trial trial(schedule, contract, promises);
  MutantFindings result;
  each_mutant(schedule, [&](const Schedule& mutant, const Mistake& mistake) {
    ++result.mutants;
    if (trial.accepts(mutant, mistake)) result.survivors.push_back(mistake.text());
  });
  return result;
}

}  // namespace vnode
