#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include <vnode/rank.hpp>

#include "base/doorbell.hpp"
#include "base/pause.hpp"
#include "fiber/context.hpp"
#include "fiber/debugged.hpp"
#include "fiber/stacks.hpp"

namespace vnode {

class CarrierThread;

/// A node that shares its thread, the carrier, with others: it runs until it waits, and then the next one
/// that can go on does.
///
/// Whether it sleeps is known to its carrier alone. Whoever makes something visible that it may wait for
/// rings: a node of its carrier puts it into the queue, another thread leaves that to the carrier. A node
/// that looks, finds that it cannot go on and sleeps misses nothing, since no other one of its carrier runs
/// meanwhile and what other threads leave stays there.
class alignas(cache_line) Fiber : public FiberContext {
 public:
  Fiber(CarrierThread& carrier, std::size_t place, Rank node, std::span<std::byte> stack)
      : carrier_(carrier), node_(node), place_(place), stack_(stack) {}

  Rank node() const { return node_; }
  CarrierThread& carrier() const { return carrier_; }
  /// Returns where a debugger finds it.
  DebuggedFiber debugged() const { return {registers(), &asleep_, stack_.data(), stack_.size()}; }

  /// Called by whoever has just made something visible (with a release store) that the node may wait for: the
  /// node runs when it is its turn.
  void ring() noexcept;
  /// Owner only: lets others run until rung, or for `longest` and up to a millisecond or a turn of others
  /// more. Is called after a look in vain, between which and the sleep the node lets no others run.
  void sleep(std::chrono::nanoseconds longest);
  /// Owner only: tells whether the node runs since its time was over, and was not rung.
  bool slept_long() const { return slept_long_; }
  /// Owner only: lets the other nodes of the carrier run that can.
  void yield();

 private:
  friend class CarrierThread;

  CarrierThread& carrier_;
  std::chrono::steady_clock::time_point until_{};  // of its sleep
  Fiber* next_ = nullptr;                          // in the queue
  std::uint32_t asleep_ = 0;
  bool slept_long_ = false;
  const Rank node_;
  const std::size_t place_;  // among the carrier's nodes
  const std::span<std::byte> stack_;
};

/// Says how long a carrier without a node that can run polls and yields, counted from the beginning, before
/// it sleeps.
struct IdlePolicy {
  std::chrono::nanoseconds spin_until, yield_until;
};

/// Runs its nodes on one thread, in the order in which they can go on. All that it does by itself is in
/// proportion to the nodes that can, but for a look at all about once in a millisecond for those whose time
/// is over.
///
/// Other threads note in two steps whom they ring, and the carrier takes notes in two: (a) and (b) publish
/// what they have brought, and that there is a note, to (c) and (d). (a) and (b) are read-modify-writes, so
/// that who sees the last of them sees what all those before it have published, too.
class CarrierThread {
 public:
  /// Is called as each node: see run().
  using Body = bool (*)(void* argument, Rank node);

  /// Makes a carrier for so many nodes, which have their stacks in `memory`, and nobody else has.
  CarrierThread(IdlePolicy policy, std::size_t nodes, std::span<const std::byte> memory)
      : policy_(policy),
        memory_(memory),
        fibers_(nodes),
        rung_((nodes + nodes_of_line - 1) / nodes_of_line),
        bell_(Fencing::rare_side) {}
  /// Gives the carrier one of its nodes; the fiber stays where it is.
  void add(Fiber& fiber) { fibers_[fiber.place_] = &fiber; }
  /// Rings all of its nodes. Another thread leaves that to the carrier: it has their words in its caches.
  void ring_all() noexcept;
  /// Returns the lowest of its nodes.
  Rank lowest() const { return fibers_.front()->node(); }

  /// Calls body(argument, node) for each of its nodes and returns true when all have returned. `body` lets no
  /// exception out; its false says that the process is a child of fork(), where run() returns false at once
  /// and its nodes are left where they are. The calling thread is the carrier meanwhile.
  bool run(Body body, void* argument);

 private:
  friend class Fiber;
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  static FiberContext& work(void* fiber);
  void append(Fiber& fiber) {
    fiber.next_ = nullptr;
    (last_ != nullptr ? last_->next_ : first_) = &fiber;
    last_ = &fiber;
  }
  /// Tells whether one of its nodes calls this: by the stack, since a look at what a shared library keeps for
  /// its thread takes longer.
  bool is_here() const {
    const auto* const stack = static_cast<const std::byte*>(__builtin_frame_address(0));
    return stack >= memory_.data() && stack < memory_.data() + memory_.size();
  }
  /// Puts a node that sleeps into the queue.
  void wake(Fiber& fiber) {
    if (fiber.asleep_ == 0) return;
    fiber.asleep_ = 0;
    append(fiber);
  }
  /// Tells whether other threads have left something to do.
  bool is_left() const { return left_.load(std::memory_order_relaxed) != done_; }
  void leave(const Fiber& fiber) noexcept;
  void do_left();
  Fiber& next_runnable();
  void wait();
  void look_at_clock();

  IdlePolicy policy_;
  std::span<const std::byte> memory_;
  std::vector<Fiber*> fibers_;
  FiberContext* own_ = nullptr;                   // that of the thread that is in run()
  Fiber *first_ = nullptr, *last_ = nullptr;      // the nodes that can run, first come, first served
  Clock::time_point clock_{}, earliest_ = never;  // a late time, and no later than any end of a sleep
  unsigned turns_ = 0;
  std::uint64_t done_ = 0;   // what left_ was when what it counts was done last
  std::size_t running_ = 0;  // nodes whose bodies have not returned
  Body body_ = nullptr;
  void* argument_ = nullptr;
  bool abandoned_ = false;  // in a child of fork()
  // What other threads leave: which nodes they ring, by place, and how often they have rung some, and all.
  // They count, and the carrier remembers, so that it does not write what they write.
  static constexpr std::size_t nodes_of_word = 64, nodes_of_line = 8 * nodes_of_word;
  static constexpr std::uint64_t some = 1, all = std::uint64_t{1} << 32;
  struct alignas(cache_line) RungLine {
    std::array<std::atomic<std::uint64_t>, nodes_of_line / nodes_of_word> words{};
  };
  std::vector<RungLine> rung_;
  alignas(cache_line) std::atomic<std::uint64_t> left_{0};
  Doorbell bell_;
};

/// The nodes of a team as fibers, on as many carriers as it has threads.
class Carriers {
 public:
  /// Makes a carrier for each list of nodes, which have stacks of so many bytes. `first` is the first node of
  /// all, whose ranks follow each other. Throws SystemError.
  Carriers(const std::vector<std::vector<Rank>>& nodes, Rank first, std::size_t stack, IdlePolicy policy);

  int count() const { return static_cast<int>(carriers_.size()); }
  Fiber& fiber(Rank node) { return fibers_[static_cast<std::size_t>(node - first_)]; }
  const CarrierThread& carrier_of(Rank node) const {
    return fibers_[static_cast<std::size_t>(node - first_)].carrier();
  }
  const CarrierThread& carrier(int index) const { return carriers_[static_cast<std::size_t>(index)]; }
  /// Runs the nodes of one on the calling thread: see CarrierThread::run.
  bool run(int carrier, CarrierThread::Body body, void* argument) {
    return carriers_[static_cast<std::size_t>(carrier)].run(body, argument);
  }

 private:
  Rank first_;
  Stacks stacks_;
  std::deque<CarrierThread> carriers_;
  std::deque<Fiber> fibers_;  // by rank
  std::optional<DebuggedFibers> debugged_;
};

}  // namespace vnode
