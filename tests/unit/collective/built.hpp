#pragma once

#include <doctest/doctest.h>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/verify.hpp>

namespace vnode {

// Schedules of the register's algorithms, by name.

inline Schedule built(std::string_view name, const Parameters& parameters) {
  REQUIRE_FALSE(why_not(algorithm(name), parameters));
  return algorithm(name).build(parameters);
}

inline std::string drawn(std::string_view name, const Parameters& parameters) {
  return picture(built(name, parameters));
}

// Where it breaks its contract or the row's promises.
inline std::vector<std::string> findings(std::string_view name, const Parameters& parameters) {
  const Algorithm& row = algorithm(name);
  const Schedule schedule = built(name, parameters);
  return verify(
      schedule, contract(row.collective, parameters, schedule.blocks()),
      {.ports = row.ports,
       .rounds = rounds(row, parameters),
       .transfers = row.transfers.value(parameters),
       .cost = row.cost(parameters),
       .peers = [&](int round, Rank from, Rank to) { return row.peers(parameters, round, from, to); }});
}

}  // namespace vnode
