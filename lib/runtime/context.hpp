#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <vnode/rank.hpp>

#include "base/pause.hpp"
#include "channel/board.hpp"

namespace vnode {

/// Where all nodes of a call meet: each counts itself, and the last to come releases all. Where nodes share
/// cores this takes one turn of each, however they are scheduled.
///
/// Invariant: `arrivals_` counts those of one meeting only, because all nodes come to meetings in one order,
/// none comes to the next before it has seen the end of this one (Execution::arrive), none is released before
/// all have come, and the count is cleared before anybody is released.
class CentralBarrier {
 public:
  /// Counts the caller; true for the last of `nodes`, who must release().
  bool arrive(std::uint32_t nodes) {
    return arrivals_.fetch_add(1, std::memory_order_acq_rel) + 1 ==
           nodes;  // (a) the last has seen what all did before
  }
  /// `token` stands for the call: another for each of 2^32 calls of a context that follow each other.
  void release(std::uint64_t token) {
    arrivals_.store(0, std::memory_order_relaxed);      // seen by all who see (b)
    released_.store(token, std::memory_order_release);  // (b) passes on what (a) has gathered
  }
  bool released(std::uint64_t token) const {
    return released_.load(std::memory_order_acquire) == token;  // pairs with (b)
  }
  /// The word that release() changes.
  const std::atomic<std::uint64_t>* watch() const { return &released_; }

  /// Nobody is using it: forgets all arrivals.
  void clear() {
    arrivals_.store(0, std::memory_order_relaxed);
    released_.store(0, std::memory_order_relaxed);
  }

 private:
  alignas(cache_line) std::atomic<std::uint32_t> arrivals_{0};
  alignas(cache_line) std::atomic<std::uint64_t> released_{0};
};

/// What a member of a context has called there: the number of its newest call, and a hash of the signatures
/// of all up to it. After the same call members whose calls match have the same hash; those that have once
/// made another call keep another hash, for as long as their later calls match.
struct History {
  std::uint32_t call = 0, hash = 0;

  void add(std::uint32_t signature) {
    ++call;
    hash = (hash ^ signature) * 0x9e3779b1u;  // odd, so that different hashes stay different
  }
  std::uint64_t word() const { return std::uint64_t{call} << 32 | hash; }
  static History of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }
};

/// What one member of a context shows to the others.
struct Station {
  Board board;
  CentralBarrier barrier;  ///< of the calls in which all signal to this member, which signals to all
  /// Call number and signature, for Agreement.
  alignas(cache_line) std::array<std::atomic<std::uint64_t>, 2> shown{};
  /// The word of this member's history, the newest call that it has come to included.
  std::atomic<std::uint64_t> history{0};
  /// Number and signature of a call that it has waited for, the last one that took long; 0: none has.
  std::atomic<std::uint64_t> awaited{0};

  // The member's own:
  /// Publications on its board, in the order of its calls: those that its calls will make, and those made. So
  /// a slot of the board is only ever held by an earlier one.
  std::uint64_t planned = 0, published = 0;
  /// Meetings at a central barrier, in the order of its calls: those that its calls will come to, and those
  /// of which it has seen the end. So all members come to them in one order, and to one at a time.
  std::uint64_t meetings = 0, met = 0;
  std::uint32_t agreed = 0;  ///< the newest call whose signatures it has compared

  /// What the member's process has told of its history: it counts unless later news have come before.
  void learn(std::uint64_t told) {
    std::uint64_t known = history.load(std::memory_order_relaxed);
    // Release: as what nodes here say of themselves.
    while (
        static_cast<std::int32_t>(History::of(told).call - History::of(known).call) > 0 &&
        !history.compare_exchange_weak(known, told, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  /// Before its first call: calls are numbered from `call` + 1.
  void begin_at(std::uint32_t call) {
    history.store(History{call, 0}.word(), std::memory_order_relaxed);
    for (auto& word : shown) word.store(std::uint64_t{call} << 32, std::memory_order_relaxed);
    agreed = call;
  }
  /// Nobody is using it: forgets all calls.
  void clear() {
    board.clear();
    barrier.clear();
    for (auto& word : shown) word.store(0, std::memory_order_relaxed);
    history.store(0, std::memory_order_relaxed);
    awaited.store(0, std::memory_order_relaxed);
    planned = published = 0;
    meetings = met = 0;
    agreed = 0;
  }
};

/// The nodes of a team that call collectives together, all of them or a group: calls of one context are made
/// in one order by all its members; those of different contexts know nothing of each other.
class Context {
 public:
  /// Messages outside of collectives have a context of their own beside each.
  static constexpr std::uint16_t messages = 0x8000;
  static constexpr bool is_messages(std::uint16_t id) { return (id & messages) != 0; }

  /// `members`: nodes of the team, by rank in this context; `stations`: theirs, which live as long.
  Context(std::uint16_t id, std::vector<Rank> members, std::vector<Station*> stations)
      : id_(id), members_(std::move(members)), stations_(std::move(stations)) {}

  /// Below `messages`.
  std::uint16_t id() const { return id_; }
  int size() const { return static_cast<int>(members_.size()); }
  /// The node of the team that has this rank here.
  Rank node(Rank rank) const { return members_[static_cast<std::size_t>(rank)]; }
  const std::vector<Rank>& nodes() const { return members_; }
  Station& station(Rank rank) const { return *stations_[static_cast<std::size_t>(rank)]; }

 private:
  std::uint16_t id_;
  std::vector<Rank> members_;
  std::vector<Station*> stations_;
};

}  // namespace vnode
