#include <array>
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <list>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"
#include "settings/environment.hpp"

using vnode_test::says;
using vnode_test::Variable;

namespace {

template <class E = vnode::UsageError>
std::string text_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const E& error) {
    return error.what();
  }
  return "no exception";
}

std::string in_run(int nodes, const std::function<void(vnode::Node&)>& body) {
  vnode::Team team(nodes);
  return text_of([&] { team.run(body); });
}

}

// A call does not compile with what it must not accept.
static_assert(vnode::WritableRange<std::vector<int>&> && vnode::WritableRange<std::span<double>>);
static_assert(vnode::ContiguousRange<const std::vector<int>&> &&
              !vnode::WritableRange<const std::vector<int>&>);
static_assert(!vnode::WritableRange<std::span<const int>>);
static_assert(!vnode::ContiguousRange<std::list<int>>);
static_assert(!vnode::ContiguousRange<std::vector<std::string>>);

TEST_CASE("a root or a peer that does not exist is named with the ranks that do") {
  CHECK(in_run(3, [](vnode::Node& me) {
          int x[1] = {0};
          me.broadcast(x, 3);
        }) == "root 3 is not a node of a team of 3: ranks are 0 to 2");
  CHECK(in_run(3, [](vnode::Node& me) {
          int x[1] = {0};
          me.reduce(x, std::plus<>{}, -1);
        }) == "root -1 is not a node of a team of 3: ranks are 0 to 2");
  CHECK(in_run(2, [](vnode::Node& me) {
          int x[1] = {0};
          me.send(x, 2);
        }) == "receiver 2 is not a node of a team of 2: ranks are 0 to 1");
  CHECK(in_run(2,
               [](vnode::Node& me) {
                 const std::vector<int> x(10000);
                 if (me.rank() == 1) me.send(x, 1);
               }) ==
        "send: node 1 waits until it receives from itself what it sends with tag 0, and has started no "
        "receive for "
        "it: irecv comes before, sendrecv does both at once, and isend does not wait");
  CHECK(in_run(2, [](vnode::Node& me) {
          int x[1] = {0};
          if (me.rank() == 1) me.send(x, 0, -2);
        }) == "tag -2 is negative: tags are 0 to 2147483647");
}

TEST_CASE("ranges that do not fit each other are refused") {
  CHECK(in_run(1, [](vnode::Node& me) {
          std::array<int, 3> in{}, out{};
          me.reduce(in, std::span(out).first(2), std::plus<>{});
        }) == "reduce: out has 2 elements and must have 3, on the root");
  CHECK(in_run(1, [](vnode::Node& me) {
          std::array<int, 3> data{};
          me.reduce(std::span(data).first(2), std::span(data).last(2), std::plus<>{});
        }) == "reduce: in and out overlap: pass disjoint ranges, or one range for the call in place");
}

TEST_CASE("algorithms that do not exist or cannot run are refused with the reason") {
  const auto broadcast_by = [](int nodes, const char* algorithm) {
    return in_run(nodes, [=](vnode::Node& me) {
      int x[1] = {0};
      me.broadcast(x, 0, {algorithm});
    });
  };
  CHECK(broadcast_by(2, "broadcast_binomal").find("broadcast_binomial") != std::string::npos);
  CHECK(broadcast_by(2, "reduce_binomial") ==
        "reduce_binomial is an algorithm for reduce, not for broadcast");
  CHECK(broadcast_by(6, "broadcast_hypercube").find("cannot run here") != std::string::npos);
  CHECK(broadcast_by(6, "broadcast_hypercube").find("power of two") != std::string::npos);
}

TEST_CASE("an algorithm is also named without its collective, by some nodes or all") {
  CHECK(in_run(4, [](vnode::Node& me) {
          std::array<int, 3> x{me.rank(), 1, 2};
          me.all_reduce(x, std::plus<>{}, {me.rank() < 2 ? "ring" : "all_reduce_ring"});
          if (me.last_algorithm() != "all_reduce_ring" || x[0] != 6)
            throw std::runtime_error("another algorithm, or a wrong result");
        }) == "no exception");
  CHECK(in_run(2, [](vnode::Node& me) {
          int x[1] = {0};
          me.broadcast(x, 0, {"lnear"});
        }).find("there is no algorithm \"broadcast_lnear\"; did you mean broadcast_linear") == 0);
}

