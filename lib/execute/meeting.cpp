#include "execute/meeting.hpp"

#include <algorithm>
#include <array>

#include <vnode/error.hpp>

#include "execute/execution.hpp"
#include "watch/mismatch.hpp"

namespace vnode {
namespace meeting {
namespace {

/// Combines `count` lists, list(0), list(1) and so on, from left to right, into a place that is none of them.
template <class List>
void combine(std::byte* into, std::size_t count, const Reduction& reduction, std::size_t elements,
             std::size_t bytes, const List& list) {
  std::array<const std::byte*, 64> some;
  const std::byte* running = list(0);
  for (std::size_t next = 1; next < count; running = into) {
    if (reduction.combine_all == nullptr) {
      reduction.combine(reduction.state, into, running, list(next++), elements);
      continue;
    }
    some[0] = running;
    std::size_t taken = 1;
    while (taken < some.size() && next < count) some[taken++] = list(next++);
    reduction.combine_all(into, some.data(), taken, elements);
  }
  if (running != into) copy_small(into, running, bytes);
}

}  // namespace

bool bring(Endpoint& endpoint, const Context& context, Rank me, const Context::Arrival& arrival,
           std::uint64_t name, Brought& brought, const Reduction* reduction, std::size_t element_bytes) {
  const std::size_t bytes = brought.bytes(), elements = bytes / element_bytes;
  std::byte* const all = brought.all(context.member_state(me).met);
  const auto differs = [&](Rank from) {
    return Mismatch(mismatch_text(endpoint.fabric(), endpoint.rank(), context.node(from), context.id(),
                                  static_cast<std::uint32_t>(name)));
  };
  const auto take_in = [&](std::byte* into, Rank first, std::size_t count) {
    const Guard guard(endpoint.fabric(), endpoint.rank());
    const auto from = [&](std::size_t i) {
      const Rank member = first + static_cast<Rank>(i);
      const std::byte* const memory = opened(context.member_state(member), name);
      if (memory == nullptr) throw differs(member);
      return memory;
    };
    if (!brought.gathers()) return combine(into, count, *reduction, elements, bytes, from);
    into += static_cast<std::size_t>(first) * bytes;
    for (std::size_t i = 0; i < count; ++i, into += bytes) copy_small(into, from(i), bytes);
  };
  const bool by_carriers = context.in_order();
  const bool last = arrival.count([&] {
    if (!by_carriers) return;
    const Context::Carried& beside = *context.carried(me);
    take_in(brought.gathers() ? all : brought.of_carrier(beside.carrier), beside.lowest, beside.nodes);
    brought.name(beside.carrier) = name;
  });
  if (!last) return false;
  if (!by_carriers) {
    take_in(all, 0, static_cast<std::size_t>(context.size()));
    return true;
  }
  const std::vector<Rank>& carriers = context.lowest_of_carriers();
  for (std::size_t i = 0; i < carriers.size(); ++i)
    if (brought.name(i) != name) throw differs(carriers[i]);
  if (!brought.gathers())
    combine(all, carriers.size(), *reduction, elements, bytes,
            [&](std::size_t i) { return static_cast<const std::byte*>(brought.of_carrier(i)); });
  return true;
}

}  // namespace meeting

bool Execution::open(const OwnCopy& read) const {
  if (own().met < call_.meeting) return false;  // what an earlier call has opened is still read
  meeting::open(own(), at(call_.memories, Spot(read.from.place, 0)), name());
  return true;
}

void Execution::bring(const Step& step) const {
  if (!meeting::bring(endpoint_, *call_.context, call_.rank,
                      call_.context->arrival(static_cast<Rank>(step.index), call_.rank), name(),
                      *program_.brought, call_.reduction, call_.element_bytes))
    return;
  barrier(step).release(meeting(step));
  endpoint_.fabric().ring_all(*call_.context);
}

/// Reads what the others have opened. All have met since, so it does not wait, unless calls do not match.
bool Execution::read_all(const OwnCopy& read) {
  const Context& context = *call_.context;
  const Guard guard(endpoint_.fabric(), endpoint_.rank());
  const std::uint64_t name = this->name();
  const std::size_t bytes = read.bytes, offset = read.from.offset;
  std::byte* into = at(call_.memories, read.into) + arrived_ * bytes;
  for (Rank from = static_cast<Rank>(arrived_); from < context.size(); ++from, into += bytes) {
    if (from == call_.rank) continue;
    const std::byte* const memory = meeting::opened(context.member_state(from), name);
    if (memory == nullptr) [[unlikely]] {
      arrived_ = static_cast<std::uint32_t>(from);
      return false;
    }
    if (bytes <= segment_bytes)
      copy_small(into, memory + offset, bytes);
    else
      work().copy(into, memory + offset, bytes);
  }
  arrived_ = 0;
  return true;
}

}  // namespace vnode
