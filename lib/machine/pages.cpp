#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/pages.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "base/touch_pages.hpp"
#include "machine/bank_text.hpp"
#include "machine/binding.hpp"
#include "machine/hwloc.hpp"
#include "machine/memory_binding.hpp"

namespace vnode {
namespace {

/// Returns "the bank of NUMA node 6", by the system's numbers.
std::string named(const std::vector<int>& banks) {
  std::vector<int> numbers;
  for (const int bank : banks) numbers.push_back(bank_os_index(bank));
  return fmt::format("the bank{0} of NUMA node{0} {1}", banks.size() == 1 ? "" : "s",
                     fmt::join(numbers, ", "));
}

std::string why_not_bound(int error, const std::vector<int>& banks) {
  const int count = bank_count();
  if (error == ENOTSUP)
    return "memory is not bound: the machine is described by a file or a text and is not this one";
  for (const int bank : banks)
    if (bank >= count)
      return fmt::format("there is no bank {}: this machine has {}", bank,
                         count == 1 ? "0 only" : fmt::format("0 to {}", count - 1));
  if (error == EINVAL)
    return fmt::format("the process may not use {}: pages lie where they are first touched", named(banks));
  return fmt::format(
      "the system refuses to bind memory ({}), as containers do: pages lie where they are first touched",
      std::strerror(error));
}

void check(const PagePlacement& placement) {
  for (const int bank : placement.banks)
    if (bank < 0) throw UsageError(fmt::format("there is no bank {}: they are numbered from 0", bank));
  const std::size_t banks = placement.banks.size();
  const bool one = placement.policy == PagePolicy::preferred || placement.policy == PagePolicy::bind;
  if (one && banks != 1)
    throw UsageError(fmt::format("pages that are bound or prefer a bank need one, not {}", banks));
  if (placement.policy == PagePolicy::first_touch && banks != 0)
    throw UsageError("pages that lie where they are first touched take no banks");
  if (placement.alignment != 0 && !std::has_single_bit(placement.alignment))
    throw UsageError(
        fmt::format("pages cannot begin at multiples of {}: that is no power of two", placement.alignment));
}

std::vector<int> banks_for(const PagePlacement& placement) {
  if (placement.policy == PagePolicy::interleave && placement.banks.empty())
    return banks_of(discovered_parts());
  std::vector<int> banks = placement.banks;
  std::ranges::sort(banks);
  banks.erase(std::unique(banks.begin(), banks.end()), banks.end());
  return banks;
}

/// Returns why pages that were bound, `fresh` or touched before, do not lie as they should; an empty text if
/// they do. Only small ones are known to take turns exactly.
std::string misplaced(const PageAudit& pages, const std::vector<int>& banks, bool fresh, bool small) {
  std::size_t there = 0;
  for (const int bank : banks) there += pages.on_bank(bank);
  const std::size_t elsewhere = pages.touched() - there;
  if (elsewhere > 0 && fresh)
    return fmt::format("{} {} full: {} of {} pages lie on others", named(banks),
                       banks.size() == 1 ? "is" : "are", elsewhere, pages.touched());
  if (elsewhere > 0)
    return fmt::format("{} of {} pages could not be moved to {}, which may be full", elsewhere,
                       pages.touched(), named(banks));
  const auto has_its_share = [&](int bank) { return pages.on_bank(bank) >= there / banks.size(); };
  if (small && pages.untouched == 0 && !std::ranges::all_of(banks, has_its_share))
    return fmt::format(
        "pages do not take turns on {}: {}", named(banks),
        fresh ? "one of them has no room" : "they were touched before, or one of them has no room");
  return {};
}

std::size_t whole_pages(std::size_t bytes, std::size_t page) {
  return std::max<std::size_t>((bytes + page - 1) / page, 1) * page;
}

}  // namespace

std::size_t PageAudit::touched() const { return std::accumulate(on.begin(), on.end(), std::size_t{0}); }

std::size_t PageAudit::on_bank(int bank) const {
  return bank < 0 || static_cast<std::size_t>(bank) >= on.size() ? 0 : at(on, bank);
}

PageAudit& PageAudit::operator+=(const PageAudit& other) {
  on.resize(std::max(on.size(), other.on.size()));
  for (std::size_t bank = 0; bank < other.on.size(); ++bank) on[bank] += other.on[bank];
  untouched += other.untouched;
  unknown += other.unknown;
  return *this;
}

std::string text(const PageAudit& audit, const Machine& machine) {
  std::string list;
  const auto add = [&](std::size_t pages, const std::string& where) {
    if (pages > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", pages, where);
  };
  for (std::size_t bank = 0; bank < audit.on.size(); ++bank)
    if (audit.on[bank] > 0) add(audit.on[bank], "on " + bank_text(machine, static_cast<int>(bank)));
  add(audit.untouched, "untouched");
  add(audit.unknown, "unknown");
  return list.empty() ? "none" : list;
}

Pages::Pages(std::size_t bytes, const PagePlacement& placement) : bytes_(bytes), placement_(placement) {
  check(placement);
  map(bytes, placement);
  try {
    put(data_, mapped_, placement, true);
  } catch (...) {
    unmap_pages(data_, mapped_);
    throw;
  }
}

Pages::~Pages() {
  if (data_ != nullptr) unmap_pages(data_, mapped_);
}

Pages::Pages(Pages&& other) noexcept { swap(other); }

Pages& Pages::operator=(Pages&& other) noexcept {
  Pages taken(std::move(other));
  swap(taken);
  return *this;
}

void Pages::swap(Pages& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  std::swap(page_, other.page_);
  std::swap(small_, other.small_);
  std::swap(placement_, other.placement_);
  std::swap(degraded_, other.degraded_);
}

void Pages::degrade(const PagePlacement& placement, const std::string& sentence) {
  if (placement.strict) throw SystemError(sentence);
  if (std::ranges::find(degraded_, sentence) == degraded_.end()) degraded_.push_back(sentence);
}

void Pages::map(std::size_t bytes, const PagePlacement& placement) {
  if (bytes > std::size_t{std::numeric_limits<std::ptrdiff_t>::max()}) throw std::bad_alloc();
  const std::size_t small = page_bytes(), huge = huge_page_bytes();
  HugePages kind = placement.huge_pages;
  if (kind == HugePages::reserved) {
    data_ = map_pages(bytes, std::max(placement.alignment, huge), true);
    mapped_ = huge > 0 ? whole_pages(bytes, huge) : 0;
    page_ = huge;
    small_ = false;
    if (data_ != nullptr) return;
    degrade(
        placement,
        "there are not enough huge pages set aside (/proc/sys/vm/nr_hugepages): the system is asked to put "
        "some together");
    kind = HugePages::transparent;
  }
  // Pages of a huge one lie together: by themselves they take turns or are somebody else's neighbours.
  const bool in_turn = placement.policy == PagePolicy::interleave;
  const bool large =
      kind == HugePages::transparent || (kind == HugePages::usual && !in_turn && bytes >= huge);
  mapped_ = whole_pages(bytes, small);
  page_ = small;
  small_ = !large;
  data_ = map_pages(mapped_, std::max({placement.alignment, small, large ? huge : 0}), false);
  if (data_ == nullptr) throw std::bad_alloc();
  const std::size_t whole = large && huge > 0 ? mapped_ / huge * huge : 0;
  if (kind == HugePages::transparent) {
    const bool there = huge > 0 && has_transparent_huge_pages();
    if (!there || (whole > 0 && advise_huge_pages(data_, whole, true) != 0)) {
      if (placement.strict) unmap_pages(std::exchange(data_, nullptr), mapped_);
      degrade(
          placement,
          "the system puts no huge pages together (/sys/kernel/mm/transparent_hugepage/enabled): pages are "
          "small");
    }
  }
  // A system that knows no huge pages refuses, and needs no telling.
  if (kind != HugePages::transparent) advise_huge_pages(data_ + whole, mapped_ - whole, false);
}

void Pages::put(std::byte* first, std::size_t bytes, const PagePlacement& placement, bool fresh) {
  const bool first_touch = placement.policy == PagePolicy::first_touch;
  if (first_touch && fresh) return;
  const std::vector<int> banks = banks_for(placement);
  if (const int error = bind_pages(first, bytes, banks, fresh ? Touched::stay : Touched::move)) {
    degrade(placement, why_not_bound(error, banks));
    return;
  }
  const bool bound = placement.policy == PagePolicy::bind,
             at_once = bound || (placement.strict && placement.policy == PagePolicy::interleave);
  if (first_touch || (fresh && !at_once)) return;
  if (at_once) touch_pages(first, bytes);
  PageAudit audit = audit_pages(first, bytes);
  std::string why = misplaced(audit, banks, fresh, small_);
  if (!why.empty() && at_once) {
    bind_pages(first, bytes, banks, Touched::move);
    audit = audit_pages(first, bytes);
    why = misplaced(audit, banks, fresh, small_);
  }
  if (!why.empty()) degrade(placement, why);
  if (audit.unknown > 0 && (bound || placement.strict))
    degrade(placement,
            fmt::format("the system does not tell where pages are: they may lie elsewhere than on {}",
                        named(banks)));
}

void Pages::place(std::size_t first, std::size_t bytes, const PagePlacement& placement) {
  check(placement);
  if (first > bytes_ || bytes > bytes_ - first)
    throw UsageError(
        fmt::format("cannot place {} from byte {} on: there are {}", counted(bytes, "byte"), first, bytes_));
  if (bytes == 0) return;
  // The page in which the next stretch begins is that one's.
  const std::size_t begin = first / page_ * page_,
                    end = first + bytes == bytes_ ? mapped_ : (first + bytes) / page_ * page_;
  if (begin < end) put(data_ + begin, end - begin, placement, false);
}

void Pages::claim(std::size_t first, std::size_t bytes) {
  const Machine machine = discovered_parts();
  const auto pu = std::ranges::find(machine.pus, current_pu(), &Pu::os_index);
  if (pu == machine.pus.end()) return;
  if (const auto bank = nearest_bank(machine, numa_distances(machine), pu->numa))
    place(first, bytes, {.policy = PagePolicy::preferred, .banks = {*bank}});
}

void Pages::touch() { touch_pages(data_, bytes_); }

}  // namespace vnode
