#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "../programs/random.hpp"
#include "plan.hpp"

namespace vnode_test {
namespace {

constexpr std::size_t room = 3000;

/// Describes what one node does in one group: it receives what is sent to it, in whatever way chance has it.
class Receiver {
 public:
  Receiver(const Plan& plan, vnode::Group& group, int number, Random& random, int& now)
      : plan_(plan),
        group_(group),
        number_(number),
        random_(random),
        now_(now),
        known_(plan.messages.size()) {
    for (int i = 0; i < static_cast<int>(plan.messages.size()); ++i)
      if (sent(i).group == number && sent(i).to == group.rank()) to_me_.push_back(i);
  }

  /// Something that waits for nothing that has not been sent before the end of `phase` by all.
  void step(int phase, bool sent_all) {
    phase_ = sent_all ? phase : phase - 1;
    const Asked asked{random_.one_in(2) ? vnode::any_source : random_.below(group_.size()),
                      random_.one_in(3) ? vnode::any_tag : random_.below(plan_.tags)};
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2:
        return post(asked);
      case 3:
        return is_safe(asked) ? receive(asked) : void();
      case 4:
        return probe(asked, is_safe(asked));
      case 5:
        return probe(asked, false);
      case 6:
        return match(asked, is_safe(asked));
      case 7:
        return receive_held(random_.one_in(2));
      case 8:
        return test_one();
      case 9:
        return test_many();
      case 10:
        return random_.one_in(3) ? cancel_one() : void();
      default:
        return receive_held(false);
    }
  }
  /// All that is left.
  void finish() {
    phase_ = plan_.phases;
    while (!held_.empty()) receive_held(random_.one_in(2));
    while (!posted_.empty()) cancel_one();
    for (int left = number_left({}); left > 0; left = number_left({})) {
      const int i = *std::ranges::find_if(to_me_, [&](int message) { return !known_[at(message)]; });
      const Asked asked{random_.one_in(2) ? vnode::any_source : sent(i).from,
                        random_.one_in(2) ? vnode::any_tag : sent(i).tag};
      if (random_.one_in(3)) {
        match(asked, true);
        receive_held(random_.one_in(2));
        while (!posted_.empty()) cancel_one();
      } else if (random_.one_in(2)) {
        probe(asked, true);
      } else {
        receive(asked);
      }
    }
    if (group_.iprobe(vnode::any_source, vnode::any_tag)) throw std::runtime_error("a message is left");
  }
  std::string fault() const { return fault_of(plan_.messages, seen_); }

 private:
  struct Posted {
    std::size_t seen;  // in seen_
    std::vector<int> data = std::vector<int>(room, -1);
    vnode::Request request{};
  };
  struct Held {
    std::size_t seen;
    vnode::MatchedMessage message;
  };
  static std::size_t at(int message) { return static_cast<std::size_t>(message); }
  const Sent& sent(int message) const { return plan_.messages[at(message)]; }

  int number_left(const Asked& asked) const {
    return static_cast<int>(std::ranges::count_if(to_me_, [&](int message) {
      return !known_[at(message)] && sent(message).phase <= phase_ && asked.fits(sent(message));
    }));
  }
  /// Whether something comes that fits, whatever other receives take.
  bool is_safe(const Asked& asked) const {
    const auto takes = [&](std::size_t seen) { return seen_[seen].asked.overlaps(asked) ? 1 : 0; };
    int others = 0;
    for (const Posted& posted : posted_) others += takes(posted.seen);
    for (const Held& held : held_) others += takes(held.seen);
    return number_left(asked) > others;
  }
  std::size_t begin(const Asked& asked, bool probe = false) {
    seen_.push_back({asked, probe, now_++, Seen::never, Seen::never, -1});
    return seen_.size() - 1;
  }
  /// It has got what `data` tell, of `count` ints.
  void end(std::size_t which, const std::vector<int>& data, std::size_t count,
           const vnode::MessageInfo& info) {
    const int message = data[0];
    const bool there = message >= 0 && at(message) < known_.size() && count > 0;
    if (!there || known_[at(message)] || sent(message).count != count || info.source != sent(message).from ||
        info.tag != sent(message).tag || info.bytes != count * sizeof(int) ||
        sent(message).group != number_ || sent(message).to != group_.rank() ||
        std::ranges::count(data, message) != static_cast<int>(count))
      throw std::runtime_error(fmt::format("what was received is no message: {} x {} from {} with tag {}",
                                           count, message, info.source, info.tag));
    known_[at(message)] = true;
    seen_[which].message = message;
    if (seen_[which].complete == Seen::never) seen_[which].complete = now_++;
  }

