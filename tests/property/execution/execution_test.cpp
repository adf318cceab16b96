#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/vnode.hpp>

#include "cover.hpp"
#include "operation.hpp"
#include "sample.hpp"

using namespace vnode_test;

namespace {

bool soak() { return std::getenv("VNODE_SOAK") != nullptr; }

const std::vector<int> team_sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32, 64};

/// How a team carries messages: the dimension of a case, by name.
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

/// m. The largest makes a million elements per node, where memory allows.
std::size_t count_of(int index, int nodes, std::size_t element_bytes, vnode::Collective collective) {
  using enum vnode::Collective;
  const auto p = static_cast<std::size_t>(nodes);
  const bool p_messages = collective == all_to_all || collective == reduce_scatter ||
                          collective == all_gather || collective == gather || collective == scatter;
  const std::size_t many = nodes <= 8 && element_bytes <= 8 ? 1000003u : 3001u;
  const std::size_t counts[] = {0, 1, 2, 3, p - 1, p, p + 1, p_messages ? many / p + 1 : many};
  return counts[index];
}

int shift_of(int index, int nodes) {
  const int some[] = {1, -1, 0, nodes / 2, nodes - 1, 2 * nodes + 3, -nodes / 3, 5};
  return some[index];
}

using Try = std::size_t (*)(vnode::Team&, const Trial&);
struct Element {
  const char* name;
  std::size_t bytes;
  Try run;
  bool commutative;
};
const std::vector<Element> elements{{"f32", 4, wrong_in<float>, true},
                                    {"f64", 8, wrong_in<double>, true},
                                    {"i8", 1, wrong_in<std::int8_t>, true},
                                    {"i32", 4, wrong_in<std::int32_t>, true},
                                    {"u64", 8, wrong_in<std::uint64_t>, true},
                                    {"pair", sizeof(Pair), wrong_in<Pair>, true},
                                    {"matrix", sizeof(Matrix), wrong_in<Matrix>, false},
                                    {"text", sizeof(Text), wrong_in<Text>, false}};

/// All algorithms, and one automatic choice for each collective.
struct Choice {
  vnode::Collective collective;
  std::string_view name;
};
std::vector<Choice> choices() {
  std::vector<Choice> all;
  for (const vnode::Collective collective : vnode::collectives())
    if (collective != vnode::Collective::circular_shift && collective != vnode::Collective::all_to_all &&
        collective != vnode::Collective::barrier)
      all.push_back({collective, ""});
  for (const vnode::Algorithm& algorithm : vnode::algorithms())
    all.push_back({algorithm.collective, algorithm.name});
  return all;
}
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

bool possible(const Case& one) {
  const Choice& way = chosen(all_choices, one, choice);
  const int nodes = chosen(team_sizes, one, size);
  if (way.name.empty()) return true;
  vnode::Parameters parameters;
  parameters.nodes = nodes;
  parameters.root = root_of(one[place], nodes);
  parameters.shift = shift_of(one[place], nodes);
  parameters.keep_order = vnode::combines(way.collective) && !chosen(elements, one, element).commutative;
  parameters.segments = segments_of(one);
  parameters.radix = radix_of(one);
  const vnode::Topology squarest(vnode::mesh{}, nodes);
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
  trial.form = static_cast<Form>(one[form]);
  trial.root = root_of(one[place], nodes);
  trial.shift = shift_of(one[place], nodes);
  trial.in_place = one[in_place] == 1;
  trial.count = count_of(one[length], nodes, chosen(elements, one, element).bytes, way.collective);
  return trial;
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
  int excluded = 0;
  std::vector<Case> cases = soak() ? whole_product(sizes) : pairwise_cover(sizes, possible, excluded);
  std::ranges::sort(cases);  // teams are reused: p, carriage and waiting come first
  int runs = 0, impossible = 0;
  std::unique_ptr<vnode::Team> team;
  Case made;
  for (const Case& one : cases) {
    if (!possible(one)) {
      ++impossible;
      continue;
    }
    const int nodes = chosen(team_sizes, one, size);
    if (const Case kind(one.begin(), one.begin() + waiting + 1); kind != made) {
      team.reset();
      team = std::make_unique<vnode::Team>(
          nodes, vnode::full{}, options_of(chosen(carryings, one, carriage), chosen(waits, one, waiting)));
      made = kind;
    }
    const Trial trial = trial_of(one);
    INFO(nodes << " nodes, " << chosen(carryings, one, carriage).name << ", " << vnode::name(trial.collective)
               << " by '" << trial.options.algorithm << "', " << trial.count << " x "
               << chosen(elements, one, element).name << ", root " << trial.root << ", shift " << trial.shift
               << ", in place " << trial.in_place << ", form " << one[form] << ", segments "
               << trial.options.segments << ", radix " << trial.options.radix);
    std::size_t wrong = 1;
    REQUIRE_NOTHROW(wrong = chosen(elements, one, element).run(*team, trial));
    REQUIRE(wrong == 0);
    ++runs;
  }
  MESSAGE(runs << " runs agree; " << impossible << " cases and " << excluded
               << " pairs of values name what cannot be: an algorithm for so many nodes or that operator");
  CHECK(runs > 1000);
}
