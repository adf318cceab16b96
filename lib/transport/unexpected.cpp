#include "transport/unexpected.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "channel/context.hpp"

namespace vnode {

std::size_t UnexpectedMessages::Hash::operator()(const Key& key) const noexcept {
  const auto from = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.from));
  const std::uint64_t where = (from << 1 | std::uint64_t{key.destination}) << 32 |
                              std::uint64_t{key.context} << 16 | std::uint64_t{key.round};
  // Tags and calls are consecutive numbers: the odd factor spreads the rest of the key among them.
  return static_cast<std::size_t>(where * 0x9e3779b97f4a7c15u + key.call);
}

UnexpectedMessages::Message& UnexpectedMessages::add(Rank from, const Head& head) {
  void* const room = ::operator new(sizeof(Message) + head.bytes);
  Message* const message = new (room) Message(head, ++added_);
  try {
    const auto [known, fresh] = lanes_.try_emplace(key(from, head), Lane{message, message});
    if (!fresh) known->second.last = known->second.last->next_ = message;
  } catch (...) {
    release(message);
    throw;
  }
  if (any_listed_ && is_listed(head)) list(from, *message);
  return *message;
}

UnexpectedMessages::Message* UnexpectedMessages::find(Rank from, const Head& expected) const {
  const auto known = lanes_.find(key(from, expected));
  return known == lanes_.end() ? nullptr : known->second.first;
}

UnexpectedMessages::Owned UnexpectedMessages::take(Rank from, Message& message) {
  if (any_listed_ && is_listed(message.head())) unlist(message);
  const auto known = lanes_.find(key(from, message.head()));
  known->second.first = message.next_;
  if (message.next_ == nullptr) lanes_.erase(known);
  return Owned(&message);
}

std::optional<std::pair<Rank, Head>> UnexpectedMessages::oldest() const {
  const Message* oldest = nullptr;
  Rank from = -1;
  for (const auto& [key, lane] : lanes_)
    if (oldest == nullptr || lane.first->number_ < oldest->number_) {
      oldest = lane.first;
      from = key.from;
    }
  if (oldest == nullptr) return {};
  return std::pair(from, oldest->head());
}

void UnexpectedMessages::clear() {
  for (const auto& [key, lane] : lanes_)
    for (Message* message = lane.first; message != nullptr;) {
      Message* const next = message->next_;
      release(message);
      message = next;
    }
  lanes_.clear();
  lists_.clear();
  places_.clear();
  listed_ = {};
  any_listed_ = false;
}

bool UnexpectedMessages::is_listed(const Head& head) {
  return is_message_context(head.context) && head.kind != Kind::destination;
}

/// Returns the key of the list, among those of a kind, that a message from this node belongs to.
UnexpectedMessages::Key UnexpectedMessages::key(Open open, Rank from, const Head& head) {
  return {open == Open::tag ? from : MessagePattern::any_source,
          open == Open::source ? head.call : MessagePattern::any_tag, head.context, head.round, false};
}

void UnexpectedMessages::append(Open open, Message& message, Place& place) {
  const auto kind = static_cast<std::size_t>(open);
  Lane& list =
      lists_.try_emplace(key(open, place.from, message.head()), Lane{nullptr, nullptr}).first->second;
  place.before[kind] = list.last;
  (list.last == nullptr ? list.first : places_.at(list.last).after[kind]) = &message;
  list.last = &message;
}

/// Appends a message to all lists that somebody has looked for.
void UnexpectedMessages::list(Rank from, Message& message) {
  Place& place = places_.try_emplace(&message, Place{from, {}, {}}).first->second;
  for (const Open open : all_open)
    if (listed_[static_cast<std::size_t>(open)]) append(open, message, place);
}

void UnexpectedMessages::unlist(Message& message) {
  const auto found = places_.find(&message);
  const Place& place = found->second;
  for (const Open open : all_open) {
    const auto kind = static_cast<std::size_t>(open);
    if (!listed_[kind]) continue;
    const auto list = lists_.find(key(open, place.from, message.head()));
    (place.before[kind] == nullptr ? list->second.first : places_.at(place.before[kind]).after[kind]) =
        place.after[kind];
    (place.after[kind] == nullptr ? list->second.last : places_.at(place.after[kind]).before[kind]) =
        place.before[kind];
    if (list->second.first == nullptr) lists_.erase(list);
  }
  places_.erase(found);
}

/// Keeps the lists of this kind from now on. Messages that are there already enter them in the order in which
/// they came.
void UnexpectedMessages::keep_lists(Open open) {
  struct Known {
    Rank from;
    Message* message;
  };
  std::vector<Known> known;
  for (const auto& [key, lane] : lanes_)
    for (Message* message = lane.first; message != nullptr; message = message->next_)
      if (is_listed(message->head())) known.push_back({key.from, message});
  std::ranges::sort(known, {}, [](const Known& one) { return one.message->number_; });
  for (const auto& [from, message] : known)
    append(open, *message, places_.try_emplace(message, Place{from, {}, {}}).first->second);
  listed_[static_cast<std::size_t>(open)] = any_listed_ = true;
}

std::pair<Rank, UnexpectedMessages::Message*> UnexpectedMessages::find(const MessagePattern& pattern) {
  const Head head{pattern.tag, 0, pattern.context, pattern.generation, Kind::data, 0};
  if (lanes_.empty()) return {-1, nullptr};
  if (pattern.exact()) return {pattern.from, find(pattern.from, head)};
  const Open open = pattern.tag != MessagePattern::any_tag       ? Open::source
                    : pattern.from != MessagePattern::any_source ? Open::tag
                                                                 : Open::both;
  if (!listed_[static_cast<std::size_t>(open)]) keep_lists(open);
  const auto list = lists_.find(key(open, pattern.from, head));
  if (list == lists_.end()) return {-1, nullptr};
  Message* const oldest = list->second.first;
  return {places_.at(oldest).from, oldest};
}

void UnexpectedMessages::release(Message* message) { ::operator delete(message); }

}  // namespace vnode
