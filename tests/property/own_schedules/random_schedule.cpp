#include "random_schedule.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace vnode_test {
namespace {

using vnode::Collective;
using vnode::Effect;
using vnode::Interval;
using vnode::Rank;

/// Describes a node that has a block from some round on.
struct Holder {
  Rank node;
  int ready;
};

class Draft {
 public:
  Draft(int nodes, int parts, int blocks, std::mt19937& random)
      : p_(nodes), parts_(parts), blocks_(blocks), random_(random) {}

  int between(int least, int most) { return std::uniform_int_distribution<>(least, most)(random_); }
  bool maybe() { return between(0, 1) == 1; }

  /// From `holder` to all others, which may pass it on.
  void spread(int block, Holder holder) {
    std::vector<Holder> holders{holder};
    for (const Rank rank : others(holder.node)) {
      const Holder& from =
          holders[static_cast<std::size_t>(between(0, static_cast<int>(holders.size()) - 1))];
      const int round = move(from.ready, from.node, rank, block, block, Effect::replace);
      holders.push_back({rank, round + 1});
    }
  }

  /// From one node to another by way of some that have nothing to do with it.
  void carry(int block, Rank from, Rank to) {
    if (from == to) return;
    std::vector<Rank> way = others(from);
    std::erase(way, to);
    way.resize(static_cast<std::size_t>(between(0, std::min(2, p_ - 2))));
    way.push_back(to);
    int round = between(0, 1), place = block;
    for (const Rank next : way) {
      const int into = next == to ? block : free_place(next, block);
      round = move(round, from, next, place, into, Effect::replace) + 1;
      from = next;
      place = into;
    }
  }

  /// Neighbours in the order of ranks combine what they have until one has it all: `root`, if there is one.
  Holder join(int block, Rank root) {
    std::vector<Holder> holders;
    for (Rank rank = 0; rank < p_; ++rank) holders.push_back({rank, 0});
    while (holders.size() > 1) {
      const auto left = static_cast<std::size_t>(between(0, static_cast<int>(holders.size()) - 2));
      Holder &a = holders[left], &b = holders[left + 1];
      const bool into_a = a.node == root || (b.node != root && maybe());
      const Holder &from = into_a ? b : a, &to = into_a ? a : b;
      const Effect side = into_a ? Effect::combine_after : Effect::combine_before;
      const int round = move(std::max(a.ready, b.ready), from.node, to.node, block, block, side);
      a = {to.node, round + 1};
      holders.erase(holders.begin() + static_cast<std::ptrdiff_t>(left) + 1);
    }
    return holders.front();
  }

  /// All others send the block to `root`: at the same time, but those that are farther than `near` a round
  /// later. Nobody comes before who is nearer, so that it is combined in rank order.
  Holder gather(int block, Rank root, int round, int near) {
    int last = round;
    for (const int step : {-1, 1}) {
      int at = round;
      for (Rank rank = root + step; rank >= 0 && rank < p_; rank += step) {
        if (std::abs(rank - root) == near + 1) ++at;
        at = move(at, rank, root, block, block, step < 0 ? Effect::combine_before : Effect::combine_after);
        last = std::max(last, at);
      }
    }
    return {root, last + 1};
  }

  vnode::Schedule done() {
    vnode::Schedule schedule(p_, blocks_);
    for (const auto& messages : rounds_) {
      std::vector<vnode::Transfer> transfers;
      for (const auto& [ends, message] : messages)
        transfers.emplace_back(ends.first, ends.second, schedule.blocks_of(message.what),
                               schedule.blocks_of(message.into), message.effect);
      std::ranges::shuffle(transfers, random_);
      schedule.next_round() = transfers;
    }
    return schedule;
  }

 private:
  struct Message {
    Effect effect;
    std::vector<Interval> what, into;
  };

  std::vector<Rank> others(Rank node) {
    std::vector<Rank> list(static_cast<std::size_t>(p_));
    std::iota(list.begin(), list.end(), 0);
    std::erase(list, node);
    std::ranges::shuffle(list, random_);
    return list;
  }

  /// In the first round from `round` on in which these two have nothing of another effect; that round.
  int move(int round, Rank from, Rank to, int what, int into, Effect effect) {
    for (;; ++round) {
      while (round >= static_cast<int>(rounds_.size())) rounds_.emplace_back();
      const auto [at, fresh] =
          rounds_[static_cast<std::size_t>(round)].try_emplace({from, to}, Message{effect, {}, {}});
      if (at->second.effect != effect) continue;
      at->second.what.push_back({what, what + 1});
      at->second.into.push_back({into, into + 1});
      return round;
    }
  }

  /// A place on a node that neither brings nor takes this block away, for a part of the same number: one that
  /// no block has been in, of those that have as little to do with the node.
  int free_place(Rank node, int block) {
    std::vector<int> places;
    for (int place = block % parts_; place < blocks_; place += parts_)
      if (!at_home(node, place) && !used_.contains({node, place})) places.push_back(place);
    const int place = places[static_cast<std::size_t>(between(0, static_cast<int>(places.size()) - 1))];
    used_.insert({node, place});
    return place;
  }
  /// Of p or p^2 equal shares, of which a share is one of the messages.
  bool at_home(Rank node, int block) const {
    const int message = block / parts_;
    return blocks_ == p_ * parts_ ? message == node || node == 0
                                  : message / p_ == node || message % p_ == node;
  }

  int p_, parts_, blocks_;
  std::mt19937& random_;
  std::vector<std::map<std::pair<Rank, Rank>, Message>> rounds_;
  std::set<std::pair<Rank, int>> used_;
};

}

vnode::Schedule random_schedule(Collective collective, int nodes, std::mt19937& random) {
  const int parts = std::uniform_int_distribution<>(1, 4)(random);
  const int messages = collective == Collective::all_to_all ? nodes * nodes
                       : collective == Collective::all_gather || collective == Collective::scatter ||
                               collective == Collective::gather
                           ? nodes
                           : 1;
  Draft draft(nodes, parts, messages * parts, random);
  const bool at_once = draft.maybe(), apart = draft.maybe(), ragged = draft.maybe();
  std::vector<int> blocks(static_cast<std::size_t>(messages * parts));
  std::iota(blocks.begin(), blocks.end(), 0);
  std::ranges::shuffle(blocks, random);
  for (const int block : blocks) {
    const int message = block / parts;
    switch (collective) {
      case Collective::broadcast:
        draft.spread(block, {0, draft.between(0, 1)});
        break;
      case Collective::all_gather:
        draft.spread(block, {message, 0});
        break;
      case Collective::scatter:
        draft.carry(block, 0, message);
        break;
      case Collective::gather:
        draft.carry(block, message, 0);
        break;
      case Collective::all_to_all:
        draft.carry(block, message / nodes, message % nodes);
        break;
      default: {
        const bool all = collective == Collective::all_reduce;
        const vnode::Rank root = all ? draft.between(0, nodes - 1) : 0;
        const Holder holder = at_once ? draft.gather(block, root, apart ? 2 * block : 0,
                                                     ragged ? draft.between(1, nodes) : nodes)
                                      : draft.join(block, all ? -1 : 0);
        if (all) draft.spread(block, holder);
      }
    }
  }
  return draft.done();
}

}
