#include "c/layout.hpp"

#include <fmt/format.h>
#include <limits>
#include <vector>

#include "c/lists.hpp"

namespace vnode {
namespace {

Layout each(const vnode_layout* of) { return of != nullptr ? at_handle(of).is : layouts::element(); }

}  // namespace

void check_picked(const Layout& layout, std::size_t first, std::size_t count, std::size_t element_bytes,
                  const char* what) {
  const std::size_t picked = layout.count();
  if (count > picked || first > picked - count)
    throw WrongArgument(fmt::format("the layout of {} picks {} elements, and {} from {} are wanted", what,
                                    picked, count, first));
  const auto most = std::numeric_limits<std::ptrdiff_t>::max() / static_cast<std::ptrdiff_t>(element_bytes);
  if (layout.first() < -most || layout.last() > most)
    throw WrongArgument(fmt::format("the layout of {} reaches from element {} to {}: memory ends at {}", what,
                                    layout.first(), layout.last() - 1, most));
}

}  // namespace vnode

using namespace vnode;

int vnode_layout_contiguous(vnode_layout** layout, size_t count, const vnode_layout* of) {
  return entry([&] { put_handle(layout, layouts::contiguous(count, each(of))); });
}

int vnode_layout_vector(vnode_layout** layout, size_t count, size_t block, ptrdiff_t stride,
                        const vnode_layout* of) {
  return entry([&] { put_handle(layout, layouts::vector(count, block, stride, each(of))); });
}

int vnode_layout_indexed(vnode_layout** layout, size_t count, const size_t* lengths,
                         const ptrdiff_t* displacements, const vnode_layout* of) {
  return entry([&] {
    put_handle(layout, layouts::indexed(list_of(lengths, count, "lengths"),
                                        list_of(displacements, count, "displacements"), each(of)));
  });
}

int vnode_layout_subarray(vnode_layout** layout, int dimensions, const size_t* array, const size_t* sizes,
                          const size_t* starts, const vnode_layout* of) {
  return entry([&] {
    put_handle(layout,
               layouts::subarray(list_of(array, dimensions, "extents"), list_of(sizes, dimensions, "sizes"),
                                 list_of(starts, dimensions, "starts"), each(of)));
  });
}

int vnode_layout_structure(vnode_layout** layout, size_t count, const ptrdiff_t* displacements,
                           const vnode_layout* const* members) {
  return entry([&] {
    std::vector<layouts::Displaced> list;
    for (std::size_t i = 0; i < count; ++i)
      list.push_back({list_of(displacements, count, "displacements")[i],
                      at_handle(list_of(members, count, "members")[i]).is});
    put_handle(layout, layouts::structure(list));
  });
}

int vnode_layout_resized(vnode_layout** layout, const vnode_layout* of, ptrdiff_t extent) {
  return entry([&] { put_handle(layout, at_handle(of).is.resized(extent)); });
}

int vnode_layout_shifted(vnode_layout** layout, const vnode_layout* of, ptrdiff_t offset) {
  return entry([&] { put_handle(layout, at_handle(of).is.shifted(offset)); });
}

int vnode_layout_count(const vnode_layout* layout, size_t* count) {
  return entry([&] { needed(count, "count") = at_handle(layout).is.count(); });
}

int vnode_layout_bounds(const vnode_layout* layout, ptrdiff_t* first, ptrdiff_t* last, ptrdiff_t* extent) {
  return entry([&] {
    const Layout& is = at_handle(layout).is;
    if (first != nullptr) *first = is.first();
    if (last != nullptr) *last = is.last();
    if (extent != nullptr) *extent = is.extent();
  });
}

int vnode_layout_overlaps(const vnode_layout* layout) {
  return entry([&] { return at_handle(layout).is.overlaps() ? 1 : 0; });
}

int vnode_layout_text(const vnode_layout* layout, char** text) {
  return entry([&] { put_text(text, at_handle(layout).is.text()); });
}

int vnode_layout_free(vnode_layout** layout) {
  return entry([&] { end_handle(layout); });
}
