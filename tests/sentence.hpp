#pragma once

#include <string>

#include <vnode/vnode.hpp>

#include "given_machine.hpp"

namespace vnode_test {

/// Options of a team whose hangs become reports.
inline vnode::TeamOptions patient() {
  vnode::TeamOptions options;
  options.time_limit = std::chrono::seconds(60);
  return options;
}

/// Returns the sentence of the exception E that a run ends with; "" if it ends well. Whatever happened, the
/// team works.
template <class E, class Body>
std::string sentence(vnode::Team& team, const Body& body) {
  std::string text;
  try {
    team.run(body);
  } catch (const E& error) {
    text = error.what();
  }
  int sum = 0;
  team.run([&](vnode::Node& me) {
    int one[1] = {1};
    me.reduce(one, std::plus<>{});
    if (me.rank() == 0) sum = one[0];
  });
  return sum == team.size() ? text : "the team is unusable";
}

/// Returns whether the team's report has that text.
inline bool says(const vnode::Team& team, const std::string& text) {
  return team.report().find(text) != std::string::npos;
}

/// Returns what a team of `nodes` has to say to a wrong use.
template <class Body>
std::string refusal(int nodes, const Body& body, const vnode::Shape& shape = vnode::shapes::full{}) {
  vnode::Team team(nodes, shape, patient());
  return sentence<vnode::UsageError>(team, body);
}

}
