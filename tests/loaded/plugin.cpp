// This is a library that uses vnode, loaded by a program that does not.
#include "loaded/plugin.hpp"

#include <exception>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

/// Returns options with costs, since measuring them takes longer than all else here.
vnode::TeamOptions quick() {
  vnode::TeamOptions options;
  options.costs = vnode::CostModel{};
  return options;
}

bool adds_up(vnode::Node& me) {
  std::vector<double> x(100, me.rank() + 1.0);
  me.all_reduce(x, std::plus<>{});
  const int p = me.size();
  const double sum = me.all_reduce(me.rank() + 1.0, [](double a, double b) { return a + b; });
  return x == std::vector<double>(100, p * (p + 1) / 2.0) && sum == p * (p + 1) / 2.0;
}

bool runs() {
  vnode::Team team{3, quick()};
  std::vector<char> right(3);
  team.run([&](vnode::Node& me) { right[static_cast<std::size_t>(me.rank())] = adds_up(me); });
  return right == std::vector<char>(3, 1);
}

bool is_joined() {
  vnode::TeamOptions options = quick();
  options.threads = vnode::Threads::callers;
  vnode::Team team{2, options};
  std::vector<char> right(2);
  const auto join = [&](int rank) {
    vnode::Membership me = team.join(rank);
    right[static_cast<std::size_t>(rank)] = adds_up(*me);
  };
  std::thread other(join, 1);
  join(0);
  other.join();
  return right == std::vector<char>(2, 1);
}

/// Returns whether errors of the library, and others, come out of a run as what they are.
bool throws() {
  vnode::Team team{2, quick()};
  try {
    team.run([](vnode::Node& me) {
      if (me.rank() == 1) throw std::runtime_error("of a node");
      me.barrier();
    });
    return false;
  } catch (const std::runtime_error& error) {
    if (std::string_view(error.what()) != "of a node") return false;
  }
  try {
    team.run([](vnode::Node& me) { me.barrier({.segments = -1}); });
    return false;
  } catch (const vnode::UsageError&) {
    return true;
  }
}

}  // namespace

const char* plugin_version() { return vnode::version().data(); }
int plugin_works() try { return runs() && is_joined() && throws(); } catch (const std::exception&) {
  return 0;
}
const void* plugin_operator() { return &vnode::operator_type<double, std::plus<>>; }
int plugin_keeps_a_team() try {
  vnode::TeamOptions options = quick();
  options.keep_caller_pinned = true;
  static vnode::Team team{3, options};
  bool right = false;
  team.run([&](vnode::Node& me) {
    const bool mine = adds_up(me);
    if (me.rank() == 0) right = mine;
  });
  return right;
} catch (const std::exception&) {
  return 0;
}
