#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <vnode/rank.hpp>

#include "base/pause.hpp"
#include "channel/board.hpp"
#include "record/history.hpp"

namespace vnode {

/// A barrier at which all nodes of a call meet: each counts itself, and the last to come releases all. If
/// nodes share cores, each needs one turn on its core, however they are scheduled.
///
/// Invariant: `arrivals_` counts those of one meeting only, because all nodes come to meetings in one order,
/// none comes to the next before it has seen the end of this one (Execution::arrive), none is released before
/// all have come, and the count is cleared before anybody is released.
class CentralBarrier {
 public:
  /// Counts the caller. Returns true for the last of `nodes`, which must call release().
  bool arrive(std::uint32_t nodes) {
    return arrivals_.fetch_add(1, std::memory_order_acq_rel) + 1 ==
           nodes;  // (a) the last has seen what all did before
  }
  /// Counts the caller among `nodes` that run on its thread, before one of them arrives for all. Returns true
  /// for the last.
  bool arrive_on_carrier(std::uint32_t nodes) {
    if (++carried_ < nodes) return false;
    carried_ = 0;
    return true;
  }
  /// Releases all. `token` stands for the call: any 2^32 consecutive calls of a context have different
  /// tokens.
  void release(std::uint64_t token) {
    arrivals_.store(0, std::memory_order_relaxed);      // seen by all who see (b)
    released_.store(token, std::memory_order_release);  // (b) passes on what (a) has gathered
  }
  bool released(std::uint64_t token) const {
    return released_.load(std::memory_order_acquire) == token;  // pairs with (b)
  }
  /// Returns the word that release() changes.
  const std::atomic<std::uint64_t>* watch() const { return &released_; }

  /// Forgets all arrivals. Is called when nobody is using the barrier.
  void clear() {
    arrivals_.store(0, std::memory_order_relaxed);
    released_.store(0, std::memory_order_relaxed);
    carried_ = 0;
  }

 private:
  alignas(cache_line) std::uint32_t carried_ = 0;  // of this meeting; only one thread counts
  alignas(cache_line) std::atomic<std::uint32_t> arrivals_{0};
  alignas(cache_line) std::atomic<std::uint64_t> released_{0};
};

/// Holds what one member of a context shows to the others.
struct MemberState {
  Board board;
  CentralBarrier barrier;  ///< for calls in which all signal to this member, which signals to all
  /// Call number and signature that this member shows to others for Agreement.
  alignas(two_lines) std::array<std::atomic<std::uint64_t>, 2> shown{};
  /// The memory that the call writes here, beside that.
  std::array<std::atomic<const std::byte*>, 2> written{};
  /// The memory that all others may read in a call, beside the call's number and signature.
  std::atomic<const std::byte*> opened{nullptr};
  std::atomic<std::uint64_t> opened_in{0};
  /// The word of this member's History, up to and including the newest call that it has come to. Who is to
  /// know that it has begun a call looks here.
  std::atomic<std::uint64_t> history{0};
  /// The point up to which this member has read all that it had to read on the boards of others.
  std::atomic<Point> read{0};
  /// Number and signature of the last call in which this member has waited for long; 0 if there is none.
  std::atomic<std::uint64_t> awaited{0};

  // The member's own, apart from the pair of lines that others look at and processors fetch together:
  /// Counts its calls, with the number of the newest in the low 32 bits.
  alignas(two_lines) std::uint64_t calls = 0;
  /// Counts of publications on its board, in the order of its calls: those that its calls will make, and
  /// those made. So a publication finds its slot of the board held by an earlier one only.
  std::uint64_t planned = 0, published = 0;
  /// Counts of rounds in which it reads boards, in the order of its calls: those of its calls so far, and
  /// those in which it has read. So `read` tells of all rounds before, whatever calls are in flight.
  std::uint64_t readings = 0, read_rounds = 0;
  /// Counts of meetings at a central barrier, in the order of its calls: those that its calls will come to,
  /// and those of which it has seen the end. So all members come to them in one order, and to one at a time.
  std::uint64_t meetings = 0, met = 0;
  std::uint32_t agreed = 0;  ///< the newest call whose signatures it has compared

