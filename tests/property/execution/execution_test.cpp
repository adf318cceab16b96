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
#include "elements.hpp"

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

std::size_t count_of(int index, int nodes, std::size_t element_bytes) {
  const auto p = static_cast<std::size_t>(nodes);
  const std::size_t counts[] = {0,     1, 2,     3,
                                p - 1, p, p + 1, nodes <= 8 && element_bytes <= 8 ? 1000003u : 3001u};
  return counts[index];
}

struct Setting {
  vnode::Team& team;
  vnode::CallOptions call;
  int root;
  bool in_place;
};

/// One broadcast or reduction of T on all nodes against the sequential result; the number of wrong elements.
template <class T>
std::size_t wrong_in(const Setting& setting, vnode::Collective collective, std::size_t count) {
  const auto sample = [count](int rank) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = Sample<T>::value(rank, i);
    return values;
  };
  const auto expected = collective == vnode::Collective::broadcast
                            ? sample(setting.root)
                            : sequential_reduction<T>(setting.team.size(), count);
  std::atomic<std::size_t> wrong{0};
  const auto compare = [&](const std::vector<T>& seen, const std::vector<T>& wanted) {
    for (std::size_t i = 0; i < count; ++i) wrong += !(seen[i] == wanted[i]);
  };
  setting.team.run([&](vnode::Node& me) {
    const std::vector<T> own = sample(me.rank());
    std::vector<T> data = own;
    if (collective == vnode::Collective::broadcast) {
      me.broadcast(data, setting.root, setting.call);
      compare(data, expected);
    } else if (setting.in_place) {
      me.reduce(data, Sample<T>::op(), setting.root, setting.call);
      compare(data, me.rank() == setting.root ? expected : own);
    } else {
      std::vector<T> out(me.rank() == setting.root ? count : 0);
      me.reduce(data, out, Sample<T>::op(), setting.root, setting.call);
      compare(data, own);
      if (me.rank() == setting.root) compare(out, expected);
    }
  });
  return wrong;
}

using Try = std::size_t (*)(const Setting&, vnode::Collective, std::size_t);
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

/// The algorithms of both collectives, and one automatic choice for each.
struct Choice {
  vnode::Collective collective;
  std::string_view name;
};
std::vector<Choice> choices() {
  std::vector<Choice> all{{vnode::Collective::broadcast, ""}, {vnode::Collective::reduce, ""}};
  for (const vnode::Algorithm& algorithm : vnode::algorithms())
    if (algorithm.collective == vnode::Collective::broadcast ||
        algorithm.collective == vnode::Collective::reduce)
      all.push_back({algorithm.collective, algorithm.name});
  return all;
}

bool possible(const Choice& choice, int nodes, int root, bool keep_order) {
  if (choice.name.empty()) return true;
  vnode::Parameters parameters;
  parameters.nodes = nodes;
  parameters.root = root;
  parameters.keep_order = keep_order;
  const vnode::Topology squarest(vnode::mesh{}, nodes);
  parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
  return !vnode::why_not(vnode::algorithm(choice.name), parameters);
}

}

TEST_CASE("every collective agrees with the sequential result, however messages are carried and waited for") {
  const auto all = choices();
  const std::vector<int> sizes{static_cast<int>(team_sizes.size()),
                               static_cast<int>(carryings.size()),
                               static_cast<int>(waits.size()),
                               static_cast<int>(all.size()),
                               static_cast<int>(elements.size()),
                               8,
                               8,
                               2};
  std::vector<Case> cases = soak() ? whole_product(sizes) : pairwise_cover(sizes);
  std::ranges::sort(cases);  // teams are reused: p, carriage and waiting come first
  int runs = 0, impossible = 0;
  std::unique_ptr<vnode::Team> team;
  std::tuple<int, int, int> made{-1, -1, -1};
  for (const Case& one : cases) {
    const int nodes = team_sizes[static_cast<std::size_t>(one[0])];
    const Carrying& carrying = carryings[static_cast<std::size_t>(one[1])];
    const Choice& choice = all[static_cast<std::size_t>(one[3])];
    const Element& element = elements[static_cast<std::size_t>(one[4])];
    const int root = root_of(one[6], nodes);
    const bool keep_order = choice.collective == vnode::Collective::reduce && !element.commutative;
    if (!possible(choice, nodes, root, keep_order)) {
      ++impossible;
      continue;
    }
    if (std::tuple(one[0], one[1], one[2]) != made) {
      team.reset();
      team = std::make_unique<vnode::Team>(nodes, vnode::full{},
                                           options_of(carrying, waits[static_cast<std::size_t>(one[2])]));
      made = {one[0], one[1], one[2]};
    }
    const std::size_t count = count_of(one[5], nodes, element.bytes);
    INFO(nodes << " nodes, " << carrying.name << ", " << vnode::name(choice.collective) << " by '"
               << choice.name << "', " << count << " x " << element.name << ", root " << root << ", in place "
               << one[7]);
    std::size_t wrong = 1;
    REQUIRE_NOTHROW(wrong = element.run({*team, {choice.name}, root, one[7] == 1}, choice.collective, count));
    REQUIRE(wrong == 0);
    ++runs;
  }
  MESSAGE(runs << " runs agree; " << impossible
               << " cases name an algorithm that cannot run on so many nodes");
  CHECK(runs > 100);
}
