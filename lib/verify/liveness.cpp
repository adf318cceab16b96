#include <fmt/format.h>
#include <vector>

#include "schedule/each_block.hpp"
#include "verify/replay.hpp"

namespace vnode {

namespace {

// The places whose values an output depends on, from the last round to the first.
class Liveness {
 public:
  explicit Liveness(const Contract& contract)
      : blocks_(static_cast<std::size_t>(contract.blocks)), live_(contract.shares.size() * blocks_) {
    for (Rank rank = 0; rank < contract.nodes(); ++rank)
      each_block(contract.shares[static_cast<std::size_t>(rank)].output,
                 [&](int block) { live_[place(rank, block)] = true; });
  }

  // Goes back before a round. A place that is replaced held nothing of interest, unless it is sent too.
  void before(const Schedule& schedule, const Round& round, int number, Findings& findings) {
    sent_.clear();
    replaced_.clear();
    for (const Transfer& t : round)
      each_block(schedule, t, [&](int what, int into) {
        const std::size_t to = place(t.to, into);
        if (!live_[to])
          findings.add([&] {
            return fmt::format("round {}: node {} sends block {} to node {} in vain: no output depends on it",
                               number, t.from, what, t.to);
          });
        else
          sent_.push_back(place(t.from, what));
        if (t.effect == Effect::replace) replaced_.push_back(to);
      });
    for (const std::size_t place : replaced_) live_[place] = false;
    for (const std::size_t place : sent_) live_[place] = true;
  }

 private:
  std::size_t place(Rank rank, int block) const {
    return static_cast<std::size_t>(rank) * blocks_ + static_cast<std::size_t>(block);
  }

  std::size_t blocks_;
  std::vector<char> live_;
  std::vector<std::size_t> sent_, replaced_;
};

}  // namespace

void check_nothing_in_vain(const Schedule& schedule, const Contract& contract, Findings& findings) {
  Liveness liveness(contract);
  for (std::size_t i = schedule.rounds().size(); i > 0; --i)
    liveness.before(schedule, schedule.rounds()[i - 1], static_cast<int>(i), findings);
}

}  // namespace vnode
