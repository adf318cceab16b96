#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <vnode/layouts.hpp>

#include "communicator/laid_activity.hpp"
#include "runtime/laid_copy.hpp"
#include "runtime/point_to_point.hpp"

namespace vnode {

/// The elements of a message at one end, packed if a layout picks them.
class PackedElements {
 public:
  PackedElements(const LaidElements& elements, const ElementType& type)
      : layout_(elements.layout),
        user_(static_cast<std::byte*>(elements.data)),
        begin_(elements.begin),
        count_(elements.count),
        element_bytes_(type.bytes),
        laid_(elements.laid) {
    if (!laid_) return;
    if (bytes() > sizeof near_ || type.alignment > alignof(std::max_align_t))
      far_ = AlignedMemory(bytes(), std::max(type.alignment, std::size_t{64}));
  }
  PackedElements(const PackedElements&) = delete;
  PackedElements& operator=(const PackedElements&) = delete;

  std::byte* data() {
    if (!laid_) return user_;
    return far_.data() != nullptr ? far_.data() : near_;
  }
  std::size_t bytes() const { return count_ * element_bytes_; }
  void pack() {
    if (laid_) vnode::pack(data(), {user_, &layout_.form(), begin_}, 0, count_, element_bytes_);
  }
  /// As many as have arrived.
  void unpack(std::size_t count) {
    if (laid_) vnode::unpack({user_, &layout_.form(), begin_}, data(), 0, count, element_bytes_);
  }

 private:
  Layout layout_;
  std::byte* user_;
  std::size_t begin_, count_, element_bytes_;
  bool laid_;
  alignas(std::max_align_t) std::byte near_[256];
  AlignedMemory far_;
};

/// A message of what a layout picks, on its way out. Its interface is that of Outgoing, a kind of Sending.
template <class Outgoing>
class LaidSending {
 public:
  static constexpr bool inwards = false;

  LaidSending(Endpoint& endpoint, const Correspondence& with, const LaidElements& elements,
              const ElementType& type, const Profile& profile)
      : elements_(elements, type),
        message_(endpoint, with, elements_.data(), elements_.bytes(), profile, false) {
    elements_.pack();
  }
  bool advance() { return message_.advance(); }
  bool announced() const { return message_.announced(); }
  const Correspondence& with() const { return message_.with(); }
  std::size_t bytes() const { return message_.bytes(); }
  std::size_t received() const { return 0; }
  const std::atomic<std::uint64_t>* watch() const { return message_.watch(); }
  Awaited awaited() const { return message_.awaited(); }

 private:
  PackedElements elements_;
  Outgoing message_;
};

/// A message of what a layout picks, on its way in. Its interface is that of Incoming: Receiving, or one
/// whose source and tag may be open, or that of a message that has been taken out.
template <class Incoming>
class LaidReceiving {
 public:
  static constexpr bool inwards = true;

  template <class... Arguments>
  LaidReceiving(Endpoint& endpoint, const Correspondence& with, const LaidElements& elements,
                const ElementType& type, Arguments&&... arguments)
      : elements_(elements, type),
        message_(endpoint, with, elements_.data(), elements_.bytes(), std::forward<Arguments>(arguments)...) {
  }
  bool advance() {
    if (!message_.advance()) return false;
    elements_.unpack(message_.received());
    return true;
  }
  void bind(Rank from, std::uint32_t tag) { message_.bind(from, tag); }
  void look_everywhere() requires requires(Incoming& message) { message.look_everywhere(); }
  { message_.look_everywhere(); }
  bool announced() const { return message_.announced(); }
  const Correspondence& with() const { return message_.with(); }
  std::size_t received() const { return message_.received(); }
  std::size_t received_bytes() const { return message_.received_bytes(); }
  const std::atomic<std::uint64_t>* watch() const { return message_.watch(); }
  Awaited awaited() const { return message_.awaited(); }

 private:
  PackedElements elements_;
  Incoming message_;
};

}  // namespace vnode
