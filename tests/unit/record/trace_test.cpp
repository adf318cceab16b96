// Tests what a team records of its calls: every message once, and nothing unless it is asked.
#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>
#include <vnode/model/trace.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;
using vnode::Collective;

namespace {

/// Describes how messages travel.
struct Protocol {
  const char* name;
  std::size_t inline_to, shared_from;
};
constexpr std::size_t never = ~std::size_t{0};
constexpr Protocol protocols[] = {{"lines", never, never}, {"pulled", 0, never}, {"shared", 0, 1}};

vnode::TeamOptions options_for(const Protocol& protocol, vnode::ChannelEngine channel) {
  vnode::TeamOptions options = patient();
  options.channel = channel;
  options.inline_to = protocol.inline_to;
  options.shared_from = protocol.shared_from;
  return options;
}

using Key = std::tuple<int, int, int>;  // round, from, to

/// Bytes of every message of a schedule for `bytes` of each block.
std::map<Key, std::size_t> messages_of(const vnode::Schedule& schedule, std::size_t bytes) {
  std::map<Key, std::size_t> all;
  for (int round = 0; round < static_cast<int>(schedule.rounds().size()); ++round)
    for (const vnode::Transfer& t : vnode::messages(schedule.rounds()[static_cast<std::size_t>(round)]))
      all[{round, t.from, t.to}] = static_cast<std::size_t>(schedule.count(t.what)) * bytes;
  return all;
}

std::map<Key, std::size_t> messages_of(const vnode::Timeline& timeline) {
  std::map<Key, std::size_t> all;
  for (const vnode::TimedMessage& message : timeline.messages)
    CHECK(all.emplace(Key{message.round, message.from, message.to}, message.bytes).second);
  return all;
}

void check_times(const vnode::TracedCall& call) {
  const auto& messages = call.timeline.messages;
  CHECK(std::ranges::is_sorted(messages, {}, &vnode::TimedMessage::start));
  for (const vnode::TimedMessage& message : messages) {
    CHECK(message.start >= 0);
    CHECK(message.start <= message.departure);
    CHECK(message.departure <= message.end);
  }
  for (const vnode::Occupation& occupation : call.occupations) {
    CHECK(occupation.begin >= 0);
    CHECK(occupation.begin <= occupation.end);
    CHECK(occupation.node < call.timeline.nodes);
  }
}

/// Elements of each block, so that no block is empty.
constexpr std::size_t each = 24;

/// One call by that algorithm; whether its result is right.
bool called(vnode::Node& me, Collective what, std::size_t elements, const vnode::CallOptions& options) {
  const int p = me.size();
  const auto nodes = static_cast<std::size_t>(p);
  std::vector<int> x(elements), all(elements * nodes);
  if (what == Collective::broadcast) {
    x.assign(elements, me.rank() == 0 ? 5 : 0);
    me.broadcast(x, 0, options);
    return x == std::vector<int>(elements, 5);
  }
  if (what == Collective::all_reduce) {
    x.assign(elements, me.rank() + 1);
    me.all_reduce(x, std::plus<>{}, options);
    return x == std::vector<int>(elements, p * (p + 1) / 2);
  }
  if (what == Collective::barrier) {
    me.barrier(options);
    return true;
  }
  if (what == Collective::all_gather || what == Collective::all_to_all) {
    std::vector<int> sent(all.size(), me.rank());
    if (what == Collective::all_gather)
      me.all_gather(std::span(sent).first(elements), all, options);
    else
      me.all_to_all(sent, all, options);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] != static_cast<int>(i / elements)) return false;
    return true;
  }
  if (what == Collective::reduce_scatter) {
    all.assign(all.size(), me.rank() + 1);
    me.reduce_scatter(all, x, std::plus<>{}, options);
    return x == std::vector<int>(elements, p * (p + 1) / 2);
  }
  std::iota(all.begin(), all.end(), 0);
  me.scatter(all, x, 0, options);
  return x.front() == me.rank() * static_cast<int>(elements);
}

}  // namespace

