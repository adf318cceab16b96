#include "compile/publication.hpp"

#include <algorithm>

namespace vnode {
namespace {

/// Adds all these messages as one. Their sources lie one after the other.
std::uint32_t pack(Program& program, std::span<const std::uint32_t> messages) {
  Outgoing all;
  all.round = program.outgoing[messages.front()].round;
  all.peer = -1;
  all.first = program.outgoing[messages.front()].first;
  for (const std::uint32_t index : messages) {
    Outgoing& one = program.outgoing[index];
    one.at = all.bytes;
    all.bytes += one.bytes;
    all.count += one.count;
  }
  for (const std::uint32_t index : messages) program.outgoing[index].all_bytes = all.bytes;
  program.outgoing.push_back(all);
  return static_cast<std::uint32_t>(program.outgoing.size() - 1);
}

}  // namespace

Publication publication(Program& program, std::span<const std::uint32_t> messages, bool packed, int nodes) {
  Publication made{messages.front()};
  if (messages.size() == 1) made.only = program.outgoing[messages.front()].peer;
  const auto first_reader = static_cast<std::uint32_t>(program.readers.size());
  if (static_cast<int>(messages.size()) + 1 < nodes) {
    for (const std::uint32_t index : messages) program.readers.push_back(program.outgoing[index].peer);
    made.readers = static_cast<std::uint32_t>(messages.size());
  }
  if (packed) made.message = pack(program, messages);
  program.outgoing[made.message].readers = first_reader;
  return made;
}

}  // namespace vnode
