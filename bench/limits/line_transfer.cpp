#include <bit>
#include <memory>

#include "limits/limits.hpp"
#include "limits/line.hpp"

namespace vnode::bench {
namespace {

struct Lines {
  explicit Lines(int callers) : calls(static_cast<std::size_t>(callers)) {}
  Flag there, back;
  std::vector<Flag> calls;  // each caller's own count; its line is shared with nobody
};

template <bool relaxing>
Contestant ping_pong(const char* name, int callers) {
  auto lines = std::make_shared<Lines>(callers);
  const auto call = [lines, callers](const Seat& seat) {
    const std::uint64_t played = lines->calls[static_cast<std::size_t>(seat.rank)].value++;
    const Rank partner = 1 + static_cast<Rank>(played % static_cast<std::uint64_t>(callers - 1));
    if (seat.rank != 0 && seat.rank != partner) return;
    const std::uint64_t first = played * flag_rounds;
    for (std::uint64_t turn = first + 1; turn <= first + flag_rounds; ++turn) {
      if (seat.rank == 0) {
        lines->there.raise(turn);
        lines->back.await<relaxing>(turn);
      } else {
        lines->there.await<relaxing>(turn);
        lines->back.raise(turn);
      }
    }
  };
  return {.by = name, .call = call, .repeats = 2.0 * flag_rounds, .delivers = false};
}

}  // namespace

int rounds_at_least(int p) { return static_cast<int>(std::bit_width(static_cast<unsigned>(p - 1))); }

Limit line_transfer(int callers, double times) {
  return {"line", times, {ping_pong<false>("spin", callers), ping_pong<true>("pause", callers)}};
}

}  // namespace vnode::bench
