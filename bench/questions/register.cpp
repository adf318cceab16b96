#include "questions/register.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include <vnode/error.hpp>

#include "base/nearest.hpp"
#include "collectives/question.hpp"
#include "questions/barrier.hpp"
#include "questions/messages.hpp"

namespace vnode::bench {
namespace {

constexpr std::array rivals_of_collectives{Rival{"std", ""}, Rival{"openmp", ""}, Rival{"tbb", ""},
                                           Rival{"naive", ""}, Rival{"mpi", ""}};
constexpr std::array rivals_of_barrier{Rival{"std", ""}, Rival{"openmp", ""},
                                       Rival{"tbb", "oneTBB has no barrier"}, Rival{"naive", ""},
                                       Rival{"mpi", ""}};
constexpr std::array rivals_of_messages{Rival{"std", ""}, Rival{"openmp", "OpenMP has no messages"},
                                        Rival{"tbb", "oneTBB has no messages"}, Rival{"naive", ""},
                                        Rival{"mpi", ""}};
constexpr std::array names{std::string_view{"std"}, std::string_view{"openmp"}, std::string_view{"tbb"},
                           std::string_view{"naive"}, std::string_view{"mpi"}};

// These are S and the factors in doc/PERFORMANCE.md of nccl-tests, which has none for prefix sums.
Bandwidth whole(int) { return {1, 1}; }
Bandwidth shares(int p) { return {1.0 * p, (p - 1.0) / p}; }
Bandwidth there_and_back(int p) { return {1, 2 * (p - 1.0) / p}; }
Bandwidth prefixes(int) { return {1, std::nullopt}; }

template <Collective collective, bool varying>
Question ask(const Setting& setting) {
  return collective_question(collective, varying, setting);
}

template <Collective collective, bool varying = false>
Operation on_data(std::string_view name, bool rooted, bool combining, Bandwidth (*bandwidth)(int)) {
  return {name,
          collective,
          varying,
          true,
          rooted,
          combining,
          1,
          bandwidth,
          ask<collective, varying>,
          rivals_of_collectives};
}

const std::array table{
    on_data<Collective::broadcast>("broadcast", true, false, whole),
    on_data<Collective::reduce>("reduce", true, true, whole),
    on_data<Collective::all_gather>("all_gather", false, false, shares),
    on_data<Collective::reduce_scatter>("reduce_scatter", false, true, shares),
    on_data<Collective::all_reduce>("all_reduce", false, true, there_and_back),
    on_data<Collective::scan>("scan", false, true, prefixes),
    on_data<Collective::exclusive_scan>("exclusive_scan", false, true, prefixes),
    on_data<Collective::scatter>("scatter", true, false, shares),
    on_data<Collective::gather>("gather", true, false, shares),
    on_data<Collective::all_to_all>("all_to_all", false, false, shares),
    on_data<Collective::circular_shift>("circular_shift", false, false, whole),
    Operation{"barrier", Collective::barrier, false, false, false, false, 1, prefixes, barrier_question,
              rivals_of_barrier},
    on_data<Collective::all_gather, true>("all_gather_v", false, false, shares),
    on_data<Collective::reduce_scatter, true>("reduce_scatter_v", false, true, shares),
    on_data<Collective::scatter, true>("scatter_v", true, false, shares),
    on_data<Collective::gather, true>("gather_v", true, false, shares),
    on_data<Collective::all_to_all, true>("all_to_all_v", false, false, shares),
    Operation{"send", std::nullopt, false, true, true, false, 2, whole, send_question, rivals_of_messages},
    Operation{"sendrecv", std::nullopt, false, true, true, false, 2, whole, sendrecv_question,
              rivals_of_messages},
};

}  // namespace

std::span<const std::string_view> rival_names() { return names; }

std::span<const Operation> operations() { return table; }

const Operation& operation(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Operation::name);
  if (found != table.end()) return *found;
  std::vector<std::string_view> known{"limits", "guidelines"};
  for (const Operation& each : table) known.push_back(each.name);
  throw UsageError{fmt::format("there is no collective '{}': did you mean {}? (vnode-bench --help lists all)",
                               name, fmt::join(nearest_names(name, known), ", "))};
}

}  // namespace vnode::bench
