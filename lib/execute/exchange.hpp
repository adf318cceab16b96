#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compile/exchange_program.hpp"
#include "execute/execution.hpp"

namespace vnode {

/// Runs one node's ExchangeProgram. Like an Execution, it never blocks. All messages of a round are begun at
/// once, and each goes on as far as its own channel lets it: none waits for another. A node announces all
/// that it sends in a round before it waits for what it receives, no place is written twice, and readers are
/// awaited at the end only, so the order of Execution's proof holds. A message rings its receiver once; the
/// receiver of a long one rings the sender when it has copied it.
class ExchangeExecution {
 public:
  /// Begins a call. Is called before the first advance(), and again when the call is complete or lost.
  /// `program` lives as long as the call.
  void begin(Endpoint& endpoint, const ExchangeProgram& program, const Call& call);
  bool advance();
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const;

 private:
  using Message = ExchangeProgram::Message;
  using Pieces = std::span<const ExchangeProgram::Piece>;
  void begin_round();
  bool advance_round();
  bool deal(const Message& message, TraceEvent::End end_of);
  bool send(const Message& message);
  bool receive(const Message& message);
  std::byte* whole(Pieces pieces) const;
  void pack_all(std::byte* packed, Pieces from) const;
  void unpack_all(Pieces to, const std::byte* packed) const;
  void copy_all(Pieces to, Pieces from) const;
  void copy(const LaidMemory& to, const LaidMemory& from, std::size_t count) const;

  Endpoint* endpoint_ = nullptr;
  const ExchangeProgram* program_ = nullptr;
  Call call_;
  Recorder* recorder_ = nullptr;
  std::size_t round_ = 0;
  std::vector<std::uint32_t> unsent_, unreceived_;  // messages of this round
  std::vector<Ticket> tickets_;
  bool copied_ = false;
  std::uint64_t done_ = 0;  // ends of messages, and readers that have been awaited
};

}  // namespace vnode
