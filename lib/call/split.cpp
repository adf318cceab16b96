#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/group.hpp>

#include "call/member.hpp"

namespace vnode {

// How a group is split. Claims are exchanged by an all_gather of the group's; the first node of every new
// group makes what its nodes share, and after a barrier the others look at it where the first one's claim
// says. Where the nodes of a group are in several processes, the first says its number by another all_gather,
// and the first in each process makes what those there share. There a group that had the number before may
// still be: its first node's process has dropped it, and one of another has yet to make its last call, or to
// drop it, too. So such a number is refused, which an all_gather in place of the barrier tells, and another
// one is taken.

namespace {

/// Holds what a node shows to the others of its process until all have looked.
struct Shown {
  std::shared_ptr<MemberState> state = std::make_shared<MemberState>();
  std::shared_ptr<SharedGroup> group;  ///< the new group, if this node is its first in this process
};

/// Holds what a node passes to split(). `shown` may be read in the node's process only.
struct Claim {
  int color, key;
  const Shown* shown;
};

/// Tells whether the number of the node's new group is taken by another group in its process.
struct Refusal {
  bool refused;
};

/// Holds what the first node of a group tells the nodes in other processes.
struct Numbered {
  std::uint32_t last_call;
  std::uint16_t id, generation;
};

/// Returns the ranks that claim this color, in the order of the new group.
std::vector<Rank> claimants(const std::vector<Claim>& claims, int color) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < static_cast<Rank>(claims.size()); ++rank)
    if (claims[static_cast<std::size_t>(rank)].color == color) ranks.push_back(rank);
  std::ranges::stable_sort(ranks, {}, [&](Rank rank) { return claims[static_cast<std::size_t>(rank)].key; });
  return ranks;
}

/// Gathers one element of each node by an all_gather, which reports and traces call `name`.
template <class T>
std::vector<T> gathered(Member& member, const T& own, std::string_view name) {
  std::vector<T> all(static_cast<std::size_t>(member.size()));
  Arguments arguments =
      call_with<T, T>(Collective::all_gather, buffer_of(std::span(&own, 1)), buffer_of(std::span(all)));
  ElementType type = element_type<T>;
  type.name = name;
  arguments.type = &type;
  member.call(arguments);
  return all;
}

}

std::shared_ptr<Member> Member::split(int color, int key, const Shape& shape) {
  if (color < no_color)
    throw UsageError(
        fmt::format("split: color {} is negative: 0 or more, or no_color for none of the groups", color));
  // What the others look at while they split: if this node fails, it stays until none of them does.
  Shown shown;
  std::shared_ptr<Member> member;
  Fabric& fabric = engine_.fabric();
  const auto divide = [&] {
    const std::vector<Claim> claims = gathered(*this, Claim{color, key, &shown}, "claim of split");
    const std::vector<Rank> ranks = claimants(claims, color);
    const auto is_here = [&](Rank rank) { return fabric.is_here(group_->context.node(rank)); };
    const auto first_here = std::ranges::find_if(ranks, is_here);
    const auto shared_with = [&](const Numbered& numbered) {
      // The others cannot leave their part of this call, and their states, while this node looks.
      const Guard guard(fabric, engine_.endpoint().rank());
      std::vector<Rank> nodes;
      std::vector<MemberState*> states;
      std::vector<std::shared_ptr<MemberState>> kept;
      for (const Rank rank : ranks) {
        nodes.push_back(group_->context.node(rank));
        kept.push_back(is_here(rank) ? claims[static_cast<std::size_t>(rank)].shown->state
                                     : std::make_shared<MemberState>());
        states.push_back(kept.back().get());
      }
      const std::vector<int> carriers = fabric.carriers_of(nodes);
      auto group =
          std::make_shared<SharedGroup>(group_->facts, Topology(shape, static_cast<int>(ranks.size())),
                                        Context(numbered.id, std::move(nodes), std::move(states), carriers));
      group->states = std::move(kept);
      group->first_call = numbered.last_call;
      group->generation = numbered.generation;
      group->reset();
      group->listed_in = group_->facts.groups;
      group->listed_in->add(*group);
      return group;
    };
    const bool first = color != no_color && *first_here == rank_;
    std::optional<ContextNumber> number;
    std::vector<ContextNumber> refused;  // kept, so that they are not taken again
    bool again = false;
    do {
      if (number) refused.push_back(*std::exchange(number, std::nullopt));
      shown.group.reset();
      if (color != no_color && ranks.front() == rank_)
        number.emplace(group_->facts.numbers.take(!refused.empty()));
      Numbered numbered =
          number ? Numbered{number->last_call(), number->id(), number->generation()} : Numbered{};
      bool is_taken = false;
      if (group_->facts.outside != nullptr) {
        const std::vector<Numbered> all = gathered(*this, numbered, "number of split");
        if (color != no_color) numbered = all[static_cast<std::size_t>(ranks.front())];
        is_taken = first && !group_->facts.groups->nodes_of(numbered.id).empty();
      }
      if (first && !is_taken) shown.group = shared_with(numbered);
      if (group_->facts.outside != nullptr)
        again =
            std::ranges::any_of(gathered(*this, Refusal{is_taken}, "refusal of split"), &Refusal::refused);
      else
        call(Arguments{});
    } while (again);
    if (number) shown.group->number.emplace(*std::move(number));
    if (color != no_color) {
      std::shared_ptr<SharedGroup> made;
      {
        const Guard guard(fabric, engine_.endpoint().rank());
        made = claims[static_cast<std::size_t>(*first_here)].shown->group;
      }
      engine_.journal().forget(made->context.id());
      const auto own = std::ranges::find(ranks, rank_) - ranks.begin();
      member = std::make_shared<Member>(engine_, made, static_cast<Rank>(own));
    }
    // No node leaves before all have looked.
    call(Arguments{});
  };
  as_one("split", [&] { engine_.several_guarded(divide); });
  return member;
}

