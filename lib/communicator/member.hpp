#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <vnode/rank.hpp>

#include "communicator/plans.hpp"
#include "runtime/endpoint.hpp"
#include "runtime/execution.hpp"
#include "runtime/slab.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// What the members of a team have in common.
struct Common {
  const Topology& topology;
  Fabric& fabric;
  Plans& plans;
  Profile profile;
  WaitPolicy policy;
  std::chrono::nanoseconds time_limit;
  bool checked = false;
};

/// A node's place in its team: its endpoint, its number of calls, its scratch memory and the plans it has
/// used lately.
class Member {
 public:
  Member(const Common& common, Rank rank, int numa_os_index);
  ~Member();

  const Topology& topology() const { return common_.topology; }
  std::string_view last_algorithm() const { return last_algorithm_; }
  std::size_t scratch_bytes() const { return scratch_bytes_.load(std::memory_order_relaxed); }

  /// A collective call with the given memories. The caller has checked the arguments.
  void collective(const CallKey& key, const std::byte* input, std::byte* output, const Reduction* reduction);
  void send(const std::byte* data, std::size_t bytes, const ElementType& type, Rank to, int tag);
  std::size_t receive(std::byte* data, std::size_t room, const ElementType& type, Rank from, int tag);
  std::size_t exchange(const std::byte* out, std::size_t out_bytes, Rank to, std::byte* in, std::size_t room,
                       Rank from, const ElementType& type, int tag);

  std::string unreceived() const { return endpoint_.unreceived(); }
  /// After a run that failed: the next begins afresh.
  void reset();

 private:
  static constexpr std::size_t remembered = 64;

  const PreparedCall& prepared(const CallKey& key);
  std::byte* scratch(std::size_t bytes);
  void run(const PreparedCall& call, const std::byte* input, std::byte* output, const Reduction* reduction);
  /// Runs `body`; an exception ends the team's run, and leaves only when no node touches another's memory any
  /// more.
  template <class Body>
  void guarded(Body&& body);
  /// Returns when the activity (an Execution, a message, an Agreement) has advanced to its end.
  template <class Activity>
  void wait(Activity& activity);

  Common common_;
  Endpoint endpoint_;
  Waiter waiter_;
  std::uint32_t calls_ = 0;
  int numa_;
  std::array<std::shared_ptr<const PreparedCall>, remembered> recent_;
  std::string_view last_algorithm_;
  std::byte* scratch_ = nullptr;
  std::atomic<std::size_t> scratch_bytes_{0};
};

}
