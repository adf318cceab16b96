#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/group.hpp>
#include <vnode/node.hpp>

#include "call/member.hpp"

namespace vnode {
void Group::refuse_no_group() {
  throw UsageError("this group is empty: this node passed no_color to its split");
}

Group::Group(std::shared_ptr<Member> member) : member_(std::move(member)) {
  if (member_ == nullptr) return;
  rank_ = member_->rank();
  size_ = member_->size();
}

const Topology& Group::topology() const { return member().group().topology; }
std::string_view Group::last_algorithm() const { return member().last_algorithm(); }

int Group::last_segments() const { return member().last_segments(); }

Rank Group::team_rank(Rank rank) const {
  check_rank("rank", rank, member().size());
  return member().group().context.node(rank);
}

void Group::perform(const Arguments& call) {
  Member& own = member();
  own.engine().call([&] { own.call(call); });
}

Nonblocking Group::nonblocking() const {
  member();
  return Nonblocking(member_);
}
Planning Group::persistent() const {
  member();
  return Planning(member_);
}

Rank Nonblocking::rank() const { return member_->rank(); }
int Nonblocking::size() const { return member_->size(); }
Request Nonblocking::perform(const Arguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::start(member_, call); });
}

Rank Planning::rank() const { return member_->rank(); }
int Planning::size() const { return member_->size(); }
Persistent Planning::perform(const Arguments& call) {
  member_->check_thread();
  return member_->engine().call([&] { return Member::plan(member_, call); });
}

Group Group::split(int color, int key, const Shape& shape) const {
  Member& own = member();
  return own.engine().call([&] { return Group(own.split(color, key, shape)); });
}

void Node::yield() const {
  Engine& engine = member().engine();
  engine.call([&] {
    Endpoint& endpoint = engine.endpoint();
    endpoint.fabric().check_aborted();
    endpoint.fabric().yield(endpoint.rank());
  });
}

Arena& Node::arena() const {
  Arena* const arena = member().engine().arena();
  if (arena != nullptr) return *arena;
  throw UsageError(
      "this team's nodes have no arenas: set TeamOptions::arenas, to DomainLevel::numa for instance, or "
      "VNODE_ARENAS=numa");
}

}  // namespace vnode
