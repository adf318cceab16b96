#pragma once

#include <map>
#include <string>
#include <tuple>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/topology.hpp>

#include "campaign/results.hpp"
#include "options/costs.hpp"
#include "options/memory.hpp"

namespace vnode {

/// Carries out the experiments of a campaign, one by one: predicts, and measures where that is possible.
class Experimenter {
 public:
  /// Throws UsageError if the campaign's machine or profile is none.
  explicit Experimenter(const Campaign& campaign);

  /// Returns what all experiments have in common, without outcomes.
  const Results& beginning() const { return beginning_; }
  /// Carries out an experiment. Why it cannot be done or measured is in the outcome's refused or
  /// not_measured.
  Outcome outcome(const Experiment& experiment);

 private:
  struct Placed;
  CostModel costs_on(const Mapping& mapping) const;
  Placed placed(const Experiment& experiment);
  const Mapping& mapping_of(const Experiment& experiment, const Topology& topology);
  void predict(const Placed& placed, Outcome& outcome) const;
  void measure(const Placed& placed, Outcome& outcome) const;

  Campaign campaign_;
  Machine machine_;
  CostChoice costs_;
  BankSpeeds speeds_;
  Results beginning_;
  std::map<std::tuple<int, std::string, std::string>, Mapping> mappings_;  // by nodes, topology and policy
};

}  // namespace vnode
