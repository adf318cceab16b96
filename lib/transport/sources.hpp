#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <vnode/rank.hpp>

#include "transport/fabric.hpp"

namespace vnode {

/// Keeps the nodes that have channels to a node, to find messages from any source. Senders do nothing for it.
/// Nodes from whom something has come lately are active: each look is at all of these and at a few of the
/// others in turn, so its cost grows with the nodes that send, not with the team. Whoever is found active
/// again stays so for many looks. Where a look begins moves on with what it has found: no source starves,
/// since one that has a message is found after at most as many others as there are active ones, and one that
/// rests after as many looks as there are resting ones, divided by `few`. One thread uses it.
class Sources {
 public:
  /// Calls visit(from) for nodes whose channels have a message, until it has returned true; returns whether
  /// it has. `newest` is Fabric::newest_to() of this node. If `everywhere`, it returns false only if visit()
  /// was called for all of them.
  template <class Visit>
  bool look(const ChannelRecord* newest, Visit&& visit, bool everywhere) {
    if (newest != newest_) learn(newest);
    std::size_t resting = resting_.size();
    if (look_at_resting(std::min(resting, few), visit)) return true;
    if (look_at_active(visit)) return true;
    return everywhere && resting > few && look_at_resting(resting - few, visit);
  }

 private:
  static constexpr std::size_t few = 8;
  static constexpr unsigned patience = 256;  // looks in vain at an active one before it rests
  struct Source {
    Rank from;
    Channel* channel;
    unsigned in_vain = 0;
  };

  void learn(const ChannelRecord* newest) {
    for (const ChannelRecord* made = newest; made != newest_; made = made->earlier)
      active_.push_back({made->from, made->channel});
    newest_ = newest;
  }
  template <class Visit>
  bool look_at_resting(std::size_t looks, Visit& visit) {
    Head head;
    for (; looks > 0 && !resting_.empty(); --looks) {
      if (next_resting_ >= resting_.size()) next_resting_ = 0;
      if (!resting_[next_resting_].channel->front(head)) {
        ++next_resting_;
        continue;
      }
      const Source source = move(resting_, next_resting_, active_);
      if (visit(source.from)) return true;
    }
    return false;
  }
  template <class Visit>
  bool look_at_active(Visit& visit) {
    Head head;
    for (std::size_t looks = active_.size(); looks > 0; --looks) {
      if (next_active_ >= active_.size()) next_active_ = 0;
      Source& source = active_[next_active_];
      if (source.channel->front(head)) {
        source.in_vain = 0;
        ++next_active_;
        if (visit(source.from)) return true;
      } else if (++source.in_vain >= patience) {
        move(active_, next_active_, resting_);
      } else {
        ++next_active_;
      }
    }
    return false;
  }
  /// Moves a source to another list; the last one takes its place.
  static Source move(std::vector<Source>& from, std::size_t at, std::vector<Source>& to) {
    Source source = from[at];
    source.in_vain = 0;
    to.push_back(source);
    from[at] = from.back();
    from.pop_back();
    return source;
  }

  const ChannelRecord* newest_ = nullptr;
  std::vector<Source> active_, resting_;
  std::size_t next_active_ = 0, next_resting_ = 0;
};

}  // namespace vnode
