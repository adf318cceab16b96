#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include <vnode/model/machine.hpp>
#include <vnode/roll_call.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "base/enum_names.hpp"
#include "team/team_state.hpp"
#include "watch/mismatch.hpp"

namespace vnode {

namespace {

using Json = nlohmann::ordered_json;

constexpr EnumNames<Whereabouts, 5> whereabouts{{"absent", "joining", "computing", "calling", "left"}};

/// Returns what a node does in a run, by its journal.
NodeState noted(const Fabric& fabric, const Journal& journal) {
  NodeState state;
  const std::optional<CurrentCall> current = journal.current();
  state.where = current ? Whereabouts::calling : Whereabouts::computing;
  state.text = call_text(fabric, current);
  if (!current) return state;
  state.group = fabric.nodes_of(current->context);
  if (!current->record) return state;
  state.call = current->record->text();
  if (current->is_message())
    state.tag = static_cast<int>(current->call);
  else
    state.number = current->call;
  if (!current->wait) return state;
  state.awaited = current->wait->peer;
  if (!current->is_message()) state.round = current->wait->round;
  return state;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::string_view enums::name(Whereabouts where) { return whereabouts[where]; }

RollCall Team::State::roll_call() {
  RollCall call{.topology = topology.text(), .joined = life->of_callers(), .in_run = life->in_run()};
  const std::vector<bool> joined = roster ? roster->joined() : std::vector<bool>();
  for (Rank rank = 0; rank < topology.nodes(); ++rank) {
    NodeState state;
    const SharedNodeState& shared = fabric.shared(rank);
    // Acquire: pairs with what end_node() releases, for those who are told that the node has left.
    if (life->thread(rank).id.load(std::memory_order_relaxed) != nullptr) {
      state = noted(fabric, shared.journal);
    } else if (shared.left.load(std::memory_order_acquire) != 0) {
      state.where = Whereabouts::left;
      state.text = "has left the run";
    } else if (rank < first_here() || rank >= first_here() + nodes_here()) {
      state.text = "is in another process";
    } else if (roster && at(joined, rank - first_here())) {
      state.where = Whereabouts::joining;
      state.text = "has joined, and waits for the others to join";
    } else {
      state.text = roster ? "has not joined" : "is in no run";
    }
    state.node = rank;
    call.nodes.push_back(std::move(state));
  }
  return call;
}

std::string RollCall::text() const {
  std::string text = fmt::format("team of {} as {}: ", counted(nodes.size(), "node"), topology);
  if (!in_run)
    return text + (joined ? "nobody is in it, no thread has joined\n" : "nobody is in it, no run is on\n");
  text += joined ? "threads are joined\n" : "a run is on\n";
  for (const NodeState& state : nodes) text += fmt::format("  node {} {}\n", state.node, state.text);
  return text;
}

std::string RollCall::json() const {
  Json json{{"topology", topology}, {"joined", joined}, {"in_run", in_run}};
  json["nodes"] = Json::array();
  for (const NodeState& state : nodes)
    json["nodes"].push_back({{"node", state.node},
                             {"where", enums::name(state.where)},
                             {"call", state.call},
                             {"number", or_null(state.number)},
                             {"tag", or_null(state.tag)},
                             {"group", state.group},
                             {"round", or_null(state.round)},
                             {"awaited", or_null(state.awaited)},
                             {"text", state.text}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace vnode
