#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <vnode/node.hpp>

#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Returns vnode's contestant, which calls call(where, rank). That calls an operation of `where`, which is
/// the node itself, or what its nonblocking() or persistent() returns.
template <class Call>
Contestant in_form(Form form, int callers, const Way& way, Call call) {
  Contestant ours{.by = "vnode", .requested = way.requested(), .call = {}};
  if (form == Form::blocking) {
    ours.call = [call](const Seat& seat) { call(*seat.node, seat.rank); };
  } else if (form == Form::nonblocking) {
    ours.call = [call](const Seat& seat) { call(seat.node->nonblocking(), seat.rank).wait(); };
  } else {
    using Plans = std::vector<std::optional<Persistent>>;
    auto plans = std::make_shared<Plans>(static_cast<std::size_t>(callers));
    const auto of = [plans](const Seat& seat) -> auto& {
      return (*plans)[static_cast<std::size_t>(seat.rank)];
    };
    ours.prepare = [call, of](const Seat& seat) { of(seat) = call(seat.node->persistent(), seat.rank); };
    ours.call = [of](const Seat& seat) {
      of(seat)->start();
      of(seat)->wait();
    };
    ours.finish = [of](const Seat& seat) { of(seat).reset(); };
  }
  return ours;
}

}  // namespace vnode::bench
