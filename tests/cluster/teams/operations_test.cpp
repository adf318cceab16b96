// Every algorithm of every collective, in all forms, with all types and roots, against the sequential result.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/cluster.hpp>
#include <vnode/model/algorithms.hpp>

#include "elements.hpp"
#include "own_cluster.hpp"
#include "property/execution/cover.hpp"
#include "property/execution/operation.hpp"

using namespace vnode_test;

namespace {

const std::vector<Choice> all_choices = choices();

std::vector<Element> elements() {
  std::vector<Element> all;
  for (int kind = 0; kind < element_kinds; ++kind)
    if (!deterministic(static_cast<Element>(kind))) all.push_back(static_cast<Element>(kind));
  return all;
}
const std::vector<Element> all_elements = elements();

/// A case by its dimensions.
enum Dimension { choice, element, length, place, in_place, form };
constexpr std::size_t counts[] = {0, 1, 3, 129, 1001, 5003};

Element element_of(const Case& one) { return all_elements[static_cast<std::size_t>(one[element])]; }

Trial trial_of(const Case& one, int nodes, const vnode::Hierarchy& domains) {
  const Choice& way = all_choices[static_cast<std::size_t>(one[choice])];
  Trial trial;
  trial.collective = way.collective;
  trial.options.algorithm = way.name;
  trial.options.segments = way.name.empty() ? 0 : one[place] % 3 * 2 + 1;
  trial.options.radix = one[length] % 3 + 2;
  if (domains) trial.options.hierarchy = &domains;
  trial.form = static_cast<Form>(one[form]);
  trial.root = one[place] % nodes;
  trial.shift = one[place] - 1;
  trial.in_place = one[in_place] == 1;
  trial.count = counts[one[length]];
  return trial;
}

bool possible(const Case& one, int nodes, const vnode::Hierarchy& domains) {
  const Trial trial = trial_of(one, nodes, domains);
  if (trial.options.algorithm.empty()) return true;
  vnode::Parameters parameters;
  parameters.nodes = nodes;
  parameters.root = trial.root;
  parameters.shift = trial.shift;
  parameters.keep_order = vnode::combines(trial.collective) && !commutes(element_of(one));
  parameters.segments = trial.options.segments;
  parameters.radix = trial.options.radix;
  parameters.hierarchy = domains;
  const vnode::Topology squarest(vnode::shapes::mesh{}, nodes);
  parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
  return !vnode::why_not(vnode::algorithm(trial.options.algorithm), parameters);
}

/// Returns the domains that are the processes.
vnode::Hierarchy by_process(int nodes, vnode::HierarchyForm form) {
  if (own_nodes() == 1 || own_nodes() == nodes) return {};
  vnode::Hierarchy::Domains domains;
  for (int first = 0; first < nodes; first += own_nodes()) {
    domains.emplace_back();
    for (int rank = first; rank < first + own_nodes(); ++rank) domains.back().push_back(rank);
  }
  return vnode::Hierarchy({domains}, {.form = form});
}

/// All that are possible, where there is time for them, or else a cover.
template <class Possible>
std::vector<Case> cases(const std::vector<int>& sizes, const Possible& possible) {
  int excluded = 0;
  if (std::getenv("VNODE_SOAK") == nullptr) return pairwise_cover(sizes, possible, excluded);
  std::vector<Case> all;
  for (std::size_t i = 0; i < combinations(sizes); ++i)
    if (Case one = combination(sizes, i); possible(one)) all.push_back(std::move(one));
  return all;
}

std::string text_of(const Case& one, const Trial& trial) {
  return std::string(vnode::enums::name(trial.collective)) + " by '" + std::string(trial.options.algorithm) +
         "', " + std::to_string(trial.count) + " x " + std::string(name(element_of(one))) + ", root " +
         std::to_string(trial.root) + ", in place " + std::to_string(trial.in_place) + ", form " +
         std::to_string(one[form]);
}

void run_all(vnode::Cluster& cluster, vnode::HierarchyForm form_of_hierarchy) {
  const int p = cluster.size();
  const vnode::Hierarchy domains = by_process(p, form_of_hierarchy);
  const std::vector<Case> cover =
      cases({static_cast<int>(all_choices.size()), static_cast<int>(all_elements.size()),
             static_cast<int>(std::size(counts)), p, 2, 3},
            [&](const Case& one) { return possible(one, p, domains); });
  CHECK(cover.size() > all_choices.size());
  std::vector<std::atomic<std::size_t>> wrong(cover.size());
  // All in one run: a run costs more than most calls.
  cluster.run([&](vnode::Node& me) {
    for (std::size_t i = 0; i < cover.size(); ++i) {
      const Trial trial = trial_of(cover[i], p, domains);
      wrong[i] += with_values(element_of(cover[i]),
                              [&](auto values) { return Data<decltype(values)>(trial, p).wrong(me); });
    }
  });
  for (std::size_t i = 0; i < cover.size(); ++i) {
    INFO(text_of(cover[i], trial_of(cover[i], p, domains)));
    CHECK(wrong[i] == 0);
  }
}

}  // namespace

TEST_CASE("every algorithm has the sequential result, in all forms, with all types and from all roots") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  run_all(cluster, vnode::HierarchyForm::leaders);
}

TEST_CASE("so it has where nothing travels in lines, and both ends copy what they may, and by slices") {
  vnode::TeamOptions options;
  options.inline_to = 0;
  options.shared_from = 1;
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient(options)};
  // Sixteen nodes on two cores take their time: once is enough.
  if (cluster.size() > 8 && std::getenv("VNODE_SOAK") == nullptr) return;
  run_all(cluster, vnode::HierarchyForm::slices);
}
