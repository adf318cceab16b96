#pragma once

#include <atomic>
#include <string>
#include <utility>

#include <vnode/c/operator.h>
#include <vnode/operator.hpp>

namespace vnode {

/// An operator of the program's own, for as long as anybody holds it.
///
/// `holders_` counts those. Who gives it up last ends it: release and acquire on that count order what others
/// did with it before that.
class OwnOperator {
 public:
  OwnOperator(const vnode_operator_definition& definition, const OperatorType& type, int number)
      : definition_(definition), type_(type), number_(number) {}

  const OperatorType& type() const { return type_; }
  int number() const { return number_; }
  /// Throws CallbackFailed if the callback fails.
  void combine(void* out, const void* left, const void* right, std::size_t count) const;

  void hold() { holders_.fetch_add(1, std::memory_order_relaxed); }  // whoever holds it hands it on
  void give_up() noexcept {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~OwnOperator() {
    if (definition_.release != nullptr) definition_.release(definition_.user);
  }

  vnode_operator_definition definition_;
  const OperatorType& type_;
  int number_;
  std::atomic<int> holders_{1};
};

/// One of those who hold an operator: what a call takes as its operator and keeps.
class HeldOperator {
 public:
  explicit HeldOperator(OwnOperator* own) : own_(own) {
    if (own_ != nullptr) own_->hold();
  }
  HeldOperator(HeldOperator&& other) noexcept : own_(std::exchange(other.own_, nullptr)) {}
  ~HeldOperator() {
    if (own_ != nullptr) own_->give_up();
  }
  HeldOperator& operator=(const HeldOperator&) = delete;
  const OwnOperator& operator*() const { return *own_; }

 private:
  OwnOperator* own_;
};

/// An operator on elements of one type, as calls take it.
struct FoundOperator {
  const OperatorType* type = nullptr;
  void* state = nullptr;       ///< of a standard operator
  OwnOperator* own = nullptr;  ///< or else
};
/// Throws if there is no such operator, or not on elements of this type.
FoundOperator operator_of(vnode_operator op, vnode_type type);

}  // namespace vnode
