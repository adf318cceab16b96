#pragma once

#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

namespace vnode_test {

/// Options of a team of callers whose hangs become reports.
inline vnode::TeamOptions callers() {
  vnode::TeamOptions options = patient();
  options.threads = vnode::Threads::callers;
  return options;
}

inline vnode::Team joined_by(int nodes) { return vnode::Team{nodes, callers()}; }

/// Calls body(0), body(1) ... on threads of their own.
template <class Body>
void on_threads(int threads, const Body& body) {
  std::vector<std::thread> started;
  for (int i = 0; i < threads; ++i) started.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : started) thread.join();
}

/// Returns the sentence of the exception that leaves `use`; "" if none does.
inline std::string said_by(const std::function<void()>& use) {
  try {
    use();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// Returns whether calls of all nodes give what they must.
inline bool works(vnode::Node& me) {
  const int p = me.size();
  std::vector<int> x(100, me.rank() + 1);
  me.all_reduce(x, std::plus<>{});
  const int sum = me.all_reduce(me.rank() + 1, std::plus<>{});
  me.barrier();
  return x == std::vector<int>(100, p * (p + 1) / 2) && sum == p * (p + 1) / 2;
}

/// Returns whether a team of callers can be joined.
inline bool still_works(vnode::Team& team) {
  std::vector<char> right(static_cast<std::size_t>(team.size()));
  on_threads(team.size(), [&](int i) { right[static_cast<std::size_t>(i)] = works(*team.join(i)); });
  return right == std::vector<char>(right.size(), 1);
}

}  // namespace vnode_test
