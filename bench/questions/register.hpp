#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <vnode/collective.hpp>

#include "measure/contestant.hpp"
#include "questions/setting.hpp"

namespace vnode::bench {

/// A contestant that is not ours, for one operation.
struct Rival {
  std::string_view name;
  std::string_view missing;  ///< why it does not take part; empty: it does
};

/// An operation that can be measured.
struct Operation {
  std::string_view name;                 ///< as on the command line
  std::optional<Collective> collective;  ///< nothing: it has no algorithms to choose from
  bool sized, rooted, combining;
  int least_nodes;
  /// What the bytes per time of one vector are multiplied by to be comparable with a wire's; nothing without
  /// bytes.
  std::optional<double> (*bus_factor)(int p);
  Question (*ask)(const Setting& setting);
  std::span<const Rival> rivals;
};

std::span<const Operation> operations();
/// The operation of that name; UsageError lists those there are.
const Operation& operation(std::string_view name);

}  // namespace vnode::bench
