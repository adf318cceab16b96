// Nodes that end a run, and have no memory left to say why.
#include <array>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "failing_allocation.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Counts the nodes that are in their bodies.
struct CountedBody {
  std::atomic<int>& count;
  explicit CountedBody(std::atomic<int>& bodies) : count(bodies) { ++count; }
  ~CountedBody() { --count; }
};

struct Shortage {
  int thrower, site, first, times;
};

/// Runs a node that throws where `tried` says, and whose allocations fail from its `first` on.
void run_short(vnode::Node& me, const Shortage& tried, std::atomic<int>& bodies) {
  const CountedBody here(bodies);
  fail_allocation(0);
  std::vector<double> x(700, 1), y(700), all(700 * static_cast<std::size_t>(me.size()));
  const bool throws = me.rank() == tried.thrower;
  if (throws) fail_allocation(tried.first, tried.times);
  const auto may_throw = [&](int site) {
    if (throws && tried.site == site) throw std::runtime_error("no input");
  };
  may_throw(0);
  me.all_reduce(std::span<const double>(x), std::span(y), std::plus<>{});
  may_throw(1);
  vnode::Group half = me.split(me.rank() % 2);
  half.barrier();
  may_throw(2);
  vnode::Request request = me.nonblocking().all_gather(std::span<const double>(x), std::span(all));
  may_throw(3);
  request.wait();
  const int right = (me.rank() + 1) % me.size(), left = (me.rank() + me.size() - 1) % me.size();
  me.sendrecv(std::span<const double>(x), right, std::span(y), left);
  may_throw(4);
  for (int i = 0; i < 1000; ++i) me.barrier();
  may_throw(5);
}

int shortages() {
  const char* const wanted = std::getenv("VNODE_TRIALS");
  return wanted != nullptr ? std::min(std::atoi(wanted), 500) : 500;
}

Shortage any_shortage(std::mt19937& random, int nodes) {
  const auto any = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  const int times[] = {all_later, 3 + any(6)};
  return {any(nodes), any(6), 1 + any(30), times[any(2)]};
}

}  // namespace

TEST_CASE("a run that ends without memory leaves no node in its body, and the next is right") {
  std::mt19937 random(3);
  for (const int p : {2, 3, 5}) {
    vnode::Team team(p, vnode::shapes::full{}, patient());
    std::atomic<int> bodies = 0;
    for (int seed = 0; seed < shortages() / 3; ++seed) {
      const Shortage tried = any_shortage(random, p);
      INFO(p << " nodes, seed " << seed << ": node " << tried.thrower << ", site " << tried.site
             << ", allocation " << tried.first << ", times " << tried.times);
      std::string said;
      try {
        team.run([&](vnode::Node& me) { run_short(me, tried, bodies); });
      } catch (const std::exception& error) {
        fail_allocation(0);
        said = error.what();
      }
      fail_allocation(0);
      CHECK(bodies == 0);
      CHECK((said == "no input" || said == "std::bad_alloc"));
      std::atomic<int> right = 0;
      team.run([&](vnode::Node& me) {
        fail_allocation(0);
        if (me.all_reduce(me.rank() + 1, std::plus<>{}) == p * (p + 1) / 2) ++right;
      });
      REQUIRE(right == p);
    }
  }
}

TEST_CASE("a membership that ends without memory ends the run of the others, and its team is joined again") {
  std::mt19937 random(4);
  for (const int p : {2, 3}) {
    vnode::TeamOptions options = patient();
    options.threads = vnode::Threads::callers;
    vnode::Team team(p, vnode::shapes::full{}, options);
    std::atomic<int> bodies = 0, right = 0, wrong = 0;
    const int times = shortages() / 10;
    std::vector<Shortage> tried;
    for (int seed = 0; seed < times; ++seed) tried.push_back(any_shortage(random, p));
    const auto join_again_and_again = [&](int rank) {
      for (const Shortage& one : tried) {
        try {
          vnode::Membership me = team.join(rank);
          run_short(*me, one, bodies);
        } catch (const vnode::Aborted&) {
        } catch (const std::bad_alloc&) {
        } catch (const std::runtime_error& error) {
          if (std::string(error.what()) != "no input") ++wrong;
        }
        fail_allocation(0);
        vnode::Membership me = team.join(rank);
        if (me->all_reduce(rank + 1, std::plus<>{}) == p * (p + 1) / 2) ++right;
      }
    };
    std::vector<std::thread> threads;
    for (int rank = 0; rank < p; ++rank) threads.emplace_back(join_again_and_again, rank);
    for (std::thread& thread : threads) thread.join();
    CHECK(bodies == 0);
    CHECK(wrong == 0);
    CHECK(right == p * times);
  }
}