// Splits along what a group's topology or the machine already divides.

namespace {

/// Describes a split: this node's color and key, and the shape of the parts.
struct Division {
  int color, key;
  Shape shape;
};

void check_dimensions(const std::vector<int>& dimensions, int count, const Topology& topology) {
  for (auto d = dimensions.begin(); d != dimensions.end(); ++d) {
    if (*d < 0 || *d >= count)
      throw UsageError(fmt::format("{} has dimensions 0 to {}, not {}", topology.text(), count - 1, *d));
    if (std::find(dimensions.begin(), d, *d) != d)
      throw UsageError(fmt::format("dimension {} is named twice", *d));
  }
}

/// Returns the split into rows, columns or planes: the coordinates in `dimensions` become the key, the others
/// the color.
Division of_grid(const Topology& topology, const std::vector<int>& dimensions, Rank rank) {
  const auto extents = topology.extents();
  check_dimensions(dimensions, static_cast<int>(extents.size()), topology);
  int color = 0, key = 0, stride = 1;
  std::vector<int> coordinates(extents.size());
  for (std::size_t d = extents.size(); d-- > 0; rank /= extents[d]) coordinates[d] = rank % extents[d];
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (std::ranges::find(dimensions, static_cast<int>(d)) == dimensions.end())
      color = color * extents[d] + coordinates[d];
  std::vector<int> part;
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
    const auto at = static_cast<std::size_t>(*d);
    key += coordinates[at] * stride;
    stride *= extents[at];
    part.insert(part.begin(), extents[at]);
  }
  const bool wraps = topology.family() == Family::torus;
  if (part.size() >= 2) return {color, key, Shape(topology.family(), part)};
  return {color, key, Shape(wraps ? Family::ring : Family::array)};
}

/// Returns the split into sub-cubes: the bits in `dimensions`, the first of them lowest, become the key.
Division of_cube(const Topology& topology, const std::vector<int>& dimensions, Rank rank) {
  check_dimensions(dimensions, static_cast<int>(std::bit_width(static_cast<unsigned>(topology.nodes() - 1))),
                   topology);
  int color = rank, key = 0;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    key |= (rank >> dimensions[i] & 1) << i;
    color &= ~(1 << dimensions[i]);
  }
  return {color, key, shapes::hypercube{}};
}

Division along_topology(const Topology& topology, const std::vector<int>& dimensions, Rank rank) {
  switch (topology.family()) {
    case Family::mesh:
    case Family::torus:
      return of_grid(topology, dimensions, rank);
    case Family::hypercube:
      return of_cube(topology, dimensions, rank);
    case Family::array:
    case Family::ring:
      check_dimensions(dimensions, 1, topology);
      if (dimensions.empty()) return {rank, 0, Shape(topology.family())};
      return {0, rank, Shape(topology.family())};
    case Family::tree:
    case Family::full:
      break;
  }
  throw UsageError(
      fmt::format("{} has no dimensions to split along: meshes, tori, hypercubes, arrays and rings have",
                  topology.text()));
}

/// Returns the number of the cache of that level above a PU; if there is none, `instead`, numbered after all
/// caches.
int cache_of(const Machine& machine, int pu, int level, int instead) {
  const auto found = std::ranges::find_if(machine.caches, [&](const Cache& cache) {
    return cache.level == level && std::ranges::find(cache.pus, pu) != cache.pus.end();
  });
  const auto number = static_cast<int>(found - machine.caches.begin());
  return found != machine.caches.end() ? number : number + instead;
}

/// Returns the number of the domain that a PU is in.
int domain_of(const Machine& machine, int pu, Domain domain) {
  const Pu& unit = machine.pus[static_cast<std::size_t>(pu)];
  switch (domain) {
    case Domain::machine:
      return unit.machine;
    case Domain::package:
      return unit.package;
    case Domain::numa:
      return unit.numa;
    case Domain::l3:
      return cache_of(machine, pu, 3, unit.package);
    case Domain::l2:
      return cache_of(machine, pu, 2, unit.core);
    case Domain::core:
      break;
  }
  return unit.core;
}

}

Group Group::split(const shapes::along& dimensions) const {
  Member& own = member();
  const Division division = own.engine().call(
      [&] { return along_topology(own.group().topology, dimensions.dimensions, own.rank()); });
  return split(division.color, division.key, division.shape);
}

Group Group::split(Domain domain) const {
  const SharedGroup& group = member().group();
  const Rank node = group.context.node(rank());
  const int pu = group.facts.mapping.pu[static_cast<std::size_t>(node)];
  return split(domain_of(group.facts.machine, pu, domain));
}

}  // namespace vnode
