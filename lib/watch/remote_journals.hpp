#pragma once

#include <deque>
#include <string>

#include "base/message_buffer.hpp"
#include "record/journal.hpp"

namespace vnode {

/// Holds what the journals of nodes of other processes know, as these tell it at the end of a run whose calls
/// do not match, so that reports name the calls of all nodes.
class RemoteJournals {
 public:
  /// Adds to `said` what this journal knows of collective calls. Its node makes none meanwhile.
  static void tell(MessageBuffer& said, const Journal& journal);
  /// Writes what tell() has said into another journal, which knows it as long as this lives, or until it is
  /// cleared.
  void hear(MessageBuffer& said, Journal& journal);
  /// Forgets all of it. Is called when no journal knows it any more.
  void clear() { kinds_.clear(); }

 private:
  struct Kind {
    std::string collective, algorithm, element, op, variant;
    CallKind kind;
  };
  std::deque<Kind> kinds_;  // its elements stay where they are
};

}  // namespace vnode
