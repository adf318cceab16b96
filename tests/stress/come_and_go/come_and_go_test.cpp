// Tests that ten thousand teams that are run, and as many that are joined, leave their process as it was.
#include <array>
#include <barrier>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "belongings.hpp"
#include "brief.hpp"
#include "sentence.hpp"

using namespace vnode_test;

namespace {

int teams() { return brief() ? 300 : 10'000; }

vnode::TeamOptions of_each(int time, vnode::Threads threads) {
  vnode::TeamOptions options = patient();
  options.threads = threads;
  options.pin = time % 8 == 0;
  options.costs = vnode::CostModel{};
  return options;
}

/// Does a node's work in the `time`th run. Throws in every tenth.
void work(vnode::Node& me, int time) {
  const int p = me.size();
  if (me.all_reduce(me.rank() + 1, std::plus<>{}) != p * (p + 1) / 2) throw std::logic_error("wrong sum");
  if (time % 3 == 0) {
    std::vector<int> x(1000, 1);
    me.nonblocking().all_reduce(x, std::plus<>{}).wait();
    if (x.back() != p) throw std::logic_error("wrong sum of a call in flight");
  }
  if (time % 7 == 0) {
    vnode::Group all = me.split(0);
    vnode::Persistent barrier = all.persistent().barrier();
    barrier.start();
    barrier.wait();
  }
  if (time % 10 == 9) {
    if (me.rank() == 1) throw std::runtime_error("leaves");
    for (;;) me.barrier();
  }
}

/// Returns whether the work ended as it should, by throwing what it has to or not at all.
template <class Work>
bool as_it_should(int time, const Work& done) {
  std::string said;
  try {
    done();
    if (time % 10 != 9) return true;
    said = "nothing was thrown";
  } catch (const vnode::Aborted& error) {
    if (time % 10 == 9) return true;
    said = error.what();
  } catch (const std::exception& error) {
    said = error.what();
    if (time % 10 == 9 && said == "leaves") return true;
  }
  std::fprintf(stderr, "run %d: %s\n", time, said.c_str());
  return false;
}

/// Allocators keep something, and a run that ends by an exception more: a block for each team would be found.
void check_left(const Belongings& before, const Belongings& after) {
  CHECK(after.threads == before.threads);
  CHECK(after.descriptors == before.descriptors);
  CHECK(after.affinity == before.affinity);
  CHECK(after.mappings < before.mappings + 20);
  CHECK(after.bytes < before.bytes + 4 * static_cast<std::size_t>(teams()) + 20'000);
}

}  // namespace

TEST_CASE("teams that are run, one after the other, leave no thread, descriptor, memory or affinity") {
  std::optional<Belongings> before;
  const int warm = teams() / 10;
  for (int time = 0; time < warm + teams(); ++time) {
    if (time == warm) before.emplace();  // caches are full by then
    vnode::Team team{2, of_each(time, vnode::Threads::own)};
    if (!as_it_should(time, [&] { team.run([&](vnode::Node& me) { work(me, time); }); })) FAIL(time);
  }
  check_left(*before, Belongings());
}

TEST_CASE("teams that are joined, one after the other, leave no thread, descriptor, memory or affinity") {
  const int warm = teams() / 10;
  std::optional<vnode::Team> team;
  std::optional<Belongings> before, after;
  std::array<int, 2> wrong{};
  std::barrier<> together(2);
  const auto joins = [&](int rank) {
    const std::vector<int> affinity = affinity_here();
    for (int time = 0; time < warm + teams(); ++time) {
      if (rank == 0) {
        if (time == warm) before.emplace();
        team.emplace(2, of_each(time, vnode::Threads::callers));
      }
      together.arrive_and_wait();
      const bool right = as_it_should(time, [&] {
        vnode::Membership me = team->join(rank);
        work(*me, time);
      });
      const bool here = affinity_here() == affinity;
      together.arrive_and_wait();
      if (rank == 0) team.reset();
      if (!right || !here) ++wrong[static_cast<std::size_t>(rank)];
      together.arrive_and_wait();
    }
    if (rank == 0) after.emplace();
    together.arrive_and_wait();  // until then the other thread is counted
  };
  std::thread other(joins, 1);
  joins(0);
  other.join();
  CHECK(wrong == std::array<int, 2>{});
  check_left(*before, *after);
}

TEST_CASE("a team that is run again and again grows no more") {
  vnode::Team team{2, of_each(1, vnode::Threads::own)};
  const int warm = teams() / 10;
  std::optional<Belongings> before;
  for (int time = 0; time < warm + teams(); ++time) {
    if (time == warm) before.emplace();
    if (!as_it_should(time, [&] { team.run([&](vnode::Node& me) { work(me, time); }); })) FAIL(time);
  }
  check_left(*before, Belongings());
}

TEST_CASE("a team that is joined again and again grows no more") {
  vnode::Team team{2, of_each(1, vnode::Threads::callers)};
  const int warm = teams() / 10;
  std::optional<Belongings> before, after;
  std::array<int, 2> wrong{};
  std::barrier<> together(2);
  const auto joins = [&](int rank) {
    for (int time = 0; time < warm + teams(); ++time) {
      if (rank == 0 && time == warm) before.emplace();
      if (!as_it_should(time, [&] {
            vnode::Membership me = team.join(rank);
            work(*me, time);
          }))
        ++wrong[static_cast<std::size_t>(rank)];
      together.arrive_and_wait();
    }
    if (rank == 0) after.emplace();
    together.arrive_and_wait();
  };
  std::thread other(joins, 1);
  joins(0);
  other.join();
  CHECK(wrong == std::array<int, 2>{});
  check_left(*before, *after);
}

TEST_CASE("teams that share out the host's PUs leave no file and no descriptor") {
  std::string folder = (std::filesystem::temp_directory_path() / "vnode-comings-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  std::optional<Belongings> before;
  for (int time = 0; time < teams() / 5; ++time) {
    if (time == teams() / 20) before.emplace();
    vnode::TeamOptions options = of_each(8 * time, vnode::Threads::callers);
    options.share = folder;
    const vnode::Team team{2, options};
  }
  check_left(*before, Belongings());
  CHECK(entries(folder.c_str()) == 0);
  std::filesystem::remove_all(folder);
}
