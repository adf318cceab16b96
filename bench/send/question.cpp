#include "send/question.hpp"

#include "data/pattern.hpp"
#include "limits/limits.hpp"
#include "mpi/contestants.hpp"
#include "send/contestants.hpp"

namespace vnode::bench {
namespace {

// Enough that reading the clock does not count; a long message shows itself.
int turns(std::size_t bytes) { return bytes <= 4096 ? 8 : 1; }

}  // namespace

Question send_question(const Setting& setting) {
  const Rank first = setting.root, second = (setting.root + 1) % setting.nodes;
  const PingPong game{first, second, std::make_shared<const Vectors>(setting.nodes, setting.bytes),
                      std::make_shared<const Vectors>(setting.nodes, setting.bytes), turns(setting.bytes)};
  const auto pattern = std::make_shared<const Pattern>(setting.datatype, std::nullopt, setting.seed);
  Question question;
  question.collective = false;
  question.contestants.push_back(send_vnode(game, setting.datatype));
  for (const std::string& name : setting.against)
    if (name == "mpi")
      question.beside.push_back(mpi({"send", setting, game.out, game.in, pattern, game.turns}));
    else
      question.contestants.push_back(name == "std" ? send_std(game) : send_naive(game));
  if (setting.limits) {
    question.limits.push_back(line_transfer(setting.nodes, 1));
    if (setting.bytes > line_payload) {
      Limit one_way = copying({setting.bytes, {{first, second, (*game.out)[first], (*game.in)[second]}}, {}});
      for (Contestant& variant : one_way.variants) variant.delivers = false;  // nothing comes back
      question.limits.push_back(std::move(one_way));
    }
  }
  // What is received into is written too, so that its lines are the receiver's.
  question.rewrite = [=](const Seat& seat, Iteration iteration) {
    if (!game.plays(seat.rank)) return;
    pattern->write((*game.out)[seat.rank], setting.bytes, seat.rank, iteration);
    pattern->write((*game.in)[seat.rank], setting.bytes, seat.rank, ~iteration);
  };
  question.wrong = [=](const Seat& seat, const Contestant&, Iteration iteration) -> std::size_t {
    if (!game.plays(seat.rank)) return 0;
    return pattern->differing((*game.in)[seat.rank], setting.bytes, {game.partner(seat.rank)}, iteration);
  };
  return question;
}

}  // namespace vnode::bench
