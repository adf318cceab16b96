#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/contract.hpp>
#include <vnode/schedule.hpp>
#include <vnode/select.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// A schedule of the user's own, which a call carries out instead of an algorithm of the registry: see
/// CallOptions::schedule. It never changes, and copies of it are cheap.
class OwnSchedule {
 public:
  /// `name` stands where an algorithm's would: in Group::last_algorithm(), in messages. Equal schedules are
  /// one to a team: of several names it uses the one that it has seen first.
  explicit OwnSchedule(Schedule schedule, std::string name = "own_schedule");

  /// What is carried out.
  const Schedule& schedule() const { return content_->schedule; }
  /// As given.
  std::string_view name() const { return content_->name; }

  /// What copies share, made once.
  struct Content {
    Schedule schedule;   ///< itself
    std::string name;    ///< as given
    std::uint64_t hash;  ///< of the schedule
  };
  /// Equal addresses are equal schedules for as long as one of them is kept.
  const std::shared_ptr<const Content>& content() const { return content_; }

 private:
  std::shared_ptr<const Content> content_;
};

/// What `schedule` must achieve to be what is demanded: the contract that Demand::collective has for its
/// number of blocks. How often the blocks of a message are there in a scan is seen by what the schedule
/// achieves: once, or twice for running totals; in an exclusive scan twice, or three times. UsageError if it
/// is for another number of nodes, if its blocks cannot be shared out equally as the collective needs, or if
/// it is so large (more than 2^15 nodes, or 2^26 blocks on all nodes together) that it would not be verified
/// in reasonable time.
Contract contract_for(const Schedule& schedule, const Demand& demand);

/// Why `schedule` cannot do what is demanded, as sentences; none: it can. It breaks its contract (see
/// verify; any number of messages may pass a node's ports), does not keep rank order for an operator that is
/// not commutative (Parameters::keep_order), does not compute the canonical expression where that is demanded
/// (Demand::deterministic), carries parts whose sizes its nodes do not know (Demand::varying), carries a
/// block into the place of one that may be of another size, lets several nodes combine into a place in one
/// round by lists of blocks that are not the same, or has more rounds than messages can number. An all_reduce
/// has the same bits on all nodes. UsageError as contract_for().
std::vector<std::string> faults(const Schedule& schedule, const Demand& demand);

}  // namespace vnode
#pragma GCC visibility pop
