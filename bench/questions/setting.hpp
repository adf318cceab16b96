#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/operator.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/rank.hpp>
#include <vnode/team.hpp>

namespace vnode::bench {

class MpiPeers;

/// Says how vnode's operations are called.
enum class Form {
  blocking,
  nonblocking,  ///< started, and waited for at once
  persistent    ///< planned once in a lap, started and waited for every time
};

/// Says how vnode carries out a call.
struct Way {
  std::string algorithm{};                   ///< by full name; "": the library chooses
  std::shared_ptr<const OwnSchedule> own{};  ///< the user's schedule instead, or null
  Hierarchy hierarchy{};                     ///< of hierarchical algorithms; empty: the library's default

  /// Returns the options, which point to this object.
  CallOptions options() const {
    return {.algorithm = algorithm, .schedule = own.get(), .hierarchy = hierarchy ? &hierarchy : nullptr};
  }
  /// Returns what --algorithm or --schedule said.
  std::string requested() const {
    if (own != nullptr) return std::string{own->name()};
    return algorithm.empty() ? "auto" : algorithm;
  }
};

/// Describes what one question is about.
struct Setting {
  int nodes = 2;
  std::size_t bytes = 8;  ///< m, the operation's message size
  Rank root = 0;
  int shift = 1;  ///< of circular shifts
  Arithmetic datatype = Arithmetic::f64;
  StandardOperator op = StandardOperator::plus;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms{""};   ///< vnode's to measure, by full name; "": the library chooses
  std::shared_ptr<const OwnSchedule> own{};  ///< the user's schedule to measure beside them, or null
  Hierarchy hierarchy{};                     ///< of hierarchical algorithms; empty: the library's default
  Form form = Form::blocking;
  const Team* ports{};  ///< on whose ports' banks the vectors' pieces lie; null: where they are first touched
  std::vector<std::string> against{};  ///< contestants other than vnode
  bool limits = true;                  ///< every node has a core, so the machine's limits can be measured
  std::shared_ptr<MpiPeers> mpi{};     ///< there, if `against` has "mpi"

  /// Returns the ways of vnode's contestants, in order; the user's schedule is the last.
  std::vector<Way> ways() const {
    std::vector<Way> all;
    for (const std::string& algorithm : algorithms)
      all.push_back({.algorithm = algorithm, .hierarchy = hierarchy});
    if (own != nullptr) all.push_back({.own = own});
    return all;
  }
};

}  // namespace vnode::bench
