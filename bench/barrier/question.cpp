#include "barrier/question.hpp"

#include <atomic>
#include <memory>

#include "barrier/contestants.hpp"
#include "limits/limits.hpp"
#include "mpi/contestants.hpp"

namespace vnode::bench {
namespace {

Contestant rival(const std::string& name, int callers) {
  if (name == "std") return barrier_std(callers);
  if (name == "openmp") return barrier_openmp();
  return barrier_naive(callers);
}

}  // namespace

Question barrier_question(const Setting& setting) {
  Question question;
  for (const Way& way : setting.ways())
    question.contestants.push_back(barrier_vnode(setting.form, setting.nodes, way));
  for (const std::string& name : setting.against)
    if (name == "mpi")
      question.beside.push_back(mpi({"barrier", setting}));
    else
      question.contestants.push_back(rival(name, setting.nodes));
  if (setting.limits && setting.nodes > 1)
    question.limits = {exchange(setting.nodes, rounds_at_least(setting.nodes))};

  // Nobody may be let out of a barrier before the last one is in: a barrier apart, not timed, in which each
  // counts itself on the way in.
  auto inside = std::make_shared<std::atomic<Iteration>>(0);
  auto barriers = std::make_shared<std::vector<Iteration>>(static_cast<std::size_t>(setting.nodes));
  question.wrong = [inside, barriers](const Seat& seat, const Contestant& contestant,
                                      Iteration) -> std::size_t {
    const Iteration mine = ++(*barriers)[static_cast<std::size_t>(seat.rank)];
    inside->fetch_add(1, std::memory_order_relaxed);
    contestant.call(seat);
    return inside->load(std::memory_order_relaxed) < mine * barriers->size() ? 1 : 0;
  };
  return question;
}

}  // namespace vnode::bench
