#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

struct Machine;

/// Where the system is asked to put pages. A bank is the memory of a NUMA node, numbered as Machine::numas.
enum class PagePolicy {
  first_touch,  ///< near the thread that touches a page first
  preferred,    ///< on one bank, when they are touched, as long as it has room
  bind,         ///< on one bank, touched at once, so that it is known whether they got there
  interleave,   ///< on several banks in turn, page by page
};

/// What pages are made of. Huge ones are 2 MiB on most machines.
enum class HugePages {
  usual,        ///< as the system is set, where they can be placed as exactly as small ones
  none,         ///< small pages only
  transparent,  ///< the system is asked to put huge ones together
  reserved,     ///< from the pool that the administrator has set aside
};

/// How memory is to be placed.
struct PagePlacement {
  PagePolicy policy = PagePolicy::first_touch;  ///< where pages are to lie
  /// Bind, preferred: one bank. Interleave: those to take turns; empty: all that there are (banks_of).
  std::vector<int> banks = {};
  HugePages huge_pages = HugePages::usual;  ///< what they are made of
  std::size_t alignment = 0;                ///< bytes, a power of two: of the first byte, at least a page
  /// SystemError instead of the second best. Interleaved pages are touched at once then, so that it is known.
  bool strict = false;
  friend bool operator==(const PagePlacement&, const PagePlacement&) = default;
};

/// Where pages lie. Counted in small pages: a huge one counts as all that it stands for.
struct PageAudit {
  std::vector<std::size_t> on = {};  ///< by bank: pages that lie there
  std::size_t untouched = 0;         ///< they lie nowhere yet
  std::size_t unknown = 0;           ///< the system does not tell

  /// Those that lie somewhere.
  std::size_t touched() const;
  /// Those that lie on `bank`; none if there is no such bank.
  std::size_t on_bank(int bank) const;
  /// The sum of both.
  PageAudit& operator+=(const PageAudit& other);
  friend bool operator==(const PageAudit&, const PageAudit&) = default;
};
/// For people, banks by the system's numbers of their NUMA nodes: "12 on 0, 4 on 6, 3 untouched"; "none"
/// without pages.
std::string text(const PageAudit& audit, const Machine& machine);

/// Where the pages of any memory of this process lie, those included that it shares with what is beside it.
/// Costs a system call for some thousand pages.
PageAudit audit_pages(const void* first, std::size_t bytes);

/// Zeroed memory of its own, placed as asked. What the system refuses (to bind memory, as in containers; a
/// bank that is not there, or full; huge pages) is replaced by the second best and told: memory that cannot
/// be bound lies where it is first touched, so its owner should touch it first.
class Pages {
 public:
  /// None.
  Pages() = default;
  /// At least `bytes` bytes. Throws std::bad_alloc; UsageError for a bank below 0, the wrong number of banks
  /// or an alignment that is no power of two; if strict, SystemError for anything that is refused.
  explicit Pages(std::size_t bytes, const PagePlacement& placement = {});
  ~Pages();
  /// Takes them; `other` has none then.
  Pages(Pages&& other) noexcept;
  /// Gives up its own and takes those of `other`, which has none then.
  Pages& operator=(Pages&& other) noexcept;

  /// The first byte, or nullptr.
  std::byte* data() const { return data_; }
  /// As many as were asked for.
  std::size_t bytes() const { return bytes_; }
  /// As asked for.
  const PagePlacement& placement() const { return placement_; }

  /// Places the pages of bytes first .. first + bytes - 1 anew, whole pages from the one in which the first
  /// byte lies to the one before the next stretch's, which may be none; those that were touched move, and it
  /// is told if they cannot (those that lie on a bank of several that are to take turns need not). Of the
  /// placement, policy, banks and strict count. Errors as the constructor's; UsageError for bytes that are
  /// not there.
  void place(std::size_t first, std::size_t bytes, const PagePlacement& placement);
  /// Next touch: the pages of these bytes move to the bank near the PU that the calling thread runs on
  /// (nearest_bank).
  void claim(std::size_t first, std::size_t bytes);
  /// The same of all.
  void claim() { claim(0, bytes_); }
  /// Touches every page that nobody has touched; keeps what is in them.
  void touch();

  /// Where they lie.
  PageAudit audit() const { return audit_pages(data_, bytes_); }
  /// What was refused, a sentence each, none twice. Empty: all is as asked.
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
