#include "runtime/pieces.hpp"

namespace vnode {
namespace {

bool goes_on(const Spot& a, std::size_t bytes, const Spot& b) {
  return a.place == b.place && a.offset + bytes == b.offset;
}

}  // namespace

void append(std::vector<Piece>& parts, std::uint32_t first, const Piece& part) {
  if (part.bytes == 0) return;
  if (parts.size() > first) {
    Piece& last = parts.back();
    if (last.effect == part.effect && last.at + last.bytes == part.at &&
        goes_on(last.theirs, last.bytes, part.theirs) && goes_on(last.own, last.bytes, part.own) &&
        goes_on(last.into, last.bytes, part.into)) {
      last.bytes += part.bytes;
      return;
    }
  }
  parts.push_back(part);
}

}  // namespace vnode
