// Usage: process killed|funneled|serialized, process stopped|full LIMIT. `check` runs it in every process.
// LIMIT is the time limit in milliseconds.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/cluster.hpp>

namespace {

/// The last process does this to itself, in a run; the others have calls with it. `limit`: 0 for none.
void end_by(int signal, std::chrono::milliseconds limit, const std::function<void(vnode::Node&)>& call) {
  vnode::TeamOptions options;
  options.wait = vnode::Wait::park;
  options.time_limit = limit;
  vnode::Cluster cluster{MPI_COMM_WORLD, 2, options};
  cluster.run([](vnode::Node& me) { me.barrier(); });
  try {
    cluster.run([&](vnode::Node& me) {
      me.barrier();
      if (me.rank() == me.size() - 1) std::raise(signal);
      call(me);
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "process %d: %s\n", cluster.process(), error.what());
    throw;
  }
}

void barrier(vnode::Node& me) { me.barrier(); }

/// Short and long messages to the last node, until nothing takes them.
void fill(vnode::Node& me) {
  const std::vector<double> some(1), many(100000);
  std::vector<vnode::Request> sent;
  if (me.rank() == 0) sent.push_back(me.isend(many, me.size() - 1, 1));
  for (;;)
    if (me.rank() == 0)
      me.send(some, me.size() - 1);
    else
      me.barrier();
}

/// Checks what a level of threads allows a process, and what is said of it.
void look_at(int level) {
  try {
    const vnode::Cluster two{MPI_COMM_WORLD, 2};
    if (two.process() == 0) std::printf("%s", two.report().c_str());
    two.team().run([](vnode::Node& me) {
      std::vector<double> x(5000, 1);
      for (int i = 0; i < 20; ++i) {
        me.all_reduce(x, std::plus<>{});
        const int p = me.size();
        me.sendrecv(std::vector<double>(x), (me.rank() + 1) % p, x, (me.rank() + p - 1) % p);
      }
    });
    std::printf("2 nodes each\n");
  } catch (const vnode::UsageError& error) {
    std::printf("refused: %s\n", error.what());
  }
  if (level == MPI_THREAD_SERIALIZED) return;
  vnode::Cluster one{MPI_COMM_WORLD, 1};
  one.run([](vnode::Node& me) {
    if (me.all_reduce(1, std::plus<>{}) == me.size()) std::printf("1 node each\n");
  });
  if (one.process() == 0) std::printf("%s", one.report().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const std::chrono::milliseconds limit(argc > 2 ? std::atoi(argv[2]) : 0);
  const int level = mode == "funneled"     ? MPI_THREAD_FUNNELED
                    : mode == "serialized" ? MPI_THREAD_SERIALIZED
                                           : MPI_THREAD_MULTIPLE;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, level, &provided);
  if (mode == "killed") end_by(SIGKILL, limit, barrier);
  if (mode == "stopped") end_by(SIGSTOP, limit, barrier);
  if (mode == "full") end_by(SIGSTOP, limit, fill);
  if (mode == "funneled" || mode == "serialized") look_at(level);
  MPI_Finalize();
}
