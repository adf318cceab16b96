#include <cstdint>
#include <memory>

#include "limits/flag.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

/// The number of times that a flag goes back and forth in one call.
constexpr int flag_rounds = 32;

// Holds two lines between caller 0 and, in turn, each of the others.
struct Lines {
  explicit Lines(int callers) : calls(static_cast<std::size_t>(callers)) {}
  Flag of_first, of_partner;
  std::vector<Flag> calls;  // each caller's own count; its line is shared with nobody
};

// Returns a contestant in which turn(number, first, mine, other's) is one there and back, by the first or by
// its partner.
template <class Turn>
Contestant between_two(const char* name, int callers, double repeats, Turn turn) {
  auto lines = std::make_shared<Lines>(callers);
  const auto call = [lines, callers, turn](const Seat& seat) {
    const std::uint64_t played = lines->calls[static_cast<std::size_t>(seat.rank)].value++;
    const Rank partner = 1 + static_cast<Rank>(played % static_cast<std::uint64_t>(callers - 1));
    if (seat.rank != 0 && seat.rank != partner) return;
    Flag& mine = seat.rank == 0 ? lines->of_first : lines->of_partner;
    const Flag& other = seat.rank == 0 ? lines->of_partner : lines->of_first;
    const std::uint64_t first = played * flag_rounds;
    for (std::uint64_t number = first + 1; number <= first + flag_rounds; ++number)
      turn(number, seat.rank == 0, mine, other);
  };
  return {.by = name, .call = call, .repeats = repeats * flag_rounds, .delivers = false};
}

template <bool relaxing>
Contestant one_way(const char* name, int callers) {
  return between_two(name, callers, 2, [](std::uint64_t turn, bool first, Flag& mine, const Flag& other) {
    if (first) mine.raise(turn);
    other.await(turn, relaxing);
    if (!first) mine.raise(turn);
  });
}

template <bool relaxing>
Contestant both_ways(const char* name, int callers) {
  return between_two(name, callers, 1, [](std::uint64_t turn, bool, Flag& mine, const Flag& other) {
    mine.raise(turn);
    other.await(turn, relaxing);
  });
}

}  // namespace

Limit line_transfer(int callers) {
  return {"line", 1, {one_way<false>("spin", callers), one_way<true>("pause", callers)}};
}

Limit exchange(int callers) {
  return {"exchange", 1, {both_ways<false>("spin", callers), both_ways<true>("pause", callers)}};
}

}  // namespace vnode::bench
