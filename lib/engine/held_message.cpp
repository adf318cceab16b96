#include "engine/held_message.hpp"

namespace vnode {

void HeldMessages::lose() {
  while (first_ != nullptr) {
    HeldMessage& held = *first_;
    held.leave();
    held.message_.reset();
  }
}

HeldMessage::HeldMessage(std::shared_ptr<Member> member, HeldMessages& list, Rank from,
                         UnexpectedMessages::Owned message)
    : member_(std::move(member)), from_(from), message_(std::move(message)), list_(&list) {
  after_ = std::exchange(list.first_, this);
  if (after_ != nullptr) after_->before_ = this;
}

void HeldMessage::leave() {
  if (list_ == nullptr) return;
  (before_ != nullptr ? before_->after_ : list_->first_) = after_;
  if (after_ != nullptr) after_->before_ = before_;
  list_ = nullptr;
}

}  // namespace vnode
