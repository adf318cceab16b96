#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/group.hpp>
#include <vnode/message.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/rank.hpp>
#include <vnode/request.hpp>

#include "call/arguments.hpp"
#include "call/collective_activity.hpp"
#include "call/shared_group.hpp"
#include "engine/engine.hpp"
#include "engine/held_message.hpp"
#include "execute/execution.hpp"
#include "execute/point_to_point.hpp"
#include "select/plan_cache.hpp"

namespace vnode {

class ExchangeCalls;
class MessageCall;

/// Holds a node's rank in a group and the plans it has used lately. Only one thread uses it.
class alignas(two_lines) Member {
 public:
  Member(Engine& engine, std::shared_ptr<SharedGroup> group, Rank rank)
      : engine_(engine),
        group_(std::move(group)),
        state_(group_->context.member_state(rank)),
        rank_(rank),
        message_stamp_(Head{.context = static_cast<std::uint16_t>(group_->context.id() | message_context),
                            .round = group_->generation}
                           .stamp()),
        life_(engine.life()),
        node_(engine.endpoint().rank()),
        thread_(life_->thread(node_)),
        counted_group_(number_of_counted()) {
    const std::lock_guard lock(group_->members_mutex);
    group_->members.push_back(this);
  }
  ~Member() {
    share_borrowed();
    const std::lock_guard lock(group_->members_mutex);
    std::erase(group_->members, this);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  Engine& engine() const { return engine_; }
  const SharedGroup& group() const { return *group_; }
  Rank rank() const { return rank_; }
  int size() const { return group_->context.size(); }
  std::string_view last_algorithm() const {
    return last_kind_ != nullptr ? last_kind_->algorithm : std::string_view();
  }
  int last_segments() const { return last_segments_; }

  /// Forgets the plans, so that the group's calls are planned anew. Called between runs, on any thread.
  void forget_plans();
  /// Makes a collective call or an exchange. `self` in start() and plan() keeps this member alive while the
  /// call is in flight.
  void call(const Arguments& arguments);
  static Request start(const std::shared_ptr<Member>& self, const Arguments& arguments);
  static Persistent plan(const std::shared_ptr<Member>& self, const Arguments& arguments);
  /// Returns the neighbours that an exchange names, or else those in the topology. Throws UsageError where
  /// there are none.
  const Neighbours& neighbours(const Arguments& exchange);

  /// Passes messages. pass_one() does what most calls are, and call() does the others.
  template <bool receives>
  bool pass_one(const MessageArguments& arguments, MessageInfo& info);
  MessageInfo call(const MessageArguments& arguments);
  static Request start(const std::shared_ptr<Member>& self, const MessageArguments& arguments);
  /// Returns the message that a receive would get, or nothing if there is none and the caller does not `wait`
  /// for one. The source may be any_source and the tag any_tag; other values have been checked.
  std::optional<MessageInfo> probe(Rank from, int tag, bool wait);
  static MatchedMessage match(const std::shared_ptr<Member>& self, Rank from, int tag, bool wait);
  /// Receives the message that match() has returned.
  static MessageInfo receive(HeldMessage& held, const MessageArguments& arguments);
  static Request start_receiving(HeldMessage& held, const MessageArguments& arguments);
  /// Returns the rank in this group of a node of the team, which must be a member.
  Rank rank_of(Rank node);

  /// Throws UsageError unless the calling thread is the node, in a run of the team.
  void check_thread() const {
    if (!thread_.here()) [[unlikely]]
      life_->refuse_call(node_);
  }

  /// Splits this group as Group::split does. Returns null for no_color.
  std::shared_ptr<Member> split(int color, int key, const Shape& shape);
  /// Runs `body`, which makes calls of this group, and counts them as one call of this operation, if calls
  /// are counted.
  template <class Body>
  void as_one(std::string_view operation, Body&& body) {
    CallCounters* const counters = engine_.counters();
    if (counters == nullptr) return body();
    CallTimes times(*counters);
    times.count_in(row_of(operation, 0));
    struct Whole {
      CallCounters& counters;
      ~Whole() { counters.set_whole(nullptr); }
    };
    counters->set_whole(&times);
    {
      const Whole whole{*counters};
      body();
    }
    times.end(0);
  }

 private:
  friend class CollectiveActivity;
  friend class ExchangeCalls;
  friend class MessageCall;

  static bool is_exchange(const Arguments& call) {
    return call.exchange || call.parts == Arguments::Parts::pieces;
  }
  /// Tells whether only the two ends of a message know how long it is.
  static bool is_divided(const Arguments& call) {
    return is_exchange(call) || (call.parts == Arguments::Parts::given && !combines(call.collective));
  }
  /// Tells whether the call's data have to be packed: exchanges take layouts as they are.
  static bool is_packed(const Arguments& call) {
    return (call.in.layout != nullptr || call.out.layout != nullptr) && !is_exchange(call);
  }
  /// Tells whether the call is an unusual one: signatures are compared before it, it is counted, it is an
  /// exchange, counts differ between ranks, or there are layouts.
  bool is_unusual(const Arguments& call) const { return group_->facts.every_call || has_unusual(call); }
  /// Tells whether it is so by its arguments.
  static bool has_unusual(const Arguments& call) {
    return call.exchange || call.parts != Arguments::Parts::equal || call.in.layout != nullptr ||
           call.out.layout != nullptr;
  }
  void call_unusual(const Arguments& arguments);
  void call_as_fiber(const Arguments& arguments);
  void complete(CollectiveActivity& activity);
  void call_counted(const Arguments& arguments);
  /// Returns the row that counts calls of this plan, or those of an operation without one, such as messages.
  /// Throws std::bad_alloc.
  CountedRow& row_of(const PreparedCall& call);
  CountedRow& row_of(RecentCalls::Entry& entry) {
    return *(entry.row != nullptr ? entry.row : entry.row = &row_of(*entry.plan));
  }
  CountedRow& row_of(std::string_view operation, std::size_t bytes);
  std::uint32_t number_of_counted() const;
  Request start_usual(const Arguments& arguments);
  static std::unique_ptr<CollectiveActivity> kept(const std::shared_ptr<Member>& self,
                                                  const Arguments& arguments);

  CheckedCall validated(const Arguments& arguments) const;
  RecentCalls::Entry& prepared(const Arguments& arguments, const CallKey& key);
  /// Returns the entry with the plan of a usual call. Throws UsageError.
  RecentCalls::Entry& planned(const Arguments& arguments) {
    RecentCalls::Entry* const entry = recent_.find(arguments);
    return entry != nullptr ? *entry : prepared(arguments, validated(arguments).key);
  }
  /// Returns the node's program in the call of this entry, and makes it if nobody has. Throws std::bad_alloc.
  const Program& program(RecentCalls::Entry& entry) {
    if (entry.program == nullptr) make_program(entry);
    return *entry.program;
  }
  void make_program(RecentCalls::Entry& entry);
  static Memories memories_of(const Arguments& arguments) {
    return {static_cast<std::byte*>(arguments.in.data), static_cast<std::byte*>(arguments.out.data)};
  }
  /// Returns a description of a call of this group that has not begun.
  Call described(const PreparedCall& call, const Arguments& arguments, const Reduction* reduction) const {
    return {.context = &group_->context,
            .rank = rank_,
            .head = {0, call.signature, group_->context.id(), 0, Kind::data, 0},
            .memories = memories_of(arguments),
            .reduction = reduction,
            .element_bytes = arguments.type->bytes};
  }
  /// Begins the next call of this group: gives it its number and its entry in the journal, and returns its
  /// first round. `program` is the node's own if the call has a plan. Always inlined, so that what it returns
  /// stays in registers.
  [[gnu::always_inline]] Point begin(const PreparedCall& call, const Program* program) {
    // Relaxed: only this node writes it.
    History history = History::of(state_.history.load(std::memory_order_relaxed));
    history.add(call.signature);
    last_kind_ = call.record.kind;
    last_segments_ = call.segments;
    const std::uint16_t context = group_->context.id();
    engine_.journal().begin(context, history, call.record);
    if (Recorder* const recorder = engine_.endpoint().recorder()) [[unlikely]]
      recorder->begin(context, history.call, rank_, size(), call.record);
    state_.history.store(history.word(), std::memory_order_release);  // (a) the journal has the call
    const Point first = point(++state_.calls, 0);
    if (program != nullptr) {
      state_.planned += program->publications;
      state_.meetings += program->meetings;
      state_.readings += program->readings;
    }
    return first;
  }
  /// Returns what the newest call, which has begun, has got.
  Beginning beginning(const Program* program, std::byte* scratch, Ticket* tickets) const {
    const Point first = point(state_.calls, 0);
    if (program == nullptr)
      return {first, state_.planned, state_.meetings, state_.readings, scratch, tickets};
    return {first,
            state_.planned - program->publications,
            state_.meetings - program->meetings,
            state_.readings - program->readings,
            scratch,
            tickets};
  }
  /// Begins a usual call. First does what a ShortProgram can do, where `expect` tells whether a message has
  /// come; if the call is not complete then, passes it to `go_on` with what it has borrowed.
  template <class Expect, class GoOn>
  void begin(RecentCalls::Entry& entry, const Arguments& arguments, Expect&& expect, GoOn&& go_on) {
    const PreparedCall& plan = *entry.plan;
    if (entry.short_program && engine_.is_plain()) {
      const ShortProgram& short_program = *entry.short_program;
      Endpoint& endpoint = engine_.endpoint();
      const Point first = begin(plan, entry.program);
      const Memories memories = memories_of(arguments);
      std::size_t done = 0;
      if (short_program.send(endpoint, first, memories, [&] { return entry.reduction(arguments); })) {
        short_program.copy(memories);
        if (!short_program.receives() ||
            short_program.receive(endpoint, first, memories, *entry.reduction(arguments), expect, done))
          return;
      }
      return execute(entry, arguments, done, Lease(engine_, 0, 0), go_on);
    }
    const Program& own = program(entry);
    Lease workspace(engine_, own.scratch_bytes, own.tickets);
    begin(plan, &own);
    execute(entry, arguments, 0, std::move(workspace), go_on);
  }
  /// Passes the newest call, of which `done` steps are done, to `go_on`.
  template <class GoOn>
  [[gnu::noinline]] void execute(RecentCalls::Entry& entry, const Arguments& arguments, std::size_t done,
                                 Lease workspace, GoOn& go_on) {
    const PreparedCall& plan = *entry.plan;
    Execution execution(engine_.endpoint(), *plan.plan, *entry.program,
                        [&] { return described(plan, arguments, entry.reduction(arguments)); });
    execution.begin(beginning(entry.program, workspace.scratch(), workspace.tickets()), done);
    go_on(execution, workspace);
  }
  /// Tells whether these are another node of the group and a tag, as in most messages.
  bool is_other(Rank peer, int tag) const {
    return static_cast<unsigned>(peer) < static_cast<unsigned>(size()) && peer != rank_ && tag >= 0;
  }
  bool send_at_once(const MessageArguments& call, std::size_t bytes);
  bool receive_at_once(const MessageArguments& call, std::size_t& bytes);
  static std::uint64_t message_name(int tag, const ElementType& type) {
    return Head{.call = static_cast<std::uint32_t>(tag), .signature = static_cast<std::uint32_t>(type.hash)}
        .name();
  }
  void wait_for_one(const MessageArguments& call, bool open, MessageInfo& info);
  template <class Message, class... Of>
  Request start_one(const CallKind& kind, int tag, std::size_t count, const std::shared_ptr<Member>* names,
                    Of&&... of);
  static Correspondence correspondence(const MessagePattern& with, const ElementType& type);
  [[gnu::always_inline]] void note(const CallKind& kind, int tag, std::size_t count) {
    engine_.journal().begin_message(static_cast<std::uint16_t>(group_->context.id() | message_context),
                                    static_cast<std::uint32_t>(tag), {&kind, count});
  }
  MessagePattern pattern(Rank from, int tag) const;
  /// Throws UsageError if the node would wait for itself, since no message that it has sent to itself
  /// matches.
  void check_sent_to_self(const CallKind& kind, const MessagePattern& pattern);
  std::optional<Endpoint::Found> found(const CallKind& kind, Rank from, int tag, bool wait);

  Engine& engine_;
  std::shared_ptr<SharedGroup> group_;
  MemberState& state_;
  Rank rank_;
  std::uint64_t message_stamp_;           // of its messages, without payload
  std::shared_ptr<const TeamLife> life_;  // the group may outlive its team
  Rank node_;                             // rank in the team
  const NodeThread& thread_;
  std::uint32_t counted_group_;  // its number in CountedGroups
  /// Makes calls in flight share ownership of what they borrow from recent_ and group_.
  void share_borrowed();
  CollectiveActivity* borrowers_ = nullptr;  // the first of the calls that borrow
  RecentCalls recent_;
  std::uint64_t evictions_ = 0;  // PlanCache::evictions() that recent_ has dealt with
  const CallKind* last_kind_ = nullptr;
  int last_segments_ = 0;
  std::vector<Rank> ranks_;  // rank_of(), by rank in the team; filled at its first call
  ExchangeCalls& exchanges();
  std::shared_ptr<ExchangeCalls> exchanges_;  // once it has made one
};

inline Member& Group::member() const {
  if (member_ == nullptr) [[unlikely]]
    refuse_no_group();
  member_->check_thread();
  return *member_;
}

}  // namespace vnode
