#include <cstdint>
#include <fmt/format.h>
#include <vector>

#include "verify/replay.hpp"

namespace vnode {

namespace {

// For every node the set of those that it knows to have come, as bits.
class Knowledge {
 public:
  explicit Knowledge(int nodes)
      : words_((static_cast<std::size_t>(nodes) + 63) / 64),
        known_(static_cast<std::size_t>(nodes) * words_) {
    for (Rank rank = 0; rank < nodes; ++rank) word(rank, rank) |= bit(rank);
  }

  bool knows(Rank rank, Rank other) const { return word(rank, other) & bit(other); }

  // What `from` knew `before` reaches `to`; whether it was news.
  bool tell(Rank from, Rank to, const Knowledge& before) {
    bool news = false;
    const std::size_t told = static_cast<std::size_t>(from) * words_,
                      hears = static_cast<std::size_t>(to) * words_;
    for (std::size_t i = 0; i < words_; ++i) {
      news |= (before.known_[told + i] & ~before.known_[hears + i]) != 0;
      known_[hears + i] |= before.known_[told + i];
    }
    return news;
  }

 private:
  static std::uint64_t bit(Rank other) { return std::uint64_t{1} << other % 64; }
  std::size_t index(Rank rank, Rank other) const {
    return static_cast<std::size_t>(rank) * words_ + static_cast<std::size_t>(other) / 64;
  }
  std::uint64_t& word(Rank rank, Rank other) { return known_[index(rank, other)]; }
  std::uint64_t word(Rank rank, Rank other) const { return known_[index(rank, other)]; }

  std::size_t words_;
  std::vector<std::uint64_t> known_;
};

}  // namespace

void replay_knowledge(const Schedule& schedule, Findings& findings) {
  Knowledge knowledge(schedule.nodes());
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    ++number;
    const Knowledge before = knowledge;
    for (const Transfer& t : round) {
      if (!knowledge.tell(t.from, t.to, before))
        findings.add(
            [&] { return fmt::format("round {}: node {} tells node {} nothing new", number, t.from, t.to); });
      if (t.effect != Effect::replace)
        findings.add([&] {
          return fmt::format("round {}: the signal from node {} to node {} combines nothing: it is a replace",
                             number, t.from, t.to);
        });
    }
  }
  for (Rank rank = 0; rank < schedule.nodes(); ++rank)
    for (Rank other = 0; other < schedule.nodes(); ++other)
      if (!knowledge.knows(rank, other))
        findings.add([&] {
          return fmt::format("at the end node {} does not know that node {} has come", rank, other);
        });
}

}  // namespace vnode
