#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <mutex>
#include <numeric>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <vnode/select.hpp>
#include <vnode/vnode.hpp>

#include "child_case.hpp"
#include "machine/binding.hpp"
#include "unit/communicator/sentence.hpp"

using namespace vnode;

namespace {

// Machines on which arenas have threads, whatever this one is like. Nobody is pinned there.
const std::string two_domains = "HWLOC_SYNTHETIC='numa:2 core:4 pu:1'";

/// Arenas that help with all that is longer than they can help with at all.
TeamOptions with_arenas(DomainLevel level = DomainLevel::numa) {
  TeamOptions options = vnode_test::patient();
  options.arenas = level;
  options.arenas_from = 0;
  return options;
}

bool says(const Team& team, const std::string& text) { return team.report().find(text) != std::string::npos; }

/// Until `done`, or for a minute.
template <class Done>
void wait_until(const Done& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!done() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

/// All results of one node, byte by byte.
class Results {
 public:
  template <class T>
  void add(const std::vector<T>& values) {
    const std::size_t size = bytes_.size();
    bytes_.resize(size + values.size() * sizeof(T));
    std::memcpy(bytes_.data() + size, values.data(), values.size() * sizeof(T));
  }
  friend bool operator==(const Results&, const Results&) = default;

 private:
  std::vector<std::byte> bytes_;
};

/// No multiple of anything, and longer than three segments.
template <class T>
constexpr std::size_t enough = 110'003 / sizeof(T);

template <class T>
std::vector<T> values(int rank, std::size_t count) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] =
        static_cast<T>(static_cast<T>((i * 2654435761u + static_cast<std::size_t>(rank) * 40503u) % 251) /
                       static_cast<T>(7));
  return made;
}

template <class T, class Operator>
void combine(Node& me, Results& results, Operator op) {
  const auto p = static_cast<std::size_t>(me.size());
  const std::vector<T> in = values<T>(me.rank(), enough<T>), wide = values<T>(me.rank(), p * enough<T>);
  std::vector<T> out(in.size());
  me.all_reduce(in, out, op);
  results.add(out);
  me.reduce(in, out, op, 1);
  results.add(out);
  me.scan(in, out, op);
  results.add(out);
  me.reduce_scatter(wide, out, op);
  results.add(out);
  out = in;
  me.all_reduce(out, op);
  results.add(out);
}

template <class T>
void combine_all(Node& me, Results& results) {
  combine<T>(me, results, std::plus<>{});
  combine<T>(me, results, std::multiplies<>{});
  combine<T>(me, results, minimum{});
  combine<T>(me, results, maximum{});
  combine<T>(me, results, std::logical_and<>{});
  combine<T>(me, results, std::logical_or<>{});
  if constexpr (std::is_integral_v<T>) {
    combine<T>(me, results, std::bit_and<>{});
    combine<T>(me, results, std::bit_or<>{});
    combine<T>(me, results, std::bit_xor<>{});
  }
}

template <class T>
void move_all(Node& me, Results& results) {
  const auto p = static_cast<std::size_t>(me.size());
  const std::vector<T> in = values<T>(me.rank(), enough<T>), wide = values<T>(me.rank(), p * enough<T>);
  std::vector<T> out(in.size()), all(wide.size());
  me.all_gather(in, all);
  results.add(all);
  me.all_to_all(wide, all);
  results.add(all);
  me.scatter(wide, out);
  results.add(out);
  me.gather(in, all, 1);
  results.add(all);
  me.circular_shift(in, out, 1);
  results.add(out);
  me.broadcast(out, 1);
  results.add(out);
  std::vector<std::size_t> counts(p, enough<T> / 2);
  counts.front() = enough<T>;
  std::vector<T> varying(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  me.all_gather_v(values<T>(me.rank(), counts[static_cast<std::size_t>(me.rank())]), varying, {counts, {}});
  results.add(varying);
  me.sendrecv(in, (me.rank() + 1) % me.size(), out, (me.rank() + me.size() - 1) % me.size());
  results.add(out);
}

template <class Body>
std::vector<Results> results_of(int nodes, const TeamOptions& options, const Body& body) {
  Team team(nodes, full{}, options);
  std::vector<Results> results(static_cast<std::size_t>(nodes));
  team.run([&](Node& me) { body(me, results[static_cast<std::size_t>(me.rank())]); });
  return results;
}

/// With arenas and without: what costs are taken for, so what algorithms are chosen, is the same.
template <class Body>
void check_same_bits(int nodes, std::size_t shared_from, const Body& body) {
  TeamOptions plain = vnode_test::patient();
  plain.mapping = "scatter";
  plain.costs = typical_costs;
  plain.shared_from = shared_from;
  TeamOptions helped = plain;
  helped.arenas = DomainLevel::numa;
  helped.arenas_from = 0;
  CHECK(results_of(nodes, plain, body) == results_of(nodes, helped, body));
}

template <class Body>
void check_same_bits(const Body& body) {
  for (const int nodes : {2, 3})
    for (const std::size_t shared_from : {std::size_t{1} << 14, std::size_t{1} << 40})
      check_same_bits(nodes, shared_from, body);
}

}  // namespace

