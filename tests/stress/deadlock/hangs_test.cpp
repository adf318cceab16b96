// Tests kinds of hangs: which operation, in which form, in which group, who does not take part, in teams that
// run and teams that are joined. Each hang is named, and how soon is printed.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <doctest/doctest.h>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "brief.hpp"
#include "sentence.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Ints = std::vector<int>;

enum class Form { blocking, waited, among_others, planned };
constexpr Form forms[] = {Form::blocking, Form::waited, Form::among_others, Form::planned};

/// What the node that is missing does instead.
enum class Instead { other_tag, message_to_nobody, leaves, other_group };
constexpr Instead absences[] = {Instead::other_tag, Instead::message_to_nobody, Instead::leaves,
                                Instead::other_group};

/// Describes what a node has of its own in a call.
struct Data {
  Ints one = Ints(5, 1), all, shares;
  explicit Data(int p) : all(static_cast<std::size_t>(p) * 5, 1), shares(static_cast<std::size_t>(p) * 5) {}
};

/// A collective call by whatever offers it: a group, or its planned or nonblocking calls.
template <class Calls>
auto make(Calls&& calls, std::size_t kind, Data& data) {
  switch (kind) {
    case 0:
      return calls.barrier();
    case 1:
      return calls.broadcast(data.one, 0);
    case 2:
      return calls.reduce(data.one, std::plus<>{}, 0);
    case 3:
      return calls.all_reduce(data.one, std::plus<>{});
    case 4:
      return calls.all_gather(data.one, data.all);
    case 5:
      return calls.gather(data.one, data.all, 0);
    case 6:
      return calls.scatter(data.all, data.one, 0);
    case 7:
      return calls.all_to_all(data.all);
    case 8:
      return calls.scan(data.one, std::plus<>{});
    case 9:
      return calls.reduce_scatter(data.all, data.one, std::plus<>{});
    default:
      return calls.circular_shift(data.one, 1);
  }
}
constexpr const char* collectives[] = {"barrier",    "broadcast",      "reduce",        "all_reduce",
                                       "all_gather", "gather",         "scatter",       "all_to_all",
                                       "scan",       "reduce_scatter", "circular_shift"};
constexpr std::size_t messages = 3;  // kinds beyond the collectives: eager, by rendezvous, both ways

struct Hang {
  std::size_t kind;
  Form form;
  Instead instead;
  bool halves;  ///< in a group of every other node
  bool joined;
  int nodes;

  std::string text() const {
    static constexpr const char* form_names[] = {"blocking", "waited for", "among others", "planned"};
    static constexpr const char* absence_names[] = {"waits for another tag", "sends to who does not receive",
                                                    "leaves", "is in another group's call"};
    static constexpr const char* message_names[] = {"recv", "long send", "sendrecv"};
    const std::size_t ops = std::size(collectives);
    return std::string(kind < ops ? collectives[kind] : message_names[kind - ops]) + ", " +
           form_names[static_cast<int>(form)] + ", node 1 " + absence_names[static_cast<int>(instead)] +
           (halves ? ", in a group" : "") + (joined ? ", joined, " : ", ") + std::to_string(nodes) + " nodes";
  }
};

void messages_of(vnode::Group& group, const Hang& hang) {
  const int p = group.size();
  const vnode::Rank to = (group.rank() + 1) % p, from = (group.rank() + p - 1) % p;
  Ints in(20000), out(20000);
  const bool waits = hang.form != Form::blocking;
  Ints other(1);
  std::optional<vnode::Request> beside;
  if (hang.form == Form::among_others) beside = group.irecv(other, from, 501);
  switch (hang.kind - std::size(collectives)) {
    case 0:
      return waits ? group.irecv(in, from, 3).wait() : void(group.recv(in, from, 3));
    case 1:
      return waits ? group.isend(out, to, 3).wait() : group.send(out, to, 3);
    default:
      group.sendrecv(out, to, in, from, 3);
  }
}

void take_part(vnode::Group& group, const Hang& hang) {
  if (group.size() == 1) return;
  if (hang.kind >= std::size(collectives)) return messages_of(group, hang);
  Data data(group.size()), second(group.size());
  Ints other(1);
  switch (hang.form) {
    case Form::blocking:
      return make(group, hang.kind, data);
    case Form::waited:
      return make(group.nonblocking(), hang.kind, data).wait();
    case Form::among_others: {
      vnode::Request beside = group.irecv(other, (group.rank() + 1) % group.size(), 501);
      vnode::Request one = make(group.nonblocking(), hang.kind, data);
      vnode::Request two = make(group.nonblocking(), hang.kind, second);
      two.wait();
      return one.wait();
    }
    case Form::planned: {
      vnode::Persistent planned = make(group.persistent(), hang.kind, data);
      planned.start();
      planned.wait();
    }
  }
}

