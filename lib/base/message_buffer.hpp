#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vnode {

/// Holds what a process says to others: texts and numbers, in an order that all know.
class MessageBuffer {
 public:
  MessageBuffer() = default;
  explicit MessageBuffer(std::span<const std::byte> bytes) : bytes_(bytes.begin(), bytes.end()) {}

  const std::vector<std::byte>& bytes() const { return bytes_; }
  void add(std::uint64_t number) { add_bytes(&number, sizeof number); }
  void add(int number) { add(static_cast<std::uint64_t>(number)); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    add_bytes(text.data(), text.size());
  }
  void add(const std::vector<int>& list) {
    add(std::uint64_t{list.size()});
    for (const int number : list) add(number);
  }
  /// Adds all that another says.
  void add(const MessageBuffer& other) { add_bytes(other.bytes_.data(), other.bytes_.size()); }
  std::uint64_t number() {
    std::uint64_t number;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  int integer() { return static_cast<int>(number()); }
  double real() { return std::bit_cast<double>(number()); }
  std::string text() {
    const std::uint64_t size = number();
    const auto* const begin = reinterpret_cast<const char*>(bytes_.data() + at_);
    at_ += size;
    return {begin, begin + size};
  }
  std::vector<int> list() {
    std::vector<int> list(number());
    for (int& number : list) number = integer();
    return list;
  }

 private:
  void add_bytes(const void* first, std::size_t count) {
    const auto* const begin = static_cast<const std::byte*>(first);
    bytes_.insert(bytes_.end(), begin, begin + count);
  }

  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace vnode