TEST_CASE("every message of the schedule is in the trace once, from, to, round and bytes as there") {
  const std::vector<std::string> names{
      "broadcast_binomial",  "broadcast_linear",  "broadcast_direct",           "broadcast_splitting_ring",
      "all_reduce_doubling", "all_reduce_ring",   "all_reduce_two_shot_direct", "all_reduce_one_shot_direct",
      "scatter_binomial",    "scatter_direct",    "barrier_dissemination",      "barrier_central",
      "all_reduce_central",  "all_gather_direct", "all_to_all_direct",          "reduce_scatter_direct"};
  for (const vnode::ChannelEngine channel : {vnode::ChannelEngine::line, vnode::ChannelEngine::boost})
    for (const Protocol& protocol : protocols)
      for (const int nodes : {2, 4, 8}) {
        vnode::Team team(nodes, vnode::shapes::full{}, options_for(protocol, channel));
        for (const std::string& name : names) {
          CAPTURE(protocol.name);
          CAPTURE(nodes);
          CAPTURE(name);
          const vnode::Algorithm& algorithm = vnode::algorithm(name);
          vnode::Parameters parameters{.nodes = nodes};
          parameters.extents = vnode::mesh_extents(team.topology());
          const vnode::Schedule schedule = algorithm.build(parameters);
          const Collective what = algorithm.collective;
          const bool in_parts = what == Collective::scatter || what == Collective::all_gather ||
                                what == Collective::reduce_scatter || what == Collective::all_to_all;
          std::size_t blocks = static_cast<std::size_t>(std::max(schedule.blocks(), 1));
          if (in_parts) blocks /= static_cast<std::size_t>(nodes);
          if (what == Collective::all_to_all) blocks /= static_cast<std::size_t>(nodes);
          const vnode::CallOptions options{.algorithm = name, .segments = 1};
          const auto call = [&](vnode::Node& me) {
            REQUIRE(called(me, algorithm.collective, each * blocks, options));
          };
          team.run(call);
          team.trace(10000);
          team.run([&](vnode::Node& me) {
            call(me);
            call(me);
          });
          const vnode::Trace trace = team.take_trace();
          team.trace(0);
          CHECK(trace.dropped == 0);
          REQUIRE(trace.calls.size() == 2);
          for (const vnode::TracedCall& traced : trace.calls) {
            CHECK(traced.group == 0);
            CHECK(traced.complete);
            CHECK(traced.timeline.nodes == nodes);
            CHECK(traced.timeline.title.find(name) != std::string::npos);
            CHECK(messages_of(traced.timeline) == messages_of(schedule, each * sizeof(int)));
            CHECK(traced.timeline.seconds >= 0);
            check_times(traced);
          }
          CHECK(trace.calls[0].number + 1 == trace.calls[1].number);
        }
      }
}

TEST_CASE("v-variants, calls in flight and groups are recorded, too") {
  for (const Protocol& protocol : protocols) {
    CAPTURE(protocol.name);
    vnode::Team team(4, vnode::shapes::full{}, options_for(protocol, vnode::ChannelEngine::line));
    team.trace(10000);
    team.run([](vnode::Node& me) {
      const vnode::Group pair = me.split(me.rank() / 2);
      std::vector<int> x(each, pair.rank());
      vnode::Request request = pair.nonblocking().broadcast(x, 1, {.algorithm = "broadcast_binomial"});
      const std::vector<std::size_t> counts{7, 0, 30, 5};
      std::vector<int> all(42), own(counts[static_cast<std::size_t>(me.rank())]);
      me.scatter_v(all, {counts}, own, 0, {.algorithm = "scatter_direct"});
      request.wait();
      REQUIRE(x == std::vector<int>(each, 1));
    });
    const vnode::Trace trace = team.take_trace();
    int pairs = 0, scatters = 0;
    for (const vnode::TracedCall& call : trace.calls) {
      check_times(call);
      CHECK(call.complete);
      if (call.group != 0) {
        ++pairs;
        CHECK(call.timeline.nodes == 2);
        CHECK(messages_of(call.timeline) == std::map<Key, std::size_t>{{{0, 1, 0}, each * sizeof(int)}});
      } else if (call.timeline.title.find("scatter") != std::string::npos) {
        ++scatters;
        CHECK(messages_of(call.timeline) ==
              std::map<Key, std::size_t>{{{0, 0, 1}, 0}, {{0, 0, 2}, 120}, {{0, 0, 3}, 20}});
      }
    }
    CHECK(pairs == 2);
    CHECK(scatters == 1);
  }
}

