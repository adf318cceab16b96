#include <doctest/doctest.h>
#include <limits>
#include <string>

#include <vnode/error.hpp>

#include "given_machine.hpp"
#include "machine_file.hpp"
#include "team/team_report.hpp"

using namespace vnode;

namespace {

bool has(const std::string& text, const std::string& what) { return text.find(what) != text.npos; }

}  // namespace

TEST_CASE("the table of places names PUs, NUMA nodes and banks as the system numbers them") {
  const Machine machine = machine_of_file("holes");  // NUMA nodes 1 and 6
  const OwnedMemory at_home{.owner = 0, .bank = 0, .pages = {.on = {5, 2}}};
  const OwnedMemory anywhere{.owner = 0, .bank = any_bank, .pages = {.on = {0, 1}}};
  const OwnedMemory in_turn{.owner = 1, .bank = every_bank, .pages = {.on = {4, 4}, .untouched = 1}};
  const std::string table = placement_table(
      machine,
      {{0, 70, 70, 0, 0, {at_home, anywhere}}, {1, 33, -1, 1, 0, {in_turn}}, {2, -1, -1, -1, -1, {}}});
  CHECK(has(table, "  node     PU    got   NUMA   home  banks      pages\n"));
  CHECK(has(table, "     0     70     70      1      1  any,1      5 on 1, 3 on 6; 2 not as asked\n"));
  CHECK(has(table, "     1     33      -      6      1  all        4 on 1, 4 on 6, 1 untouched\n"));
  CHECK(has(table, "     2      -      -      -      -             none\n"));
  CHECK(has(table, "degraded: 2 pages lie on other banks than asked, as where these are full\n"));
}

TEST_CASE("a buffer may be cut into more pieces than it has elements") {
  TeamOptions options;
  options.banks = Banks::owner;
  const Team team(2, shapes::full{}, options);
  const auto buffer = team.buffer<int>(1, 100, std::numeric_limits<int>::max());
  CHECK(buffer.size() == 100);
  CHECK(team.buffer<int>(0, 0, 7).empty());
}

TEST_CASE("a team counts the memory that its nodes have on other banks than their own") {
  const vnode_test::GivenMachine machine("numa:4(memory=1048576) core:1 pu:1");
  const auto refused = [](Banks banks) -> std::string {
    TeamOptions options;
    options.banks = banks;
    try {
      const Team team(100, shapes::full{}, options);
    } catch (const SystemError& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string owner = refused(Banks::owner), spread = refused(Banks::spread);
  CHECK(has(owner, "needs 11 MiB of memory, this machine has 4 MiB"));
  CHECK(has(spread, "needs 30 MiB of memory, this machine has 4 MiB"));
}
