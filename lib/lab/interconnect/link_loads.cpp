#include "interconnect/link_loads.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"

namespace vnode {

LinkLoads::Route LinkLoads::route(Rank from, Rank to) {
  const auto [at, added] = routes_.try_emplace(std::int64_t{from} * topology_.nodes() + to);
  if (added) {
    const std::size_t first = route_links_.size();
    topology_.append_route(from, to, routing_, route_links_);
    for (std::size_t i = first; i < route_links_.size(); ++i) {
      const auto [place, unseen] = places_.try_emplace(route_links_[i], static_cast<int>(links_.size()));
      if (unseen) links_.emplace_back();
      route_links_[i] = place->second;
    }
    at->second = {first, route_links_.size()};
  }
  return at->second;
}

std::vector<RoundLoad> LinkLoads::of(const Schedule& schedule) {
  if (topology_.nodes() != schedule.nodes())
    throw UsageError(fmt::format("a schedule of {} has no loads on {}", counted(schedule.nodes(), "node"),
                                 counted(topology_.nodes(), "node")));
  std::vector<RoundLoad> loads;
  for (const Round& round : schedule.rounds()) {
    ++round_;
    RoundLoad& load = loads.emplace_back();
    for (const Transfer& message : messages(round)) {
      const int blocks = schedule.count(message.what);
      load.largest = std::max(load.largest, blocks);
      const Route way = route(message.from, message.to);
      for (std::size_t i = way.first; i < way.last; ++i) {
        Link& link = at(links_, route_links_[i]);
        if (link.round != round_) link = {0, 0, round_};
        load.messages = std::max(load.messages, ++link.messages);
        load.blocks = std::max(load.blocks, link.blocks += blocks);
      }
    }
  }
  return loads;
}

std::vector<RoundLoad> link_loads(const Schedule& schedule, const Topology& topology, Routing routing) {
  return LinkLoads(topology, routing).of(schedule);
}

int greatest_load(const std::vector<RoundLoad>& loads) {
  int greatest = 0;
  for (const RoundLoad& load : loads) greatest = std::max(greatest, load.messages);
  return greatest;
}

double scaled_words(const std::vector<RoundLoad>& loads, int message_blocks) {
  long blocks = 0;
  for (const RoundLoad& load : loads) blocks += std::max(load.largest, load.blocks);
  return message_blocks > 0 ? static_cast<double>(blocks) / message_blocks : 0;
}

}  // namespace vnode
