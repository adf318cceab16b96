#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <vnode/collective.hpp>

#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Names a contestant other than vnode, for one operation.
struct Rival {
  std::string_view name;
  std::string_view missing;  ///< why it does not take part; empty: it does
};

/// Returns the contestants other than vnode, whatever the operation.
std::span<const std::string_view> rival_names();

/// Describes bandwidth as nccl-tests defines it, so that it can be compared with that of the hardware,
/// whatever p is.
struct Bandwidth {
  double vectors = 1;         ///< algbw is this many times m by time: all that one node has in the end
  std::optional<double> bus;  ///< busbw is algbw times this; nothing where nccl-tests has no factor
};

/// Describes an operation that can be measured.
struct Operation {
  std::string_view name;                 ///< as on the command line
  std::optional<Collective> collective;  ///< nothing: it has no algorithms to choose from
  bool varying;                          ///< the v-variant
  bool sized, rooted, combining;
  int least_nodes;
  Bandwidth (*bandwidth)(int p);
  Question (*ask)(const Setting& setting);
  std::span<const Rival> rivals;
};

std::span<const Operation> operations();
/// Returns the operation of that name. Throws UsageError, which names the nearest, if there is none.
const Operation& operation(std::string_view name);

}  // namespace vnode::bench
