#include <algorithm>
#include <cerrno>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <string>
#include <sys/syscall.h>

#include <vnode/error.hpp>
#include <vnode/placed_buffer.hpp>

#include "banks.hpp"
#include "machine/memory_binding.hpp"

using vnode::HugePages;
using vnode::PageAudit;
using vnode::PagePlacement;
using vnode::PagePolicy;
using vnode::Pages;

namespace {

const std::size_t page = vnode::page_bytes();

PagePlacement on(PagePolicy policy, int bank) { return {.policy = policy, .banks = {bank}}; }

/// So many huge pages set aside, as long as it lives.
class HugePool {
 public:
  explicit HugePool(std::size_t pages) {
    std::ifstream(file) >> before_;
    std::ofstream(file) << pages << std::endl;
  }
  ~HugePool() { std::ofstream(file) << before_ << std::endl; }
  HugePool(const HugePool&) = delete;
  HugePool& operator=(const HugePool&) = delete;

 private:
  static constexpr const char* file = "/proc/sys/vm/nr_hugepages";
  std::size_t before_ = 0;
};

std::size_t free_bytes(const vnode::Machine& machine, int bank) {
  const int numa = machine.numas[static_cast<std::size_t>(bank)].os_index;
  std::ifstream information("/sys/devices/system/node/node" + std::to_string(numa) + "/meminfo");
  for (std::string word; information >> word;)
    if (std::size_t kib = 0; word == "MemFree:" && information >> kib) return kib << 10;
  return 0;
}

}  // namespace

TEST_CASE("bound pages lie on their bank from the start, those that prefer one when they are touched") {
  for (const int bank : banks())
    for (const std::size_t bytes : {std::size_t{1}, 5 * page, std::size_t{3} << 20}) {
      CAPTURE(bank);
      CAPTURE(bytes);
      const Pages bound(bytes, on(PagePolicy::bind, bank));
      CHECK(bound.degraded().empty());
      CHECK(all_on(bank, bound.audit()));
      Pages preferring(bytes, on(PagePolicy::preferred, bank));
      CHECK(preferring.audit().touched() == 0);
      preferring.touch();
      CHECK(all_on(bank, preferring.audit()));
      CHECK(preferring.audit().touched() == (bytes + page - 1) / page);
    }
}

TEST_CASE("interleaved pages take turns on all banks, or on those named") {
  const std::vector<int> all = banks();
  for (std::size_t several = 1; several <= all.size(); ++several) {
    const std::size_t each = 600;
    const std::vector<int> named(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(several));
    Pages pages(several * each * page, {.policy = PagePolicy::interleave,
                                        .banks = several == all.size() ? std::vector<int>() : named});
    pages.touch();
    CHECK(pages.degraded().empty());
    const PageAudit audit = pages.audit();
    for (const int bank : all) CHECK(audit.on_bank(bank) == (bank < static_cast<int>(several) ? each : 0));
    for (std::size_t i = 0; i + several <= several * each; i += several) {
      const PageAudit one_turn = vnode::audit_pages(pages.data() + i * page, several * page);
      CHECK(std::ranges::max(one_turn.on) == 1);
    }
  }
}

TEST_CASE("pages that nobody has placed lie near who touches them first, page by page") {
  const vnode::Machine machine = vnode::Machine::discover();
  const std::vector<int> pus = pus_near_banks(machine);
  const std::size_t part = 100 * page;
  const Pages pages(pus.size() * part);
  for (std::size_t bank = 0; bank < pus.size(); ++bank)
    if (pus[bank] >= 0) on_pu(machine, pus[bank], [&] { std::memset(pages.data() + bank * part, 1, part); });
  for (std::size_t bank = 0; bank < pus.size(); ++bank)
    if (pus[bank] >= 0)
      CHECK(all_on(static_cast<int>(bank), vnode::audit_pages(pages.data() + bank * part, part)));
}

