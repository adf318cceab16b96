#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/execution.hpp"
#include "runtime/laid_copy.hpp"

namespace vnode {

/// What one node does when neighbours exchange: all its messages, in no order but that in which it begins
/// them. Only the two ends of a message know how long it is.
struct ExchangeProgram {
  struct Message {
    Rank peer = 0;           ///< in the context
    std::uint16_t mark = 0;  ///< tells messages of the same two nodes apart
    LaidMemory memory;
    std::size_t count = 0;  ///< elements
  };
  struct OwnMessage {
    LaidMemory from, to;
    std::size_t count = 0;
  };
  std::vector<Message> out, in;
  std::vector<OwnMessage> own;  ///< to itself
  std::size_t element_bytes = 1;
  std::size_t most_eager = 0;  ///< bytes
};

/// One node's run through it; as an Execution, it never blocks. Every message is begun at once and goes on as
/// far as its own channel lets it: none waits for another. A node announces all that it sends before it waits
/// for what it receives, and awaits readers at the end only, so the order of Execution's proof holds. A
/// message rings its receiver once, and the receiver of a long one its sender when it has copied it.
class ExchangeExecution {
 public:
  /// Before the first advance(), and again when the call is complete or lost. `program` lives as long as the
  /// call.
  void begin(Endpoint& endpoint, const ExchangeProgram& program, const Call& call);
  bool advance();
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const;

 private:
  using Message = ExchangeProgram::Message;
  bool deal(const Message& message, TraceEvent::End end_of);
  bool send(const Message& message);
  bool receive(const Message& message);
  void copy(const LaidMemory& to, const LaidMemory& from, std::size_t count) const;

  Endpoint* endpoint_ = nullptr;
  const ExchangeProgram* program_ = nullptr;
  Call call_;
  Recorder* recorder_ = nullptr;
  std::vector<std::uint32_t> unsent_, unreceived_;  // messages
  std::vector<Ticket> tickets_;
  bool copied_ = false;
  std::uint64_t done_ = 0;  // ends of messages, and readers that have been awaited
};

}  // namespace vnode
