#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include <vnode/error.hpp>
#include <vnode/verify.hpp>

namespace vnode {

std::vector<RoundLoad> link_loads(const Schedule& schedule, const Topology& topology, Routing routing) {
  if (topology.nodes() != schedule.nodes())
    throw UsageError(
        fmt::format("a schedule of {} nodes has no loads on {} nodes", schedule.nodes(), topology.nodes()));
  struct Traffic {
    int messages = 0, blocks = 0;
  };
  std::unordered_map<int, Traffic> traffic;  // of the links in use: a full topology has too many for a table
  std::vector<RoundLoad> loads;
  std::vector<int> links;
  for (const Round& round : schedule.rounds()) {
    RoundLoad& load = loads.emplace_back();
    links.clear();
    for (const Transfer& message : messages(round)) {
      const int blocks = schedule.count(message.what);
      load.largest = std::max(load.largest, blocks);
      const std::size_t first = links.size();
      topology.append_route(message.from, message.to, routing, links);
      for (std::size_t i = first; i < links.size(); ++i) {
        Traffic& link = traffic[links[i]];
        load.messages = std::max(load.messages, ++link.messages);
        load.blocks = std::max(load.blocks, link.blocks += blocks);
      }
    }
    traffic.clear();
  }
  return loads;
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
