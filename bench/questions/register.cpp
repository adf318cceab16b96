#include "questions/register.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include <vnode/error.hpp>

#include "barrier/question.hpp"
#include "broadcast/question.hpp"
#include "reduce/question.hpp"
#include "send/question.hpp"
#include "sendrecv/question.hpp"

namespace vnode::bench {
namespace {

constexpr std::array all_rivals{Rival{"std", ""}, Rival{"openmp", ""}, Rival{"naive", ""}};
constexpr std::array messaging_rivals{Rival{"std", ""}, Rival{"openmp", "OpenMP has no messages"},
                                      Rival{"naive", ""}};

std::optional<double> one(int) { return 1; }
std::optional<double> none(int) { return std::nullopt; }

constexpr std::array table{
    Operation{"broadcast", Collective::broadcast, true, true, false, 1, one, broadcast_question, all_rivals},
    Operation{"reduce", Collective::reduce, true, true, true, 1, one, reduce_question, all_rivals},
    Operation{"barrier", Collective::barrier, false, false, false, 1, none, barrier_question, all_rivals},
    Operation{"send", std::nullopt, true, true, false, 2, one, send_question, messaging_rivals},
    Operation{"sendrecv", std::nullopt, true, true, false, 2, one, sendrecv_question, messaging_rivals},
};

}  // namespace

std::span<const Operation> operations() { return table; }

const Operation& operation(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Operation::name);
  if (found != table.end()) return *found;
  std::vector<std::string_view> names;
  for (const Operation& known : table) names.push_back(known.name);
  throw UsageError{fmt::format("unknown collective '{}': there are {}", name, fmt::join(names, ", "))};
}

}  // namespace vnode::bench