TEST_CASE("small buffers of several threads do not share a huge page") {
  const vnode::Machine machine = vnode::Machine::discover();
  const std::vector<int> pus = pus_near_banks(machine);
  std::vector<Pages> buffers;
  for (std::size_t i = 0; i < 4 * pus.size(); ++i) buffers.emplace_back(std::size_t{1} << 20);
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (const int pu = pus[i % pus.size()]; pu >= 0) on_pu(machine, pu, [&] { buffers[i].touch(); });
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (pus[i % pus.size()] >= 0) CHECK(all_on(static_cast<int>(i % pus.size()), buffers[i].audit()));
}

TEST_CASE("the next touch: claimed pages move to the claiming thread's bank and keep what is in them") {
  const vnode::Machine machine = vnode::Machine::discover();
  const std::vector<int> pus = pus_near_banks(machine);
  vnode::PlacedBuffer<int> buffer(100 * page / sizeof(int), on(PagePolicy::bind, banks().front()));
  std::ranges::fill(buffer, 42);
  for (std::size_t bank = 0; bank < pus.size(); ++bank) {
    if (pus[bank] < 0) continue;
    on_pu(machine, pus[bank], [&] { buffer.pages().claim(); });
    CHECK(all_on(static_cast<int>(bank), buffer.pages().audit()));
    CHECK(std::ranges::count(buffer, 42) == static_cast<std::ptrdiff_t>(buffer.size()));
  }
  CHECK(buffer.pages().degraded().empty());
}

TEST_CASE("parts of a buffer lie on banks of their own; a page lies where its last byte belongs") {
  const std::vector<int> all = banks();
  const std::size_t parts = 2 * all.size(), part = 10 * page + page / 2;
  Pages pages(parts * part);
  for (std::size_t i = 0; i < parts; ++i)
    pages.place(i * part, part, on(PagePolicy::preferred, all[i % all.size()]));
  pages.touch();
  for (std::size_t byte = page - 1; byte < pages.bytes(); byte += page) {
    // The page in which a part begins is that part's.
    const int bank = all[byte / part % all.size()];
    CHECK(all_on(bank, vnode::audit_pages(pages.data() + byte, 1)));
  }
  for (std::size_t i = 0; i < parts; ++i)
    pages.place(i * part, part, on(PagePolicy::bind, all[(i + 1) % all.size()]));
  for (std::size_t byte = page - 1; byte < pages.bytes(); byte += page)
    CHECK(all_on(all[(byte / part + 1) % all.size()], vnode::audit_pages(pages.data() + byte, 1)));
}

TEST_CASE("huge pages, where there are any, lie on the bank as small ones do") {
  for (const int bank : banks())
    for (const HugePages kind : {HugePages::none, HugePages::transparent, HugePages::reserved}) {
      PagePlacement placement = on(PagePolicy::bind, bank);
      placement.huge_pages = kind;
      const std::size_t bytes = std::size_t{8} << 20;
      const Pages pages(bytes, placement);
      CHECK(all_on(bank, pages.audit()));
      CHECK(pages.audit().touched() >= bytes / page);
      if (kind != HugePages::none)
        CHECK(reinterpret_cast<std::uintptr_t>(pages.data()) % (std::size_t{2} << 20) == 0);
      for (const std::string& sentence : pages.degraded()) MESSAGE(sentence);
      if (kind == HugePages::transparent)
        CHECK(pages.degraded().empty() == vnode::has_transparent_huge_pages());
    }
}

TEST_CASE("a bank that is not there, and what follows: first touch, told once, or an error if strict") {
  PagePlacement nowhere = on(PagePolicy::bind, static_cast<int>(banks().size()));
  const Pages pages(10 * page, nowhere);
  REQUIRE(pages.degraded().size() == 1);
  CHECK(pages.degraded().front().starts_with("there is no bank "));
  CHECK(pages.audit().touched() == 0);
  nowhere.strict = true;
  CHECK_THROWS_WITH_AS(Pages(page, nowhere), doctest::Contains("there is no bank "), vnode::SystemError);
}

