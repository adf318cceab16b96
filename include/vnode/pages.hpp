#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

struct Machine;

/// Says where the system is asked to put pages. NUMA nodes are numbered as in Machine::numas.
enum class PagePolicy {
  first_touch,  ///< on the NUMA node near the thread that touches a page first
  preferred,    ///< on one NUMA node, when they are touched, as long as it has room
  bind,         ///< on one NUMA node; touched at once, so that their location is known
  interleave,   ///< on several NUMA nodes in turn, page by page
};

/// Names the size of pages. Huge ones are 2 MiB on most machines.
enum class HugePages {
  usual,        ///< as the system is set, where huge pages can be placed as exactly as small ones
  none,         ///< small pages only
  transparent,  ///< the system is asked to make huge pages
  reserved,     ///< huge pages from the pool that the administrator has reserved
};

/// Describes the requested placement of memory.
struct PagePlacement {
  PagePolicy policy = PagePolicy::first_touch;  ///< where pages are to lie
  /// Names one NUMA node for bind and preferred, and those that take turns for interleave; if empty, all that
  /// have memory which the process may use (banks_of).
  std::vector<int> banks = {};
  HugePages huge_pages = HugePages::usual;  ///< the size of pages
  std::size_t alignment = 0;                ///< alignment of the first byte, a power of two; at least a page
  /// Says whether a refusal is a SystemError instead of being made up for. Interleaved pages are then touched
  /// at once, so that their location is known.
  bool strict = false;
  friend bool operator==(const PagePlacement&, const PagePlacement&) = default;
};

/// Describes the NUMA nodes on which pages lie. Counts are of small pages; a huge page counts as all that it
/// replaces.
struct PageAudit {
  std::vector<std::size_t> on = {};  ///< by NUMA node, the number of pages on it
  std::size_t untouched = 0;         ///< pages that nobody has touched, which lie nowhere yet
  std::size_t unknown = 0;           ///< pages of which the system does not tell

  /// Returns the number of pages in `on`.
  std::size_t touched() const;
  /// Returns the number of pages on NUMA node `bank`; 0 if there is no such node.
  std::size_t on_bank(int bank) const;
  /// Adds the counts of `other`.
  PageAudit& operator+=(const PageAudit& other);
  friend bool operator==(const PageAudit&, const PageAudit&) = default;
};
/// Returns the audit for people, with the system's numbers of NUMA nodes: "12 on 0, 4 on 6, 3 untouched";
/// "none" without pages.
std::string text(const PageAudit& audit, const Machine& machine);

/// Returns where the pages of any memory of this process lie, including those that it shares with its
/// neighbours. Costs a system call for some thousand pages.
PageAudit audit_pages(const void* first, std::size_t bytes);

/// Holds zeroed memory, placed as requested. Where the system refuses (to bind memory, as in containers; a
/// NUMA node that does not exist or is full; huge pages), the second best is taken and degraded() tells it.
/// Memory that cannot be bound lies where it is first touched, so its owner should touch it first.
class Pages {
 public:
  /// Makes no memory.
  Pages() = default;
  /// Allocates at least `bytes` bytes. Throws std::bad_alloc; UsageError for a negative NUMA node, a wrong
  /// number of them or an alignment that is no power of two; and, if the placement is strict, SystemError for
  /// anything that is refused.
  explicit Pages(std::size_t bytes, const PagePlacement& placement = {});
  ~Pages();
  /// Leaves `other` without memory.
  Pages(Pages&& other) noexcept;
  /// Frees its own memory, takes that of `other` and leaves that without.
  Pages& operator=(Pages&& other) noexcept;

  /// Returns the first byte, or nullptr without memory.
  std::byte* data() const { return data_; }
  /// Returns the number of bytes requested.
  std::size_t bytes() const { return bytes_; }
  /// Returns the placement requested.
  const PagePlacement& placement() const { return placement_; }

  /// Places bytes first .. first + bytes - 1 anew: whole pages, from the one that holds the first byte to the
  /// one before the page that holds the next stretch, which may be none. Pages that were touched move, and
  /// degraded() tells if they cannot; interleaved pages may stay if they lie on one of the NUMA nodes. Only
  /// policy, banks and strict of the placement are read. Throws what the constructor throws, and UsageError
  /// for bytes outside of the memory.
  void place(std::size_t first, std::size_t bytes, const PagePlacement& placement);
  /// Moves the pages of these bytes to the NUMA node near the PU that the calling thread runs on
  /// (nearest_bank): next touch.
  void claim(std::size_t first, std::size_t bytes);
  /// Moves all pages near the calling thread.
  void claim() { claim(0, bytes_); }
  /// Touches every untouched page, without changing its content.
  void touch();

  /// Returns where the pages lie.
  PageAudit audit() const { return audit_pages(data_, bytes_); }
  /// Returns what was refused, a sentence each, none twice. Empty if everything is as requested.
  const std::vector<std::string>& degraded() const { return degraded_; }

 private:
  void swap(Pages& other) noexcept;
  void degrade(const PagePlacement& placement, const std::string& sentence);
  void map(std::size_t bytes, const PagePlacement& placement);
  void put(std::byte* first, std::size_t bytes, const PagePlacement& placement, bool fresh);

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0, mapped_ = 0;
  std::size_t page_ = 0;  // bytes of those that can be placed, huge ones if they are reserved
  bool small_ = true;     // the system makes no huge ones of them
  PagePlacement placement_;
  std::vector<std::string> degraded_;
};

}  // namespace vnode
#pragma GCC visibility pop
