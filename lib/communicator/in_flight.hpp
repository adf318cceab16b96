#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include <vnode/rank.hpp>

#include "communicator/activity.hpp"
#include "communicator/team_life.hpp"
#include "runtime/endpoint.hpp"

namespace vnode {

/// A node's calls in flight. A message that cannot be sent or received before others of its lane stands in
/// their queue, and only the first of a queue is looked at: of what is to be sent when its turn comes, of
/// what is to be received when a message arrives that it waits for. All other calls are looked at in turn, so
/// many at a time. So looking after them takes a time that does not grow with their number. One thread's.
class InFlight {
 public:
  explicit InFlight(Endpoint& endpoint) : endpoint_(endpoint) {}

  bool empty() const { return count_ == 0; }
  /// Begins the activity, which an engine drives from now on, and advances it.
  void add(Activity& activity);
  /// Advances calls: all of them if they are few, or if `all`.
  void progress(bool all = false);
  /// After progress(): advances this one, if it was not among them.
  void advance(Activity& activity);
  /// All are lost, in the run that is on.
  void forget(const std::shared_ptr<const TeamLife>& life);

 private:
  struct Queue {
    Activity* first = nullptr;
    Activity* last = nullptr;
  };
  static constexpr std::size_t few = 64;

  void step(Activity& activity);
  void enlist(Activity& activity);
  void strike(Activity& activity);
  void queue_up(Activity& activity, const Lane& lane);
  bool advance_first(Queue& queue);
  void send();
  void receive();
  bool receive(Rank from, const Head& head);

  Endpoint& endpoint_;
  std::size_t count_ = 0;
  std::vector<Activity*> open_;  // in the order in which they were started; null: it has been struck
  std::size_t struck_ = 0;       // of open_
  std::size_t next_ = 0;         // of open_, to be looked at
  std::map<Rank, Queue> outgoing_;
  std::unordered_map<Lane, Queue, Lane::Hash> posted_;  // receives
  std::map<Rank, std::size_t> posted_from_;             // how many of them
};

}  // namespace vnode