TEST_CASE("a bank that is full overflows to others; that is told, and an error if strict") {
  const vnode::Machine machine = vnode::Machine::discover();
  constexpr std::size_t most = std::size_t{1} << 30, rest = std::size_t{8} << 20;
  bool filled = false;
  for (const int bank : banks()) {
    const std::size_t free = free_bytes(machine, bank);
    if (free > most || free < 2 * rest || bank == 0) continue;
    filled = true;
    PagePlacement filling = on(PagePolicy::preferred, bank);
    filling.huge_pages = HugePages::transparent;
    Pages filler(free - rest, filling);
    filler.touch();
    PagePlacement placement = on(PagePolicy::bind, bank);
    const Pages pages(3 * rest, placement);
    REQUIRE(pages.degraded().size() == 1);
    const std::string name = "the bank of NUMA node " + std::to_string(vnode::bank_os_index(bank));
    CHECK(pages.degraded().front().starts_with(name + " is full: "));
    CHECK(pages.audit().untouched == 0);
    CHECK(pages.audit().on_bank(bank) < pages.audit().touched());
    placement.strict = true;
    CHECK_THROWS_WITH_AS(Pages(3 * rest, placement), doctest::Contains(" is full: "), vnode::SystemError);
    Pages touched(2 * rest, on(PagePolicy::bind, 0));
    REQUIRE(touched.degraded().empty());
    touched.place(0, touched.bytes(), on(PagePolicy::preferred, bank));
    REQUIRE(touched.degraded().size() == 1);
    CHECK(touched.degraded().front().find("could not be moved to " + name) != std::string::npos);
    MESSAGE("filled ", name, ": ", pages.degraded().front());
    break;
  }
  REQUIRE(filled);
}

TEST_CASE("pages that are to take turns, strictly, do so at once; those that were touched need not move") {
  const std::size_t each = 100;
  Pages pages(banks().size() * each * page, {.policy = PagePolicy::interleave, .strict = true});
  CHECK(pages.degraded().empty());
  CHECK(pages.audit().untouched == 0);
  for (const int bank : banks()) CHECK(pages.audit().on_bank(bank) == each);
  Pages touched(banks().size() * each * page,
                {.policy = PagePolicy::bind, .banks = {0}, .huge_pages = HugePages::none});
  touched.place(0, touched.bytes(), {.policy = PagePolicy::interleave});
  REQUIRE(touched.degraded().size() == 1);
  CHECK(touched.degraded().front().starts_with("pages do not take turns on the banks of NUMA nodes "));
  CHECK_THROWS_AS(touched.place(0, touched.bytes(), {.policy = PagePolicy::interleave, .strict = true}),
                  vnode::SystemError);
}

TEST_CASE("where the system does not tell where pages are, bound ones are told of, and strict ones refused") {
  const std::string said = in_a_process([]() -> std::string {
    if (!refuse(SYS_move_pages, EPERM)) return "no filters here";
    PagePlacement placement = on(PagePolicy::bind, 0);
    const Pages bound(page, placement);
    if (bound.degraded().size() != 1) return "bound, and nothing said";
    const Pages preferring(page, on(PagePolicy::preferred, 0));
    if (!preferring.degraded().empty()) return preferring.degraded().front();
    placement.strict = true;
    for (const PagePolicy policy : {PagePolicy::bind, PagePolicy::interleave}) {
      placement.policy = policy;
      try {
        const Pages strict(page, placement);
        return "strict, and nothing said";
      } catch (const vnode::SystemError&) {
      }
    }
    return bound.degraded().front();
  });
  CHECK(said ==
        "the system does not tell where pages are: they may lie elsewhere than on the bank of NUMA node " +
            std::to_string(vnode::bank_os_index(0)));
}

TEST_CASE("huge pages that were set aside are placed whole, whatever has been refused before") {
  const HugePool pool(4 * banks().size());
  const std::size_t huge = vnode::huge_page_bytes();
  Pages pages(2 * huge, {.huge_pages = HugePages::reserved});
  REQUIRE(pages.degraded().empty());
  pages.place(0, huge, on(PagePolicy::preferred, static_cast<int>(banks().size())));
  REQUIRE(pages.degraded().size() == 1);
  pages.place(page, huge, on(PagePolicy::preferred, banks().front()));  // from within the first to the second
  CHECK(pages.degraded().size() == 1);
  pages.touch();
  CHECK(all_on(banks().front(), vnode::audit_pages(pages.data(), huge)));
}
