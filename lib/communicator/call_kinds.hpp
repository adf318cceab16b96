#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
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
  /// Remembers a call until many others have been planned. Throws std::bad_alloc.
  void remember(std::uint32_t signature, PlannedCall call);
  /// A call that is remembered, or nothing.
  std::optional<PlannedCall> planned(std::uint32_t signature) const;

 private:
  static constexpr std::size_t most_remembered = 1024;

  struct Kept {
    explicit Kept(const CallKind& seen);
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    // Copies: these names may belong to a shared object that is unloaded some day, or to the user.
    std::string algorithm, element, op;
    CallKind kind;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Kept> kept_;  // by hash
  std::unordered_map<std::uint32_t, PlannedCall> planned_;
};

}
