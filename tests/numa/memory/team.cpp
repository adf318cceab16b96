#include <algorithm>
#include <atomic>
#include <cerrno>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <numeric>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/syscall.h>

#include <vnode/model/port_banks.hpp>
#include <vnode/vnode.hpp>

#include "banks.hpp"
#include "base/at.hpp"
#include "child_case.hpp"

using vnode::at;
using vnode::Banks;
using vnode::OwnedMemory;

namespace {

// Every node exchanges with every other, small and large, and combines in scratch.
void talk(vnode::Team& team) {
  team.run([](vnode::Node& me) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{5'000}}) {
      const std::vector<long> all(count * static_cast<std::size_t>(me.size()), me.rank());
      std::vector<long> from_all(all.size());
      me.all_to_all(all, from_all, {"all_to_all_pairwise"});
      long wrong = 0;
      for (std::size_t i = 0; i < from_all.size(); ++i) wrong += from_all[i] != static_cast<long>(i / count);
      REQUIRE(wrong == 0);
      std::vector<long> sum(count, me.rank());
      me.all_reduce(sum, std::plus<>{});
      REQUIRE(sum.front() == me.size() * (me.size() - 1) / 2);
    }
  });
}

int allowed_pus() { return static_cast<int>(vnode::Machine::discover().allowed_pus().size()); }

