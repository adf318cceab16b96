#include "plan.hpp"

#include <chrono>

#include "../programs/random.hpp"

namespace vnode_test {

vnode::TeamOptions options_of(int kind) {
  Random random(static_cast<std::uint64_t>(kind) * 1000 + 7);
  vnode::TeamOptions options;
  options.time_limit = std::chrono::seconds(60);
  // Who yields and never sleeps leaves the core to whoever computes beside, for a time slice at every look.
  options.wait = random.one_in(2) ? vnode::Wait::automatic : vnode::Wait::park;
  options.channel = kind == 0 ? vnode::ChannelEngine::boost : vnode::ChannelEngine::line;
  options.threads = kind % 2 == 0 ? vnode::Threads::callers : vnode::Threads::own;
  options.inline_to = random.one_of<std::size_t>({0, 16, 512});
  options.shared_from = random.one_of<std::size_t>({2000, 1 << 20});
  return options;
}

Plan planned(std::uint64_t seed) {
  Random random(seed);
  Plan plan;
  plan.seed = seed;
  plan.nodes = random.one_of({1, 2, 2, 3, 3, 4, 5, 7});
  plan.tags = random.one_of({1, 2, 3});
  plan.phases = 1 + random.below(4);
  plan.kind = random.below(kinds_of_teams);
  plan.options = options_of(plan.kind);
  const int groups = 1 + random.below(2);
  for (int node = 0; node < plan.nodes; ++node) plan.colors.push_back(random.below(groups));
  const std::size_t most =
      1 + random.below<std::size_t>(random.one_in(4) ? 80 : 12) * static_cast<std::size_t>(plan.nodes);
  const int crowd = random.one_in(2) ? random.below(plan.nodes) : -1;  // a node that most send to
  for (int phase = 0; phase < plan.phases; ++phase) {
    plan.together.push_back(random.one_in(2));
    for (std::size_t i = random.below(most) / static_cast<std::size_t>(plan.phases) + 1; i > 0; --i) {
      const int group = random.one_in(2) ? 0 : 1 + random.below(groups);
      const std::vector<int> members = plan.members(group);
      if (members.empty()) continue;
      const int size = static_cast<int>(members.size());
      Sent sent{group,
                random.below(size),
                random.below(size),
                random.below(plan.tags),
                random.one_of<std::size_t>({1, 1, 2, 5, 12, 13, 40, 128, 600, 3000}),
                phase,
                random.one_in(4) ? Sent::Form::issend : Sent::Form::isend};
      if (crowd >= 0 && crowd < size && !random.one_in(4)) sent.to = crowd;
      if (sent.count * sizeof(int) <= *plan.options.inline_to && random.one_in(3))
        sent.form = Sent::Form::send;
      plan.messages.push_back(sent);
    }
  }
  return plan;
}

}  // namespace vnode_test
