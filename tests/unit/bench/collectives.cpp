#include <doctest/doctest.h>
#include <functional>
#include <initializer_list>

#include <vnode/collective.hpp>

#include "collectives/question.hpp"
#include "collectives/task.hpp"
#include "data/element.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

constexpr Iteration now = 7;

void rewrite(const Question& question, int p) {
  for (Rank rank = 0; rank < p; ++rank) question.rewrite({rank, nullptr}, now);
}

std::size_t wrong(const Question& question, int p) {
  std::size_t wrong = 0;
  for (Rank rank = 0; rank < p; ++rank) wrong += question.wrong({rank, nullptr}, {}, now);
  return wrong;
}

void for_every_task(const std::function<void(const SharedTask&, int)>& each) {
  for (const Collective collective : vnode::collectives()) {
    if (collective == Collective::barrier) continue;
    for (const int p : {2, 3, 5})
      for (const std::size_t bytes : std::initializer_list<std::size_t>{8, 56, 1000, 20008}) {
        CAPTURE(enums::name(collective));
        CAPTURE(p);
        CAPTURE(bytes);
        each(task(collective, false, {.nodes = p, .bytes = bytes, .root = p - 1, .shift = 4}), p);
      }
  }
}

}  // namespace

TEST_CASE("every limit of every collective does all that the collective asks for") {
  for_every_task([](const SharedTask& task, int p) {
    Question question = collective_question(task);
    for (const Limit& limit : question.limits)
      for (const Contestant& variant : limit.variants) {
        if (!variant.delivers || limit.name == "raw") continue;  // by hand they wait for each other
        CAPTURE(variant.by);
        rewrite(question, p);
        // Nobody waits for anybody in other limits that move data: the callers can come one after the other.
        for (Rank rank = p - 1; rank >= 0; --rank) variant.call({rank, nullptr});
        CHECK(wrong(question, p) == 0);
      }
  });
}

TEST_CASE("what other contestants do between their barriers is all that the collective asks for") {
  for_every_task([](const SharedTask& task, int p) {
    const Question question = collective_question(task);
    for (const std::vector<WorkItem>& items : {shared_items(*task), own_items(*task)}) {
      rewrite(question, p);
      for (const WorkItem& item : items) item();
      CHECK(wrong(question, p) == 0);
    }
  });
}

TEST_CASE("nothing done is found, and one wrong byte in anybody's result") {
  for_every_task([](const SharedTask& task, int p) {
    const Question question = collective_question(task);
    rewrite(question, p);
    CHECK(wrong(question, p) > 0);
    for (const WorkItem& item : own_items(*task)) item();
    for (const Delivery& delivery : task->deliveries.list) {
      const std::size_t bytes = task->setting.bytes;
      std::byte& victim =
          (*task->out)[delivery.to.rank][static_cast<std::size_t>(delivery.to.place) * bytes + bytes / 2];
      victim ^= std::byte{1};
      CHECK(wrong(question, p) == 1);
      victim ^= std::byte{1};
    }
  });
}

TEST_CASE("who writes over what was only to be read is found") {
  for_every_task([](const SharedTask& task, int p) {
    const Question question = collective_question(task);
    rewrite(question, p);
    for (const WorkItem& item : own_items(*task)) item();
    const Rank giver = task->deliveries.list.back().from.front().rank;
    if (task->in == task->out && task->deliveries.taken[static_cast<std::size_t>(giver)] > 0) return;
    (*task->in)[giver][0] ^= std::byte{1};
    CHECK(wrong(question, p) == 1);
  });
}

TEST_CASE(
    "operations in which all wait for all are bounded by an exchange, others by a line one way; up to 8 KiB "
    "by "
    "a loop by hand, above by the work") {
  const auto names = [](Collective collective, std::size_t bytes, int p) {
    std::vector<std::string> all;
    for (const Limit& limit :
         collective_question(task(collective, false, {.nodes = p, .bytes = bytes})).limits)
      all.push_back(limit.name);
    return all;
  };
  using Names = std::vector<std::string>;
  for (const int p : {2, 3, 16}) {
    CHECK(names(Collective::all_reduce, 8, p) == Names{"exchange", "raw"});
    CHECK(names(Collective::scan, 8, p) == Names{"line", "raw"});
    CHECK(names(Collective::all_to_all, 64, p) == Names{"exchange", "raw"});
    CHECK(names(Collective::gather, 8192, p) == Names{"line", "raw"});
    CHECK(names(Collective::scatter, 8200, p) == Names{"line", "copy"});
    CHECK(names(Collective::all_reduce, 8200, p) == Names{"exchange", "combine"});
  }
  CHECK(names(Collective::broadcast, 64, 1).empty());
}
