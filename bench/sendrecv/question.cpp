#include "sendrecv/question.hpp"

#include "data/pattern.hpp"
#include "limits/limits.hpp"
#include "mpi/contestants.hpp"
#include "sendrecv/contestants.hpp"

namespace vnode::bench {

Question sendrecv_question(const Setting& setting) {
  const Rank first = setting.root, second = (setting.root + 1) % setting.nodes;
  const Swap swap{first, second, std::make_shared<const Vectors>(setting.nodes, setting.bytes),
                  std::make_shared<const Vectors>(setting.nodes, setting.bytes)};
  const auto pattern = std::make_shared<const Pattern>(setting.datatype, std::nullopt, setting.seed);
  Question question;
  question.collective = false;
  question.contestants.push_back(sendrecv_vnode(swap, setting.datatype));
  for (const std::string& name : setting.against)
    if (name == "mpi")
      question.beside.push_back(mpi({"sendrecv", setting, swap.out, swap.in, pattern}));
    else
      question.contestants.push_back(name == "std" ? sendrecv_std(swap) : sendrecv_naive(swap));
  if (setting.limits) {
    question.limits.push_back(exchange(setting.nodes, 1));
    if (setting.bytes > line_payload)
      question.limits.push_back(copying({setting.bytes,
                                         {{first, second, (*swap.out)[first], (*swap.in)[second]},
                                          {second, first, (*swap.out)[second], (*swap.in)[first]}},
                                         {}}));
  }
  question.rewrite = [=](const Seat& seat, Iteration iteration) {
    if (!swap.plays(seat.rank)) return;
    pattern->write((*swap.out)[seat.rank], setting.bytes, seat.rank, iteration);
    pattern->write((*swap.in)[seat.rank], setting.bytes, seat.rank, ~iteration);
  };
  question.wrong = [=](const Seat& seat, const Contestant&, Iteration iteration) -> std::size_t {
    if (!swap.plays(seat.rank)) return 0;
    return pattern->differing((*swap.in)[seat.rank], setting.bytes, {swap.partner(seat.rank)}, iteration);
  };
  return question;
}

}  // namespace vnode::bench