  /// Takes in what the member's process has told of its history, unless later news have come before.
  void learn(std::uint64_t told) {
    std::uint64_t known = history.load(std::memory_order_relaxed);
    // Release, as when nodes of this process store their own history.
    while (
        static_cast<std::int32_t>(History::of(told).call - History::of(known).call) > 0 &&
        !history.compare_exchange_weak(known, told, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }

  /// Makes the member's calls be numbered from `call` + 1. Is called before its first call.
  void begin_at(std::uint32_t call) {
    history.store(History{call, 0}.word(), std::memory_order_relaxed);
    for (auto& word : shown) word.store(std::uint64_t{call} << 32, std::memory_order_relaxed);
    calls = agreed = call;
  }
  /// Forgets all calls. Is called when nobody is using the state.
  void clear() {
    board.clear();
    barrier.clear();
    for (auto& word : shown) word.store(0, std::memory_order_relaxed);
    history.store(0, std::memory_order_relaxed);
    awaited.store(0, std::memory_order_relaxed);
    opened_in.store(0, std::memory_order_relaxed);
    read.store(0, std::memory_order_relaxed);
    calls = planned = published = 0;
    readings = read_rounds = 0;
    meetings = met = 0;
    agreed = 0;
  }
};

/// Holds what members of a context have brought to a meeting, those of a carrier, or all. It is written by
/// whoever comes last of them, before all are released, and then read, by each member before it comes to
/// another meeting. But who gathers on a carrier does not wait for members of others to come, who may still
/// read what they have got before: meetings take turns at two places.
class alignas(cache_line) Brought {
 public:
  /// Returns room for so many bytes. Is called by who writes there, while nobody reads. Throws
  /// std::bad_alloc.
  std::byte* room(std::uint64_t met, std::size_t bytes) {
    std::vector<Line>& lines = places_[met % places_.size()];
    if (lines.size() * sizeof(Line) < bytes) lines.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
    return lines.front().bytes.data();
  }
  /// Returns what has been written at a meeting that came after so many.
  const std::byte* at(std::uint64_t met) const { return places_[met % places_.size()].front().bytes.data(); }

  std::uint64_t name = 0;  ///< of the call whose values have been written last

 private:
  struct alignas(cache_line) Line {
    std::array<std::byte, cache_line> bytes;
  };
  std::array<std::vector<Line>, 2> places_;
};

/// A context is a set of nodes that call collectives together: all nodes of a team or a group, as in an MPI
/// communicator. All members make the calls of one context in one order; calls of different contexts know
/// nothing of each other.
class Context {
 public:
  /// Describes the members that run on one thread, by rank here: the lowest, and how many there are.
  struct Carried {
    Rank lowest = 0;
    std::uint32_t nodes = 0;
    std::size_t carrier = 0;  ///< the thread's number among those of all members
  };
  /// Takes the members, as nodes of the team by rank in this context, and their states, which live as long;
  /// for each its carrier if they are fibers, none if they are threads.
  Context(std::uint16_t id, std::vector<Rank> members, std::vector<MemberState*> states,
          const std::vector<int>& carriers = {})
      : id_(id), members_(std::move(members)), member_states_(std::move(states)) {
    std::map<int, std::size_t> numbers;  // in the order of their lowest members
    std::vector<Carried> made;
    std::vector<std::size_t> of;  // by rank
    for (Rank rank = 0; const int carrier : carriers) {
      const auto [found, is_new] = numbers.try_emplace(carrier, made.size());
      if (is_new) {
        made.push_back({rank, 0, found->second});
        lowest_.push_back(rank);
      }
      Carried& some = made[found->second];
      in_order_ = in_order_ && rank == some.lowest + static_cast<Rank>(some.nodes);
      ++some.nodes;
      of.push_back(found->second);
      ++rank;
    }
    for (const std::size_t number : of) carried_.push_back(made[number]);
    brought_ = std::make_shared<std::vector<Brought>>((in_order() ? lowest_.size() : 0) + 1);
  }

  /// Returns the context's number, which is below `message_context`.
  std::uint16_t id() const { return id_; }
  int size() const { return static_cast<int>(members_.size()); }
  /// Returns the node of the team that has this rank here.
  Rank node(Rank rank) const { return members_[static_cast<std::size_t>(rank)]; }
  const std::vector<Rank>& nodes() const { return members_; }
  MemberState& member_state(Rank rank) const { return *member_states_[static_cast<std::size_t>(rank)]; }
  /// Returns the lowest member of each carrier; none if members are threads.
  const std::vector<Rank>& lowest_of_carriers() const { return lowest_; }
  /// Returns for each member the lowest one of its carrier; none if members are threads.
  std::vector<int> carriers() const {
    std::vector<int> lowest;
    for (const Carried& beside : carried_) lowest.push_back(beside.lowest);
    return lowest;
  }
  /// Describes how a member comes to a central barrier. Nodes of one carrier count themselves there first, so
  /// that only one of them touches what other carriers touch.
  struct Arrival {
    CentralBarrier* barrier = nullptr;     ///< where all members meet
    CentralBarrier* on_carrier = nullptr;  ///< where those of its carrier count themselves; null: threads
    std::uint32_t beside = 0;              ///< how many do there
    std::uint32_t all = 0;                 ///< how many arrive where all meet
    /// Counts the member. Returns true for the last of all, which must release them. The last of a carrier
    /// does before_all() before it arrives for it.
    template <class BeforeAll>
    bool count(BeforeAll&& before_all) const {
      if (on_carrier != nullptr) {
        if (!on_carrier->arrive_on_carrier(beside)) return false;
        before_all();
      }
      return barrier->arrive(all);
    }
    bool count() const {
      return count([] {});
    }
  };
  /// Returns the carrier of a member, or null if members are threads.
  const Carried* carried(Rank rank) const {
    return carried_.empty() ? nullptr : &carried_[static_cast<std::size_t>(rank)];
  }
  /// Tells whether members are fibers of which those of a carrier follow each other by rank, as carriers do;
  /// then what members bring may be combined on each carrier first.
  bool in_order() const { return in_order_ && !carried_.empty(); }
  /// Forgets what has been brought to meetings. Is called when nobody is using the context.
  void clear() const {
    for (Brought& brought : *brought_) brought.name = 0;
  }
  /// Returns what all members have brought to a meeting and, in_order(), those of a carrier.
  Brought& brought() const { return brought_->front(); }
  Brought& brought(std::size_t carrier) const { return (*brought_)[carrier + 1]; }

  /// Returns how member `rank` comes to the central barrier of member `at`.
  Arrival arrival(Rank at, Rank rank) const {
    CentralBarrier& barrier = member_state(at).barrier;
    if (carried_.empty()) return {&barrier, nullptr, 0, static_cast<std::uint32_t>(size())};
    const Carried& beside = carried_[static_cast<std::size_t>(rank)];
    return {&barrier, &member_state(beside.lowest).barrier, beside.nodes,
            static_cast<std::uint32_t>(lowest_.size())};
  }

 private:
  std::uint16_t id_;
  std::vector<Rank> members_;
  std::vector<MemberState*> member_states_;
  std::vector<Carried> carried_;  // by rank; none if members are threads
  std::vector<Rank> lowest_;      // of each carrier
  bool in_order_ = true;
  std::shared_ptr<std::vector<Brought>>
      brought_;  // of all, and of each carrier; copies of a context share it
};

/// Gives the words of a context's members to the owner of a board.
class ReadWords {
 public:
  ReadWords(const Context& context, Rank owner) : context_(context), owner_(owner) {}
  int size() const { return context_.size(); }
  Rank owner() const { return owner_; }
  /// Acquire: pairs with Execution::tell_read(), so what has been read may be written again.
  Point operator[](Rank rank) const {
    return context_.member_state(rank).read.load(std::memory_order_acquire);
  }

 private:
  const Context& context_;
  Rank owner_;
};

}  // namespace vnode
