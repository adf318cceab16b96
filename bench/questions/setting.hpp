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

/// How ours are called.
enum class Form {
  blocking,
  nonblocking,  ///< started, and waited for at once
  persistent    ///< planned once in a lap, started and waited for every time
};

/// How ours carry out a call.
struct Way {
  std::string algorithm{};                   ///< by full name; "": the library chooses
  std::shared_ptr<const OwnSchedule> own{};  ///< the user's schedule instead, or null
  Hierarchy hierarchy{};                     ///< of hierarchical algorithms; none: as the library has it

  /// They look at this.
  CallOptions options() const {
    return {.algorithm = algorithm, .schedule = own.get(), .hierarchy = hierarchy ? &hierarchy : nullptr};
  }
  /// What --algorithm or --schedule said.
  std::string requested() const {
    if (own != nullptr) return std::string{own->name()};
    return algorithm.empty() ? "auto" : algorithm;
  }
};

/// What one question is about.
struct Setting {
  int nodes = 2;
  std::size_t bytes = 8;  ///< m, the operation's message size
  Rank root = 0;
  int shift = 1;  ///< of circular shifts
  Arithmetic datatype = Arithmetic::f64;
  StandardOperator op = StandardOperator::plus;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms{""};   ///< ours to measure, by full name; "": the library chooses
  std::shared_ptr<const OwnSchedule> own{};  ///< the user's schedule to measure beside them, or null
  Hierarchy hierarchy{};                     ///< of hierarchical algorithms; none: as the library has it
  Form form = Form::blocking;
  const Team* ports{};  ///< whose ports' banks have the vectors' pieces; null: where they are first touched
  std::vector<std::string> against{};  ///< contestants that are not ours
  bool limits = true;                  ///< every node has a core, so the machine's limits can be measured
  std::shared_ptr<MpiPeers> mpi{};     ///< there, if `against` has "mpi"

  /// Ours, in order; the user's schedule is the last.
  std::vector<Way> ways() const {
    std::vector<Way> all;
    for (const std::string& algorithm : algorithms)
      all.push_back({.algorithm = algorithm, .hierarchy = hierarchy});
    if (own != nullptr) all.push_back({.own = own});
    return all;
  }
};

}  // namespace vnode::bench
