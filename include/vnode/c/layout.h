#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Says where the elements of a message lie in memory, counted in elements from its begin: blocks at regular
/// or irregular distances, in the order in which they are sent. vnode/layouts.hpp says more of each. It is
/// immutable; any thread may use it.
typedef struct vnode_layout vnode_layout;

/// Makes `count` of a layout, one after the other. Here and below NULL for `of` is one element, and distances
/// are in extents of it.
int vnode_layout_contiguous(vnode_layout** layout, size_t count, const vnode_layout* of);
/// Makes `count` blocks of `block` each, whose begins are `stride` apart: a column of a matrix is (rows, 1,
/// columns).
int vnode_layout_vector(vnode_layout** layout, size_t count, size_t block, ptrdiff_t stride,
                        const vnode_layout* of);
/// Makes a block for each of `count` displacements, lengths[i] long.
int vnode_layout_indexed(vnode_layout** layout, size_t count, const size_t* lengths,
                         const ptrdiff_t* displacements, const vnode_layout* of);
/// Makes the part of an array in row-major order that begins at index `starts` and has extents `sizes`: three
/// lists with a number for each dimension, slowest first.
int vnode_layout_subarray(vnode_layout** layout, int dimensions, const size_t* array, const size_t* sizes,
                          const size_t* starts, const vnode_layout* of);
/// Makes `count` members, layout i of them at displacement i, in elements.
int vnode_layout_structure(vnode_layout** layout, size_t count, const ptrdiff_t* displacements,
                           const vnode_layout* const* members);
/// Makes the same with another extent, so that repetitions lie as close or as far as is wanted.
int vnode_layout_resized(vnode_layout** layout, const vnode_layout* of, ptrdiff_t extent);
/// Makes the same so much further on.
int vnode_layout_shifted(vnode_layout** layout, const vnode_layout* of, ptrdiff_t offset);

/// Writes the number of elements that it picks.
int vnode_layout_count(const vnode_layout* layout, size_t* count);
/// Writes the least offset, one more than the greatest, and where the next repetition begins. Each may be
/// NULL.
int vnode_layout_bounds(const vnode_layout* layout, ptrdiff_t* first, ptrdiff_t* last, ptrdiff_t* extent);
/// Returns whether it picks an element twice, 1 or 0, so that it cannot be received into; or an error code.
int vnode_layout_overlaps(const vnode_layout* layout);
/// Returns what it picks, for people, "64 x 1 every 1024"; vnode_text_free() frees it.
int vnode_layout_text(const vnode_layout* layout, char** text);
/// Ends a layout. Calls in flight and planned ones, and layouts made of it, keep what they need.
int vnode_layout_free(vnode_layout** layout);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
