// Probes: what a receive would get, and messages that are matched first and received later.
#include <memory>
#include <optional>
#include <utility>

#include "call/member.hpp"
#include "call/message_activity.hpp"

namespace vnode {
namespace {

/// Waits for a message without receiving it.
struct Probing {
  Engine& engine;
  const MessagePattern& pattern;
  const Context& senders;
  std::optional<Endpoint::Found> found{};
  bool everywhere = true;

  bool advance() {
    found = engine.find(pattern, everywhere);
    everywhere = false;
    return found.has_value();
  }
  /// Makes the next look miss no message, since the wait has become long.
  void look_everywhere() { everywhere = true; }
  const std::atomic<std::uint64_t>* watch() const { return nullptr; }
  Awaited awaited() const {
    return {nullptr,
            pattern.context,
            pattern.tag,
            0,
            pattern.from,
            0,
            0,
            pattern.from == MessagePattern::any_source ? &senders : nullptr,
            "probe"};
  }
};

}  // namespace

std::optional<Endpoint::Found> Member::found(const CallKind& kind, Rank from, int tag, bool wait) {
  const MessagePattern wanted = pattern(from, tag);
  std::optional<Endpoint::Found> found;
  if (wait) check_sent_to_self(kind, wanted);
  engine_.guarded([&] {
    if (!wait) {
      engine_.poll();
      found = engine_.find(wanted, true);
      return;
    }
    Probing probe{engine_, wanted, group_->context};
    note(kind, tag, 0);
    engine_.wait(probe);
    found = probe.found;
  });
  return found;
}

std::optional<MessageInfo> Member::probe(Rank from, int tag, bool wait) {
  const auto there = found(probe_kind, from, tag, wait);
  if (!there) return {};
  return MessageInfo{rank_of(there->from), static_cast<int>(there->head.call),
                     bytes_of(engine_.endpoint(), *there)};
}

MatchedMessage Member::match(const std::shared_ptr<Member>& self, Rank from, int tag, bool wait) {
  if (from == no_rank) return {std::make_unique<HeldMessage>(self), MessageInfo()};
  const auto there = self->found(mprobe_kind, from, tag, wait);
  if (!there) return {};
  Engine& engine = self->engine_;
  const MessageInfo info{self->rank_of(there->from), static_cast<int>(there->head.call),
                         bytes_of(engine.endpoint(), *there)};
  std::unique_ptr<HeldMessage> held;
  engine.guarded([&] {
    held = std::make_unique<HeldMessage>(self, engine.held(), there->from, engine.endpoint().take(*there));
  });
  return {std::move(held), info};
}

std::optional<MessageInfo> Group::probe_message(Rank from, int tag, bool wait) {
  Member& own = member();
  return own.engine().call([&] {
    check_sender(from, tag, own.size());
    return from == no_rank ? MessageInfo() : own.probe(from, tag, wait);
  });
}

MatchedMessage Group::match_message(Rank from, int tag, bool wait) {
  Member& own = member();
  return own.engine().call([&] {
    check_sender(from, tag, own.size());
    return Member::match(member_, from, tag, wait);
  });
}

}  // namespace vnode
