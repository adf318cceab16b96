#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

// These interfaces carry messages between the processes of a cluster. The runtime knows no others; a library
// of its own implements them over what is installed (lib/cluster: over MPI). Errors of that library are
// thrown as SystemError.

/// Is one node's end of the connection to the nodes of other processes. One thread at a time uses it: the
/// node's own while the node is in a run. Nothing blocks: poll() drives everything.
class Wire {
 public:
  /// Receives what poll() finds.
  class Events {
   public:
    /// Takes a short message that has come; those of one sender come in the order in which they were sent.
    virtual void arrived(Rank from, std::span<const std::byte> message) = 0;
    /// Learns that the memory of a long message is no longer touched. `complete` is false if it was a receive
    /// that has been cancelled.
    virtual void ended(void* of, bool complete) = 0;

   protected:
    ~Events() = default;
  };
  /// A short message has at most so many bytes, head and payload together. To announce a longer one costs one
  /// more message; to copy this much at both ends costs less.
  static constexpr std::size_t most_short = (48 << 10) + 16;

  virtual ~Wire() = default;
  /// Sends a copy of a short message. Returns false if there is no room for it now.
  virtual bool send(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) = 0;
  /// Sends a short message about a run, not of it: it is not counted, and the end of a run does not wait for
  /// it. Returns as send().
  virtual bool tell(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) = 0;
  /// Returns how often there was no room for a short message.
  virtual std::uint64_t refused() const = 0;
  /// Returns the number by which the receiver asks for the next long message. Messages of one process to one
  /// node have different numbers, as long as fewer are on their way than there are numbers. Reserves what the
  /// next send() needs, so that it throws no std::bad_alloc after the message has been announced.
  virtual std::uint32_t number(Rank to, std::size_t bytes) = 0;
  /// Sends the long message whose number was returned last, from its own memory, which may change after
  /// Events::ended(of). If `awaited`, that comes only when the receiver has asked for it.
  virtual void send(Rank to, std::uint32_t number, std::span<const std::byte> payload, bool awaited,
                    void* of) = 0;
  /// Asks for a long message, which goes into this memory until Events::ended(of).
  virtual void receive(Rank from, std::uint32_t number, std::span<std::byte> place, void* of) = 0;
  /// Gives up a receive unless its message is coming already. Events::ended(of) says which.
  virtual void cancel(void* of) = 0;
  /// Brings at most one short message, and returns whether it has; then more may be there. If
  /// events.arrived() throws, poll() throws the same, and the next poll() brings the message again.
  virtual bool poll(Events& events) = 0;
  /// Returns whether a poll() that brings nothing lets other threads have the core.
  virtual bool yields() const = 0;
  /// Return how many short messages have been sent to a process, and received from it, since the wire was
  /// made.
  virtual std::uint64_t sent(int process) const = 0;
  virtual std::uint64_t received(int process) const = 0;
};

/// Knows the processes of a cluster, numbered from 0, and has the wires of this one's nodes. Ranks count
/// nodes by process.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int processes() const = 0;
  virtual int process() const = 0;
  /// Returns how many nodes a process has.
  virtual int nodes(int process) const = 0;
  /// Return the machine that a process runs on: its number, from 0 in the order of first processes, and its
  /// name.
  virtual int machine(int process) const = 0;
  virtual std::string machine_name(int process) const = 0;
  /// Returns the wire of a node of this process; they are counted from 0.
  virtual Wire& wire(int node) = 0;
  /// Returns this process's end of the connection to the other processes as wholes: its ranks are processes.
  /// Any thread uses it, one at a time, and only tell() and poll().
  virtual Wire& process_wire() = 0;
  /// Returns what every process brings, by process. All processes call it, each by one thread that the wires
  /// of its nodes do not need. While it waits it calls look() again and again.
  virtual std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> own,
                                                       const std::function<void()>& look) = 0;
  /// Returns a line for a report that says what carries the messages, and which guarantees that does not
  /// give.
  virtual std::string report() const = 0;
};

}  // namespace vnode
