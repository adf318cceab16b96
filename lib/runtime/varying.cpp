#include "runtime/varying.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

class Builder {
 public:
  Builder(const Schedule& schedule, const VaryingLayout& layout) : schedule_(schedule), layout_(layout) {}

  void add(const Part& part, Rank rank) {
    VaryingProgram::Stage& stage = program_.rounds.emplace_back();
    for (const Transfer& t : part.out) stage.out.push_back(message(t.to, t.what, false));
    for (const Transfer& t : part.in) stage.in.push_back(message(t.from, t.into, true));
    // Everybody begins with another neighbour.
    const int p = schedule_.nodes();
    const auto distance = [=](const VaryingProgram::Message& m) { return (m.peer - rank + p) % p; };
    std::ranges::stable_sort(stage.out, std::ranges::greater{}, distance);
    std::ranges::stable_sort(stage.in, {}, distance);
    for (const int block : arrived_now_) arrived_[block] = true;
    arrived_now_.clear();
  }
  VaryingProgram done() { return std::move(program_); }

 private:
  VaryingProgram::Message message(Rank peer, Blocks blocks, bool arrives) {
    VaryingProgram::Message made{peer, program_.stretches.size(), 0, 0};
    for (const Interval& interval : schedule_.intervals(blocks))
      for (int block = interval.first; block < interval.last; ++block) {
        const Stretch stretch = arrives ? layout_.output.at(block) : source(block);
        if (arrives) arrived_now_.push_back(block);
        if (stretch.bytes == 0) continue;
        program_.stretches.push_back(stretch);
        made.bytes += stretch.bytes;
        ++made.stretches;
      }
    return made;
  }
  Stretch source(int block) const {
    const auto own = layout_.input.find(block);
    return own != layout_.input.end() && !arrived_.contains(block) ? own->second : layout_.output.at(block);
  }

  const Schedule& schedule_;
  const VaryingLayout& layout_;
  VaryingProgram program_;
  std::unordered_map<int, bool> arrived_;
  std::vector<int> arrived_now_;
};

}

VaryingProgram make_varying_program(const Schedule& schedule, const std::vector<Part>& parts, Rank rank,
                                    const VaryingLayout& layout) {
  Builder builder(schedule, layout);
  for (const Part& part : parts) builder.add(part, rank);
  return builder.done();
}

bool VaryingExecution::advance() {
  for (; round_ != program_.rounds.size(); ++round_) {
    const VaryingProgram::Stage& stage = program_.rounds[round_];
    for (; sent_ != stage.out.size(); ++sent_)
      if (!deal(stage.out[sent_], TraceEvent::End::sent)) return false;
    for (; received_ != stage.in.size(); ++received_)
      if (!deal(stage.in[received_], TraceEvent::End::received)) return false;
    sent_ = received_ = 0;
  }
  if (!copied_) {
    for (const auto& [from, to] : program_.own)
      if (from.bytes != 0) std::memmove(to.data, from.data, from.bytes);
    copied_ = true;
  }
  while (!tickets_.empty()) {
    if (!endpoint_.ended(tickets_.back())) return false;
    tickets_.pop_back();
  }
  if (recorder_ != nullptr) recorder_->done(call_.head.context, call_.head.call, call_.rank);
  return true;
}

/// One end of a message, recorded if somebody wants to know.
bool VaryingExecution::deal(const Message& message, TraceEvent::End end_of) {
  const bool sends = end_of == TraceEvent::End::sent;
  if (recorder_ == nullptr) return sends ? send(message) : receive(message);
  const std::int64_t begin = Recorder::now();
  if (!(sends ? send(message) : receive(message))) return false;
  TraceEvent event{.end_of = end_of, .occupation = sends ? Occupation::Kind::send : Occupation::Kind::copy};
  event.in_place = message.bytes > max_eager_;
  event.context = call_.head.context;
  event.round = static_cast<std::uint16_t>(round_);
  event.call = call_.head.call;
  event.rank = call_.rank;
  event.peer = message.peer;
  event.bytes = message.bytes;
  event.begin = begin;
  event.end = Recorder::now();
  recorder_->record(event);
  return true;
}

