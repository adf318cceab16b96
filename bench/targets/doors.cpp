#include <array>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <omp.h>
#include <thread>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/vnode.h>
#include <vnode/vnode.hpp>

#include "commands/team.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"
#include "timing/affinity.hpp"
#include "timing/clock.hpp"

namespace vnode::bench {
namespace {

constexpr int laps = 30;

enum class Short { barrier, all_reduce, broadcast, send };
constexpr std::array<std::pair<Short, const char*>, 4> shorts{{{Short::barrier, "barrier"},
                                                               {Short::all_reduce, "all_reduce 8"},
                                                               {Short::broadcast, "broadcast 8"},
                                                               {Short::send, "send 8"}}};

/// Returns the microseconds of one call(), of `count` calls that all nodes begin together.
template <class Begin, class Call>
double each(int count, const Begin& begin, const Call& call) {
  for (int i = 0; i < count / 10 + 2; ++i) call();  // plans are made, lines are where they will be
  begin();
  const Ticks before = now_after();
  for (int i = 0; i < count; ++i) call();
  return the_clock().us(now_after() - before) / count;
}

double each(Node& me, Short what, int count) {
  std::array<double, 1> x{0};
  const auto begin = [&] { me.barrier(); };
  switch (what) {
    case Short::barrier:
      return each(count, begin, begin);
    case Short::all_reduce:
      return each(count, begin, [&] { me.all_reduce(x, std::plus<>{}); });
    case Short::broadcast:
      return each(count, begin, [&] { me.broadcast(x); });
    case Short::send:
      break;
  }
  // Half a ping-pong.
  return each(count, begin,
              [&] {
                if (me.rank() == 0) me.send(x, 1), me.recv(x, 1);
                if (me.rank() == 1) me.recv(x, 0), me.send(x, 0);
              }) /
         2;
}

void check(int code) {
  if (code < 0) throw SystemError(vnode_message());
}

/// Measures the same call from C.
double each_in_c(vnode_node* me, Short what, int count) {
  double x = 0;
  const auto begin = [&] { check(vnode_barrier(me, nullptr)); };
  const int rank = vnode_group_rank(me);
  switch (what) {
    case Short::barrier:
      return each(count, begin, begin);
    case Short::all_reduce:
      return each(count, begin,
                  [&] { check(vnode_all_reduce(me, &x, &x, 1, VNODE_F64, VNODE_SUM, nullptr)); });
    case Short::broadcast:
      return each(count, begin, [&] { check(vnode_broadcast(me, &x, 1, VNODE_F64, 0, nullptr)); });
    case Short::send:
      break;
  }
  const auto send = [&](int to) { check(vnode_send(me, &x, 1, VNODE_F64, to, 0)); };
  const auto receive = [&](int from) { check(vnode_recv(me, &x, 1, VNODE_F64, from, 0, nullptr)); };
  return each(count, begin,
              [&] {
                if (rank == 0) send(1), receive(1);
                if (rank == 1) receive(0), send(0);
              }) /
         2;
}

/// Takes an exception that leaves a thread to the one that waits for it.
class Failure {
 public:
  template <class Body>
  void of(const Body& body) {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

/// Holds teams of one size, each with its own way in. Nodes of the same rank run on the same PU.
class Doors {
 public:
  Doors(const Options& options, int nodes)
      : run_(team_of(options, nodes)), joined_(team_of_callers(options, nodes)), pus_(affinities(*run_)) {
    omp_set_dynamic(0);
    check(vnode_team_create(&c_, nodes, nullptr, nullptr));
  }
  ~Doors() { vnode_team_free(&c_); }
  Doors(const Doors&) = delete;
  Doors& operator=(const Doors&) = delete;

  int nodes() const { return run_->size(); }
  Team& run() { return *run_; }
  /// Calls body(rank) on threads of std::thread, each where the node of its rank runs.
  template <class Body>
  void on_threads(const Body& body) {
    Failure failure;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < nodes(); ++rank)
      threads.emplace_back([&, rank] { failure.of([&] { there(rank, body); }); });
    for (std::thread& thread : threads) thread.join();
    failure.rethrow();
  }
  /// Calls body(rank) on threads of OpenMP's, each where the node of its rank runs.
  template <class Body>
  void in_region(const Body& body) {
    Failure failure;
#pragma omp parallel num_threads(nodes())
    failure.of([&] { there(omp_get_thread_num(), body); });
    failure.rethrow();
  }
  /// Calls body(node) on each node of a team that C has made.
  template <class Body>
  void in_c(const Body& body) {
    check(vnode_team_run(
        c_,
        [](vnode_node* me, void* given) {
          (*static_cast<const Body*>(given))(me);
          return 0;
        },
        const_cast<Body*>(&body)));
  }
  Team& joined() { return joined_; }

 private:
  static Team team_of_callers(const Options& options, int nodes) {
    TeamOptions team = options.team_options();
    team.deterministic = team.keep_caller_pinned = team.apart = false;
    team.mapping.clear();
    team.banks.reset();
    team.arenas.reset();
    team.threads = Threads::callers;
    team.pin = false;  // the threads are there already
    return Team(nodes, team);
  }
  template <class Body>
  void there(int rank, const Body& body) {
    const WithAffinity here(pus_[static_cast<std::size_t>(rank)]);
    body(rank);
  }

  std::unique_ptr<Team> run_;
  Team joined_;
  std::vector<Affinity> pus_;
  vnode_team* c_ = nullptr;
};

/// Describes a way to make the measured calls: `lap` measures them once, in microseconds.
struct Way {
  const char* name;
  std::function<double()> lap;
};

/// Returns the median of each way's laps, whose order changes.
std::vector<double> interleaved(const std::vector<Way>& ways) {
  std::vector<std::vector<double>> us(ways.size());
  for (std::size_t lap = 0; lap < laps; ++lap)
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const std::size_t way = (lap + i) % ways.size();
      us[way].push_back(ways[way].lap());
    }
  std::vector<double> medians;
  for (const std::vector<double>& of : us) medians.push_back(median(of));
  return medians;
}

/// Adds a verdict for each way but the first, whose time is what the others are measured by.
void add(Verdicts& verdicts, const std::string& what, const std::vector<Way>& ways, double factor,
         double extra_us, const std::string& target) {
  const std::vector<double> medians = interleaved(ways);
  for (std::size_t i = 1; i < ways.size(); ++i)
    verdicts.push_back({.what = fmt::format("{}, {}", what, ways[i].name),
                        .target = target,
                        .measured = medians[i],
                        .against = medians[0],
                        .bound = factor * medians[0] + extra_us});
}

void add_calls(Doors& doors, Verdicts& verdicts) {
  const int p = doors.nodes(), count = p > 2 ? 200 : 2000;
  for (const auto& [what, name] : shorts) {
    if (p == 1 && what == Short::send) continue;
    double us = 0;
    const auto note = [&us](int rank, double took) {
      if (rank == 0) us = took;
    };
    const auto joins = [&, what = what](int rank) {
      Membership me = doors.joined().join(rank);
      note(rank, each(*me, what, count));
    };
    add(verdicts, fmt::format("{} at p = {}", name, p),
        {{"run",
          [&, what = what] {
            doors.run().run([&](Node& me) { note(me.rank(), each(me, what, count)); });
            return us;
          }},
         {"std::threads that have joined",
          [&] {
            doors.on_threads(joins);
            return us;
          }},
         {"OpenMP's threads that have joined",
          [&] {
            doors.in_region(joins);
            return us;
          }},
         {"from C",
          [&, what = what] {
            doors.in_c([&](vnode_node* me) { note(vnode_group_rank(me), each_in_c(me, what, count)); });
            return us;
          }}},
        1.05, 0.005, "1.05 run() + 5 ns");
  }
}

/// Adds what it costs to join and leave a team, where threads wait for each other only in doing so.
void add_comings(Doors& doors, Verdicts& verdicts) {
  const int count = doors.nodes() > 2 ? 50 : 500;
  double us = 0;
  const auto joins = [&](int rank) {
    const double took = each(
        count, [] {},
        [&] {
          Membership me = doors.joined().join(rank);
          me->barrier();
        });
    if (rank == 0) us = took;
  };
  add(verdicts, fmt::format("join, barrier and leave at p = {}", doors.nodes()),
      {{"run",
        [&] {
          return each(
              count, [] {}, [&] { doors.run().run([](Node& me) { me.barrier(); }); });
        }},
       {"std::threads",
        [&] {
          doors.on_threads(joins);
          return us;
        }},
       {"OpenMP's threads",
        [&] {
          doors.in_region(joins);
          return us;
        }}},
      1, 5, "a run with a barrier + 5 us");
}

}  // namespace

Verdicts through_doors(const Options& options) {
  Verdicts verdicts;
  for (const int nodes : {1, 2, 8}) {
    Doors doors(options, nodes);
    add_calls(doors, verdicts);
    add_comings(doors, verdicts);
  }
  return verdicts;
}

}  // namespace vnode::bench
