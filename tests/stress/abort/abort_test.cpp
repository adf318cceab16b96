#include <algorithm>
#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/vnode.hpp>

#include "failing_allocation.hpp"
#include "guarded_buffer.hpp"

using namespace vnode_test;

namespace {

struct Thrown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Site { in_operator, in_plan, before, between, after };
constexpr std::array sites{Site::in_operator, Site::in_plan, Site::before, Site::between, Site::after};

/// Fails at its n-th call on the node that armed it.
struct FailingSum {
  int* countdown;
  long operator()(long a, long b) const {
    if (countdown != nullptr && --*countdown == 0) throw Thrown("in the operator");
    return a + b;
  }
};

struct Trial {
  Site site;
  int thrower;
  int root;
  int operator_calls;  ///< until the throw
  int allocations;     ///< until the throw
  std::size_t count;
  std::string_view reduce, broadcast;
};

/// Two collectives and two messages on buffers that are unmapped as soon as an exception unwinds them.
void body(vnode::Node& me, const Trial& trial) {
  const bool throws = me.rank() == trial.thrower;
  const auto fail_at = [&](Site site) {
    if (throws && trial.site == site) throw Thrown("in the node's own code");
  };
  struct Disarm {
    ~Disarm() { fail_allocation(0); }
  } disarm;

  const GuardedBuffer<long> in(trial.count), out(trial.count), message(trial.count);
  std::ranges::fill(in.data(), me.rank() + 1);
  fail_at(Site::before);
  if (throws && trial.site == Site::in_plan) fail_allocation(trial.allocations);
  int countdown = trial.operator_calls;
  const bool armed = throws && trial.site == Site::in_operator;
  me.reduce(in.data(), out.data(), vnode::commutative{FailingSum{armed ? &countdown : nullptr}}, trial.root,
            {trial.reduce});
  fail_at(Site::between);
  me.broadcast(out.data(), trial.root, {trial.broadcast});
  const int right = (me.rank() + 1) % me.size(), left = (me.rank() + me.size() - 1) % me.size();
  me.sendrecv(in.data(), right, message.data(), left);
  me.barrier();
  fail_at(Site::after);
}

/// Returns the names of all algorithms of a collective that run on any number of nodes, and "" for the
/// automatic choice.
std::vector<std::string_view> names(vnode::Collective collective, int nodes) {
  std::vector<std::string_view> all{""};
  vnode::Parameters parameters;
  parameters.nodes = nodes;
  parameters.extents = {1, nodes};
  for (const vnode::Algorithm& algorithm : vnode::algorithms())
    if (algorithm.collective == collective && !vnode::why_not(algorithm, parameters))
      all.push_back(algorithm.name);
  return all;
}

int trials() {
  if (const char* wanted = std::getenv("VNODE_TRIALS")) return std::atoi(wanted);
  return 10000;
}

struct Kind {
  int nodes;
  vnode::Wait wait;
  vnode::ChannelEngine engine;
  bool shared;
};
constexpr std::array kinds{Kind{2, vnode::Wait::automatic, vnode::ChannelEngine::line, true},
                           Kind{2, vnode::Wait::park, vnode::ChannelEngine::boost, false},
                           Kind{3, vnode::Wait::yield, vnode::ChannelEngine::line, true},
                           Kind{5, vnode::Wait::park, vnode::ChannelEngine::line, true},
                           Kind{8, vnode::Wait::automatic, vnode::ChannelEngine::boost, true}};

}

TEST_CASE("whenever and wherever a node throws, all nodes return, run() rethrows, and the team goes on") {
  std::map<std::size_t, std::unique_ptr<vnode::Team>> teams;
  std::mt19937 random(7);
  const auto any = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  int thrown = 0, refused = 0, completed = 0;
  for (int i = 0; i < trials(); ++i) {
    const auto which = static_cast<std::size_t>(any(kinds.size()));
    const Kind& kind = kinds[which];
    if (!teams[which]) {
      vnode::TeamOptions options;
      options.wait = kind.wait;
      options.channel = kind.engine;
      options.time_limit = std::chrono::seconds(60);
      options.shared_from = kind.shared ? 512 : std::size_t{1} << 40;
      teams[which] = std::make_unique<vnode::Team>(kind.nodes, vnode::shapes::full{}, options);
    }
    vnode::Team& team = *teams[which];
    const auto reduces = names(vnode::Collective::reduce, kind.nodes),
               broadcasts = names(vnode::Collective::broadcast, kind.nodes);
    // Counts differ from trial to trial, so that plans are made, and are short, middling and long.
    const std::size_t counts[] = {1 + static_cast<std::size_t>(any(6)),
                                  200 + static_cast<std::size_t>(any(2000)),
                                  9000 + static_cast<std::size_t>(any(40000))};
    const Trial trial{sites[static_cast<std::size_t>(any(sites.size()))],
                      any(kind.nodes),
                      any(kind.nodes),
                      1 + any(20000),
                      1 + any(40),
                      counts[any(3)],
                      reduces[static_cast<std::size_t>(any(static_cast<int>(reduces.size())))],
                      broadcasts[static_cast<std::size_t>(any(static_cast<int>(broadcasts.size())))]};
    INFO("trial " << i << ", site " << static_cast<int>(trial.site) << ", " << kind.nodes << " nodes, "
                  << trial.count << " elements, " << trial.reduce << ", " << trial.broadcast);
    try {
      team.run([&](vnode::Node& me) { body(me, trial); });
      ++completed;
      // Only an operator or an allocator that was not called often enough may let a run through.
      REQUIRE((trial.site == Site::in_operator || trial.site == Site::in_plan));
    } catch (const Thrown&) {
      ++thrown;
      REQUIRE(trial.site != Site::in_plan);
    } catch (const std::bad_alloc&) {
      ++thrown;
      ++refused;
      REQUIRE(trial.site == Site::in_plan);
    }
    long sum = 0;
    team.run([&](vnode::Node& me) {
      const long mine[1] = {me.rank() + 1};
      long total[1] = {0};
      me.reduce(mine, total, std::plus<>{}, trial.root);
      me.broadcast(total, trial.root);
      if (me.rank() == me.size() - 1) sum = total[0];
    });
    REQUIRE(sum == kind.nodes * (kind.nodes + 1) / 2);
  }
  MESSAGE(thrown << " runs ended by an exception, " << refused << " of them by a failed allocation, "
                 << completed << " ran through");
  CHECK(thrown > trials() / 2);
  CHECK(refused > trials() / 20);
}

TEST_CASE("whichever allocation of a split fails, nobody looks at what is gone, and the team goes on") {
  vnode::TeamOptions options;
  options.time_limit = std::chrono::seconds(60);
  vnode::Team team(3, vnode::shapes::full{}, options);
  int refused = 0;
  for (int i = 0; i < trials() / 10; ++i) {
    const int thrower = i % 3, allocation = 1 + i / 3 % 40;
    CAPTURE(thrower);
    CAPTURE(allocation);
    try {
      team.run([&](vnode::Node& me) {
        struct Disarm {
          ~Disarm() { fail_allocation(0); }
        } disarm;
        if (me.rank() == thrower) fail_allocation(allocation);
        vnode::Group group = me.split(0);
        fail_allocation(0);
        group.barrier();
      });
    } catch (const std::bad_alloc&) {
      ++refused;
    }
    int sum = 0;
    team.run([&](vnode::Node& me) {
      int one[1] = {1};
      me.split(0).reduce(one, std::plus<>{});
      if (me.rank() == 0) sum = one[0];
    });
    REQUIRE(sum == 3);
  }
  CHECK(refused > trials() / 100);
}
