#pragma once

#include <functional>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Lets the calling thread do something while it waits, for as long as the object lives: interpreters look
/// for signals, programs whether they are to stop.
///
/// Whenever the thread has to wait for longer, in a call of one of its nodes, in Team::run for the nodes that
/// have threads of their own, or in Team::join, it calls `look` about every 50 ms. An exception that leaves
/// `look` ends that wait, and the run with it: all nodes leave their calls by Aborted, and the exception
/// leaves the call, run() (once all nodes have left it) or join() (all that wait for the same run give up).
/// If a thread has several such objects, the newest one is used; while its `look` runs, the one before it.
/// `look` must not use the team whose call waits. To let all nodes of a team wait until `look` ends that,
/// make it with TeamOptions::deadlocks switched off.
///
///     const vnode::WhileWaiting stop([&] { if (stopped) throw Stopped(); });
///     team.run(body);
class WhileWaiting {
 public:
  /// From now on the calling thread calls `look` while it waits.
  explicit WhileWaiting(std::function<void()> look);
  /// Called by the same thread. What holds afterwards is what held before.
  ~WhileWaiting();
  WhileWaiting(const WhileWaiting&) = delete;
  WhileWaiting& operator=(const WhileWaiting&) = delete;

 private:
  friend void look_while_waiting();
  std::function<void()> look_;
  WhileWaiting* before_;
};

}  // namespace vnode
#pragma GCC visibility pop
