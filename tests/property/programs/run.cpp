#include "run.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "live_call.hpp"

namespace vnode_test {
namespace {

/// Describes what was wrong first.
class Verdict {
 public:
  explicit Verdict(std::string& text) : text_(text) { text_.clear(); }
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (text_.empty()) text_ = text;
  }

 private:
  std::mutex mutex_;
  std::string& text_;
};

/// Is one node, on its way through its events.
class Runner {
 public:
  Runner(const Program& program, vnode::Node& me, bool with_fault, Verdict& verdict)
      : program_(program),
        me_(me),
        with_fault_(with_fault),
        verdict_(verdict),
        groups_(program.groups.size()) {}

  void run() {
    const std::vector<Event>& order = program_.orders[static_cast<std::size_t>(me_.rank())];
    for (std::size_t i = 0; i <= order.size(); ++i) {
      if (with_fault_ && program_.fault->node == me_.rank() && program_.fault->event <= i) fail();
      if (i == order.size()) return;
      if (order[i].kind == Event::Kind::finish && order[i].ending == Ending::together)
        together(order, i);
      else
        perform(order[i]);
    }
  }

 private:
  using Key = std::pair<int, bool>;

  /// From its event on: among events that end together, after the last of them.
  void fail() {
    if (program_.fault->fuse == 0) throw Thrown("in the node's own code");
    if (!lit_) fuse_ = program_.fault->fuse;
    lit_ = true;
  }

  const Operation& operation(const Event& event) const {
    return program_.operations[static_cast<std::size_t>(event.operation)];
  }
  vnode::Group& group(int number) { return number == 0 ? me_ : groups_[static_cast<std::size_t>(number)]; }
  bool planned(const Event& event) {
    const Operation& what = operation(event);
    return what.kind == Operation::Kind::collective &&
           what.forms[static_cast<std::size_t>(rank_in(what.group))] == Form::persistent;
  }
  int rank_in(int number) const {
    const std::vector<int>& nodes = program_.groups[static_cast<std::size_t>(number)].nodes;
    return static_cast<int>(std::ranges::find(nodes, me_.rank()) - nodes.begin());
  }
  /// A persistent call lives on under the number of the operation that planned it.
  Key key(const Event& event) {
    const Operation& what = operation(event);
    return {planned(event) && what.again >= 0 ? what.again : event.operation, event.receives};
  }

  void perform(const Event& event) {
    if (event.kind == Event::Kind::forget) {
      group(event.operation) = vnode::Group();
      return;
    }
    if (event.kind == Event::Kind::finish) {
      end(event);
      return check(event);
    }
    const Operation& what = operation(event);
    if (what.kind == Operation::Kind::split) return split(what);
    std::unique_ptr<LiveCall>& live = calls_[key(event)];
    if (live == nullptr)
      live = with_values(what.element, [&](auto values) -> std::unique_ptr<LiveCall> {
        const auto nodes =
            static_cast<int>(program_.groups[static_cast<std::size_t>(what.group)].nodes.size());
        return std::make_unique<TypedCall<decltype(values)>>(what, nodes, rank_in(what.group), event.receives,
                                                             with_fault_, &fuse_);
      });
    if (event.kind == Event::Kind::start)
      return live->start(group(what.group), what, planned(event) ? Form::persistent : Form::request);
    live->call(group(what.group));
    check(event);
  }

  void end(const Event& event) {
    LiveCall& live = *calls_.at(key(event));
    vnode::Persistent* const planned = live.persistent();
    switch (event.ending) {
      case Ending::test: {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!(planned != nullptr ? planned->test() : live.request().test())) {
          if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("test() is never true");
          std::this_thread::yield();
        }
        return;
      }
      case Ending::destroy:
        if (planned == nullptr && !event.receives) {
          // Its count would be lost with it.
          const vnode::Request ends = std::move(live.request());
          return;
        }
        break;
      case Ending::wait:
      case Ending::together:
        break;
    }
    if (planned != nullptr)
      planned->wait();
    else
      live.request().wait();
  }

  /// Completes this event's call and those of the next events that are of its kind, all at once.
  void together(const std::vector<Event>& order, std::size_t& at) {
    std::vector<vnode::Request> requests;
    const std::size_t first = at;
    for (;; ++at) {
      LiveCall& live = *calls_.at(key(order[at]));
      if (live.persistent() != nullptr)
        live.persistent()->wait();
      else
        requests.push_back(std::move(live.request()));
      if (at + 1 == order.size() || order[at + 1].kind != Event::Kind::finish ||
          order[at + 1].ending != Ending::together)
        break;
    }
    vnode::wait_all(requests);
    std::size_t next = 0;
    for (std::size_t i = first; i <= at; ++i) {
      LiveCall& live = *calls_.at(key(order[i]));
      if (live.persistent() == nullptr) live.request() = std::move(requests[next++]);
      check(order[i]);
    }
  }

  void check(const Event& event) {
    LiveCall& live = *calls_.at(key(event));
    // Whose request is destroyed is not told that the run has ended before its call.
    const bool unsure = with_fault_ && event.kind == Event::Kind::finish && event.ending == Ending::destroy;
    const std::string text = unsure ? "" : live.wrong();
    if (!text.empty())
      verdict_.add("operation " + std::to_string(event.operation) + " on node " + std::to_string(me_.rank()) +
                   ": " + text);
    if (!planned(event)) calls_.erase(key(event));
  }

  void split(const Operation& what) {
    vnode::Group& parent = group(what.group);
    const auto own = static_cast<std::size_t>(rank_in(what.group));
    vnode::Group made;
    if (what.dimensions.empty()) {
      made = parent.split(what.colors[own], what.keys[own],
                          vnode::Shape(static_cast<vnode::Family>(what.layout)));
    } else {
      vnode::shapes::along along{};
      along.dimensions = what.dimensions;
      made = parent.split(along);
    }
    const int number = what.colors[own] < 0 ? -1 : what.parts[static_cast<std::size_t>(what.colors[own])];
    const bool right = number < 0 ? !made : same(made, program_.groups[static_cast<std::size_t>(number)]);
    if (!right) verdict_.add("a split went wrong on node " + std::to_string(me_.rank()));
    if (number >= 0) group(number) = std::move(made);
  }

  bool same(const vnode::Group& made, const Members& expected) const {
    if (!made || made.size() != static_cast<int>(expected.nodes.size())) return false;
    bool same = made.topology() == expected.topology &&
                expected.nodes[static_cast<std::size_t>(made.rank())] == me_.rank();
    for (int rank = 0; rank < made.size(); ++rank)
      same = same && made.team_rank(rank) == expected.nodes[static_cast<std::size_t>(rank)];
    return same;
  }

  const Program& program_;
  vnode::Node& me_;
  bool with_fault_;
  Verdict& verdict_;
  int fuse_ = 0;
  bool lit_ = false;
  std::vector<vnode::Group> groups_;  // made by splits; the first stays empty
  std::map<Key, std::unique_ptr<LiveCall>> calls_;
};

}

void run(vnode::Team& team, const Program& program, bool with_fault, std::string& wrong) {
  Verdict verdict(wrong);
  team.run([&](vnode::Node& me) { Runner(program, me, with_fault, verdict).run(); });
}

}
