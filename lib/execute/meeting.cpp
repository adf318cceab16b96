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

void bring(Endpoint& endpoint, const Context& context, Rank me, const Context::Arrival& arrival,
           std::uint64_t token, const BroughtValue& value, const Reduction* reduction) {
  const std::size_t elements = value.bytes / value.element_bytes;
  const std::uint64_t met = context.member_state(me).met;
  const auto differs = [&](Rank from) {
    return Mismatch(mismatch_text(endpoint.fabric(), endpoint.rank(), context.node(from), context.id(),
                                  static_cast<std::uint32_t>(value.name)));
  };
  const auto take_in = [&](Brought& brought, Rank first, std::size_t count) {
    std::byte* into = brought.room(met, value.gathers ? count * value.bytes : value.bytes);
    const Guard guard(endpoint.fabric(), endpoint.rank());
    const auto from = [&](std::size_t i) {
      const Rank member = first + static_cast<Rank>(i);
      const std::byte* const memory = opened(context.member_state(member), value.name);
      if (memory == nullptr) throw differs(member);
      return memory;
    };
    if (value.gathers)
      for (std::size_t i = 0; i < count; ++i, into += value.bytes) copy_small(into, from(i), value.bytes);
    else
      combine(into, count, *reduction, elements, value.bytes, from);
    brought.name = value.name;
  };
  const bool by_carriers = context.in_order();
  const bool last = arrival.count([&] {
    if (!by_carriers) return;
    const Context::Carried& beside = *context.carried(me);
    take_in(context.brought(beside.carrier), beside.lowest, beside.nodes);
  });
  if (!last) return;
  const std::vector<Rank>& carriers = context.lowest_of_carriers();
  if (!by_carriers) {
    take_in(context.brought(), 0, static_cast<std::size_t>(context.size()));
  } else {
    for (std::size_t i = 0; i < carriers.size(); ++i) {
      if (context.brought(i).name == value.name) continue;
      Rank other = carriers[i];  // whoever came last there has come for another call
      while (opened(context.member_state(other), value.name) != nullptr && other + 1 < context.size())
        ++other;
      throw differs(other);
    }
    if (!value.gathers)
      combine(context.brought().room(met, value.bytes), carriers.size(), *reduction, elements, value.bytes,
              [&](std::size_t i) { return context.brought(i).at(met); });
  }
  arrival.barrier->release(token);
  endpoint.fabric().ring_all(context);
}

void take(const Context& context, Rank me, const BroughtValue& value, std::byte* into, std::size_t at,
          std::size_t taken) {
  const std::uint64_t met = context.member_state(me).met - 1;
  if (!value.gathers || !context.in_order()) return copy_small(into, context.brought().at(met) + at, taken);
  const std::vector<Rank>& carriers = context.lowest_of_carriers();
  for (std::size_t i = 0; i < carriers.size(); ++i)
    copy_small(into + static_cast<std::size_t>(carriers[i]) * value.bytes, context.brought(i).at(met),
               context.carried(carriers[i])->nodes * value.bytes);
}

}  // namespace meeting

bool Execution::open(const OwnCopy& read) const {
  if (own().met < call_.meeting) return false;  // what an earlier call has opened is still read
  meeting::open(own(), at(call_.memories, Spot(read.from.place, 0)), name());
  return true;
}

void Execution::bring(const Step& step) const {
  meeting::bring(endpoint_, *call_.context, call_.rank,
                 call_.context->arrival(static_cast<Rank>(step.index), call_.rank), meeting(step),
                 value(step), call_.reduction);
}

void Execution::take_brought(const Step& step) const {
  const OwnCopy& taken = program_.copies[step.first];
  meeting::take(*call_.context, call_.rank, value(step), at(call_.memories, taken.into), taken.from.offset,
                taken.bytes);
}

/// Returns what the node brings, or has brought.
meeting::BroughtValue Execution::value(const Step& step) const {
  return {name(), step.count != 0, program_.copies.front().bytes, call_.element_bytes};
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
