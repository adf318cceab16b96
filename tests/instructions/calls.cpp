// Makes warm calls whose instructions callgrind counts (tests/instructions/check):
//   calls NODES OPERATION BYTES RANK...
// for each node RANK five calls in which it comes last, so that it never waits, and after each a dump called
// RANK.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <valgrind/callgrind.h>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

constexpr int warm = 40, counted = 5;

/// A node's data and the call that it makes of them.
struct Work {
  Work(vnode::Node& node, std::size_t count_)
      : me(node), count(count_), in(count * static_cast<std::size_t>(me.size()), 1.0), out(in.size()) {}

  std::span<double> mine() { return std::span(in).first(count); }
  std::span<double> result() { return std::span(out).first(count); }

  vnode::Node& me;
  std::size_t count;
  std::vector<double> in, out;
};

using Call = void (*)(Work&);

Call call_of(std::string_view operation) {
  struct Named {
    std::string_view name;
    Call call;
  };
  static constexpr Named calls[]{
      {"barrier", [](Work& w) { w.me.barrier(); }},
      {"broadcast", [](Work& w) { w.me.broadcast(w.mine(), 0); }},
      {"reduce", [](Work& w) { w.me.reduce(w.mine(), w.result(), std::plus<>{}, 0); }},
      {"all_reduce", [](Work& w) { w.me.all_reduce(w.mine(), w.result(), std::plus<>{}); }},
      {"scan", [](Work& w) { w.me.scan(w.mine(), w.result(), std::plus<>{}); }},
      {"all_gather", [](Work& w) { w.me.all_gather(w.mine(), w.out); }},
      {"all_to_all", [](Work& w) { w.me.all_to_all(w.in, w.out); }},
      {"exchange", [](Work& w) { w.me.exchange(w.in, w.out); }},
      {"send", [](Work& w) {
         if (w.me.rank() == 0) w.me.send(w.mine(), 1);
         if (w.me.rank() == 1) w.me.recv(w.mine(), 0);
       }}};
  for (const Named& named : calls)
    if (named.name == operation) return named.call;
  throw std::invalid_argument("there is no operation " + std::string(operation));
}

}  // namespace

// Callgrind counts what this function does, by its name.
extern "C" [[gnu::noinline]] void counted_call(Call call, Work& work) { call(work); }

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: calls NODES OPERATION BYTES RANK...\n";
    return 2;
  }
  const Call call = call_of(argv[2]);
  vnode::Team team(std::atoi(argv[1]), vnode::shapes::full{});
  team.run([&](vnode::Node& me) {
    Work work(me, std::strtoul(argv[3], nullptr, 10) / sizeof(double));
    for (int i = 0; i < warm; ++i) {
      call(work);
      me.barrier();
    }
    for (int argument = 4; argument < argc; ++argument) {
      const int last = std::atoi(argv[argument]);
      for (int i = 0; i < counted; ++i) {
        me.barrier();
        if (me.rank() == last) {
          std::this_thread::sleep_for(std::chrono::milliseconds(30));  // the others have made theirs
          counted_call(call, work);
          CALLGRIND_DUMP_STATS_AT(argv[argument]);
        } else {
          call(work);
        }
      }
      me.barrier();
    }
  });
}
