#include "communicator/memory_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <vnode/lab/memory_banks.hpp>

#include "machine/bank_text.hpp"

namespace vnode {
namespace {

std::string number(int value) { return value < 0 ? "-" : fmt::to_string(value); }

std::string banks_asked(const Machine& machine, const std::vector<OwnedMemory>& memory) {
  std::set<int> banks;
  for (const OwnedMemory& one : memory) banks.insert(one.bank);
  std::vector<std::string> names;
  for (const int bank : banks)
    names.push_back(bank == any_bank ? "any" : bank == every_bank ? "all" : bank_text(machine, bank));
  return fmt::to_string(fmt::join(names, ","));
}

}

std::string placement_table(const Machine& machine, const std::vector<NodePlace>& nodes) {
  std::string table = fmt::format("{:>6} {:>6} {:>6} {:>6} {:>6}  {:<10} {}\n", "node", "PU", "got", "NUMA",
                                  "home", "banks", "pages");
  std::vector<std::string> refused;
  std::size_t elsewhere = 0;
  for (const NodePlace& node : nodes) {
    PageAudit pages;
    std::size_t misplaced = 0;
    for (const OwnedMemory& one : node.memory) {
      pages += one.pages;
      misplaced += one.elsewhere();
      for (const std::string& sentence : one.degraded)
        if (std::ranges::find(refused, sentence) == refused.end()) refused.push_back(sentence);
    }
    elsewhere += misplaced;
    table += fmt::format("{:>6} {:>6} {:>6} {:>6} {:>6}  {:<10} {}{}\n", node.node, number(node.pu_asked),
                         number(node.pu_got), bank_text(machine, node.numa), bank_text(machine, node.home),
                         banks_asked(machine, node.memory), text(pages, machine),
                         misplaced > 0 ? fmt::format("; {} not as asked", misplaced) : "");
  }
  for (const std::string& sentence : refused) table += fmt::format("degraded: {}\n", sentence);
  if (elsewhere > 0 && refused.empty())
    table +=
        fmt::format("degraded: {} pages lie on other banks than asked, as where these are full\n", elsewhere);
  return table;
}

}
