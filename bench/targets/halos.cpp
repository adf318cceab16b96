#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include <vnode/neighbours.hpp>
#include <vnode/node.hpp>

#include "commands/team.hpp"
#include "report/text.hpp"
#include "targets/target.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t sides = 4;

// Holds what goes out of one node through each side, and what comes in.
struct Halo {
  Halo(const Topology& torus, Rank rank, std::size_t bytes)
      : neighbours(torus, rank), out(sides * bytes, static_cast<std::byte>(rank)), in(sides * bytes) {}
  Neighbours neighbours;
  std::vector<std::byte> out, in;
  Persistent planned{};
};

void by_hand(Node& me, Halo& halo) {
  const std::size_t bytes = halo.out.size() / sides;
  std::array<Request, 2 * sides> requests;
  // A message is called by the side at which it arrives.
  for (std::size_t side = 0; side < sides; ++side)
    requests[side] = me.irecv(std::span(halo.in).subspan(side * bytes, bytes),
                              halo.neighbours.sources()[side], static_cast<int>(side));
  for (std::size_t side = 0; side < sides; ++side)
    requests[sides + side] = me.isend(std::span(halo.out).subspan(side * bytes, bytes),
                                      halo.neighbours.targets()[side], static_cast<int>(side ^ 1));
  wait_all(requests);
}

Question question_of(const std::shared_ptr<std::vector<Halo>>& halos) {
  const auto own = [halos](const Seat& seat) -> Halo& {
    return (*halos)[static_cast<std::size_t>(seat.rank)];
  };
  Question question;
  question.collective = false;
  question.contestants = {
      {.by = "exchange",
       .call =
           [=](const Seat& seat) { seat.node->exchange(own(seat).out, own(seat).in, own(seat).neighbours); }},
      {.by = "planned exchange",
       .call =
           [=](const Seat& seat) {
             own(seat).planned.start();
             own(seat).planned.wait();
           },
       .prepare =
           [=](const Seat& seat) {
             Halo& mine = own(seat);
             mine.planned = seat.node->persistent().exchange(mine.out, mine.in, mine.neighbours);
           },
       .finish = [=](const Seat& seat) { own(seat).planned = Persistent(); }},
      {.by = "by hand", .call = [=](const Seat& seat) { by_hand(*seat.node, own(seat)); }}};
  question.rewrite = [=](const Seat& seat, Iteration) { std::ranges::fill(own(seat).in, std::byte{0xff}); };
  question.wrong = [=](const Seat& seat, const Contestant&, Iteration) {
    const Halo& mine = own(seat);
    const std::size_t bytes = mine.in.size() / sides;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < mine.in.size(); ++i)
      wrong += mine.in[i] != static_cast<std::byte>(mine.neighbours.sources()[i / bytes]);
    return wrong;
  };
  return question;
}

}  // namespace

Verdicts halos_against_messages(const Options& options) {
  Verdicts verdicts;
  for (const int side : {2, 4}) {
    const Topology torus(shapes::torus{side, side}, side * side);
    const auto team = team_of(options, torus.nodes());
    Effort effort = options.effort;
    effort.core_each = false;
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{64}, std::size_t{512}, 4 * kib, 64 * kib}) {
      const auto halos = std::make_shared<std::vector<Halo>>();
      for (Rank rank = 0; rank < torus.nodes(); ++rank) halos->emplace_back(torus, rank, bytes);
      Question question = question_of(halos);
      beside_by_hand(*team, question, effort, fmt::format("{} on {}", with_bytes("", bytes), torus.text()),
                     "isend, irecv, wait_all by hand", 1, verdicts);
    }
  }
  return verdicts;
}

}  // namespace vnode::bench
