#include "execute/exchange.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "execute/laid_copy.hpp"

namespace vnode {

void ExchangeExecution::begin(Endpoint& endpoint, const ExchangeProgram& program, const Call& call) {
  endpoint_ = &endpoint;
  program_ = &program;
  call_ = call;
  recorder_ = endpoint.recorder();
  round_ = 0;
  tickets_.clear();
  tickets_.reserve(program.out.size());
  copied_ = program.own.empty();
  done_ = 0;
  begin_round();
}

void ExchangeExecution::begin_round() {
  const ExchangeProgram::Round before = round_ > 0 ? program_->rounds[round_ - 1] : ExchangeProgram::Round{};
  const ExchangeProgram::Round& now = program_->rounds[round_];
  unsent_.resize(now.out - before.out);
  std::iota(unsent_.begin(), unsent_.end(), static_cast<std::uint32_t>(before.out));
  unreceived_.resize(now.in - before.in);
  std::iota(unreceived_.begin(), unreceived_.end(), static_cast<std::uint32_t>(before.in));
}

bool ExchangeExecution::advance() {
  while (round_ < program_->rounds.size()) {
    if (!advance_round()) return false;
    if (++round_ < program_->rounds.size()) begin_round();
  }
  while (!tickets_.empty()) {
    if (!endpoint_->ended(tickets_.back())) return false;
    tickets_.pop_back();
    ++done_;
  }
  if (recorder_ != nullptr) recorder_->done(call_.head.context, call_.head.call, call_.rank);
  return true;
}

bool ExchangeExecution::advance_round() {
  if (!unsent_.empty())
    done_ += std::erase_if(unsent_,
                           [&](std::uint32_t i) { return deal(program_->out[i], TraceEvent::End::sent); });
  if (!copied_) {
    for (const auto& [from, to, count] : program_->own) copy(to, from, count);
    copied_ = true;
  }
  if (!unreceived_.empty())
    done_ += std::erase_if(unreceived_,
                           [&](std::uint32_t i) { return deal(program_->in[i], TraceEvent::End::received); });
  return unsent_.empty() && unreceived_.empty();
}

/// Does one end of a message, and records it if the node has a recorder.
bool ExchangeExecution::deal(const Message& message, TraceEvent::End end_of) {
  const bool sends = end_of == TraceEvent::End::sent;
  if (recorder_ == nullptr) return sends ? send(message) : receive(message);
  const std::int64_t begin = Recorder::now();
  if (!(sends ? send(message) : receive(message))) return false;
  TraceEvent event{.end_of = end_of, .occupation = sends ? Occupation::Kind::send : Occupation::Kind::copy};
  event.bytes = message.count * program_->element_bytes;
  event.in_place = event.bytes > program_->most_eager;
  event.context = call_.head.context;
  event.round = message.mark;
  event.call = call_.head.call;
  event.rank = call_.rank;
  event.peer = message.peer;
  event.begin = begin;
  event.end = Recorder::now();
  recorder_->record(event);
  return true;
}

/// Returns one of the words that it may have to wait for. These are few, and each look at one is followed by
/// a look at all.
const std::atomic<std::uint64_t>* ExchangeExecution::watch() const {
  if (!unsent_.empty()) return nullptr;
  if (!unreceived_.empty()) return endpoint_->watch(call_.node(program_->in[unreceived_.front()].peer));
  return tickets_.empty() ? nullptr : &tickets_.back().cell->done;
}

Awaited ExchangeExecution::awaited() const {
  const bool one = unsent_.size() + unreceived_.size() == 1;
  const Message* const message = !one              ? nullptr
                                 : unsent_.empty() ? &program_->in[unreceived_.front()]
                                                   : &program_->out[unsent_.front()];
  return message != nullptr ? call_.awaited(message->mark, message->peer, done_)
                            : call_.awaited(round_, -1, done_);
}

/// Returns the place of a message whose elements lie one after the other; null if they do not.
std::byte* ExchangeExecution::whole(Pieces pieces) const {
  if (pieces.size() != 1 || pieces.front().memory.form != nullptr) return nullptr;
  return pieces.front().memory.data + pieces.front().memory.first * program_->element_bytes;
}

bool ExchangeExecution::send(const Message& message) {
  const Rank to = call_.node(message.peer);
  const Head head = call_.head_of(message.mark);
  const std::size_t bytes = message.count * program_->element_bytes;
  const Pieces own = program_->pieces_of(message);
  const std::byte* const place = whole(own);
  if (bytes > program_->most_eager) {
    Ticket ticket;
    if (endpoint_->remote(to) != nullptr
            ? !transfer::send_remotely(*endpoint_, to, head, place, bytes, false, ticket,
                                       [&](std::byte* into) { pack_all(into, own); })
            : !transfer::announce(*endpoint_, to, head, Kind::source, own, bytes, ticket))
      return false;
    tickets_.push_back(ticket);
    return true;
  }
  if (place != nullptr) return transfer::eager(*endpoint_, to, head, place, bytes);
  pack_all(endpoint_->room(), own);
  return transfer::eager(*endpoint_, to, head, endpoint_->room(), bytes);
}

bool ExchangeExecution::receive(const Message& message) {
  const Rank from = call_.node(message.peer);
  const std::size_t element = program_->element_bytes, expected = message.count * element;
  const Pieces own = program_->pieces_of(message);
  std::byte* const place = whole(own);
  const auto expect = [&](std::size_t bytes) {
    if (bytes != expected)
      throw Mismatch(fmt::format("node {} sends {} to node {} in call {}, which expects {} from it", from,
                                 counted(bytes / element, "element"), endpoint_->rank(), call_.head.call,
                                 expected / element));
  };
  return transfer::receive<Pieces>(
      *endpoint_, from, call_.head_of(message.mark), {place, place != nullptr ? expected : 0},
      [&](const std::byte* payload, std::size_t bytes) {
        expect(bytes);
        if (place == nullptr || payload != place) unpack_all(own, payload);
      },
      [&](const Announcement<Pieces>& theirs) {
        expect(theirs.bytes);
        transfer::finish(*endpoint_, from, theirs.ticket, [&] { copy_all(own, theirs.memory); });
      });
}

void ExchangeExecution::pack_all(std::byte* packed, Pieces from) const {
  for (const auto& [memory, count] : from) {
    pack(packed, memory, 0, count, program_->element_bytes);
    packed += count * program_->element_bytes;
  }
}

void ExchangeExecution::unpack_all(Pieces to, const std::byte* packed) const {
  for (const auto& [memory, count] : to) {
    unpack(memory, packed, 0, count, program_->element_bytes);
    packed += count * program_->element_bytes;
  }
}

/// Copies between two lists of pieces with equally many elements in all, cut wherever either list is.
void ExchangeExecution::copy_all(Pieces to, Pieces from) const {
  std::size_t to_at = 0, from_at = 0;
  for (std::size_t i = 0, j = 0; i < to.size() && j < from.size();) {
    const std::size_t count = std::min(to[i].count - to_at, from[j].count - from_at);
    copy(to[i].memory.after(to_at), from[j].memory.after(from_at), count);
    if ((to_at += count) == to[i].count) ++i, to_at = 0;
    if ((from_at += count) == from[j].count) ++j, from_at = 0;
  }
}

/// Copies elements in segments. Throws Aborted between two of them.
void ExchangeExecution::copy(const LaidMemory& to, const LaidMemory& from, std::size_t count) const {
  const std::size_t element = program_->element_bytes;
  if (to.form == nullptr && from.form == nullptr)
    return Work{*endpoint_, element}.copy(to.data + to.first * element, from.data + from.first * element,
                                          count * element);
  const std::size_t step = segment_of(element) / element;
  for (std::size_t at = 0; at < count; at += step) {
    if (at != 0) endpoint_->fabric().check_aborted();
    copy_laid(to, from, at, std::min(at + step, count), element);
  }
}

}  // namespace vnode
