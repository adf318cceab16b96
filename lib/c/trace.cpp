#include <vector>

#include <vnode/c/trace.h>
#include <vnode/model/trace.hpp>

#include "c/lists.hpp"
#include "c/team.hpp"

/// A trace, and its lists as C sees them.
struct vnode_trace : vnode::Handle<vnode::HandleKind::trace> {
  explicit vnode_trace(vnode::Trace trace);

  struct Lists {
    std::vector<vnode_timed_message> messages;
    std::vector<vnode_occupation> occupations;
  };
  vnode::Trace is;
  std::vector<Lists> lists;  // by call
};

vnode_trace::vnode_trace(vnode::Trace trace) : is(std::move(trace)), lists(is.calls.size()) {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const vnode::TimedMessage& message : is.calls[i].timeline.messages)
      lists[i].messages.push_back({message.round, message.from, message.to, message.bytes, message.start,
                                   message.departure, message.end});
    for (const vnode::Occupation& occupation : is.calls[i].occupations)
      lists[i].occupations.push_back({occupation.node, static_cast<int>(occupation.kind), occupation.round,
                                      occupation.begin, occupation.end});
  }
}

using namespace vnode;

int vnode_team_trace(vnode_team* team, size_t events) {
  return entry([&] { at_handle(team).is.trace(events); });
}

int vnode_team_take_trace(vnode_team* team, vnode_trace** trace) {
  return entry([&] { make_handle(trace, [&] { return at_handle(team).is.take_trace(); }); });
}

int vnode_trace_counts(const vnode_trace* trace, size_t* calls, size_t* dropped) {
  return entry([&] {
    const vnode_trace& own = at_handle(trace);
    if (calls != nullptr) *calls = own.is.calls.size();
    if (dropped != nullptr) *dropped = own.is.dropped;
  });
}

int vnode_trace_call(const vnode_trace* trace, size_t index, vnode_traced_call* call) {
  return entry([&] {
    const vnode_trace& own = at_handle(trace);
    check_size("vnode_traced_call", needed(call, "the call").size, sizeof *call, sizeof *call);
    const TracedCall& is = numbered(own.is.calls, index, "call");
    const vnode_trace::Lists& lists = own.lists[index];
    *call = {.size = sizeof *call,
             .group = is.group,
             .number = is.number,
             .nodes = is.timeline.nodes,
             .complete = is.complete ? 1 : 0,
             .seconds = is.timeline.seconds,
             .title = is.timeline.title.c_str(),
             .algorithm = is.timeline.of.algorithm.c_str(),
             .messages = lists.messages.data(),
             .messages_count = lists.messages.size(),
             .occupations = lists.occupations.data(),
             .occupations_count = lists.occupations.size()};
  });
}

int vnode_trace_free(vnode_trace** trace) {
  return entry([&] { end_handle(trace); });
}
