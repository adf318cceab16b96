#include <fmt/format.h>

#include <vnode/notation.hpp>
#include <vnode/verify.hpp>

namespace vnode {

namespace {

// Makes the mutants of one transfer at a time.
class Mutation {
 public:
  Mutation(const Schedule& schedule, int round, std::size_t index)
      : schedule_(schedule), round_(round), index_(index), transfer_(transfers()[index]) {}

  std::vector<Mutant> all() && {
    add("dropped",
        [&](Schedule&, Round& round) { round.erase(round.begin() + static_cast<std::ptrdiff_t>(index_)); });
    add("there twice", [&](Schedule&, Round& round) { round.push_back(transfer_); });
    for (Rank other = 0; other < schedule_.nodes(); ++other) {
      if (other != transfer_.to)
        change(fmt::format("into node {}", other), [&](Schedule&, Transfer& t) { t.to = other; });
      if (other != transfer_.from)
        change(fmt::format("from node {}", other), [&](Schedule&, Transfer& t) { t.from = other; });
    }
    blocks();
    for (const Effect other : {Effect::replace, Effect::combine_before, Effect::combine_after})
      if (other != transfer_.effect)
        change(fmt::format("{} instead of {}", name(other), name(transfer_.effect)),
               [&](Schedule&, Transfer& t) { t.effect = other; });
    if (round_ > 0)
      add("one round earlier", [&](Schedule& mutant, Round& round) {
        round.erase(round.begin() + static_cast<std::ptrdiff_t>(index_));
        mutant.round(round_ - 1).push_back(transfer_);
      });
    return std::move(mutants_);
  }

 private:
  // Every block becomes the next one or the one before, cyclic: in what is sent, in where it goes, and in
  // both. Where there are no other blocks to take, none are taken.
  void blocks() {
    if (schedule_.blocks() == 0) return;
    const auto shifted = [&](Schedule& mutant, Blocks blocks, int by) {
      if (schedule_.blocks() == 1 || schedule_.count(blocks) == schedule_.blocks()) return nothing;
      std::vector<Interval> list;
      for (const Interval& interval : schedule_.intervals(blocks))
        for (int block = interval.first; block < interval.last; ++block) {
          const int other = (block + by) % schedule_.blocks();
          list.push_back({other, other + 1});
        }
      return mutant.blocks_of(list);
    };
    for (const int by : {1, schedule_.blocks() - 1}) {
      change(fmt::format("what is sent shifted by {}", by),
             [&](Schedule& mutant, Transfer& t) { t.what = shifted(mutant, t.what, by); });
      change(fmt::format("where it goes shifted by {}", by),
             [&](Schedule& mutant, Transfer& t) { t.into = shifted(mutant, t.into, by); });
      change(fmt::format("all blocks shifted by {}", by), [&](Schedule& mutant, Transfer& t) {
        t.what = shifted(mutant, t.what, by);
        t.into = shifted(mutant, t.into, by);
      });
      if (schedule_.blocks() <= 2) break;
    }
  }

  template <class Change>
  void change(std::string mistake, const Change& change) {
    add(std::move(mistake), [&](Schedule& mutant, Round& round) { change(mutant, round[index_]); });
  }

  template <class Edit>
  void add(std::string mistake, const Edit& edit) {
    Mutant& mutant =
        mutants_.emplace_back(Mutant{fmt::format("round {}, transfer {} ({}>{}): {}", round_ + 1, index_ + 1,
                                                 transfer_.from, transfer_.to, mistake),
                                     schedule_});
    edit(mutant.schedule, mutant.schedule.round(round_));
  }

  const Round& transfers() const { return schedule_.rounds()[static_cast<std::size_t>(round_)]; }

  const Schedule& schedule_;
  int round_;
  std::size_t index_;
  Transfer transfer_;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> mutants(const Schedule& schedule) {
  std::vector<Mutant> all;
  for (int round = 0; round < static_cast<int>(schedule.rounds().size()); ++round)
    for (std::size_t i = 0; i < schedule.rounds()[static_cast<std::size_t>(round)].size(); ++i)
      for (Mutant& mutant : Mutation(schedule, round, i).all()) all.push_back(std::move(mutant));
  return all;
}

}  // namespace vnode
