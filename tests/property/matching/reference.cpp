#include "reference.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <fmt/format.h>

namespace vnode_test {
namespace {

// Every receive that was matched has an unknown moment: not before it was started, not after the node knew of
// it. Who could have had a message, and has not had it, says which moments came first:
//  - of messages of one sender that it fits, a receive gets the oldest that is left: all older ones were
//  matched before;
//  - of receives that fit a message the one started first gets it: all that were started before and not
//  cancelled had
//    been matched before;
//  - a probe is like a receive, but that the message is matched afterwards.
// An order of all moments exists if these demands have no circle, and if the earliest moment that they leave
// each is not too late.
class Moments {
 public:
  Moments(const std::vector<Sent>& messages, const std::vector<Seen>& seen)
      : messages_(messages),
        seen_(seen),
        later_(seen.size()),
        before_(seen.size()),
        takers_(messages.size(), nobody) {}

  std::string fault() {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const Seen& one = seen_[i];
      earliest_.push_back(one.posted);
      if (one.message < 0 || one.probe) continue;
      std::size_t& taker = takers_[number(one.message)];
      if (taker != nobody) return fmt::format("message {} was received twice", one.message);
      taker = i;
    }
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (seen_[i].message >= 0)
        if (std::string wrong = demand(i); !wrong.empty()) return wrong;
    return order();
  }

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  static std::size_t number(int message) { return static_cast<std::size_t>(message); }

  std::string demand(std::size_t i) {
    const Seen& own = seen_[i];
    const Sent& got = messages_[number(own.message)];
    if (!own.asked.fits(got)) return fmt::format("message {} is not what was asked for", own.message);
    for (std::size_t older = 0; older < number(own.message); ++older) {
      const Sent& sent = messages_[older];
      if (sent.group != got.group || sent.to != got.to || sent.from != got.from || !own.asked.fits(sent))
        continue;
      if (takers_[older] == nobody) return fmt::format("message {} overtook {}", own.message, older);
      first(takers_[older], i);
    }
    for (std::size_t other = 0; other < seen_.size(); ++other) {
      const Seen& before = seen_[other];
      if (other == i || before.probe || before.posted >= own.posted || !before.asked.fits(got)) continue;
      if (before.message >= 0)
        first(other, i);
      else
        earliest_[i] = std::max(earliest_[i], before.cancelled);
    }
    if (own.probe && takers_[number(own.message)] != nobody) first(i, takers_[number(own.message)]);
    return {};
  }
  void first(std::size_t one, std::size_t other) {
    later_[one].push_back(other);
    ++before_[other];
  }

  std::string order() {
    std::deque<std::size_t> ready;
    std::size_t done = 0;
    for (std::size_t i = 0; i < seen_.size(); ++i)
      if (before_[i] == 0) ready.push_back(i);
    for (; !ready.empty(); ready.pop_front(), ++done) {
      const std::size_t i = ready.front();
      if (seen_[i].message >= 0 && earliest_[i] > seen_[i].complete)
        return fmt::format("receive {} had message {} before it could", i, seen_[i].message);
      for (const std::size_t other : later_[i]) {
        earliest_[other] = std::max(earliest_[other], earliest_[i]);
        if (--before_[other] == 0) ready.push_back(other);
      }
    }
    if (done == seen_.size()) return {};
    const auto stuck = std::ranges::find_if(before_, [](int count) { return count > 0; }) - before_.begin();
    return fmt::format("receive {} had message {}, and no order of matches allows that", stuck,
                       seen_[static_cast<std::size_t>(stuck)].message);
  }

  const std::vector<Sent>& messages_;
  const std::vector<Seen>& seen_;
  std::vector<std::vector<std::size_t>> later_;
  std::vector<int> before_, earliest_;
  std::vector<std::size_t> takers_;  // by message
};

}  // namespace

std::string fault_of(const std::vector<Sent>& messages, const std::vector<Seen>& seen) {
  return Moments(messages, seen).fault();
}

}  // namespace vnode_test