TEST_CASE("teams that cannot be are refused") {
  CHECK(text_of([] { vnode::Team team(0); }) != "no exception");
  CHECK(text_of([] { vnode::Team team(-3); }) != "no exception");
  CHECK(text_of([] { vnode::Team team(6, vnode::shapes::hypercube{}); }).find("4 or 8") != std::string::npos);
  CHECK(text_of([] { vnode::Team team(15, vnode::shapes::mesh{4, 4}); }).find("16") != std::string::npos);
  const std::string huge = text_of<vnode::SystemError>([] { vnode::Team team(30000); });
  CHECK(huge.find("a team of 30000 nodes needs") == 0);
  CHECK(huge.find("take fewer nodes") != std::string::npos);
}

TEST_CASE("a variable that is misspelt is told") {
  const Variable variable("VNODE_TIMELIMIT", "2s");
  CHECK(says(vnode::Team(1),
             "in the environment: VNODE_TIMELIMIT=2s: no team reads it; the nearest that is read is "
             "VNODE_TIME_LIMIT\n"));
}

TEST_CASE("the environment overrides the options, is validated, and is told") {
  {
    const Variable wait("VNODE_WAIT", "yield"), engine("VNODE_CHANNEL", "boost"), pin("VNODE_PIN", "off"),
        checked("VNODE_CHECKED", "on"), limit("VNODE_TIME_LIMIT", "1500ms"), banks("VNODE_BANKS", "spread"),
        algorithm("VNODE_ALGORITHM", "broadcast=linear:0-63;broadcast=broadcast_binomial:64-1K");
    vnode::Team team(3);
    const std::string report = team.report();
    for (const char* line :
         {"waiting: yield\n", "channels: boost", "pinning: off\n",
          "banks: spread asked for, but nodes that are not pinned are near no bank\n",
          "checked:", "time limit: 1500 ms\n", "from the environment: VNODE_ALGORITHM=broadcast=linear"})
      CHECK(report.find(line) != std::string::npos);
    team.run([](vnode::Node& me) {
      std::array<char, 100> x{};
      me.broadcast(std::span(x).first(63));
      CHECK(me.last_algorithm() == "broadcast_linear");
      me.broadcast(std::span(x).first(64));
      CHECK(me.last_algorithm() == "broadcast_binomial");
      me.broadcast(std::span(x).first(64), 0, {"broadcast_direct"});
      CHECK(me.last_algorithm() == "broadcast_direct");
      CHECK(me.last_segments() == 1);
      me.broadcast(std::span(x), 0, {.algorithm = "broadcast_pipeline", .segments = 3});
      CHECK(me.last_segments() == 3);
    });
  }
  const auto refused = [](const char* name, const char* value) {
    const Variable variable(name, value);
    return text_of([] { vnode::Team team(1); });
  };
  CHECK(refused("VNODE_WAIT", "automatic") == "no exception");  // as the option calls it
  CHECK(refused("VNODE_WAIT", "sleep") ==
        "VNODE_WAIT=sleep: it may be one of auto, spin, yield, park, automatic");
  CHECK(refused("VNODE_BANKS", "two") ==
        "VNODE_BANKS=two: it may be one of owner, peer, spread, interleave, one");
  CHECK(refused("VNODE_ARENAS", "core") ==
        "VNODE_ARENAS=core: it may be one of l3, numa, package, machine, off");
  CHECK(refused("VNODE_PIN", "2") == "VNODE_PIN=2: it may be one of on, off, 1, 0, yes, no, true, false");
  CHECK(refused("VNODE_CHECKED", "maybe") ==
        "VNODE_CHECKED=maybe: it may be one of on, off, 1, 0, yes, no, true, false");
  CHECK(refused("VNODE_CHANNEL", "") == "VNODE_CHANNEL=: it may be one of line, boost");
  for (const char* limit : {"", "s", "5", "5 s", "5days", "-5", "1.5s", "18446744073710s", "9300000000s"})
    CHECK(refused("VNODE_TIME_LIMIT", limit) == "VNODE_TIME_LIMIT=" + std::string(limit) +
                                                    ": it may be a time with its unit, such as 500ms, "
                                                    "2s or 5min, of 292 years at most; 0 for none");
  // What is listed of a variable is what it may be.
  for (const vnode::EnvironmentVariable& variable : vnode::environment_variables()) {
    if (variable.values.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos) continue;
    std::string values(variable.values);
    for (std::size_t bar; (bar = values.find('|')) != std::string::npos;) values.replace(bar, 1, ", ");
    const std::string sentence = fmt::format("{}=none: it may be one of {}", variable.name, values);
    CHECK(refused(variable.name, "none").substr(0, sentence.size()) == sentence);
  }
  CHECK(refused("VNODE_ALGORITHM", "broadcast") == "'broadcast' is not a rule such as reduce=direct:64K-max");
  CHECK(refused("VNODE_ALGORITHM", "broadcast=linear:1X-2") ==
        "'1X' is not a number of bytes such as 65536, 64K or 1M");
  CHECK(refused("VNODE_ALGORITHM", "broadcast=linear:1K") ==
        "'1K' is not a range of bytes such as 64K-1M or 64K-max");
  CHECK(refused("VNODE_ALGORITHM", "broadcast=linear:") ==
        "'' is not a number of bytes such as 65536, 64K or 1M");
  CHECK(refused("VNODE_ALGORITHM", "broadcast=linear:10-5") ==
        "'10-5' ends before it begins: the least bytes come first");
  CHECK(refused("VNODE_ALGORITHM", "broadcast=linear:10-10") == "no exception");
}

