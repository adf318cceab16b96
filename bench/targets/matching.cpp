#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "commands/team.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"
#include "timing/clock.hpp"

namespace vnode::bench {
namespace {

enum class Variant : std::size_t { by_name, any_source, any_tag_too, probe_first };
constexpr std::array all_variants{Variant::by_name, Variant::any_source, Variant::any_tag_too,
                                  Variant::probe_first};
constexpr std::array<std::string_view, 4> names{"by name", "any source", "any source and tag",
                                                "probe, then by name"};

/// Lets node 0 receive one message from each sender.
void take(Node& me, Variant variant, int senders) {
  double x = 0;
  MessageInfo info;
  for (Rank from = 1; from <= senders; ++from) switch (variant) {
      case Variant::by_name:
        me.recv(x, from);
        break;
      case Variant::any_source:
        me.recv(x, any_source, 0, info);
        break;
      case Variant::any_tag_too:
        me.recv(x, any_source, any_tag, info);
        break;
      case Variant::probe_first:
        info = me.probe(any_source, any_tag);
        me.recv(x, info.source, info.tag);
        break;
    }
}

/// Returns the microseconds of a message, by variant; the variants are measured in turn: node 0 receives 8
/// bytes from each of the senders and answers it. All nodes have exchanged messages with node 0 before.
std::array<std::vector<double>, 4> measured_times(Team& team, int senders, int iterations) {
  std::array<std::vector<double>, 4> times;
  const int rounds = std::max(4, 400 / (senders + 1)), samples = iterations > 0 ? iterations : 40;
  team.run([&](Node& me) {
    const double x = 1;
    if (me.rank() == 0)
      for (Rank from = 1; from < me.size(); ++from) (void)me.recv<double>(from);
    else
      me.send(x, 0);
    for (int sample = -2; sample < samples; ++sample)
      for (const Variant variant : all_variants) {
        me.barrier();
        const Ticks before = now_after();
        for (int round = 0; round < rounds; ++round) {
          if (me.rank() == 0) {
            take(me, variant, senders);
            for (Rank to = 1; to <= senders; ++to) me.send(x, to);
          } else if (me.rank() <= senders) {
            me.send(x, 0);
            (void)me.recv<double>(0);
          }
        }
        if (me.rank() == 0 && sample >= 0)
          times[static_cast<std::size_t>(variant)].push_back(the_clock().us(now_after() - before) / rounds /
                                                             senders);
      }
  });
  return times;
}

}  // namespace

Verdicts matching(const Options& options) {
  Verdicts verdicts;
  for (const int nodes : {2, 8, 64}) {
    const auto team = team_of(options, nodes);
    int measured = 0;
    for (const int senders : {1, nodes / 4, nodes - 1}) {
      if (senders <= measured) continue;
      measured = senders;
      const auto times = measured_times(*team, senders, options.effort.iterations.value_or(0));
      const double named = median(times[0]);
      for (const Variant variant : all_variants) {
        const auto which = static_cast<std::size_t>(variant);
        if (variant == Variant::by_name) continue;
        verdicts.push_back(
            {.what = fmt::format("8 B and an answer, {}, {} of {} nodes send", names[which], senders, nodes),
             .target = variant == Variant::probe_first ? "1.3 by name" : "1.2 by name",
             .measured = median(times[which]),
             .against = named,
             .bound = (variant == Variant::probe_first ? 1.3 : 1.2) * named});
      }
    }
  }
  return verdicts;
}

}  // namespace vnode::bench
