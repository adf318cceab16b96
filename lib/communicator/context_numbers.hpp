#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace vnode {

class ContextNumber;

/// The numbers of the contexts of a team's groups: each belongs to one group at a time.
class ContextNumbers {
 public:
  ContextNumbers() : pool_(std::make_shared<Pool>()) {}
  /// A number that no group has. Throws SystemError if all are in use.
  ContextNumber take();

 private:
  friend ContextNumber;
  struct Pool {
    std::mutex mutex;
    std::vector<std::uint16_t> free;
    std::vector<std::uint16_t> uses;  // by number: groups that have had it
  };
  std::shared_ptr<Pool> pool_;
};

/// A number, given back when it ends.
class ContextNumber {
 public:
  ContextNumber(ContextNumber&& other) noexcept = default;
  ContextNumber& operator=(ContextNumber&&) = delete;
  ~ContextNumber();

  std::uint16_t id() const { return id_; }
  /// How many groups had the number before.
  std::uint16_t generation() const { return generation_; }
  /// Where the numbers of calls begin, far from those of the groups that had the number before.
  std::uint32_t first_call() const { return std::uint32_t{generation_} << 20; }

 private:
  friend ContextNumbers;
  ContextNumber(std::shared_ptr<ContextNumbers::Pool> pool, std::uint16_t id, std::uint16_t generation)
      : pool_(std::move(pool)), id_(id), generation_(generation) {}
  std::shared_ptr<ContextNumbers::Pool> pool_;
  std::uint16_t id_;
  std::uint16_t generation_;
};

}