void be_missing(vnode::Node& me, vnode::Group& pairs, const Hang& hang) {
  int x[1] = {};
  Ints much(50000);
  switch (hang.instead) {
    case Instead::other_tag:
      me.recv(x, 0, 99);
      break;
    case Instead::message_to_nobody:
      me.send(much, 0, 98);
      break;
    case Instead::leaves:
      break;
    case Instead::other_group:
      pairs.barrier();
  }
}

/// When a node began to hang, and when it was told.
struct Times {
  Clock::time_point began{}, told{};
  std::string text;
};

void hang_up(vnode::Node& me, const Hang& hang, Times& times) {
  try {
    vnode::Group group = hang.halves ? me.split(me.rank() == 0 || me.rank() % 2) : me;
    vnode::Group pairs = hang.instead == Instead::other_group ? me.split(me.rank() / 2) : me;
    times.began = Clock::now();
    if (me.rank() == 1) {
      be_missing(me, pairs, hang);
      return;
    }
    take_part(group, hang);
    // Whom the call lets pass waits for all, or for who is missing.
    int x[1] = {};
    if (hang.instead == Instead::leaves)
      me.recv(x, 1, 97);
    else
      me.barrier();
  } catch (const vnode::Aborted&) {
    times.told = Clock::now();
    throw;
  } catch (const std::exception& error) {
    times.told = Clock::now();
    times.text = error.what();
    throw;
  }
}

/// Returns what the nodes were told, or nothing; and how long after the last had begun the last was told.
std::string named(vnode::Team& team, const Hang& hang, std::vector<Times>& times) {
  times.assign(static_cast<std::size_t>(hang.nodes), {});
  std::string text;
  const auto told = [&](const auto& use) {
    try {
      use();
    } catch (const vnode::Deadlock& deadlock) {
      return std::string(deadlock.what());
    } catch (const vnode::Mismatch& mismatch) {
      return std::string(mismatch.what());
    } catch (const vnode::Aborted&) {
    }
    return std::string();
  };
  if (!hang.joined)
    return told([&] {
      team.run([&](vnode::Node& me) { hang_up(me, hang, times[static_cast<std::size_t>(me.rank())]); });
    });
  std::vector<std::string> texts(times.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < hang.nodes; ++rank)
    threads.emplace_back([&, rank] {
      const auto at = static_cast<std::size_t>(rank);
      texts[at] = told([&] { hang_up(*team.join(rank), hang, times[at]); });
    });
  for (std::thread& thread : threads) thread.join();
  return *std::ranges::max_element(texts, {}, &std::string::size);
}

std::vector<Hang> hangs() {
  constexpr int sizes[] = {2, 3, 4, 5, 7, 8, 13, 16};
  std::vector<Hang> list;
  std::size_t number = 0;
  for (std::size_t kind = 0; kind < std::size(collectives) + messages; ++kind)
    for (const Form form : forms)
      for (const Instead instead : absences) {
        if (kind >= std::size(collectives) && form == Form::planned) continue;
        ++number;
        list.push_back({kind, form, instead, number % 3 == 0, number % 4 == 1, sizes[number * 5 % 8]});
      }
  return list;
}

}  // namespace

TEST_CASE("hangs of 200 kinds are named") {
  std::vector<Hang> list = hangs();
  REQUIRE(list.size() >= 200);
  if (vnode_test::brief()) {
    std::size_t number = 0;
    std::erase_if(list, [&](const Hang&) { return number++ % 5 != 0; });
  }
  vnode::TeamOptions options = vnode_test::patient();
  options.costs.emplace();  // nothing is measured in between
  std::map<std::pair<int, bool>, std::unique_ptr<vnode::Team>> teams;
  std::vector<double> took;
  std::size_t deadlocks = 0;
  std::string slowest;
  for (const Hang& hang : list) {
    options.threads = hang.joined ? vnode::Threads::callers : vnode::Threads::own;
    auto& team = teams[{hang.nodes, hang.joined}];
    if (team == nullptr) team = std::make_unique<vnode::Team>(hang.nodes, vnode::shapes::full{}, options);
    std::vector<Times> times;
    const std::string kind = hang.text(), text = named(*team, hang, times);
    CAPTURE(kind);
    CAPTURE(text);
    const bool deadlock = text.find("deadlock: all nodes wait") == 0;
    CHECK((deadlock || text.find("has left the run") != std::string::npos));
    CHECK((deadlock || hang.instead == Instead::leaves));
    deadlocks += deadlock;
    Clock::time_point began{}, told{};
    for (const Times& of : times) {
      began = std::max(began, of.began);
      told = std::max(told, of.told);
    }
    took.push_back(std::chrono::duration<double, std::milli>(told - began).count());
    if (took.back() == *std::ranges::max_element(took)) slowest = kind;
  }
  std::ranges::sort(took);
  std::printf("%zu hangs, %zu of them deadlocks: named after %.1f ms (median), %.1f ms (worst: %s)\n",
              took.size(), deadlocks, took[took.size() / 2], took.back(), slowest.c_str());
}
