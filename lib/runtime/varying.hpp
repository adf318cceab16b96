#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <vnode/lab/compose.hpp>
#include <vnode/lab/schedule.hpp>

#include "runtime/execution.hpp"

namespace vnode {

/// Contiguous bytes of one node's memory.
struct Stretch {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};

/// Where a node's own blocks lie, in a call in which every rank has other counts.
struct VaryingLayout {
  std::unordered_map<int, Stretch> input, output;
};

/// What one node does in such a call. The schedule is one in which nodes handle only blocks that they bring
/// or take away, without combining: so both ends of a message know how long it is, and nobody else needs to.
struct VaryingProgram {
  struct Message {
    Rank peer = 0;          ///< in the context
    std::size_t first = 0;  ///< of its stretches
    std::size_t stretches = 0;
    std::size_t bytes = 0;
  };
  struct Stage {
    std::vector<Message> out, in;
  };
  std::vector<Stage> rounds;
  std::vector<Stretch> stretches;
  std::vector<std::pair<Stretch, Stretch>> own;  ///< from and to: what it brings and takes away itself
};

/// `parts`: the projection of the schedule on this rank. `own` is left empty.
VaryingProgram make_varying_program(const Schedule& schedule, const std::vector<Part>& parts, Rank rank,
                                    const VaryingLayout& layout);

/// One node's run through it; as an Execution, it never blocks. In each round a node announces all that it
/// sends and then receives; no place is written twice, so readers are awaited at the end only. Hence the
/// order of Execution's proof holds.
class VaryingExecution {
 public:
  /// Messages of up to `most_eager` bytes are eager.
  VaryingExecution(Endpoint& endpoint, const VaryingProgram& program, const Call& call,
                   std::size_t most_eager)
      : endpoint_(endpoint),
        program_(program),
        call_(call),
        recorder_(endpoint.recorder()),
        max_eager_(most_eager) {}

  bool advance();
  const std::atomic<std::uint64_t>* watch() const;
  Awaited awaited() const;

 private:
  using Message = VaryingProgram::Message;
  bool deal(const Message& message, TraceEvent::End end_of);
  bool send(const Message& message);
  bool receive(const Message& message);
  void pull(const Message& message, std::span<const Stretch> theirs) const;
  std::span<const Stretch> stretches(const Message& message) const {
    return std::span(program_.stretches).subspan(message.first, message.stretches);
  }

  Endpoint& endpoint_;
  const VaryingProgram& program_;
  Call call_;
  Recorder* recorder_;
  std::size_t max_eager_;
  std::size_t round_ = 0, sent_ = 0, received_ = 0;
  bool copied_ = false;
  std::vector<Ticket> tickets_;
};

}
