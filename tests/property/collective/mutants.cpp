#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/lab/mutants.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

TEST_CASE("verifying all mutants of a schedule from their mistake on accepts those that verify() accepts") {
  long mutants_of_all = 0, survivors_of_all = 0;
  for (const Algorithm& algorithm : algorithms())
    for (int nodes = 2; nodes <= 5; ++nodes)
      for (const Parameters& way : every_way(algorithm, nodes)) {
        const Schedule schedule = algorithm.build(way);
        const Contract wanted = contract(algorithm.collective, way, schedule.blocks());
        const Promises few{.ports = algorithm.ports, .in_order = way.keep_order};  // so that some survive
        std::vector<std::string> survivors;
        for (const Mutant& mutant : mutants(schedule))
          if (verify(mutant.schedule, wanted, few).empty()) survivors.push_back(mutant.mistake);
        const MutantFindings findings = verify_mutants(schedule, wanted, few);
        CAPTURE(algorithm.name);
        CHECK(findings.survivors == survivors);
        mutants_of_all += findings.mutants;
        survivors_of_all += static_cast<long>(survivors.size());
      }
  MESSAGE(survivors_of_all << " of " << mutants_of_all << " mutants need more promises to be rejected");
  CHECK(survivors_of_all > 0);
}
