#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <iostream>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "cover.hpp"
#include "elements.hpp"
#include "operation.hpp"

using namespace vnode_test;

namespace {

bool soak() { return std::getenv("VNODE_SOAK") != nullptr; }
/// Returns the largest count.
std::size_t most() { return brief() ? 20003 : 1000003; }

const std::vector<int> team_sizes =
    brief() ? std::vector{1, 2, 3, 4, 5, 6, 7, 8, 12, 17}
            : std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32, 64};

/// Describes how a team carries messages: the dimension of a case, by name.
struct Carrying {
  const char* name;
  vnode::ChannelEngine engine;
  bool shared;  ///< both ends copy whatever does not fit a line
  bool lines;   ///< short payload travels in lines
};
const std::vector<Carrying> carryings{
    {"line", vnode::ChannelEngine::line, false, true},
    {"boost", vnode::ChannelEngine::boost, false, true},
    {"line, shared", vnode::ChannelEngine::line, true, true},
    {"boost, shared, nothing in lines", vnode::ChannelEngine::boost, true, false},
    {"line, nothing in lines", vnode::ChannelEngine::line, false, false}};
const std::vector<vnode::Wait> waits{vnode::Wait::automatic, vnode::Wait::yield, vnode::Wait::park};

vnode::TeamOptions options_of(const Carrying& carrying, vnode::Wait wait) {
  vnode::TeamOptions options;
  options.channel = carrying.engine;
  options.wait = wait;
  if (carrying.shared) options.shared_from = 1;
  if (!carrying.lines) options.inline_to = 0;
  options.time_limit = std::chrono::seconds(60);
  return options;
}

int root_of(int index, int nodes) {
  if (nodes <= 8) return index % nodes;
  const int some[] = {0, 1, nodes / 2, nodes - 1, 2, nodes - 2, nodes / 3, nodes / 2 + 1};
  return some[index];
}

/// The largest count makes a million elements per node; on many nodes, or of long elements, some thousand.
bool has_room(int nodes, std::size_t element_bytes) { return nodes <= 8 && element_bytes <= 8; }
constexpr int largest = 7;

/// m.
std::size_t count_of(int index, int nodes, std::size_t element_bytes, vnode::Collective collective) {
  using enum vnode::Collective;
  const auto p = static_cast<std::size_t>(nodes);
  const bool p_messages = collective == all_to_all || collective == reduce_scatter ||
                          collective == all_gather || collective == gather || collective == scatter;
  const std::size_t many = has_room(nodes, element_bytes) ? most() : 3001;
  const std::size_t counts[] = {0, 1, 2, 3, p - 1, p, p + 1, p_messages ? many / p + 1 : many};
  return counts[index];
}

int shift_of(int index, int nodes) {
  const int some[] = {1, -1, 0, nodes / 2, nodes - 1, 2 * nodes + 3, -nodes / 3, 5};
  return some[index];
}

/// Those that every algorithm has the results of.
std::vector<Element> all_elements() {
  std::vector<Element> all;
  for (int kind = 0; kind < element_kinds; ++kind)
    if (!deterministic(static_cast<Element>(kind))) all.push_back(static_cast<Element>(kind));
  return all;
}
const std::vector<Element> elements = all_elements();

const std::vector<Choice> all_choices = choices();

/// A case by its dimensions.
enum Dimension { size, carriage, waiting, choice, element, length, place, in_place, form };

template <class T>
const T& chosen(const std::vector<T>& list, const Case& one, Dimension dimension) {
  return list[static_cast<std::size_t>(one[dimension])];
}

/// Pipelined algorithms are cut into some pieces, trees are of some radix: they follow from other dimensions.
int segments_of(const Case& one) { return one[place] % 3 * 2 + 1; }
int radix_of(const Case& one) { return one[length] % 3 + 2; }

/// Domains for hierarchical algorithms, which follow from other dimensions: consecutive, round robin and
/// unequal ones, and two levels.
const vnode::Hierarchy& hierarchy_of(const Case& one, int nodes) {
  static std::map<std::pair<int, int>, vnode::Hierarchy> made;
  const int kind = (one[place] + one[length]) % 6;
  vnode::Hierarchy& hierarchy = made[{nodes, kind}];
  if (hierarchy) return hierarchy;
  const int half = (nodes + 1) / 2;
  std::vector<std::vector<vnode::Hierarchy::Domains>> levels(3);
  const auto divided = [&](auto domain) {
    std::map<int, std::vector<vnode::Rank>> domains;
    for (vnode::Rank rank = 0; rank < nodes; ++rank) domains[domain(rank)].push_back(rank);
    vnode::Hierarchy::Domains list;
    for (auto& [number, ranks] : domains) list.push_back(std::move(ranks));
    return list;
  };
  levels[0] = {divided([](int rank) { return rank / 3; })};
  levels[1] = {divided([=](int rank) { return rank % half; })};
  levels[2] = {divided([=](int rank) { return rank / half; }),
               divided([=](int rank) { return rank / half * half + rank % half / 2; })};
  hierarchy = vnode::Hierarchy(
      levels[static_cast<std::size_t>(kind / 2)],
      {.form = kind % 2 == 0 ? vnode::HierarchyForm::leaders : vnode::HierarchyForm::slices});
  return hierarchy;
}

