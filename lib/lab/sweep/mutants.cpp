#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <string>

#include <vnode/lab/mutants.hpp>
#include <vnode/model/schedule.hpp>

#include "base/at.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

/// Says what was changed in a mutant.
struct Mistake {
  int round;          ///< of the transfer, from 0
  std::size_t index;  ///< of the transfer in its round
  Rank from, to;      ///< as it was
  std::string what;   ///< "dropped"
  int first_round;    ///< the first round that differs, at most one before `round`

  /// Returns "round 2, transfer 1 (0>2): dropped".
  std::string text() const {
    return fmt::format("round {}, transfer {} ({}>{}): {}", round + 1, index + 1, from, to, what);
  }
};

using Visit = std::function<void(const Schedule&, const Mistake&)>;

// Makes the mutants of one transfer at a time, in a copy of the schedule that is put right again after each.
class Mutation {
 public:
  Mutation(const Schedule& schedule, Schedule& copy, int round, std::size_t index, const Visit& visit)
      : schedule_(schedule),
        mutant_(copy),
        round_(round),
        index_(index),
        transfer_(right(round)[index]),
        visit_(visit) {}

  void all() {
    make("dropped", [&](Round& round) { round.erase(round.begin() + std::ptrdiff_t(index_)); });
    make("there twice", [&](Round& round) { round.push_back(transfer_); });
    for (Rank other = 0; other < schedule_.nodes(); ++other) {
      if (other != transfer_.to)
        change(fmt::format("into node {}", other), [&](Transfer& t) { t.to = other; });
      if (other != transfer_.from)
        change(fmt::format("from node {}", other), [&](Transfer& t) { t.from = other; });
    }
    if (schedule_.blocks() > 0) {
      other_blocks();
      other_numbers_of_blocks();
    }
    for (const Effect other : {Effect::replace, Effect::combine_before, Effect::combine_after})
      if (other != transfer_.effect)
        change(fmt::format("{} instead of {}", enums::name(other), enums::name(transfer_.effect)),
               [&](Transfer& t) { t.effect = other; });
    if (round_ > 0) one_round_earlier();
  }

 private:
  // Every block becomes the next one or the one before, cyclic: in what is sent, in where it goes, and in
  // both. Where there are no other blocks to take, none are taken.
  void other_blocks() {
    for (const int by : {1, schedule_.blocks() - 1}) {
      const Blocks what = shifted(transfer_.what, by);
      const Blocks into = transfer_.into == transfer_.what ? what : shifted(transfer_.into, by);
      change(fmt::format("what is sent shifted by {}", by), [&](Transfer& t) { t.what = what; });
      change(fmt::format("where it goes shifted by {}", by), [&](Transfer& t) { t.into = into; });
      change(fmt::format("all blocks shifted by {}", by), [&](Transfer& t) { t.what = what, t.into = into; });
      if (schedule_.blocks() <= 2) break;
    }
  }

  Blocks shifted(Blocks blocks, int by) {
    if (schedule_.blocks() == 1 || schedule_.count(blocks) == schedule_.blocks()) return Blocks::nothing;
    std::vector<int> list = numbers(blocks);
    for (int& block : list) block = (block + by) % schedule_.blocks();
    return made(list);
  }

  // A list loses a block at either end, and gets one more: the next that is not sent already.
  void other_numbers_of_blocks() {
    std::vector<int> what = numbers(transfer_.what), into = numbers(transfer_.into);
    if (what.size() > 1) {
      resized("without its first block", {what.begin() + 1, what.end()}, {into.begin() + 1, into.end()});
      resized("without its last block", {what.begin(), what.end() - 1}, {into.begin(), into.end() - 1});
    }
    if (what.empty() || static_cast<int>(what.size()) == schedule_.blocks()) return;
    what.push_back(next_to(what));
    into.push_back(next_to(into));
    resized("with one block more", what, into);
  }

  int next_to(const std::vector<int>& list) const {
    int block = list.back();
    do block = (block + 1) % schedule_.blocks();
    while (std::ranges::find(list, block) != list.end());
    return block;
  }

  void resized(const char* what, const std::vector<int>& sent, const std::vector<int>& placed) {
    const Blocks list = made(sent), into = transfer_.into == transfer_.what ? list : made(placed);
    change(what, [&](Transfer& t) { t.what = list, t.into = into; });
  }

  std::vector<int> numbers(Blocks blocks) const {
    std::vector<int> list;
    each_block(schedule_.intervals(blocks), [&](int block) { list.push_back(block); });
    return list;
  }

  Blocks made(const std::vector<int>& numbers) {
    std::vector<Interval> list;
    for (const int block : numbers) list.push_back({block, block + 1});
    return mutant_.blocks_of(list);
  }

  void one_round_earlier() {
    Round& before = mutant_.round(round_ - 1);
    before.push_back(transfer_);
    make(
        "one round earlier", [&](Round& round) { round.erase(round.begin() + std::ptrdiff_t(index_)); },
        round_ - 1);
    before = right(round_ - 1);
  }

  template <class Change>
  void change(std::string what, const Change& change) {
    make(std::move(what), [&](Round& round) { change(round[index_]); });
  }

  template <class Edit>
  void make(std::string what, const Edit& edit) {
    make(std::move(what), edit, round_);
  }

  template <class Edit>
  void make(std::string what, const Edit& edit, int first_round) {
    Round& round = mutant_.round(round_);
    edit(round);
    visit_(mutant_, {round_, index_, transfer_.from, transfer_.to, std::move(what), first_round});
    round = right(round_);
  }

  const Round& right(int round) const { return at(schedule_.rounds(), round); }

  const Schedule& schedule_;
  Schedule& mutant_;
  int round_;
  std::size_t index_;
  Transfer transfer_;
  const Visit& visit_;
};

/// Calls visit(mutant, mistake) for all mutants of `schedule`. The mutant is the same object each time.
void each_mutant(const Schedule& schedule, const Visit& visit) {
  Schedule copy = schedule;
  for (int round = 0; round < static_cast<int>(schedule.rounds().size()); ++round)
    for (std::size_t i = 0; i < at(schedule.rounds(), round).size(); ++i)
      Mutation(schedule, copy, round, i, visit).all();
}

}  // namespace

std::vector<Mutant> mutants(const Schedule& schedule) {
  std::vector<Mutant> all;
  each_mutant(schedule, [&](const Schedule& mutant, const Mistake& mistake) {
    all.push_back({mistake.text(), mutant});
  });
  return all;
}

MutantFindings verify_mutants(const Schedule& schedule, const Contract& contract, const Promises& promises) {
  ChangeVerifier verifier(schedule, contract, promises);
  MutantFindings result;
  each_mutant(schedule, [&](const Schedule& mutant, const Mistake& mistake) {
    ++result.mutants;
    if (verifier.accepts(mutant, mistake.first_round, mistake.round))
      result.survivors.push_back(mistake.text());
  });
  return result;
}

}  // namespace vnode
