#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/model/machine.hpp>

#include "campaign/campaign.hpp"

namespace vnode {

/// Holds times of an experiment's calls, from a common start until the last node is done, in seconds.
struct MeasuredTimes {
  double median = 0;
  double lower = 0, upper = 0;  ///< quartiles: a half of the calls took between them
  std::size_t calls = 0;        ///< that count
  std::size_t late = 0;         ///< calls that were left out, because a node began late
  friend bool operator==(const MeasuredTimes&, const MeasuredTimes&) = default;
};

/// Says where the pages of channels, scratch and messages lay.
struct PagesFound {
  std::size_t as_asked = 0;   ///< on the bank asked for, or on any where none was
  std::size_t elsewhere = 0;  ///< on another
  std::size_t nowhere = 0;    ///< untouched, or the system does not tell
  friend bool operator==(const PagesFound&, const PagesFound&) = default;
};

/// Describes the bank condition S_b <= W_b t_w in the round that it is tightest in
/// (vnode/lab/bank_condition.hpp).
struct BankNeed {
  int bank = -1;                  ///< b; -1 if nothing is sent
  double streams = 0;             ///< S_b
  std::optional<double> feeds{};  ///< W_b t_w; none where the bandwidth W_b is not known
  double factor = 1;              ///< that t_w is multiplied by in that round, at least 1
  bool holds = true;              ///< in every round, as far as it is known
  friend bool operator==(const BankNeed&, const BankNeed&) = default;
};

/// Holds what came out of an experiment.
struct Outcome {
  std::string refused{};              ///< why it cannot be; then there is nothing else
  std::string algorithm{};            ///< that ran
  int segments = 1;                   ///< that it cut the message into
  std::optional<double> predicted{};  ///< seconds, simulated; none where that would take too long
  BankNeed need{};
  std::optional<MeasuredTimes> measured{};  ///< none where it is only predicted
  std::string not_measured{};               ///< why, if it was tried
  std::optional<PagesFound> pages{};        ///< of what was measured
  std::vector<std::string> degraded{};      ///< what the system refused, a sentence each
  std::string when{};                       ///< it was done, "2026-11-21T19:30:00Z"
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

/// Describes the machine that results are of.
struct MachineRecord {
  std::string source{}, model{};
  std::string digest{};  ///< equal for machines of equal parts
  int banks = 0, cores = 0, pus = 0;
  bool measured = false;  ///< it is this one
  friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};
MachineRecord record_of(const Machine& machine);

/// Holds what predictions start from.
struct CostRecord {
  double t_s = 0, t_w = 0, t_op = 0;     ///< seconds
  std::string source{};                  ///< of these, for people
  std::vector<double> bank_bandwidth{};  ///< W_b, bytes per second; empty: not known, and no limit
  std::string bandwidth_source{};        ///< of these
  std::string digest{};  ///< of all that predictions start from, these and what else a profile tells
  friend bool operator==(const CostRecord&, const CostRecord&) = default;
};

/// Holds a campaign with what has come out so far, of its first experiments.
struct Results {
  Campaign campaign{};
  std::string version{};                   ///< of vnode
  std::string kernel{};                    ///< of the system: "Linux 6.1.0-27-cloud-amd64"
  std::string begun{};                     ///< when
  std::vector<std::string> environment{};  ///< of what is measured, ascending: "VNODE_WAIT=spin"
  MachineRecord machine{};
  CostRecord costs{};
  std::vector<Outcome> outcomes{};  ///< of experiments(campaign), in their order
  friend bool operator==(const Results&, const Results&) = default;
};

/// Returns 16 digits, equal for equal texts: FNV-1a.
std::string digest(std::string_view text);

/// Returns the bytes per second of a call that takes so long, as vnode-bench counts them: all that one node
/// has in the end, m or p m, divided by the time.
double bandwidth(const Experiment& experiment, double seconds);

/// Says why `old` cannot be continued as `fresh`, which has no outcomes: it has another campaign, machine,
/// environment, version of vnode, or other costs. Returns "" if it can.
std::string why_not_resumed(const Results& old, const Results& fresh);

/// Reads the results in a JSON text. Throws UsageError as campaign_from_json() does, which names the version
/// if it is another, and if there are more outcomes than experiments. It is a pure function, O(text).
Results results_from_json(std::string_view text);
/// Returns a text that results_from_json() reads as the same results.
std::string to_json(const Results& results);

}  // namespace vnode
