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
  /// Where the numbers of calls begin, far from those of the groups that had the number before.
  std::uint32_t first_call() const { return first_call_; }

 private:
  friend ContextNumbers;
  ContextNumber(std::shared_ptr<ContextNumbers::Pool> pool, std::uint16_t id, std::uint32_t first_call)
      : pool_(std::move(pool)), id_(id), first_call_(first_call) {}
  std::shared_ptr<ContextNumbers::Pool> pool_;
  std::uint16_t id_;
  std::uint32_t first_call_;
};

}
