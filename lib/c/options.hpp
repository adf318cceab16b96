#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <vnode/c/options.h>
#include <vnode/call.hpp>
#include <vnode/hierarchy.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/own_schedule.hpp>

#include "c/entry.hpp"

/// A schedule while it is written and, from the first call that uses it, as calls take it.
struct vnode_schedule : vnode::Handle<vnode::HandleKind::schedule> {
  vnode_schedule(std::string named, int nodes, int blocks) : name(std::move(named)), written(nodes, blocks) {}
  /// Returns what calls take. From then on it does not change.
  const vnode::OwnSchedule& fixed();

  std::string name;
  vnode::Schedule written;
  std::mutex fixing;
  std::optional<vnode::OwnSchedule> own;
};

/// A hierarchy and its handle.
struct vnode_hierarchy : vnode::HandleOf<vnode::Hierarchy, vnode::HandleKind::hierarchy> {
  using HandleOf::HandleOf;
};

namespace vnode {

/// Returns the options of a call; what they look at is what `options` points to.
CallOptions call_options(const vnode_call_options& options);

}  // namespace vnode
