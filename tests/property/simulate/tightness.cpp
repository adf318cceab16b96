#include "tightness.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace vnode {

namespace {

// Returns the blocks of a list; of a signal the one that stands for what a node knows.
std::vector<std::size_t> places(const Schedule& schedule, Rank node, Blocks blocks) {
  const auto per_node = static_cast<std::size_t>(schedule.blocks() + 1);
  const std::size_t first = static_cast<std::size_t>(node) * per_node;
  std::vector<std::size_t> list;
  for (const Interval& interval : schedule.intervals(blocks))
    for (int block = interval.first; block < interval.last; ++block)
      list.push_back(first + static_cast<std::size_t>(block));
  if (list.empty()) list.push_back(first + per_node - 1);
  return list;
}

}  // namespace

Tightness tightness(const Schedule& schedule, Ports ports) {
  Tightness result;
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  std::vector<int> length(nodes *
                          static_cast<std::size_t>(schedule.blocks() + 1));  // of the longest chain, by place
  std::map<std::pair<int, int>, int> out, in;                                // the same, by port
  int rounds = 0, longest = 0;
  for (const Round& round : schedule.rounds()) {
    const std::vector<Transfer> sent = messages(round);
    const auto chain = [&](const std::vector<std::size_t>& list) {
      int most = 0;
      for (const std::size_t place : list) most = std::max(most, length[place]);
      return most;
    };
    std::map<std::pair<int, int>, int> new_out, new_in;
    std::map<std::tuple<Rank, Rank, std::uint32_t, std::uint32_t>, int> of_message;
    std::set<int> sizes;
    for (const Transfer& m : sent) {
      const std::pair<int, int> sender(m.from, ports == Ports::all ? m.to : -1);
      const std::pair<int, int> receiver(m.to, ports == Ports::all ? m.from : -1);
      const int before = std::max({chain(places(schedule, m.from, m.what)), out[sender], in[receiver]});
      of_message[{m.from, m.to, m.what.first, m.what.count}] = before + 1;
      longest = std::max(longest, before + 1);
      result.one_each = new_out.emplace(sender, before + 1).second && result.one_each;
      result.one_each = new_in.emplace(receiver, before + 1).second && result.one_each;
      sizes.insert(schedule.count(m.what));
    }
    for (const auto& [port, chain_length] : new_out) out[port] = chain_length;
    for (const auto& [port, chain_length] : new_in) in[port] = chain_length;
    // All that a node combines in a round is there when the last of it is.
    std::map<Rank, int> combined;
    const auto combines = [&](const Transfer& t) {
      return t.effect != Effect::replace || schedule.count(t.what) == 0;
    };
    for (const Transfer& t : round)
      if (combines(t)) {
        int& most = combined[t.to];
        most = std::max({most, of_message.at({t.from, t.to, t.what.first, t.what.count}),
                         chain(places(schedule, t.to, t.into))});
      }
    for (const Transfer& t : round)
      for (const std::size_t place : places(schedule, t.to, t.into))
        length[place] =
            combines(t) ? combined.at(t.to) : of_message.at({t.from, t.to, t.what.first, t.what.count});
    ++rounds;
    result.uniform = result.uniform && sizes.size() <= 1;
  }
  result.tight = longest == rounds;
  return result;
}

}  // namespace vnode
