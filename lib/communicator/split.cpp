// How a group is split. Claims are exchanged by an all_gather of the group's; the first node of every new
// group makes what its nodes share, and a second all_gather tells the others where it is.
#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/group.hpp>

#include "communicator/member.hpp"

namespace vnode {
namespace {

struct Claim {
  int color, key;
  const std::shared_ptr<Station>* station;
};

/// What the first node of a group shows to the others, until all have looked.
struct Offer {
  const std::shared_ptr<SharedGroup>* group;
};

/// The ranks that claim this color, in the order of the new group.
std::vector<Rank> claimants(const std::vector<Claim>& claims, int color) {
  std::vector<Rank> ranks;
  for (Rank rank = 0; rank < static_cast<Rank>(claims.size()); ++rank)
    if (claims[static_cast<std::size_t>(rank)].color == color) ranks.push_back(rank);
  std::ranges::stable_sort(ranks, {}, [&](Rank rank) { return claims[static_cast<std::size_t>(rank)].key; });
  return ranks;
}

/// An all_gather of one element of each node, which reports and traces speak of by `name`.
template <class T>
std::vector<T> gathered(Member& member, const T& own, std::string_view name) {
  std::vector<T> all(static_cast<std::size_t>(member.size()));
  Arguments arguments;
  arguments.collective = Collective::all_gather;
  arguments.in = &own;
  arguments.out = all.data();
  arguments.in_count = 1;
  arguments.out_count = all.size();
  arguments.type = element_type<T>;
  arguments.type.name = name;
  member.call(arguments);
  return all;
}

}

std::shared_ptr<Member> Member::split(int color, int key, const Shape& shape) {
  if (color < no_color)
    throw UsageError(
        fmt::format("split: color {} is negative: 0 or more, or no_color for none of the groups", color));
  // What the others look at while they split: if this node fails, it stays until none of them does.
  const auto station = std::make_shared<Station>();
  std::shared_ptr<SharedGroup> made;
  std::shared_ptr<Member> member;
  engine_.guarded([&] {
    const std::vector<Claim> claims = gathered(*this, Claim{color, key, &station}, "claim of split");
    const std::vector<Rank> ranks = claimants(claims, color);
    const bool first = color != no_color && ranks.front() == rank_;
    if (first) {
      // The others cannot leave their part of this call, and their stations, while this node looks.
      const Guard guard(engine_.fabric(), engine_.endpoint().rank());
      std::vector<Rank> nodes;
      std::vector<Station*> stations;
      std::vector<std::shared_ptr<Station>> kept;
      for (const Rank rank : ranks) {
        nodes.push_back(group_->context.node(rank));
        kept.push_back(*claims[static_cast<std::size_t>(rank)].station);
        stations.push_back(kept.back().get());
      }
      ContextNumber number = group_->facts.numbers.take();
      made = std::make_shared<SharedGroup>(group_->facts, Topology(shape, static_cast<int>(ranks.size())),
                                           Context(number.id(), std::move(nodes), std::move(stations)));
      made->stations = std::move(kept);
      made->first_call = number.last_call();
      made->generation = number.generation();
      made->number.emplace(std::move(number));
      made->reset();
      made->listed_in = group_->facts.groups;
      made->listed_in->add(*made);
    }
    const std::vector<Offer> offers = gathered(*this, Offer{first ? &made : nullptr}, "offer of split");
    if (color != no_color) {
      if (!first) {
        const Guard guard(engine_.fabric(), engine_.endpoint().rank());
        made = *offers[static_cast<std::size_t>(ranks.front())].group;
      }
      engine_.journal().forget(made->context.id());
      const auto own = std::ranges::find(ranks, rank_) - ranks.begin();
      member = std::make_shared<Member>(engine_, made, static_cast<Rank>(own));
    }
    // Nobody leaves before all have looked.
    call(Arguments{});
  });
  return member;
}

}
