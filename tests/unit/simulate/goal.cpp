#include <doctest/doctest.h>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include <vnode/lab/goal.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/model/algorithms.hpp>

#include "brief.hpp"
#include "goal_reader.hpp"

using namespace vnode;

namespace {

using Kind = GoalOperation::Kind;
using Known = std::set<int>;  // numbers of messages

// Describes what every message of a schedule follows from, found block by block. Messages have the numbers
// that GOAL's tags are.
class Knowledge {
 public:
  explicit Knowledge(const Schedule& schedule) : schedule_(schedule) {
    for (const Round& round : schedule.rounds()) play(round);
  }
  const std::map<int, Known>& of_messages() const { return messages_; }

 private:
  // Signals are about one block that is nowhere else.
  std::vector<int> list(Blocks blocks) const {
    std::vector<int> numbers;
    for (const Interval& interval : schedule_.intervals(blocks))
      for (int block = interval.first; block < interval.last; ++block) numbers.push_back(block);
    if (numbers.empty()) numbers.push_back(schedule_.blocks());
    return numbers;
  }

  void play(const Round& round) {
    std::map<std::tuple<Rank, Rank, unsigned, unsigned>, int> tags;
    const auto before = places_;
    const auto held = [&](Rank node, Blocks blocks) {
      Known all;
      for (const int block : list(blocks))
        if (const auto at = before.find({node, block}); at != before.end())
          all.insert(at->second.begin(), at->second.end());
      return all;
    };
    std::map<Rank, Known> combined;
    std::set<Rank> combining;
    const auto tag_of = [&](const Transfer& t) {
      return tags.try_emplace({t.from, t.to, t.what.first, t.what.count}, next_).first->second;
    };
    for (const Transfer& t : round)
      if (tag_of(t) == next_) messages_[next_++] = held(t.from, t.what);
    for (const Transfer& t : round) {
      Known brought = messages_.at(tag_of(t));
      brought.insert(tag_of(t));
      if (t.effect == Effect::replace && schedule_.count(t.what) > 0) {
        for (const int block : list(t.into)) places_[{t.to, block}] = brought;
        continue;
      }
      combining.insert(t.to);
      combined[t.to].merge(brought);
      combined[t.to].merge(held(t.to, t.into));
    }
    for (const Transfer& t : round)
      if (t.effect != Effect::replace || schedule_.count(t.what) == 0)
        for (const int block : list(t.into)) places_[{t.to, block}] = combined.at(t.to);
    next_ += static_cast<int>(combining.size());
  }

  const Schedule& schedule_;
  std::map<std::pair<Rank, int>, Known> places_;
  std::map<int, Known> messages_;
  int next_ = 0;
};

// Runs a GOAL program: what every send follows from, by tag. Fails if something never can run, or if a recv
// and a send do not match.
std::map<int, Known> run(const std::vector<GoalRank>& program) {
  std::map<std::pair<int, int>, Known> done;  // by rank and label
  std::map<int, Known> sent;
  std::map<int, std::tuple<int, int, long>> mail;  // by tag
  std::size_t operations = 0;
  for (const GoalRank& rank : program) operations += rank.size();
  for (bool progress = true; progress && done.size() < operations;) {
    progress = false;
    for (int rank = 0; rank < static_cast<int>(program.size()); ++rank)
      for (const auto& [label, operation] : program[static_cast<std::size_t>(rank)]) {
        if (done.count({rank, label})) continue;
        Known known;
        bool ready = true;
        for (const int required : operation.required) {
          const auto at = done.find({rank, required});
          ready = ready && at != done.end();
          if (ready) known.insert(at->second.begin(), at->second.end());
        }
        if (operation.kind == Kind::recv) {
          const auto letter = mail.find(operation.tag);
          ready = ready && letter != mail.end();
          if (ready) {
            CHECK(letter->second == std::tuple(operation.peer, rank, operation.size));
            const Known& brought = sent.at(operation.tag);
            known.insert(brought.begin(), brought.end());
            known.insert(operation.tag);
            mail.erase(letter);
          }
        }
        if (!ready) continue;
        if (operation.kind == Kind::send) {
          CHECK(sent.emplace(operation.tag, known).second);
          mail[operation.tag] = {rank, operation.peer, operation.size};
        }
        done[{rank, label}] = known;
        progress = true;
      }
  }
  CHECK(done.size() == operations);
  CHECK(mail.empty());
  return sent;
}

}  // namespace

TEST_CASE("GOAL: sends, receives, the combining between them, and what requires what") {
  const Schedule schedule = schedule_from_text("nodes 3 blocks 2\n1: 0>+1[0-1]\n2: 1>2[0]");
  CHECK(to_goal(schedule, {2000, 2}, 0.5e-9) ==
        "num_ranks 3\n"
        "\nrank 0 {\nl1: send 2000b to 1 tag 0\n}\n"
        "\nrank 1 {\nl1: recv 2000b from 0 tag 0\nl2: calc 1000\nl3: send 1000b to 2 tag 2\n"
        "l2 requires l1\nl3 requires l2\n}\n"
        "\nrank 2 {\nl1: recv 1000b from 1 tag 2\n}\n");
}

TEST_CASE(
    "every algorithm's GOAL program runs, and sends follow from what they follow from in the schedule") {
  for (const Algorithm& algorithm : algorithms())
    for (const int nodes : vnode_test::brief() ? std::vector{1, 3, 6} : std::vector{1, 2, 3, 4, 6, 8}) {
      const std::vector<Parameters> ways = every_way(algorithm, nodes);
      for (std::size_t i = 0; i < ways.size(); i += 1 + ways.size() / 4) {
        const Schedule schedule = algorithm.build(ways[i]);
        const int message_blocks = contract(algorithm.collective, ways[i], schedule.blocks()).message_blocks;
        const std::map<int, Known> sent = run(read_goal(to_goal(schedule, {4096, message_blocks})));
        CAPTURE(algorithm.name);
        CAPTURE(nodes);
        CHECK(sent == Knowledge(schedule).of_messages());
      }
    }
}

TEST_CASE("the reader refuses what is no GOAL") {
  for (const char* text :
       {"rank 0 {\n}\nx", "num_ranks 1\nrank 0 {\nl1: send 8 to 1 tag 0\n}\n",
        "num_ranks 1\nrank 0 {\nl1: calc 1\nl1: calc 2\n}\n",
        "num_ranks 1\nrank 0 {\nl1: calc 1\nl1 requires l2\n}\n", "num_ranks 1\nrank 0 {\n"})
    CHECK_THROWS(read_goal(text));
}
