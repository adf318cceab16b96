#include "collectives/question.hpp"

#include <algorithm>

#include "data/element.hpp"
#include "data/pattern.hpp"
#include "limits/limits.hpp"
#include "limits/raw.hpp"
#include "mpi/choice.hpp"

namespace vnode::bench {
namespace {

Contestant rival(const std::string& name, const SharedTask& task) {
  if (name == "std") return collective_std(task);
  if (name == "tbb") return collective_tbb(task);
  if (name == "naive") return collective_naive(task);
  if (task->collective == Collective::broadcast) return broadcast_openmp(task);
  if (task->collective == Collective::reduce) return reduce_openmp(task);
  return collective_openmp(task);
}

// Tells whether every node waits for all others: then two nodes need an exchange, and a line one way would
// not do.
bool symmetric(Collective collective) {
  switch (collective) {
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_reduce:
    case Collective::all_to_all:
      return true;
    default:
      return false;
  }
}

bool anything_travels(const Deliveries& deliveries) {
  return std::ranges::any_of(deliveries.list, [](const Delivery& delivery) {
    return std::ranges::any_of(delivery.from,
                               [&](const Location& from) { return from.rank != delivery.to.rank; });
  });
}

std::vector<Limit> limits(const Task& task) {
  const int p = task.setting.nodes;
  const bool travels = anything_travels(task.deliveries), meeting = travels && symmetric(task.collective);
  std::vector<Limit> limits;
  if (travels) limits.push_back(meeting ? exchange(p) : line_transfer(p));
  if (task.setting.bytes <= most_raw_bytes) {
    limits.push_back(raw(task.work, all_of(p), task.setting.datatype, task.setting.op, meeting));
    return limits;
  }
  if (!task.work.movements.empty()) limits.push_back(copying(task.work));
  if (!task.work.folds.empty())
    limits.push_back(combining(task.work, p, task.setting.datatype, task.setting.op));
  return limits;
}

std::shared_ptr<const Pattern> data_of(const Task& task) {
  const Setting& setting = task.setting;
  const auto op = combines(task.collective) ? std::optional{setting.op} : std::nullopt;
  return std::make_shared<const Pattern>(setting.datatype, op, setting.seed);
}

std::string mpi_name(const Task& task) {
  return std::string{enums::name(task.collective)} + (task.varying ? "_v" : "");
}

void rewrite(const Task& task, const Pattern& pattern, Rank rank, Iteration iteration) {
  pattern.write((*task.in)[rank], task.in->bytes(rank), rank, iteration);
  // What is received into is written too, so that its lines are the receiver's.
  if (task.out != task.in) pattern.write((*task.out)[rank], task.out->bytes(rank), rank, ~iteration);
}

std::size_t wrong(const Task& task, const Pattern& pattern, const Delivery& delivery, Iteration iteration) {
  const std::size_t bytes = task.setting.bytes;
  const std::byte* const result =
      (*task.out)[delivery.to.rank] + static_cast<std::size_t>(delivery.to.place) * bytes;
  std::vector<Pattern::Source> sources;
  for (const Location& from : delivery.from)
    sources.push_back({from.rank, static_cast<std::size_t>(from.place) * bytes});
  if (sources.size() == 1) return pattern.differing(result, bytes, sources.front(), iteration);
  return pattern.differing_from_combination(result, bytes, sources, iteration);
}

// Counts the wrong elements of one rank: what it takes must be what it should be, and what it only brought
// what it was.
std::size_t wrong(const Task& task, const Pattern& pattern, Rank rank, Iteration iteration) {
  std::size_t wrong = 0;
  for (const Delivery& delivery : task.deliveries.list)
    if (delivery.to.rank == rank) wrong += bench::wrong(task, pattern, delivery, iteration);
  const bool overwritten = task.in == task.out && task.deliveries.taken[static_cast<std::size_t>(rank)] > 0;
  if (!overwritten) wrong += pattern.differing((*task.in)[rank], task.in->bytes(rank), {rank}, iteration);
  return wrong;
}

}  // namespace

Question collective_question(const SharedTask& task) {
  const auto pattern = data_of(*task);
  Question question;
  if (task->setting.limits && task->setting.nodes > 1) question.limits = limits(*task);
  question.rewrite = [=](const Seat& seat, Iteration iteration) {
    rewrite(*task, *pattern, seat.rank, iteration);
  };
  question.wrong = [=](const Seat& seat, const Contestant&, Iteration iteration) {
    return wrong(*task, *pattern, seat.rank, iteration);
  };
  return question;
}

Question collective_question(Collective collective, bool varying, const Setting& setting) {
  const SharedTask task = bench::task(collective, varying, setting);
  Question question = collective_question(task);
  for (const Way& way : setting.ways()) question.contestants.push_back(collective_vnode(task, way));
  for (const std::string& name : setting.against)
    if (name == "mpi" && combines(collective) && !is_known_to_mpi(setting.datatype))
      continue;  // MPI has no such type
    else if (name == "mpi")
      add_mpi(question, {mpi_name(*task), setting, task->in, task->out, data_of(*task)});
    else
      question.contestants.push_back(rival(name, task));
  return question;
}

}  // namespace vnode::bench
