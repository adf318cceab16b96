#include "questions/barrier.hpp"

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "limits/limits.hpp"
#include "limits/raw.hpp"
#include "mpi/choice.hpp"
#include "questions/form.hpp"
#include "questions/hosts.hpp"

namespace vnode::bench {
namespace {

Contestant barrier_vnode(Form form, int callers, const Way& way) {
  return in_form(form, callers, way, [way](auto&& where, Rank) { return where.barrier(way.options()); });
}

void meet_in_region(const Seat&){
#pragma omp barrier
}

Contestant rival_barrier(const std::string& name, int callers) {
  if (name == "openmp") return {.by = name, .call = meet_in_region, .host = &openmp_host};
  if (name == "naive") return barrier_naive(callers);
  auto meeting = std::make_shared<std::barrier<>>(callers);
  return {.by = name, .call = [meeting](const Seat&) { meeting->arrive_and_wait(); }};
}

struct Meeting {
  std::mutex mutex;
  std::condition_variable complete;
  int arrived = 0;
  unsigned number = 0;
};

}  // namespace

Contestant barrier_naive(int callers) {
  auto meeting = std::make_shared<Meeting>();
  return {.by = "naive", .call = [meeting, callers](const Seat&) {
            std::unique_lock lock{meeting->mutex};
            const unsigned mine = meeting->number;
            if (++meeting->arrived == callers) {
              meeting->arrived = 0;
              ++meeting->number;
              meeting->complete.notify_all();
            } else {
              meeting->complete.wait(lock, [&] { return meeting->number != mine; });
            }
          }};
}

Question barrier_question(const Setting& setting) {
  Question question;
  for (const Way& way : setting.ways())
    question.contestants.push_back(barrier_vnode(setting.form, setting.nodes, way));
  for (const std::string& name : setting.against)
    if (name == "mpi")
      add_mpi(question, {"barrier", setting});
    else
      question.contestants.push_back(rival_barrier(name, setting.nodes));
  if (setting.limits && setting.nodes > 1)
    question.limits = {exchange(setting.nodes),
                       raw({}, all_of(setting.nodes), setting.datatype, setting.op, true)};

  // Nobody may be let out of a barrier before the last one is in. This is checked in a separate barrier,
  // which is not timed and in which each counts itself on the way in.
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
