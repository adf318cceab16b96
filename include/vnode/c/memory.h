#pragma once

#include <stddef.h>

#include <vnode/c/team.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Zeroed memory that is placed as requested. Where the system refuses, the second best is taken, and
/// vnode_buffer_degraded() tells it.
typedef struct vnode_buffer vnode_buffer;

/// Says where pages are to lie.
typedef enum vnode_page_policy {
  VNODE_PAGES_FIRST_TOUCH = 0,  ///< near the thread that touches a page first
  VNODE_PAGES_PREFERRED = 1,    ///< on one NUMA node, as long as it has room
  VNODE_PAGES_BIND = 2,         ///< on one NUMA node; touched at once
  VNODE_PAGES_INTERLEAVE = 3    ///< on several in turn
} vnode_page_policy;

/// The size of pages.
typedef enum vnode_huge_pages {
  VNODE_HUGE_PAGES_USUAL = 0,
  VNODE_HUGE_PAGES_NONE = 1,
  VNODE_HUGE_PAGES_TRANSPARENT = 2,
  VNODE_HUGE_PAGES_RESERVED = 3
} vnode_huge_pages;

/// The requested placement of memory. NUMA nodes are numbered as vnode topo lists them.
typedef struct vnode_page_placement {
  size_t size;         ///< sizeof(vnode_page_placement)
  int policy;          ///< a vnode_page_policy: where pages are to lie
  const int* banks;    ///< the NUMA nodes that the policy takes
  size_t banks_count;  ///< how many those are; 0 for interleave: all that have memory
  int huge_pages;      ///< a vnode_huge_pages: the size of pages
  size_t alignment;    ///< of the first byte, a power of two; at least a page
  int strict;          ///< whether a refusal is VNODE_ERROR_SYSTEM
} vnode_page_placement;

/// Makes a buffer of so many bytes. `placement` may be NULL: first touch.
int vnode_buffer_create(vnode_buffer** buffer, size_t bytes, const vnode_page_placement* placement);
/// Makes a buffer of `count` elements of that size for node `owner`, in `pieces` equal pieces (0: one for
/// each of its ports), each on the NUMA node of its port.
int vnode_team_buffer(const vnode_team* team, int owner, size_t count, size_t element_bytes, int pieces,
                      vnode_buffer** buffer);
/// Writes the first byte, and the number of bytes. Either may be NULL.
int vnode_buffer_data(const vnode_buffer* buffer, void** data, size_t* bytes);
/// Places bytes first .. first + bytes - 1 anew, whole pages; those that were touched move.
int vnode_buffer_place(vnode_buffer* buffer, size_t first, size_t bytes,
                       const vnode_page_placement* placement);
/// Moves the pages of these bytes near the calling thread.
int vnode_buffer_claim(vnode_buffer* buffer, size_t first, size_t bytes);
/// Touches every untouched page, without changing its content.
int vnode_buffer_touch(vnode_buffer* buffer);
/// Returns how many refusals there were, or an error code; writes refusal `index`, a sentence that lives as
/// long as the buffer is not placed anew, unless `sentence` is NULL.
int vnode_buffer_degraded(const vnode_buffer* buffer, int index, const char** sentence);
/// Frees the memory.
int vnode_buffer_free(vnode_buffer** buffer);

/// The NUMA nodes on which pages lie, in small pages.
typedef struct vnode_page_audit {
  size_t untouched;  ///< pages that nobody has touched, which lie nowhere yet
  size_t unknown;    ///< pages of which the system does not tell
  size_t touched;    ///< all others
} vnode_page_audit;
/// Writes where the pages of any memory of this process lie: of NUMA node i the number of pages into on[i],
/// for i < room; and returns the number of NUMA nodes up to the last one with pages, or an error code.
int vnode_audit_pages(const void* first, size_t bytes, vnode_page_audit* audit, size_t* on, int room);

/// Memory that a team has for one of its nodes.
typedef struct vnode_owned_memory {
  int owner;                    ///< the node that it belongs to
  int scratch;                  ///< whether it is scratch of its calls, rather than channels and boards
  int bank;                     ///< the NUMA node requested; -1: interleaved over all, -2: any
  const size_t* on;             ///< by NUMA node, the number of pages on it
  size_t on_count;              ///< how many NUMA nodes that lists
  vnode_page_audit pages;       ///< the rest
  const char* const* degraded;  ///< what the system refused, a sentence each
  size_t degraded_count;        ///< how many sentences that are
} vnode_owned_memory;
/// Looks at memory, which is valid meanwhile. Returns 0, or a positive code, after which there is no further
/// call.
typedef int (*vnode_memory_visitor)(void* user, const vnode_owned_memory* memory);
/// Calls visit(user, memory) for all memory that the team has made so far. Between runs only.
int vnode_team_memory(const vnode_team* team, vnode_memory_visitor visit, void* user);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