TEST_CASE("nothing is recorded unless it is asked for, and what is taken is gone") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const auto work = [](vnode::Node& me) {
    int x[1] = {me.rank()};
    me.all_reduce(x, std::plus<>{});
    REQUIRE(x[0] == 3);
  };
  team.run(work);
  CHECK(team.take_trace().calls.empty());
  team.trace(100);
  team.run(work);
  CHECK(team.take_trace().calls.size() == 1);
  CHECK(team.take_trace().calls.empty());
  team.run(work);
  team.run(work);
  CHECK(team.take_trace().calls.size() == 2);
  team.run(work);
  team.trace(100);  // forgets
  CHECK(team.take_trace().calls.empty());
  team.run(work);
  team.trace(0);
  team.run(work);
  CHECK(team.take_trace().calls.empty());
}

TEST_CASE("calls of a run that failed are apart from those of the next, whose numbers begin again") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  const auto work = [](vnode::Node& me) {
    std::vector<int> x(each, me.rank());
    me.broadcast(x, 0, {.algorithm = "broadcast_binomial"});
  };
  team.trace(10000);
  CHECK_THROWS_WITH(team.run([&](vnode::Node& me) {
    work(me);
    me.barrier();
    if (me.rank() == 0) throw std::runtime_error("no more");
    me.barrier();
  }),
                    "no more");
  team.run([&](vnode::Node& me) { work(me); });
  const vnode::Trace trace = team.take_trace();
  int whole = 0;
  for (const vnode::TracedCall& call : trace.calls) {
    check_times(call);
    if (call.timeline.title.find("broadcast") == std::string::npos) continue;
    CHECK(call.number == 1);
    CHECK(call.complete);
    CHECK(call.timeline.messages.size() == 3);
    ++whole;
  }
  CHECK(whole == 2);
}

TEST_CASE("more events than memory can have are refused, and nothing is recorded then") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const std::size_t events : {never, never - 1, never / 2, never / sizeof(int)})
    CHECK_THROWS_AS(team.trace(events), vnode::SystemError);
  team.run([](vnode::Node& me) { me.barrier(); });
  CHECK(team.take_trace().calls.empty());
}

TEST_CASE("the calls of a split are in the trace by names that people can read") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.trace(1000);
  team.run([](vnode::Node& me) { me.split(0); });
  const vnode::Trace trace = team.take_trace();
  REQUIRE(trace.calls.size() == 3);
  const char* begins[] = {"all_gather of 1 x claim of split", "barrier", "barrier"};
  for (std::size_t i = 0; i < 3; ++i) CHECK(trace.calls[i].timeline.title.starts_with(begins[i]));
}

TEST_CASE("what there is no room for is counted, and changes no result") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.trace(8);
  team.run([](vnode::Node& me) {
    for (int time = 0; time < 100; ++time) {
      int x[1] = {me.rank() + time};
      me.all_reduce(x, std::plus<>{});
      REQUIRE(x[0] == 2 * time + 1);
    }
  });
  const vnode::Trace trace = team.take_trace();
  CHECK(trace.dropped >= 2 * 92);
  REQUIRE(!trace.calls.empty());
  CHECK(trace.calls.front().complete);
  CHECK(trace.calls.size() <= 16);
  for (const vnode::TracedCall& call : trace.calls) check_times(call);
}

TEST_CASE("nodes are occupied with waiting, copying, combining and sending") {
  vnode::Team team(2, vnode::shapes::full{}, options_for(protocols[1], vnode::ChannelEngine::line));
  team.trace(1000);
  team.run([](vnode::Node& me) {
    std::vector<int> x(5000, 1);
    if (me.rank() == 1) me.barrier();
    if (me.rank() == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      me.barrier();
    }
    me.reduce(x, std::plus<>{}, 0, {.algorithm = "reduce_binomial"});
  });
  std::map<std::string, int> seen;
  for (const vnode::TracedCall& call : team.take_trace().calls)
    for (const vnode::Occupation& occupation : call.occupations)
      ++seen[std::string(vnode::enums::name(occupation.kind))];
  CHECK(seen["wait"] > 0);
  CHECK(seen["combine"] == 1);
  CHECK(seen["send"] > 0);
}