const std::atomic<std::uint64_t>* VaryingExecution::watch() const {
  if (round_ == program_.rounds.size()) return tickets_.empty() ? nullptr : &tickets_.back().cell->done;
  const VaryingProgram::Stage& stage = program_.rounds[round_];
  return sent_ == stage.out.size() && received_ != stage.in.size()
             ? endpoint_.watch(call_.node(stage.in[received_].peer))
             : nullptr;
}

Awaited VaryingExecution::awaited() const {
  Rank peer = -1;
  if (round_ != program_.rounds.size()) {
    const VaryingProgram::Stage& stage = program_.rounds[round_];
    if (sent_ != stage.out.size())
      peer = stage.out[sent_].peer;
    else if (received_ != stage.in.size())
      peer = stage.in[received_].peer;
  }
  // Of a round's messages there are fewer than 2^17.
  return call_.awaited(round_, peer, std::uint64_t{round_} << 17 | (sent_ + received_));
}

namespace {

void gather(std::span<const Stretch> stretches, std::byte* into) {
  for (const Stretch& stretch : stretches) {
    std::memcpy(into, stretch.data, stretch.bytes);
    into += stretch.bytes;
  }
}

}

bool VaryingExecution::send(const Message& message) {
  const std::span<const Stretch> own = stretches(message);
  const Rank to = call_.node(message.peer);
  const Head head = call_.head_of(round_);
  if (message.bytes > max_eager_) {
    tickets_.reserve(tickets_.size() + 1);
    Ticket ticket;
    if (endpoint_.remote(to) != nullptr
            ? !transfer::send_remotely(endpoint_, to, head, own.size() == 1 ? own.front().data : nullptr,
                                       message.bytes, false, ticket,
                                       [&](std::byte* into) { gather(own, into); })
            : !transfer::announce(endpoint_, to, head, Kind::source, own, message.bytes, ticket))
      return false;
    tickets_.push_back(ticket);
    return true;
  }
  if (own.size() == 1) return transfer::eager(endpoint_, to, head, own.front().data, message.bytes);
  gather(own, endpoint_.room());
  return transfer::eager(endpoint_, to, head, endpoint_.room(), message.bytes);
}

bool VaryingExecution::receive(const Message& message) {
  const Rank from = call_.node(message.peer);
  const auto expect = [&](std::size_t bytes) {
    if (bytes != message.bytes)
      throw Mismatch(fmt::format("node {} sends {} to node {} in call {}, which expects {} from it", from,
                                 counted(bytes, "byte"), endpoint_.rank(), call_.head.call, message.bytes));
  };
  const std::span<const Stretch> own = stretches(message);
  const std::span<std::byte> place =
      own.size() == 1 ? std::span(own.front().data, own.front().bytes) : std::span<std::byte>();
  return transfer::receive<std::span<const Stretch>>(
      endpoint_, from, call_.head_of(round_), place,
      [&](const std::byte* payload, std::size_t bytes) {
        expect(bytes);
        if (payload == place.data()) return;
        for (const Stretch& to : own) {
          std::memcpy(to.data, payload, to.bytes);
          payload += to.bytes;
        }
      },
      [&](const Announcement<std::span<const Stretch>>& theirs) {
        expect(theirs.bytes);
        transfer::finish(endpoint_, from, theirs.ticket, [&] { pull(message, theirs.memory); });
      });
}

/// Two lists of stretches of the same length in all, cut where either is.
void VaryingExecution::pull(const Message& message, std::span<const Stretch> theirs) const {
  const Work work{endpoint_, 1};
  const std::span<const Stretch> own = stretches(message);
  std::size_t from_at = 0, to_at = 0;
  for (std::size_t i = 0, j = 0; i < theirs.size() && j < own.size();) {
    const std::size_t bytes = std::min(theirs[i].bytes - from_at, own[j].bytes - to_at);
    work.copy(own[j].data + to_at, theirs[i].data + from_at, bytes);
    if ((from_at += bytes) == theirs[i].bytes) ++i, from_at = 0;
    if ((to_at += bytes) == own[j].bytes) ++j, to_at = 0;
  }
}

}  // namespace vnode
