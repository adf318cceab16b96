#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// Says where a debugger finds a node that is a fiber: plain words, of which tools/gdb/nodes.py knows the
/// order, so that it needs no debug information of the library.
struct DebuggedFiber {
  const void* const* registers;  ///< where they lie, on the stack, while it does not run
  const std::uint32_t* asleep;
  const std::byte* stack;
  std::size_t stack_bytes;
};

/// Shows debuggers a team's nodes that are fibers, as long as it lives, in a list of all that the process
/// has.
class DebuggedFibers {
 public:
  DebuggedFibers(Rank first, std::vector<DebuggedFiber> fibers);
  ~DebuggedFibers();
  DebuggedFibers(const DebuggedFibers&) = delete;
  DebuggedFibers& operator=(const DebuggedFibers&) = delete;

 private:
  // What the debugger reads.
  struct Words {
    Words* next;
    std::size_t first, count;
    const DebuggedFiber* fibers;
  } words_;
  const std::vector<DebuggedFiber> fibers_;
};

}  // namespace vnode
