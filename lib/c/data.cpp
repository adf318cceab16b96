#include "c/data.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "c/layout.hpp"

namespace vnode {

void refuse_data(const char* which, std::size_t count, bool too_many) {
  throw WrongArgument(too_many ? fmt::format("{} has {} elements, more than memory holds", which, count)
                               : fmt::format("{} is NULL and has {}", which, counted(count, "element")));
}

Buffer piece_from(const vnode_piece& given, const ElementType& type, const char* which) {
  check_data(which, given.data, given.count, type);
  Buffer piece{.data = given.data, .count = given.count};
  if (given.layout != nullptr) {
    piece.layout = &at_handle(given.layout).is;
    check_picked(*piece.layout, 0, given.count, type.bytes, which);
  }
  return piece;
}

}  // namespace vnode