bool possible(const Case& one) {
  const Choice& way = chosen(all_choices, one, choice);
  const int nodes = chosen(team_sizes, one, size);
  if (way.name.empty()) return true;
  vnode::Parameters parameters;
  parameters.nodes = nodes;
  parameters.root = root_of(one[place], nodes);
  parameters.shift = shift_of(one[place], nodes);
  parameters.keep_order = vnode::combines(way.collective) && !commutes(chosen(elements, one, element));
  parameters.segments = segments_of(one);
  parameters.radix = radix_of(one);
  parameters.hierarchy = hierarchy_of(one, nodes);
  const vnode::Topology squarest(vnode::shapes::mesh{}, nodes);
  parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
  return !vnode::why_not(vnode::algorithm(way.name), parameters);
}

Trial trial_of(const Case& one) {
  const Choice& way = chosen(all_choices, one, choice);
  const int nodes = chosen(team_sizes, one, size);
  Trial trial;
  trial.collective = way.collective;
  trial.options.algorithm = way.name;
  trial.options.segments = segments_of(one);
  trial.options.radix = radix_of(one);
  trial.options.hierarchy = &hierarchy_of(one, nodes);
  trial.form = static_cast<Form>(one[form]);
  trial.root = root_of(one[place], nodes);
  trial.shift = shift_of(one[place], nodes);
  trial.in_place = one[in_place] == 1;
  trial.count = count_of(one[length], nodes, bytes(chosen(elements, one, element)), way.collective);
  return trial;
}

/// Calls cases one after the other on teams that are used again while it is possible.
class Runs {
 public:
  void run(const Case& one) {
    if (!possible(one)) {
      ++impossible_;
      return;
    }
    const int nodes = chosen(team_sizes, one, size);
    if (const Case kind(one.begin(), one.begin() + waiting + 1); kind != made_) {
      team_.reset();
      team_ = std::make_unique<vnode::Team>(
          nodes, vnode::shapes::full{},
          options_of(chosen(carryings, one, carriage), chosen(waits, one, waiting)));
      made_ = kind;
    }
    const Trial trial = trial_of(one);
    INFO(nodes << " nodes, " << chosen(carryings, one, carriage).name << ", "
               << vnode::enums::name(trial.collective) << " by '" << trial.options.algorithm << "', "
               << trial.count << " x " << name(chosen(elements, one, element)) << ", root " << trial.root
               << ", shift " << trial.shift << ", in place " << trial.in_place << ", form " << one[form]
               << ", segments " << trial.options.segments << ", radix " << trial.options.radix << ", domains "
               << trial.options.hierarchy->text());
    std::size_t wrong = 1;
    REQUIRE_NOTHROW(wrong = wrong_in(*team_, trial, chosen(elements, one, element)));
    REQUIRE(wrong == 0);
    ++runs_;
    shortened_ += one[length] == largest && !has_room(nodes, bytes(chosen(elements, one, element)));
  }

  int runs() const { return runs_; }
  void report(int pairs) const {
    std::cout << "execution: " << runs_ << " runs agree; " << impossible_ << " cases and " << pairs
              << " pairs of values name what cannot be, an algorithm for so many nodes or that operator; "
              << shortened_ << " runs of the largest count have 3001 elements instead of " << most()
              << ", on more than 8 nodes or of more than 8 bytes each\n";
  }

 private:
  std::unique_ptr<vnode::Team> team_;
  Case made_;
  int runs_ = 0, impossible_ = 0, shortened_ = 0;
};

/// Visits the whole product, ordered by teams, but for carriage and waiting, which the case's index draws.
template <class Visit>
void each_of_product(const std::vector<int>& sizes, const Visit& visit) {
  const std::vector<int> kinds(sizes.begin(), sizes.begin() + choice),
      rest(sizes.begin() + choice, sizes.end());
  const std::size_t ways = carryings.size() * waits.size();
  for (std::size_t team = 0; team < combinations(kinds); ++team) {
    const Case kind = combination(kinds, team);
    for (std::size_t index = 0; index < combinations(rest); ++index) {
      const std::uint64_t mixed = (index + team / ways) * std::uint64_t{0x9e3779b97f4a7c15};
      if ((mixed >> 32) % ways != team % ways) continue;
      Case one = kind;
      const Case others = combination(rest, index);
      one.insert(one.end(), others.begin(), others.end());
      visit(one);
    }
  }
}

}

TEST_CASE("every collective agrees with the sequential result, however messages are carried and waited for") {
  const auto number = [](const auto& list) { return static_cast<int>(list.size()); };
  const std::vector<int> sizes{number(team_sizes),
                               number(carryings),
                               number(waits),
                               number(all_choices),
                               number(elements),
                               8,
                               8,
                               2,
                               3};
  Runs runs;
  int excluded = 0;
  if (soak()) {
    each_of_product(sizes, [&](const Case& one) { runs.run(one); });
  } else {
    std::vector<Case> cases = pairwise_cover(sizes, possible, excluded);
    std::ranges::sort(cases);  // by teams
    const std::size_t of = brief() ? 3 : 1;
    for (std::size_t i = 0; i < cases.size(); i += of) runs.run(cases[i]);
  }
  runs.report(excluded);
  CHECK(runs.runs() > (brief() ? 300 : 1000));
}
