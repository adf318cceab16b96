#pragma once

#include <cstddef>
#include <vector>

#include <vnode/pages.hpp>

// Makes the system's calls for memory. Those that can fail return 0 or what errno says; banks are numbered as
// Machine::numas.
namespace vnode {

/// Returns the bytes of a small page.
std::size_t page_bytes();
/// Returns the bytes of a huge page as the system makes them by default; 0 if it makes none.
std::size_t huge_page_bytes();
/// Returns whether the system puts huge pages together where it is asked to.
bool has_transparent_huge_pages();

/// Returns the number of banks that the system has, whoever may use them.
int bank_count();
/// Returns the system's number of a bank's NUMA node; -1 if there is no such bank.
int bank_os_index(int bank);

/// Returns zeroed pages for `bytes` bytes, the first at a multiple of `alignment`, a power of two; nullptr if
/// there are none. If `huge`, they are huge pages that are reserved for that, otherwise small ones.
std::byte* map_pages(std::size_t bytes, std::size_t alignment, bool huge);
/// Gives back what map_pages() has returned; `bytes` is rounded up to whole pages of their kind.
void unmap_pages(std::byte* pages, std::size_t bytes) noexcept;
/// Asks for huge pages in whole pages, or that there be none. A system without any refuses.
int advise_huge_pages(std::byte* pages, std::size_t bytes, bool huge);

/// Says what becomes of pages that were touched before they are bound.
enum class Touched {
  stay,  ///< nothing
  move   ///< they move, and the system makes room on the bank if it can
};
/// Says where the whole pages of a stretch are to lie: on one bank, which others stand in for when it is
/// full, on several in turn, page by page, or, if `banks` is empty, where they are first touched.
int bind_pages(std::byte* pages, std::size_t bytes, const std::vector<int>& banks, Touched touched);

}  // namespace vnode
