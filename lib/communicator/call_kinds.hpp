#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/journal.hpp"

namespace vnode {

/// The kinds of calls that a team has seen, of all its groups: journals and messages name them for as long as
/// the team lives, also when the group has ended. Any node may add one.
class CallKinds {
 public:
  /// The one with this hash; the first time, a copy of `kind`. Throws std::bad_alloc.
  const CallKind* keep(const CallKind& kind);

 private:
  struct Kept {
    explicit Kept(const CallKind& seen);
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    // Copies: these names may belong to a shared object that is unloaded some day, or to the user.
    std::string algorithm, element, op;
    CallKind kind;
  };
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Kept> kept_;  // by hash
};

}
