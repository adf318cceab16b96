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

// What carries messages between the processes of a cluster. The runtime knows these two interfaces only; a
// library of its own implements them over what is installed (lib/cluster: over MPI). Errors of what carries
// are SystemError.

/// One node's end of what leads to the nodes of other processes. Used by one thread at a time, the node's own
/// while it is in a run. Nothing blocks: poll() drives everything.
class Wire {
 public:
  /// What poll() finds.
  class Events {
   public:
    /// A short message is there; those of one sender come in the order in which they were sent.
    virtual void arrived(Rank from, std::span<const std::byte> message) = 0;
    /// The memory of a long message is no longer touched. `complete`: false if it was a receive that has been
    /// cancelled.
    virtual void ended(void* of, bool complete) = 0;

   protected:
    ~Events() = default;
  };
  /// The longest head and payload together: a message that is announced costs as much as another one, and to
  /// copy one as long as this twice takes less.
  static constexpr std::size_t most_short = (48 << 10) + 16;

  virtual ~Wire() = default;
  /// Sends a copy of a short message. False: there is no room for it now.
  virtual bool send(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) = 0;
  /// The same of what is about a run and not of it: neither counted nor waited for at its end.
  virtual bool tell(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload) = 0;
  /// How often there was no room for a short message.
  virtual std::uint64_t refused() const = 0;
  /// The number of a long message to come, by which its receiver asks for it: no other's to this node that is
  /// on its way. Makes room for its send(), so that this throws no std::bad_alloc when it has been announced.
  virtual std::uint32_t number(Rank to, std::size_t bytes) = 0;
  /// Sends a long message from its memory, the newest that has a number; Events::ended(of) says when that may
  /// change. `awaited`: not before the receiver has asked for it.
  virtual void send(Rank to, std::uint32_t number, std::span<const std::byte> payload, bool awaited,
                    void* of) = 0;
  /// Asks for a long message, which goes into this memory until Events::ended(of).
  virtual void receive(Rank from, std::uint32_t number, std::span<std::byte> place, void* of) = 0;
  /// Gives up a receive, unless its message is coming already. Events::ended(of) tells.
  virtual void cancel(void* of) = 0;
  /// Brings a short message at most. True: it has, and more may be there. What leaves events.arrived() by an
  /// exception leaves poll(), too, and the next one finds the message again.
  virtual bool poll(Events& events) = 0;
  /// Whether a poll() that brings nothing lets other threads have the core.
  virtual bool yields() const = 0;
  /// How many short messages have been sent to a process, and received from it, since the wire was made.
  virtual std::uint64_t sent(int process) const = 0;
  virtual std::uint64_t received(int process) const = 0;
};

/// The processes of a cluster, numbered from 0, and the wires of this one's nodes. Ranks count nodes by
/// process.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int processes() const = 0;
  virtual int process() const = 0;
  /// How many nodes a process has.
  virtual int nodes(int process) const = 0;
  /// The machine that a process runs on: numbered from 0 in the order of its first process, and by name.
  virtual int machine(int process) const = 0;
  virtual std::string machine_name(int process) const = 0;
  /// Of the nodes of this process, counted from 0.
  virtual Wire& wire(int node) = 0;
  /// This process's end of what leads to the others as a whole: its ranks are processes. Only tell() and
  /// poll() are used, by any thread, one at a time.
  virtual Wire& process_wire() = 0;
  /// What every process brings, by process: called by all, each by one thread that its nodes' wires do not
  /// need. While it waits it calls look() again and again.
  virtual std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> own,
                                                       const std::function<void()>& look) = 0;
  /// A line for a report: what carries, and what it does not grant.
  virtual std::string report() const = 0;
};

}  // namespace vnode