vnode::TeamOptions options(Banks banks) {
  vnode::TeamOptions options;
  options.banks = banks;
  options.costs = vnode::CostModel{1e-6, 1e-9, 1e-9, 1e-9};  // so that nothing needs to be measured
  return options;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t times = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("nodes run on the PUs planned, and the report has what was asked and got") {
  const vnode::Machine machine = vnode::Machine::discover();
  const int p = std::min(allowed_pus(), 64);
  const std::vector<int> planned = vnode::compact_mapping(machine, p).pu;
  vnode::Team team(p);
  team.run([&](vnode::Node& me) {
    unsigned cpu = 0, numa = 0;
    REQUIRE(getcpu(&cpu, &numa) == 0);
    const vnode::Pu& pu = machine.pus[static_cast<std::size_t>(planned[static_cast<std::size_t>(me.rank())])];
    CHECK(static_cast<int>(cpu) == pu.os_index);
    const int os_index = machine.numas[static_cast<std::size_t>(pu.numa)].os_index;
    CHECK((os_index < 0 || static_cast<int>(numa) == os_index));
  });
  const std::string report = team.report();
  for (int node = 0; node < p; ++node) {
    const vnode::Pu& pu = machine.pus[static_cast<std::size_t>(planned[static_cast<std::size_t>(node)])];
    const int numa = machine.numas[static_cast<std::size_t>(pu.numa)].os_index;
    CHECK(report.find(fmt::format("\n{:>6} {:>6} {:>6} {:>6} {:>6}  ", node, pu.os_index, pu.os_index, numa,
                                  numa)) != std::string::npos);
  }
}

TEST_CASE("every page of every channel, board and scratch lies on the bank asked for, by every policy") {
  const vnode::Machine machine = vnode::Machine::discover();
  for (const Banks policy : vnode::all_banks())
    for (const bool strict : {false, true})
      for (const vnode::Shape& shape :
           {vnode::Shape(vnode::shapes::hypercube{}), vnode::Shape(vnode::shapes::full{})}) {
        CAPTURE(vnode::enums::name(policy));
        CAPTURE(strict);
        vnode::TeamOptions wanted = options(policy);
        wanted.strict_banks = strict;
        vnode::Team team(8, shape, wanted);
        talk(team);
        const vnode::PortBanks port_banks = *team.port_banks();
        std::set<std::pair<int, int>> channels;  // owner, bank
        for (int to = 0; to < 8; ++to)
          for (int from = 0; from < 8; ++from)
            if (from != to) channels.emplace(to, port_banks.bank_between(from, to));
        std::set<std::pair<int, int>> seen;
        for (const OwnedMemory& memory : team.memory()) {
          CAPTURE(memory.owner);
          CAPTURE(memory.bank);
          CAPTURE(text(memory.pages, machine));
          CHECK(memory.degraded.empty());
          CHECK(memory.pages.unknown == 0);
          CHECK(memory.elsewhere() == 0);
          if (memory.bank >= 0 && memory.pages.touched() > 0)
            CHECK(memory.pages.on_bank(memory.bank) == memory.pages.touched());
          if (!memory.scratch) {
            seen.emplace(memory.owner, memory.bank);
            CHECK((memory.bank == port_banks.home(memory.owner) ||
                   channels.contains({memory.owner, memory.bank})));
          }
        }
        for (const auto& channel : channels) CHECK(seen.contains(channel));
        const std::string report = team.report();
        CHECK(count(report, "degraded:") == 0);
        CHECK(count(report, fmt::format("banks: {}", vnode::enums::name(policy))) == 1);
        if (policy == Banks::interleave) {
          vnode::PageAudit all;
          for (const OwnedMemory& memory : team.memory())
            if (memory.bank == vnode::every_bank) all += memory.pages;
          for (const int bank : banks()) CHECK(all.on_bank(bank) > 0);
        }
      }
}

TEST_CASE("a team on several banks has its nodes' memory at home without being asked") {
  vnode::Team team(std::min(allowed_pus(), 16));
  talk(team);
  for (const OwnedMemory& memory : team.memory()) {
    CHECK(memory.elsewhere() == 0);
    CHECK((memory.bank >= 0) == (banks().size() > 1));
  }
}

TEST_CASE("a buffer's pieces lie on the banks of the ports") {
  for (const Banks policy : vnode::all_banks()) {
    CAPTURE(vnode::enums::name(policy));
    vnode::Team team(8, vnode::shapes::hypercube{}, options(policy));
    const std::size_t piece = 40'000;
    const vnode::PortBanks port_banks = *team.port_banks();
    for (const int pieces : {0, 3, 24}) {
      const auto parts = static_cast<std::size_t>(pieces == 0 ? 3 : pieces);
      for (int owner = 0; owner < 8; ++owner) {
        auto buffer = team.buffer<double>(owner, parts * piece, pieces);
        CHECK(buffer.size() == parts * piece);
        CHECK(buffer.pages().degraded().empty());
        buffer.pages().touch();
        for (std::size_t i = 0; i < parts; ++i) {
          const int bank = port_banks.bank({owner, static_cast<int>(i % 3), true});
          const double* const inside = buffer.data() + i * piece + 512;  // past the page that it begins in
          const vnode::PageAudit pages = vnode::audit_pages(inside, (piece - 1024) * sizeof(double));
          if (bank == vnode::every_bank)
            CHECK(pages.touched() > 0);
          else
            CHECK(all_on(bank, pages));
        }
      }
    }
    team.run([&](vnode::Node& me) {
      auto x = team.buffer<double>(me.rank(), 3 * piece);
      if (me.rank() == 0) std::iota(x.begin(), x.end(), 1.0);
      me.broadcast(x, 0, {"broadcast_rotated"});
      REQUIRE(x[3 * piece - 1] == static_cast<double>(3 * piece));
    });
  }
}

TEST_CASE("a restricted process is obeyed: nodes and their memory stay inside") {
  const vnode::Machine whole = vnode::Machine::discover();
  std::vector<int> last;  // the PUs of the last bank that has any
  for (const int pu : whole.allowed_pus())
    if (at(whole.pus, pu).numa == at(whole.pus, whole.allowed_pus().back()).numa)
      last.push_back(at(whole.pus, pu).os_index);
  std::ranges::sort(last);
  check_case_passes("exec taskset -c " + vnode::number_ranges(last), "child: nodes and memory stay inside");
}

TEST_CASE("child: nodes and memory stay inside" * doctest::skip()) {
  const vnode::Machine machine = vnode::Machine::discover();
  const std::vector<int> allowed = machine.allowed_pus();
  vnode::Team team(8, vnode::shapes::hypercube{}, options(Banks::owner));
  talk(team);
  std::atomic<int> outside = 0;
  team.run([&](vnode::Node&) {
    unsigned cpu = 0;
    if (getcpu(&cpu, nullptr) != 0 || std::ranges::none_of(allowed, [&](int pu) {
          return at(machine.pus, pu).os_index == static_cast<int>(cpu);
        }))
      ++outside;
  });
  CHECK(outside == 0);
  const int home = at(machine.pus, allowed.front()).numa;
  for (const OwnedMemory& memory : team.memory())
    if (memory.pages.touched() > 0) {
      CAPTURE(text(memory.pages, machine));
      CHECK(memory.bank == home);
      CHECK(memory.elsewhere() == 0);
    }
}

TEST_CASE(
    "where the system refuses to bind, memory lies where its owner touches it first, and that is told once") {
  for (const int error : {EPERM, ENOSYS}) {
    const std::string said = in_a_process([&]() -> std::string {
      if (!refuse(SYS_mbind, error)) return "no filters here";
      const std::vector<int> all = banks();
      vnode::Pages pages(1 << 20, {.policy = vnode::PagePolicy::bind, .banks = {all.back()}});
      pages.place(0, 1 << 19, {.policy = vnode::PagePolicy::interleave});
      if (pages.degraded().size() != 1) return "told " + std::to_string(pages.degraded().size()) + " times";
      if (!pages.degraded().front().starts_with("the system refuses to bind memory ("))
        return pages.degraded().front();
      try {
        const vnode::Pages strict(1, {.policy = vnode::PagePolicy::bind, .banks = {0}, .strict = true});
        return "strict, and nothing said";
      } catch (const vnode::SystemError&) {
      }
      for (const Banks policy : vnode::all_banks()) {
        vnode::Team team(8, vnode::shapes::hypercube{}, options(policy));
        talk(team);
        for (const OwnedMemory& memory : team.memory())
          if (!memory.scratch &&
              memory.pages.on_bank(team.port_banks()->home(memory.owner)) != memory.pages.touched())
            return fmt::format("{}: node {} did not touch its memory first: {}", vnode::enums::name(policy),
                               memory.owner, text(memory.pages, vnode::Machine::discover()));
        const std::string report = team.report();
        if (count(report, "degraded: ") != 1) return report;
        vnode::TeamOptions strict = options(policy);
        strict.strict_banks = true;
        try {
          vnode::Team refused(8, vnode::shapes::hypercube{}, strict);
          return "a strict team, and nothing said";
        } catch (const vnode::SystemError&) {
        }
      }
      return "degraded";
    });
    CHECK(said == "degraded");
  }
}

TEST_CASE("where the system does not tell where pages are, they are unknown, and nothing else happens") {
  const std::string said = in_a_process([]() -> std::string {
    if (!refuse(SYS_move_pages, EPERM)) return "no filters here";
    vnode::Team team(4, vnode::shapes::full{}, options(Banks::spread));
    talk(team);
    for (const OwnedMemory& memory : team.memory())
      if (memory.pages.touched() != 0 || memory.pages.unknown == 0)
        return text(memory.pages, vnode::Machine::discover());
    return "unknown";
  });
  CHECK(said == "unknown");
}
