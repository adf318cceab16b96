#include "c/entry.hpp"

#include <array>
#include <fmt/format.h>

namespace vnode {
namespace {

/// In the order of the enumeration.
constexpr std::array handle_names{
    "a handle that has ended", "vnode_team",           "vnode_group",         "vnode_membership",
    "vnode_request",           "vnode_persistent",     "vnode_schedule",      "vnode_hierarchy",
    "vnode_topology",          "vnode_buffer",         "vnode_trace",         "vnode_statistics",
    "vnode_roll_call",         "vnode_unpinned",       "vnode_while_waiting", "vnode_layout",
    "vnode_neighbours",        "vnode_matched_message"};

const char* handle_name(HandleKind kind) {
  const auto number = static_cast<std::uint64_t>(kind) - static_cast<std::uint64_t>(HandleKind::ended);
  return number < handle_names.size() ? handle_names[number] : "what is not a handle of vnode's";
}

}  // namespace

void refuse_handle(const void* handle, HandleKind wanted) {
  if (handle == nullptr)
    throw WrongArgument(fmt::format(
        "the {} is NULL{}", handle_name(wanted),
        wanted == HandleKind::group ? ": a thread that is no node has none, vnode_team_join() makes it one"
                                    : ""));
  HandleKind found;
  std::memcpy(&found, handle, sizeof found);
  throw WrongArgument(fmt::format("expected a {}, got {}", handle_name(wanted), handle_name(found)));
}

}  // namespace vnode
