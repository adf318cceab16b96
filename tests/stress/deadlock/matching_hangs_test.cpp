// Tests hangs of receives that name no source, of probes, of several requests, synchronous sends and
// exchanges: each is named by a sentence of its own.
#include <array>
#include <cstddef>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

namespace {

struct Kind {
  const char* name;
  const char* words;  ///< of a node that hangs in it
  std::function<void(vnode::Node&)> hang;
};

vnode::Rank next(const vnode::Node& me) { return (me.rank() + 1) % me.size(); }

std::vector<Kind> kinds() {
  using vnode::any_source, vnode::any_tag, vnode::Node;
  return {
      {"recv from any source", "is in recv of 4 elements with tag 3, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4);
         me.recv(x, any_source, 3);
       }},
      {"recv with any tag", "is in recv of 4 elements with any tag, and waits for node ",
       [](Node& me) {
         std::vector<int> x(4);
         me.recv(x, next(me), any_tag);
       }},
      {"recv that says what it got", "is in recv of 4 elements with any tag, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4);
         vnode::MessageInfo info;
         me.recv(x, any_source, any_tag, info);
       }},
      {"irecv from any source", "is in recv of 4 elements with tag 3, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4);
         me.irecv(x, any_source, 3).wait();
       }},
      {"recv beside a receive that came first", "with any tag, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4), y(4);
         vnode::Request first = me.irecv(x, any_source, 3);
         me.recv(y, any_source, any_tag);
       }},
      {"probe of any source", "is in probe with tag 3, and waits for any node",
       [](Node& me) { me.probe(any_source, 3); }},
      {"probe with any tag", "is in probe with any tag, and waits for node ",
       [](Node& me) { me.probe(next(me), any_tag); }},
      {"mprobe of any source", "is in mprobe with any tag, and waits for any node",
       [](Node& me) { vnode::MatchedMessage message = me.mprobe(any_source, any_tag); }},
      {"mprobe of a node", "is in mprobe with tag 5, and waits for node ",
       [](Node& me) { vnode::MatchedMessage message = me.mprobe(next(me), 5); }},
      {"wait_any of several", "is in a wait for a message with any tag, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4), y(4);
         std::array<vnode::Request, 2> requests{me.irecv(x, next(me), 3), me.irecv(y, any_source, 4)};
         vnode::wait_any(requests);
       }},
      {"a receive before another one", "is in a wait for a message with tag 3, and waits for node ",
       [](Node& me) {
         std::vector<int> x(4), y(4);
         vnode::Request first = me.irecv(x, next(me), 3), second = me.irecv(y, any_source, 4);
         first.wait();
       }},
      {"wait_some of several", "is in a wait for a message with any tag, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4), y(4);
         std::array<vnode::Request, 3> requests{vnode::Request(), me.irecv(x, any_source, any_tag),
                                                me.irecv(y, next(me), 4)};
         vnode::wait_some(requests);
       }},
      {"wait_any of one", "is in recv of 4 elements with tag 3, and waits for node ",
       [](Node& me) {
         std::vector<int> x(4);
         std::array<vnode::Request, 2> requests{vnode::Request(), me.irecv(x, next(me), 3)};
         vnode::wait_any(requests);
       }},
      {"a receive behind one that is cancelled",
       "is in recv of 4 elements with tag 3, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4), y(4);
         vnode::Request first = me.irecv(x, any_source, 3), second = me.irecv(y, any_source, 3);
         CHECK(first.cancel());
         second.wait();
       }},
      {"ssend", "is in ssend of 1 element with tag 3, and waits for node ",
       [](Node& me) { me.ssend(1, next(me), 3); }},
      {"issend", "is in ssend of 4 elements with tag 3, and waits for node ",
       [](Node& me) {
         std::vector<int> x(4);
         me.issend(x, next(me), 3).wait();
       }},
      {"sendrecv with two tags", "is in sendrecv of 4 elements with tag 4, and waits for any node",
       [](Node& me) {
         std::vector<int> x(4), y(4);
         me.sendrecv(x, next(me), 3, y, any_source, 4);
       }},
      {"sendrecv_replace", "is in sendrecv of 4 elements with tag 4, and waits for node ",
       [](Node& me) {
         std::vector<int> x(4);
         me.sendrecv_replace(x, next(me), 3, next(me), 4);
       }},
  };
}

/// Returns what the run ends with, of threads that the team starts or that join it.
std::string ends(vnode::Team& team, bool joined, const std::function<void(vnode::Node&)>& body) {
  if (!joined) return vnode_test::sentence<vnode::Deadlock>(team, body);
  std::vector<std::string> texts(static_cast<std::size_t>(team.size()));
  std::vector<std::thread> threads;
  for (vnode::Rank rank = 0; rank < team.size(); ++rank)
    threads.emplace_back([&, rank] {
      try {
        body(*team.join(rank));
      } catch (const vnode::Deadlock& deadlock) {
        texts[static_cast<std::size_t>(rank)] = deadlock.what();
      } catch (const vnode::Aborted&) {
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("whoever waits for any source, in probes, for several requests or to be received is named") {
  for (const bool joined : {false, true})
    for (const int nodes : {2, 3, 8}) {
      vnode::TeamOptions options = vnode_test::patient();
      if (joined) options.threads = vnode::Threads::callers;
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      for (const Kind& kind : kinds()) {
        CAPTURE(nodes);
        CAPTURE(joined);
        CAPTURE(std::string(kind.name));
        const std::string all = ends(team, joined, kind.hang);
        CAPTURE(all);
        CHECK(all.starts_with("deadlock: all nodes wait, and nothing is on its way to any of them"));
        for (int rank = 0; rank < nodes; ++rank)
          CHECK(contains(all, "\n  node " + std::to_string(rank) + " is in "));
        CHECK(contains(all, kind.words));
      }
    }
}

TEST_CASE("who waits for any source is named if those who could have sent have left") {
  for (const int nodes : {2, 5})
    for (const bool probes : {false, true}) {
      vnode::Team team(nodes, vnode::shapes::full{}, vnode_test::patient());
      const std::string text = vnode_test::sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
        int x[1] = {};
        if (me.rank() == 1) me.send(x, 0, 8);
        if (me.rank() != 0) return;
        if (probes)
          me.probe(vnode::any_source, 3);
        else
          me.recv(x, vnode::any_source, 3);
      });
      CAPTURE(text);
      CHECK(text ==
            std::string("node 0 waits in ") + (probes ? "probe" : "recv") +
                " for a message from any source with tag 3, but all other nodes of the group have left "
                "the run");
    }
}

TEST_CASE("an exchange that a neighbour does not make is named") {
  for (const int nodes : {3, 8}) {
    vnode::Team team(nodes, vnode::shapes::ring{}, vnode_test::patient());
    const std::string text = ends(team, false, [](vnode::Node& me) {
      std::array<int, 2> out{}, in{};
      if (me.rank() != 1) return me.exchange(out, in);
      me.recv(out, vnode::any_source, 7);
    });
    CAPTURE(text);
    CHECK(contains(text, "node 0 is in call 1 (exchange"));
    CHECK(contains(text, "node 1 is in recv of 2 elements with tag 7, and waits for any node"));
  }
}
