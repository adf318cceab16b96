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
  struct Use {
    std::uint16_t groups = 0;     // that have had the number
    std::uint32_t last_call = 0;  // the newest of theirs
  };
  struct Pool {
    std::mutex mutex;
    std::vector<std::uint16_t> free;
    std::vector<Use> uses;  // by number
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
  /// The newest call of the group that has it, or had it before: calls are numbered on from there.
  std::uint32_t last_call() const { return last_call_; }
  void set_last_call(std::uint32_t call) { last_call_ = call; }

 private:
  friend ContextNumbers;
  ContextNumber(std::shared_ptr<ContextNumbers::Pool> pool, std::uint16_t id, std::uint16_t generation,
                std::uint32_t last_call)
      : pool_(std::move(pool)), id_(id), generation_(generation), last_call_(last_call) {}
  std::shared_ptr<ContextNumbers::Pool> pool_;
  std::uint16_t id_;
  std::uint16_t generation_;
  std::uint32_t last_call_;
};

}
