#include <memory>

#include "limits/limits.hpp"
#include "limits/line.hpp"

namespace vnode::bench {
namespace {

struct Lines {
  explicit Lines(int callers) : calls(static_cast<std::size_t>(callers)) {}
  Flag of_first, of_partner;
  std::vector<Flag> calls;  // each caller's own count; its line is shared with nobody
};

template <bool relaxing>
Contestant both_ways(const char* name, int callers) {
  auto lines = std::make_shared<Lines>(callers);
  const auto call = [lines, callers](const Seat& seat) {
    const std::uint64_t played = lines->calls[static_cast<std::size_t>(seat.rank)].value++;
    const Rank partner = 1 + static_cast<Rank>(played % static_cast<std::uint64_t>(callers - 1));
    if (seat.rank != 0 && seat.rank != partner) return;
    Flag& mine = seat.rank == 0 ? lines->of_first : lines->of_partner;
    const Flag& other = seat.rank == 0 ? lines->of_partner : lines->of_first;
    const std::uint64_t first = played * flag_rounds;
    for (std::uint64_t turn = first + 1; turn <= first + flag_rounds; ++turn) {
      mine.raise(turn);
      other.await<relaxing>(turn);
    }
  };
  return {.by = name, .call = call, .repeats = 1.0 * flag_rounds, .delivers = false};
}

}  // namespace

Limit exchange(int callers, double times) {
  return {"exchange", times, {both_ways<false>("spin", callers), both_ways<true>("pause", callers)}};
}

}  // namespace vnode::bench