  void post(const Asked& asked) {
    posted_.push_back({begin(asked)});
    posted_.back().request = group_.irecv(posted_.back().data, asked.source, asked.tag);
  }
  void receive(const Asked& asked) {
    const std::size_t which = begin(asked);
    std::vector<int> data(room, -1);
    vnode::MessageInfo info;
    std::size_t count = 0;
    int own = -1;
    if (random_.one_in(4)) {
      // Of what is sent to nobody one part only comes.
      info = group_.sendrecv(own, vnode::no_rank, 0, data, asked.source, asked.tag);
      count = info.count<int>();
    } else {
      count = group_.recv(data, asked.source, asked.tag, info);
    }
    end(which, data, count, info);
  }
  /// What it sees is what a receive then gets.
  void probe(const Asked& asked, bool wait) {
    const std::size_t which = begin(asked, true);
    const std::optional<vnode::MessageInfo> info =
        wait ? group_.probe(asked.source, asked.tag) : group_.iprobe(asked.source, asked.tag);
    if (!info) return seen_.pop_back();
    seen_[which].complete = now_++;
    receive({info->source, info->tag});
    seen_[which].message = seen_.back().message;
    if (sent(seen_.back().message).count != info->count<int>())
      throw std::runtime_error("a receive got another message than the probe had seen");
  }
  void match(const Asked& asked, bool wait) {
    const std::size_t which = begin(asked);
    vnode::MatchedMessage message =
        wait ? group_.mprobe(asked.source, asked.tag) : group_.improbe(asked.source, asked.tag);
    if (!message) return seen_.pop_back();
    seen_[which].complete = now_++;
    held_.push_back({which, std::move(message)});
  }
  void receive_held(bool later) {
    if (held_.empty()) return;
    auto one = held_.begin();
    std::advance(one, static_cast<std::ptrdiff_t>(random_.below(held_.size())));
    const vnode::MessageInfo info = one->message.info();
    if (later) {
      posted_.push_back({one->seen});
      posted_.back().request = one->message.irecv(posted_.back().data);
    } else {
      std::vector<int> data(room, -1);
      const std::size_t count = one->message.recv(data);
      end(one->seen, data, count, info);
    }
    held_.erase(one);
  }
  void end_posted(std::list<Posted>::iterator one) {
    end(one->seen, one->data, one->request.count(), one->request.info());
    posted_.erase(one);
  }
  std::list<Posted>::iterator any_posted() {
    auto one = posted_.begin();
    std::advance(one, static_cast<std::ptrdiff_t>(random_.below(posted_.size())));
    return one;
  }
  void test_one() {
    if (posted_.empty()) return;
    const auto one = any_posted();
    if (one->request.test()) end_posted(one);
  }
  void test_many() {
    std::vector<vnode::Request> requests;
    for (Posted& posted : posted_) requests.push_back(std::move(posted.request));
    std::vector<std::size_t> told;
    // One of them gets what is left, if there is more of that than others can take.
    const bool safe = std::ranges::any_of(posted_, [&](const Posted& one) {
      return number_left(seen_[one.seen].asked) >= static_cast<int>(posted_.size() + held_.size());
    });
    switch (random_.below(safe ? 4 : 2)) {
      case 0:
        told = vnode::test_some(requests);
        break;
      case 1:
        if (const auto one = vnode::test_any(requests)) told = {*one};
        break;
      case 2:
        told = vnode::wait_some(requests);
        break;
      default:
        if (const auto one = vnode::wait_any(requests)) told = {*one};
    }
    std::size_t i = 0;
    for (Posted& posted : posted_) posted.request = std::move(requests[i++]);
    i = 0;
    for (auto one = posted_.begin(); one != posted_.end(); ++i) {
      const auto next = std::next(one);
      if (std::ranges::find(told, i) != told.end()) end_posted(one);
      one = next;
    }
  }
  void cancel_one() {
    if (posted_.empty()) return;
    const auto one = any_posted();
    Seen& seen = seen_[one->seen];
    if (one->request.cancel()) {
      seen.cancelled = now_++;
      posted_.erase(one);
      return;
    }
    one->request.wait();
    end_posted(one);
  }

