#include "c/options.hpp"

#include <fmt/format.h>
#include <span>
#include <vector>

#include <vnode/error.hpp>

#include "c/lists.hpp"

namespace vnode {
namespace {

Blocks blocks_of(Schedule& schedule, const vnode_interval* list, std::size_t count) {
  std::vector<Interval> intervals;
  for (const vnode_interval& one : list_of(list, count, "intervals"))
    intervals.push_back({one.first, one.last});
  return schedule.blocks_of(intervals);
}

void check_node(const char* what, int rank, const Schedule& schedule) {
  if (rank >= 0 && rank < schedule.nodes()) return;
  throw WrongArgument(
      fmt::format("{} {} is not one of the schedule's {} nodes", what, rank, schedule.nodes()));
}

// The intervals of both sides are laid out alike.
static_assert(sizeof(Interval) == sizeof(vnode_interval) && alignof(Interval) == alignof(vnode_interval));
const vnode_interval* seen_from_c(std::span<const Interval> intervals) {
  return reinterpret_cast<const vnode_interval*>(intervals.data());
}

}  // namespace

CallOptions call_options(const vnode_call_options& options) {
  CallOptions made;
  if (options.algorithm != nullptr) made.algorithm = options.algorithm;
  made.segments = options.segments;
  if (options.radix != 0) made.radix = options.radix;
  made.deterministic = options.deterministic != 0;
  if (options.schedule != nullptr) made.schedule = &at_handle(options.schedule).fixed();
  if (options.hierarchy != nullptr) made.hierarchy = &at_handle(options.hierarchy).is;
  return made;
}

}  // namespace vnode

using namespace vnode;

const OwnSchedule& vnode_schedule::fixed() {
  const std::lock_guard lock(fixing);
  if (!own) own.emplace(std::move(written), name);
  return *own;
}

namespace {

/// The schedule, written or fixed.
const Schedule& seen(const vnode_schedule* schedule) {
  vnode_schedule& at = at_handle(schedule);
  const std::lock_guard lock(at.fixing);
  return at.own ? at.own->schedule() : at.written;
}

}  // namespace

int vnode_schedule_create(vnode_schedule** schedule, const char* name, int nodes, int blocks) {
  return entry([&] {
    if (nodes < 1 || blocks < 0)
      throw WrongArgument(fmt::format(
          "{} nodes and {} blocks: there are 1 or more nodes and 0 or more blocks", nodes, blocks));
    put_handle(schedule, name != nullptr ? name : "own_schedule", nodes, blocks);
  });
}

int vnode_schedule_add(vnode_schedule* schedule, const vnode_transfer* transfer) {
  return entry([&] {
    vnode_schedule& at = at_handle(schedule);
    const vnode_transfer& given = needed(transfer, "the transfer");
    const std::lock_guard lock(at.fixing);
    if (at.own) throw WrongArgument("a call has used this schedule: it does not change any more");
    Schedule& written = at.written;
    check_node("sender", given.from, written);
    check_node("receiver", given.to, written);
    const auto rounds = static_cast<int>(written.rounds().size());
    if (given.round < 0 || given.round < rounds - 1 || given.round > rounds)
      throw WrongArgument(fmt::format("round {} is neither the last one nor the next: the schedule has {}",
                                      given.round, rounds));
    const Effect effect = enumerated<Effect>(given.effect, 3, "vnode_effect");
    const Blocks what = blocks_of(written, given.what, given.what_count);
    const Blocks into = given.into != nullptr ? blocks_of(written, given.into, given.into_count) : what;
    if (written.count(what) != written.count(into))
      throw WrongArgument(fmt::format("{} blocks go into {}", written.count(what), written.count(into)));
    Round& round = given.round == rounds ? written.next_round() : written.round(given.round);
    round.push_back({given.from, given.to, what, into, effect});
  });
}

int vnode_schedule_nodes(const vnode_schedule* schedule) {
  return entry([&] { return seen(schedule).nodes(); });
}

int vnode_schedule_blocks(const vnode_schedule* schedule) {
  return entry([&] { return seen(schedule).blocks(); });
}

int vnode_schedule_rounds(const vnode_schedule* schedule) {
  return entry([&] { return static_cast<int>(seen(schedule).rounds().size()); });
}

int vnode_schedule_transfers(const vnode_schedule* schedule, int round) {
  return entry([&] { return static_cast<int>(numbered(seen(schedule).rounds(), round, "round").size()); });
}

int vnode_schedule_transfer(const vnode_schedule* schedule, int round, int index, vnode_transfer* transfer) {
  return entry([&] {
    vnode_transfer& out = needed(transfer, "the transfer");
    const Schedule& of = seen(schedule);
    const Transfer& is = numbered(numbered(of.rounds(), round, "round"), index, "transfer of this round");
    const auto what = of.intervals(is.what), into = of.intervals(is.into);
    out = {.round = round,
           .from = is.from,
           .to = is.to,
           .effect = static_cast<int>(is.effect),
           .what = seen_from_c(what),
           .what_count = what.size(),
           .into = seen_from_c(into),
           .into_count = into.size()};
  });
}

int vnode_schedule_free(vnode_schedule** schedule) {
  return entry([&] { end_handle(schedule); });
}

int vnode_hierarchy_create(vnode_hierarchy** hierarchy, const char* text, int nodes) {
  return entry([&] { put_handle(hierarchy, Hierarchy::parse(&needed(text, "the text"), nodes)); });
}

int vnode_hierarchy_text(const vnode_hierarchy* hierarchy, char** text) {
  return entry([&] { put_text(text, at_handle(hierarchy).is.text()); });
}

int vnode_hierarchy_levels(const vnode_hierarchy* hierarchy) {
  return entry([&] { return at_handle(hierarchy).is.levels(); });
}

int vnode_hierarchy_apart(const vnode_hierarchy* hierarchy, int one, int other) {
  return entry([&] {
    const Hierarchy& is = at_handle(hierarchy).is;
    for (const int rank : {one, other})
      if (rank < 0 || rank >= is.nodes())
        throw WrongArgument(fmt::format("rank {} is not one of the hierarchy's {}", rank, is.nodes()));
    return is.apart(one, other);
  });
}

int vnode_hierarchy_free(vnode_hierarchy** hierarchy) {
  return entry([&] { end_handle(hierarchy); });
}
