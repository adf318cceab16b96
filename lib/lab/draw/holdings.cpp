#include "draw/holdings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "base/at.hpp"
#include "draw/playback.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

/// Returns "3", or "0-3".
std::string range_text(int first, int last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

/// Returns ascending numbers as "0-3,6".
std::string numbers_text(const std::set<int>& numbers, char between) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const int first = *at;
    int last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) last = *at;
    if (!text.empty()) text += between;
    text += range_text(first, last);
  }
  return text;
}

/// Returns the parts with `between` in between, as many as find place, and an ellipsis for the others.
std::string joined(const std::vector<std::string>& parts, const char* between, std::size_t longest) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty() && text.size() + part.size() > longest) return text + between + "…";
    text += (text.empty() ? "" : between) + part;
  }
  return text;
}

using Needed = std::set<std::pair<Rank, int>>;  // nodes and their blocks

/// Returns for each round the blocks that nodes send, combine or must have from then on.
std::vector<Needed> needed(const Schedule& schedule, const Contract& contract) {
  std::vector<Needed> by_round(schedule.rounds().size() + 1);
  for (Rank rank = 0; rank < contract.nodes(); ++rank)
    each_block(at(contract.shares, rank).output, [&](int block) { by_round.back().insert({rank, block}); });
  for (std::size_t round = schedule.rounds().size(); round-- > 0;) {
    by_round[round] = by_round[round + 1];
    for (const Transfer& t : schedule.rounds()[round])
      each_block(schedule, t, [&](int what, int into) {
        by_round[round].insert({t.from, what});
        if (t.effect != Effect::replace) by_round[round].insert({t.to, into});
      });
  }
  return by_round;
}

/// Returns what a node holds: blocks with one contribution by their names, sums by those of their terms; the
/// running totals of a scan in brackets.
std::string held_text(const std::map<int, Contributions>& blocks, const Contract& contract,
                      const BlockNames& names) {
  constexpr std::size_t longest = 14;
  const auto is_one = [](const auto& block) { return block.second.size() == 1; };
  const int own = std::max(1, contract.originals > 0 ? contract.originals : contract.blocks);
  const bool moved = !contract.shares.empty() && own > 1 && std::ranges::all_of(blocks, is_one);
  if (moved) {
    std::vector<Interval> held;
    for (const auto& [block, ranks] : blocks)
      if (!held.empty() && held.back().last == block)
        ++held.back().last;
      else
        held.push_back({block, block + 1});
    return names.text(held, longest);
  }
  std::vector<std::string> parts;
  for (auto first = blocks.begin(); first != blocks.end();) {
    auto end = first;
    int last = first->first;
    for (; end != blocks.end() && end->second == first->second && end->first <= last + 1; ++end)
      last = end->first;
    const std::string ranks = to_text(first->second);
    if (own == 1)
      parts.push_back(first->first >= own ? fmt::format("({})", ranks) : ranks);
    else
      parts.push_back(fmt::format("{}:{}", range_text(first->first, last), ranks));
    first = end;
  }
  return joined(parts, " ", longest);
}

}  // namespace

BlockNames::BlockNames(const Schedule& schedule, const Contract* contract) {
  const int nodes = schedule.nodes();
  if (contract != nullptr && nodes > 1 && schedule.blocks() == nodes * nodes &&
      *contract == all_to_all_contract(nodes, nodes * nodes))
    nodes_ = nodes;
}

std::string BlockNames::text(std::span<const Interval> blocks, std::size_t longest) const {
  std::vector<std::string> parts;
  if (!pairs()) {
    for (const Interval& i : blocks) parts.push_back(range_text(i.first, i.last - 1));
    return joined(parts, ",", longest);
  }
  std::map<int, std::set<int>> destinations;
  each_block(blocks, [&](int block) { destinations[block / nodes_].insert(block % nodes_); });
  std::map<std::string, std::set<int>> sources;
  for (const auto& [source, to] : destinations) sources[numbers_text(to, ' ')].insert(source);
  for (const auto& [to, from] : sources)
    parts.push_back(fmt::format("{{{},{}}}", numbers_text(from, ' '), to));
  return joined(parts, " ", longest);
}

std::vector<std::vector<std::string>> holdings(const Schedule& schedule, const Contract& contract) {
  const Playback playback = vnode::playback(schedule, &contract);
  const std::vector<Needed> needs = needed(schedule, contract);
  const BlockNames names(schedule, &contract);
  std::map<std::pair<Rank, int>, Contributions> held;
  std::vector<std::vector<std::string>> texts;
  const auto change = [&](const std::vector<Change>& changes) {
    for (const Change& one : changes) held[{one.node, one.block}] = one.now;
    std::vector<std::map<int, Contributions>> of_node(static_cast<std::size_t>(schedule.nodes()));
    for (const auto& [place, ranks] : held)
      if (schedule.blocks() == 0 || needs[texts.size()].contains(place))
        at(of_node, place.first)[place.second] = ranks;
    std::vector<std::string>& line = texts.emplace_back();
    for (const auto& blocks : of_node) line.push_back(held_text(blocks, contract, names));
  };
  change(playback.start);
  for (const auto& round : playback.rounds) change(round);
  return texts;
}

}  // namespace vnode