  const Plan& plan_;
  vnode::Group& group_;
  int number_;
  Random& random_;
  int& now_;
  int phase_ = 0;
  std::vector<int> to_me_;
  std::vector<bool> known_;  // by message: it has been received
  std::vector<Seen> seen_;
  std::list<Posted> posted_;
  std::list<Held> held_;
};

/// One node, on its way through the program.
void run_node(const Plan& plan, vnode::Node& me, std::string& wrong) {
  const int color = plan.colors[static_cast<std::size_t>(me.rank())];
  Random random(plan.seed * 64 + static_cast<std::uint64_t>(me.rank()) + 1);
  int now = 0;
  vnode::Group part = me.split(color);
  std::list<std::vector<int>> data;
  std::vector<vnode::Request> requests;
  Receiver all(plan, me, 0, random, now), some(plan, part, color + 1, random, now);
  const auto step = [&](int phase, bool sent_all) { (random.one_in(2) ? all : some).step(phase, sent_all); };
  for (int phase = 0; phase < plan.phases; ++phase) {
    for (int i = 0; i < static_cast<int>(plan.messages.size()); ++i) {
      const Sent& sent = plan.messages[static_cast<std::size_t>(i)];
      vnode::Group& group = sent.group == 0 ? me : part;
      if (sent.phase != phase || (sent.group != 0 && sent.group != color + 1) || group.rank() != sent.from)
        continue;
      data.emplace_back(sent.count, i);
      if (sent.form == Sent::Form::send)
        group.send(data.back(), sent.to, sent.tag);
      else if (sent.form == Sent::Form::issend)
        requests.push_back(group.issend(data.back(), sent.to, sent.tag));
      else
        requests.push_back(group.isend(data.back(), sent.to, sent.tag));
      while (random.one_in(2)) step(phase, false);
    }
    for (int steps = random.below(30); steps > 0; --steps) step(phase, true);
    if (plan.together[static_cast<std::size_t>(phase)])
      if (me.all_reduce(1, std::plus<>{}) != me.size() || part.all_reduce(1, std::plus<>{}) != part.size())
        throw std::runtime_error("a collective between messages is wrong");
  }
  all.finish(), some.finish();
  vnode::wait_all(requests);
  wrong = all.fault() + some.fault();
}

}  // namespace

std::string fault_in(const Plan& plan, vnode::Team& team) {
  std::vector<std::string> wrong(static_cast<std::size_t>(plan.nodes));
  const auto of = [&](vnode::Rank rank) -> std::string& { return wrong[static_cast<std::size_t>(rank)]; };
  try {
    if (plan.options.threads == vnode::Threads::own) {
      team.run([&](vnode::Node& me) { run_node(plan, me, of(me.rank())); });
    } else {
      std::vector<std::thread> threads;
      for (int node = 0; node < plan.nodes; ++node)
        threads.emplace_back([&, node] {
          try {
            vnode::Membership me = team.join(node);
            run_node(plan, *me, of(node));
          } catch (const std::exception& error) {
            of(node) = error.what();
          }
        });
      for (std::thread& thread : threads) thread.join();
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  std::string text;
  for (int node = 0; node < plan.nodes; ++node)
    if (!of(node).empty()) text += fmt::format("node {}: {}\n", node, of(node));
  return text;
}

}  // namespace vnode_test
