#include "runtime/unexpected.hpp"

#include <new>

namespace vnode {

std::size_t UnexpectedMessages::Hash::operator()(const Key& key) const noexcept {
  const auto from = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.from));
  const std::uint64_t where = (from << 1 | std::uint64_t{key.destination}) << 32 |
                              std::uint64_t{key.context} << 16 | std::uint64_t{key.round};
  // Tags and calls are numbers that follow each other: the odd factor spreads what else there is among them.
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
  return *message;
}

UnexpectedMessages::Message* UnexpectedMessages::find(Rank from, const Head& expected) const {
  const auto known = lanes_.find(key(from, expected));
  return known == lanes_.end() ? nullptr : known->second.first;
}

void UnexpectedMessages::remove(Rank from, Message& message) {
  const auto known = lanes_.find(key(from, message.head()));
  known->second.first = message.next_;
  if (message.next_ == nullptr) lanes_.erase(known);
  release(&message);
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
}

void UnexpectedMessages::release(Message* message) { ::operator delete(message); }

}  // namespace vnode