TEST_CASE("arenas change no bit of what standard operators give" * doctest::skip()) {
  check_same_bits([](Node& me, Results& results) {
    combine_all<float>(me, results);
    combine_all<double>(me, results);
    combine_all<std::int32_t>(me, results);
    combine_all<std::uint64_t>(me, results);
  });
  check_same_bits(2, 1 << 14, [](Node& me, Results& results) {
    combine_all<std::int8_t>(me, results);
    combine_all<std::uint8_t>(me, results);
    combine_all<std::int16_t>(me, results);
    combine_all<std::uint16_t>(me, results);
    combine_all<std::uint32_t>(me, results);
    combine_all<std::int64_t>(me, results);
  });
}

TEST_CASE("arenas change no bit of what is moved" * doctest::skip()) {
  check_same_bits([](Node& me, Results& results) {
    move_all<double>(me, results);
    move_all<std::uint8_t>(me, results);
  });
}

TEST_CASE("arenas change no bit of deterministic results, nor of those written back" * doctest::skip()) {
  for (const char* algorithm : {"one_shot_direct", "two_shot_direct", "ring"})
    for (const bool deterministic : {false, true}) {
      if (deterministic && std::string(algorithm) == "ring") continue;
      CAPTURE(algorithm);
      CAPTURE(deterministic);
      check_same_bits([&](Node& me, Results& results) {
        CallOptions call;
        call.algorithm = algorithm;
        call.deterministic = deterministic;
        std::vector<float> x = values<float>(me.rank(), 100'001);
        me.all_reduce(x, std::plus<>{}, call);
        results.add(x);
      });
    }
}

TEST_CASE("results are the same in arenas, on a machine with two domains of four PUs") {
  check_case_passes(two_domains, "arenas change no bit of what standard operators give");
  check_case_passes(two_domains, "arenas change no bit of what is moved");
  check_case_passes(two_domains, "arenas change no bit of deterministic results, nor of those written back");
}

TEST_CASE("an operator of the user's own is called by the node's thread only" * doctest::skip()) {
  Team team(2, full{}, with_arenas());
  team.run([](Node& me) {
    std::mutex mutex;
    std::set<std::thread::id> callers;
    int calls = 0;  // a state that no two threads may touch
    std::vector<double> x(100'000, 1.0);
    me.all_reduce(x, [&](double a, double b) {
      if (calls++ % 1000 == 0) {
        const std::lock_guard lock(mutex);
        callers.insert(std::this_thread::get_id());
      }
      return a + b;
    });
    CHECK(x.front() == 2);
    CHECK(callers.size() <= 1);
  });
}

TEST_CASE("a node's arena has its share of its domain, and no more than its own PU where there is none left" *
          doctest::skip()) {
  struct Case {
    int nodes, threads;
  };
  for (const Case one : {Case{2, 4}, Case{4, 2}, Case{8, 1}, Case{11, 1}}) {
    CAPTURE(one.nodes);
    Team team(one.nodes, full{}, with_arenas());
    team.run([&, expected = one.threads](Node& me) {
      Arena& arena = me.arena();
      CHECK(arena.concurrency() == expected);
      CHECK(arena.pus().size() == static_cast<std::size_t>(expected));
      std::vector<double> x(100'000);
      arena.fill(x, me.rank() + 1);
      me.all_reduce(x, std::plus<>{});
      const int sum = me.size() * (me.size() + 1) / 2;
      CHECK(std::ranges::count(x, sum) == 100'000);
    });
  }
  CHECK(says(
      Team(2, full{}, with_arenas()),
      "mapping: one_per_numa\npinning: none, since the machine is described by a file or a text and is not "
      "this one\narenas: by numa: 4 threads on 0-3, 4 threads on 4-7; workers not pinned\n"));
  CHECK(says(Team(4, full{}, with_arenas()), "mapping: scatter\n"));
  CHECK(says(Team(1, full{}, with_arenas(DomainLevel::package)), "arenas: by package: 8 threads on 0-7;"));
}

TEST_CASE("workers come, and a thread that waits for parts does nothing else meanwhile" * doctest::skip()) {
  Team team(2, full{}, with_arenas());
  team.run([](Node& me) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    wait_until([&] {
      me.arena().parallel_for(0, 1000, [&](std::size_t, std::size_t) {
        std::this_thread::yield();
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
      return threads.size() > 1;
    });
    CHECK(threads.size() > 1);

    // A task that waits for what the node does later: it must not be begun by the node's own thread.
    for (int time = 0; time < 20; ++time) {
      std::atomic<bool> go{false};
      const auto node = std::this_thread::get_id();
      bool begun_here = false;
      me.arena().execute([&] {
        oneapi::tbb::task_group group;
        group.run([&] {
          if (std::this_thread::get_id() == node && !go)
            begun_here = true;
          else
            wait_until([&] { return go.load(); });
        });
        std::vector<double> x(100'000, 1);
        me.all_reduce(x, std::plus<>{});
        me.arena().parallel_for(0, 1000, [](std::size_t, std::size_t) { std::this_thread::yield(); });
        go = true;
        group.wait();
      });
      CHECK_FALSE(begun_here);
    }
  });
}

TEST_CASE("a program's own parallel_for beside, around and in arenas does not hold them up" *
          doctest::skip()) {
  namespace tbb = oneapi::tbb;
  std::atomic<bool> over{false};
  std::atomic<long> loops{0};
  std::thread beside([&] {
    while (!over)
      tbb::parallel_for(0, 64, [&](int) {
        tbb::parallel_for(0, 8, [&](int) { loops.fetch_add(1, std::memory_order_relaxed); });
        std::this_thread::yield();
      });
  });
  Team team(3, ring{}, with_arenas());
  team.run([&](Node& me) {
    std::vector<double> x(50'000);
    for (int time = 0; time < 20; ++time) {
      std::ranges::fill(x, 1);
      me.all_reduce(x, std::plus<>{});
      CHECK(x.back() == 3);
      // In the node's arena, nested; then in the program's.
      std::atomic<int> count{0};
      me.arena().execute(
          [&] { tbb::parallel_for(0, 10, [&](int) { tbb::parallel_for(0, 10, [&](int) { ++count; }); }); });
      tbb::parallel_for(0, 100, [&](int) { ++count; });
      CHECK(count == 200);
      // A request in flight meanwhile.
      Request request = me.nonblocking().all_reduce(x, std::plus<>{});
      me.arena().parallel_for(
          0, 100, [&](std::size_t first, std::size_t last) { count += static_cast<int>(last - first); });
      request.wait();
      CHECK(count == 300);
      CHECK(x.front() == 9);
    }
  });
  over = true;
  beside.join();
  CHECK(loops > 0);
}

TEST_CASE("a team of arenas ends its run when a node fails, and works on" * doctest::skip()) {
  Team team(4, full{}, with_arenas());
  const std::string text = vnode_test::sentence<std::runtime_error>(team, [](Node& me) {
    std::vector<float> x(300'000, 1);
    for (int time = 0; time < 5; ++time) {
      if (time == 3 && me.rank() == 2) throw std::runtime_error("out of patience");
      me.all_reduce(x, std::plus<>{});
    }
  });
  CHECK(text == "out of patience");
}

TEST_CASE("arenas work, on a machine with two domains of four PUs") {
  for (const char* title :
       {"an operator of the user's own is called by the node's thread only",
        "a node's arena has its share of its domain, and no more than its own PU where there is none left",
        "workers come, and a thread that waits for parts does nothing else meanwhile",
        "a program's own parallel_for beside, around and in arenas does not hold them up",
        "a team of arenas ends its run when a node fails, and works on"})
    check_case_passes(two_domains, title);
}

TEST_CASE("a team of one node has all its domain in its arena") {
  Team team(1, full{}, with_arenas(DomainLevel::package));
  team.run([&](Node& me) {
    PlacedBuffer<int> x(1 << 20);
    me.arena().fill(x, 7);
    std::vector<int> out(x.size());
    me.all_reduce(x, out, std::plus<>{});
    CHECK(std::ranges::count(out, 7) == 1 << 20);
    CHECK(me.arena().execute([&] { return std::to_string(out.back()); }) == "7");
  });
}

TEST_CASE("workers of an arena are pinned to its PUs, the node stays on its own, and all have theirs back") {
  const std::vector<int> before = thread_affinity();
  const Machine machine = Machine::discover();
  std::mutex mutex;
  std::set<std::thread::id> workers;
  {
    Team team(1, full{}, with_arenas(DomainLevel::package));
    team.run([&](Node& me) {
      Arena& arena = me.arena();
      const std::vector<int> node = thread_affinity();
      CHECK(node.size() == 1);
      std::set<int> others;
      for (const int pu : arena.pus()) others.insert(machine.pus[static_cast<std::size_t>(pu)].os_index);
      if (others.size() > 1) others.erase(node.front());
      const auto own = std::this_thread::get_id();
      wait_until([&] {
        arena.parallel_for(0, 1000, [&](std::size_t, std::size_t) {
          std::this_thread::yield();
          const std::vector<int> here = thread_affinity();
          const std::lock_guard lock(mutex);
          if (std::this_thread::get_id() == own) {
            CHECK(here == node);
          } else {
            CHECK(here == std::vector<int>(others.begin(), others.end()));
            workers.insert(std::this_thread::get_id());
          }
        });
        return !workers.empty() || arena.concurrency() == 1;
      });
      // Another thread of the user's.
      std::thread([&] {
        arena.execute([&] { CHECK(thread_affinity() == std::vector<int>(others.begin(), others.end())); });
        CHECK(thread_affinity() == before);
      }).join();
    });
    CHECK(says(team, "; workers pinned, "));
  }
  CHECK(thread_affinity() == before);
  // Workers that were still in the arena when it ended have theirs back, too.
  oneapi::tbb::parallel_for(0, 1000, [&](int) {
    std::this_thread::yield();
    const std::vector<int> here = thread_affinity();
    const std::lock_guard lock(mutex);
    CHECK(here == before);
  });
}

TEST_CASE("oneTBB has all PUs although a team has pinned the main thread before" * doctest::skip()) {
  const std::size_t pus = thread_affinity().size();
  Team team(2);
  team.run([](Node& me) { me.barrier(); });
  CHECK(static_cast<std::size_t>(oneapi::tbb::info::default_concurrency()) == pus);
}

TEST_CASE("a team leaves all PUs to oneTBB") {
  check_case_passes("", "oneTBB has all PUs although a team has pinned the main thread before");
}

TEST_CASE("exceptions leave an arena as they are, and an arena without a team's leave is none") {
  Team team(1, full{}, with_arenas());
  team.run([](Node& me) {
    CHECK_THROWS_WITH(me.arena().execute([] { throw std::runtime_error("no"); }), "no");
    CHECK_THROWS_WITH(
        me.arena().parallel_for(0, 10, [](std::size_t, std::size_t) { throw std::runtime_error("never"); }),
        "never");
    me.arena().parallel_for(3, 3, [](std::size_t, std::size_t) { throw std::runtime_error("nothing"); });
    CHECK(me.arena().native<oneapi::tbb::task_arena>().max_concurrency() >= me.arena().concurrency());
    CHECK_THROWS_WITH_AS(me.arena().native<std::string>(),
                         doctest::Contains("is a tbb::task_arena of the oneTBB"), UsageError);
  });
  CHECK(vnode_test::refusal(2, [](Node& me) { me.arena(); }) ==
        "this team's nodes have no arenas: set TeamOptions::arenas, to DomainLevel::numa for instance, or "
        "VNODE_ARENAS=numa");
}

TEST_CASE("the environment gives a team arenas, takes them away, and is told what it may say") {
  const auto report = [](const char* value, const TeamOptions& options) {
    setenv("VNODE_ARENAS", value, 1);
    std::string text;
    try {
      text = Team(2, full{}, options).report();
    } catch (const UsageError& error) {
      text = error.what();
    }
    unsetenv("VNODE_ARENAS");
    return text;
  };
  const std::string given = report("package", {});
  CHECK(given.find("arenas: by package: ") != std::string::npos);
  CHECK(given.find("from the environment: VNODE_ARENAS=package\n") != std::string::npos);
  CHECK(report("off", with_arenas()).find("arenas: ") == std::string::npos);
  CHECK(report("core", {}) == "VNODE_ARENAS=core: it may be one of l3, numa, package, off");
}
