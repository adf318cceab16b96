#include "c/group.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

#include <vnode/c/group.h>
#include <vnode/model/schedule.hpp>

#include "base/at.hpp"
#include "c/lists.hpp"
#include "c/topology.hpp"
#include "c/untyped.hpp"
#include "engine/engine.hpp"
#include "team/running_node.hpp"

namespace vnode {
namespace {

Domain domain_of(int domain) {
  constexpr std::array domains{Domain::package, Domain::numa, Domain::l3,
                               Domain::l2,      Domain::core, Domain::machine};
  if (domain < VNODE_DOMAIN_PACKAGE || domain > VNODE_DOMAIN_MACHINE)
    throw WrongArgument(fmt::format(
        "the domain is {}: it is VNODE_DOMAIN_MACHINE, _PACKAGE, _NUMA, _L3, _L2 or _CORE", domain));
  return at(domains, domain - VNODE_DOMAIN_PACKAGE);
}

/// A node without a color gets no handle.
template <class Split>
int split(vnode_group* group, vnode_group** made, Split&& of, const char* function) {
  return entry(
      [&] {
        vnode_group*& out = needed(made, "the address of the group");
        out = nullptr;
        Group part = of(group_of(group));
        if (part) put_handle(made, std::move(part));
      },
      function);
}

}  // namespace

vnode_node* handle_of_this_node() {
  if (running_node == nullptr) return nullptr;
  NodeOfTeam& is = running_node->is();
  if (is.handle == nullptr) is.handle = std::make_shared<vnode_group>(is.node);
  return static_cast<vnode_node*>(is.handle.get());
}

Node& node_of(const vnode_node* node) {
  vnode_group& at = at_handle(node);
  if (at.node == nullptr) throw WrongArgument("this group is not a node: a split has made it");
  return *at.node;
}

}  // namespace vnode

using namespace vnode;

int vnode_group_rank(const vnode_group* group) {
  return entry([&] { return group_of(group).rank(); });
}

int vnode_group_size(const vnode_group* group) {
  return entry([&] { return group_of(group).size(); });
}

int vnode_group_team_rank(const vnode_group* group, int rank) {
  return entry([&] { return group_of(group).team_rank(rank); });
}

int vnode_group_topology(const vnode_group* group, vnode_topology** topology) {
  return entry([&] { put_handle(topology, group_of(group).topology()); });
}

int vnode_group_last_algorithm(const vnode_group* group, char** name) {
  return entry([&] { put_text(name, group_of(group).last_algorithm()); });
}

int vnode_group_last_segments(const vnode_group* group) {
  return entry([&] { return group_of(group).last_segments(); });
}

int vnode_group_split(vnode_group* group, int color, int key, const char* shape, vnode_group** made) {
  return split(
      group, made,
      [&](const Group& whole) {
        return whole.split(color, key, shape != nullptr ? Shape::parse(shape) : Shape(shapes::full{}));
      },
      __func__);
}

int vnode_group_split_along(vnode_group* group, const int* dimensions, int count, vnode_group** made) {
  return split(
      group, made,
      [&](const Group& whole) {
        shapes::along along{};
        const auto list = list_of(dimensions, count, "dimensions");
        along.dimensions.assign(list.begin(), list.end());
        return whole.split(along);
      },
      __func__);
}

int vnode_group_split_domain(vnode_group* group, int domain, vnode_group** made) {
  return split(
      group, made, [&](const Group& whole) { return whole.split(domain_of(domain)); }, __func__);
}

int vnode_group_free(vnode_group** group) {
  return entry([&] {
    vnode_group* const own = needed(group, "the address of the handle");
    if (own != nullptr && at_handle(own).node != nullptr)
      throw WrongArgument("a node lives as long as its team and is not freed");
    end_handle(group);
  });
}

int vnode_abort(vnode_group* group, int code, const char* reason) {
  return entry([&] {
    Engine& engine = Untyped::member(group_of(group)).engine();
    if (code <= 0)
      throw WrongArgument(fmt::format("code {} is not positive: negative codes are vnode's", code));
    const std::string sentence =
        reason != nullptr ? reason : fmt::format("a node has failed with code {}", code);
    engine.fabric().abort(engine.endpoint().rank(), std::make_exception_ptr(CallbackFailed(code, sentence)));
    engine.abandon();
  });
}