TEST_CASE("switches and times of the environment are read as people write them") {
  const auto report = [](const char* name, const char* value) {
    const Variable variable(name, value);
    return vnode::Team(1).report();
  };
  for (const char* off : {"off", "0", "no", "false"})
    CHECK(report("VNODE_PIN", off).find("pinning: off\n") != std::string::npos);
  for (const char* on : {"on", "1", "yes", "true"}) {
    CHECK(report("VNODE_PIN", on).find("pinning: off\n") == std::string::npos);
    CHECK(report("VNODE_CHECKED", on).find("checked: ") != std::string::npos);
  }
  for (const auto& [text, milliseconds] :
       std::initializer_list<std::pair<const char*, const char*>>{{"1500ms", "1500"},
                                                                  {"100ms", "100"},
                                                                  {"2s", "2000"},
                                                                  {"5min", "300000"},
                                                                  {"1h", "3600000"},
                                                                  {"7000us", "7"},
                                                                  {"9223372036854ms", "9223372036854"}})
    CHECK(report("VNODE_TIME_LIMIT", text).find("time limit: " + std::string(milliseconds) + " ms\n") !=
          std::string::npos);
  CHECK(report("VNODE_TIME_LIMIT", "0s").find("time limit") == std::string::npos);
}

TEST_CASE("a time limit may be as long as can be counted, and is not negative") {
  vnode::TeamOptions options;
  options.time_limit = std::chrono::nanoseconds::max();
  vnode::Team team(2, vnode::shapes::full{}, options);
  team.run([](vnode::Node& me) {
    // The other one waits long enough to look for a reason to give up.
    if (me.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    me.barrier();
  });
  options.time_limit = std::chrono::nanoseconds(-5);
  CHECK(text_of([&] { vnode::Team refused(1, vnode::shapes::full{}, options); }) ==
        "TeamOptions::time_limit is negative, -5 ns: it may be a time, or 0 for none");
}

TEST_CASE("the time limit is that of the user's calls: what vnode measures before them has none") {
  vnode::TeamOptions options;
  options.time_limit = std::chrono::nanoseconds(1);
  // So many nodes wait for each other's plans and turns while they measure.
  vnode::Team team(48, vnode::shapes::full{}, options);
  CHECK_NOTHROW(team.costs());
  CHECK_THROWS_AS(team.run([](vnode::Node& me) {
    int x[1];
    if (me.rank() == 0) me.recv(x, 1);
    if (me.rank() == 1) me.recv(x, 0);
  }),
                  vnode::TimeLimitExceeded);
}

TEST_CASE("a team measures costs when a call needs them to choose, in a run or when asked, and no sooner") {
  const std::string unknown = "costs: not measured before a choice needs them\n";
  vnode::Team team(3);
  const auto all_reduce = [&](const char* algorithm) {
    team.run([&](vnode::Node& me) {
      double x = me.rank();
      me.all_reduce(std::span(&x, 1), std::plus<>{}, {.algorithm = algorithm});
      CHECK(x == 3);
    });
  };
  all_reduce("all_reduce_ring");
  CHECK(team.report().find(unknown) != std::string::npos);
  all_reduce("");
  CHECK(team.report().find(unknown) == std::string::npos);
  CHECK(team.costs().t_s > 0);
  CHECK(team.costs().o > 0);
  CHECK(team.costs().o <= team.costs().t_s);

  vnode::TeamOptions given;
  given.costs = vnode::CostModel{1e-6, 1e-9, 1e-9, 1e-9, 1e-7};
  CHECK(vnode::Team(2, given).costs().o == 1e-7);
}

TEST_CASE("on a machine that is only described nothing is pinned, nobody spins, and the report says so") {
  const vnode_test::GivenMachine machine("pack:2 core:8 pu:1");
  vnode::Team team(6);
  const std::string report = team.report();
  CHECK(report.find(
            "pinning: none, since the machine is described by a file or a text and is not this one\n") !=
        std::string::npos);
  CHECK(report.find("waiting: yield for 1000 us, then park (at once beside busy threads of others)\n") !=
        std::string::npos);
  team.run([](vnode::Node& me) { me.barrier(); });
}
