#include <algorithm>
#include <fmt/format.h>

#include "verify/replay.hpp"

namespace vnode {

void replay_knowledge(const Schedule& schedule, std::vector<std::string>& findings) {
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  std::vector<std::vector<bool>> knows(nodes, std::vector<bool>(nodes));
  for (std::size_t i = 0; i < nodes; ++i) knows[i][i] = true;
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    ++number;
    const auto before = knows;
    for (const Transfer& t : round) {
      const auto &told = before[static_cast<std::size_t>(t.from)],
                 &knew = before[static_cast<std::size_t>(t.to)];
      auto& known = knows[static_cast<std::size_t>(t.to)];
      bool news = false;
      for (std::size_t i = 0; i < nodes; ++i) {
        news |= told[i] && !knew[i];
        known[i] = known[i] || told[i];
      }
      if (!news)
        findings.push_back(fmt::format("round {}: node {} tells node {} nothing new", number, t.from, t.to));
      if (t.effect != Effect::replace)
        findings.push_back(
            fmt::format("round {}: the signal from node {} to node {} combines nothing: it is a replace",
                        number, t.from, t.to));
    }
  }
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t j = 0; j < nodes; ++j)
      if (!knows[i][j])
        findings.push_back(fmt::format("at the end node {} does not know that node {} has come", i, j));
}

}  // namespace vnode
