#include "mpi/mpi_wire.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vnode {
namespace {

std::size_t number_of(int value) { return static_cast<std::size_t>(value); }

}

MpiWire::MpiWire(const NodeTable& nodes, std::vector<NodeCommunicators>& communicators, int process, int node,
                 int most_tag, bool yields, Turns& turns)
    : nodes_(nodes),
      communicators_(communicators),
      process_(process),
      node_(node),
      most_tag_(most_tag),
      yields_(yields),
      turns_(turns),
      numbers_(nodes.processes.size()),
      sent_(nodes.first.size() - 1),
      received_(sent_.size()),
      told_(sent_.size()),
      heard_(sent_.size()),
      ring_(new ShortMessage[posted]) {
  make_room(most_unsent);
  spare_.reserve(most_unsent);
  try {
    for (std::size_t i = 0; i < posted; ++i) post(ring_[i]);
  } catch (...) {
    cancel_posted();
    throw;
  }
}

void MpiWire::cancel_posted() noexcept {
  for (std::size_t i = 0; i < posted; ++i) {
    if (ring_[i].request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&ring_[i].request);
    MPI_Wait(&ring_[i].request, MPI_STATUS_IGNORE);
  }
}

// MPI still sends something only if another process has not ended its part of the cluster, and may never
// receive it.
MpiWire::~MpiWire() {
  int over = 0;
  MPI_Finalized(&over);
  if (over != 0) return;
  cancel_posted();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].short_message == nullptr) continue;
    int sent = 0;
    MPI_Test(&under_way_[i], &sent, MPI_STATUS_IGNORE);
    if (sent != 0) continue;
    MPI_Request_free(&under_way_[i]);
    static_cast<void>(pieces_[i].short_message.release());  // MPI's for good
  }
}

MpiWire::Place MpiWire::place_of(Rank rank) const {
  const int process = nodes_.processes[number_of(rank)];
  return {process, rank - nodes_.first[number_of(process)]};
}

void MpiWire::post(ShortMessage& short_message) {
  check_mpi(MPI_Irecv(short_message.bytes.data(), most_short, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                      communicators_[number_of(node_)].short_messages, &short_message.request),
            "MPI_Irecv");
}

bool MpiWire::send_short(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload,
                         bool counted) {
  if (unsent_ >= most_unsent) {
    ++refused_;
    return false;
  }
  const Place place = place_of(to);
  make_room(1);
  if (spare_.empty()) spare_.push_back(std::make_unique_for_overwrite<ShortMessage>());
  std::unique_ptr<ShortMessage> short_message = std::move(spare_.back());
  spare_.pop_back();
  std::memcpy(short_message->bytes.data(), head.data(), head.size());
  if (!payload.empty())
    std::memcpy(short_message->bytes.data() + head.size(), payload.data(), payload.size());
  MPI_Request request = MPI_REQUEST_NULL;
  const auto turn = turns_.take();
  check_mpi(MPI_Isend(short_message->bytes.data(), static_cast<int>(head.size() + payload.size()), MPI_BYTE,
                      place.process, counted ? node_ : node_ + nodes_of(process_),
                      communicators_[number_of(place.node)].short_messages, &request),
            "MPI_Isend");
  ++(counted ? sent_ : told_)[number_of(place.process)];
  ++unsent_;
  begin(request, {std::move(short_message), long_.end()});
  return true;
}

/// Makes room for so many more, before MPI has the first of them: begin() throws nothing then.
void MpiWire::make_room(std::size_t requests) {
  const std::size_t needed = under_way_.size() + requests;
  if (needed <= under_way_.capacity()) return;
  pieces_.reserve(2 * needed);
  under_way_.reserve(2 * needed);
}

void MpiWire::begin(MPI_Request request, Piece piece) {
  under_way_.push_back(request);
  pieces_.push_back(std::move(piece));
}

/// Nodes of one process that send to the same node take turns among the numbers.
std::uint32_t MpiWire::number(Rank to, std::size_t bytes) {
  if (next_long_.empty()) next_long_.emplace_back();
  make_room(1 + pieces(bytes));
  const int own = nodes_of(process_);
  std::uint32_t& last = numbers_[number_of(to)];
  const auto all = static_cast<std::uint32_t>(most_tag_ / own);
  last = (last + 1) % all;
  return last * static_cast<std::uint32_t>(own) + static_cast<std::uint32_t>(node_);
}

void MpiWire::send(Rank to, std::uint32_t number, std::span<const std::byte> payload, bool awaited,
                   void* of) {
  const Place place = place_of(to);
  long_.splice(long_.end(), next_long_);
  long_.back() = {.of = of,
                  .way = awaited ? Way::send_awaited : Way::send,
                  .process = place.process,
                  .over = communicators_[number_of(place.node)].payloads,
                  .tag = static_cast<int>(number),
                  .rest = {const_cast<std::byte*>(payload.data()), payload.size()},
                  .unbegun = pieces(payload.size())};
  begin_rest(std::prev(long_.end()));
}

void MpiWire::receive(Rank from, std::uint32_t number, std::span<std::byte> place, void* of) {
  make_room(pieces(place.size()));
  long_.push_back({.of = of,
                   .way = Way::receive,
                   .process = place_of(from).process,
                   .over = communicators_[number_of(node_)].payloads,
                   .tag = static_cast<int>(number),
                   .rest = place,
                   .unbegun = pieces(place.size())});
  begin_rest(std::prev(long_.end()));
}

/// Begins as much of a long message as MPI does now.
void MpiWire::begin_rest(std::list<Long>::iterator message) {
  make_room(message->unbegun);
  const auto turn = turns_.take();
  for (; message->unbegun > 0; --message->unbegun) {
    const std::span<std::byte> piece = message->rest.first(std::min(most_piece, message->rest.size()));
    const int bytes = static_cast<int>(piece.size()), process = message->process, tag = message->tag;
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    switch (message->way) {
      case Way::receive:
        code = MPI_Irecv(piece.data(), bytes, MPI_BYTE, process, tag, message->over, &request);
        break;
      case Way::send:
        code = MPI_Isend(piece.data(), bytes, MPI_BYTE, process, tag, message->over, &request);
        break;
      case Way::send_awaited:
        code = MPI_Issend(piece.data(), bytes, MPI_BYTE, process, tag, message->over, &request);
        break;
    }
    if (code != MPI_SUCCESS) return note(code, message->way == Way::receive ? "MPI_Irecv" : "MPI_Isend");
    ++message->pieces;
    begin(request, {nullptr, message});
    message->rest = message->rest.subspan(piece.size());
  }
}

/// Keeps the first error of MPI until throw_noted() throws it.
void MpiWire::note(int code, const char* call) {
  if (error_ != MPI_SUCCESS) return;
  error_ = code;
  failed_ = call;
}

void MpiWire::throw_noted() { check_mpi(std::exchange(error_, MPI_SUCCESS), failed_); }

/// Only what is one piece: of several some may have come.
void MpiWire::cancel(void* of) {
  const auto found = std::ranges::find(long_, of, &Long::of);
  if (found == long_.end() || found->pieces != 1 || found->unbegun > 0) return;
  const auto piece = std::ranges::find(pieces_, found, &Piece::of_long);
  const auto turn = turns_.take();
  const int code = MPI_Cancel(&under_way_[number_of(static_cast<int>(piece - pieces_.begin()))]);
  if (code != MPI_SUCCESS) note(code, "MPI_Cancel");
}

bool MpiWire::has_come(ShortMessage& short_message) {
  if (short_message.here) return true;
  int there = 0;
  const auto turn = turns_.take();
  check_mpi(MPI_Test(&short_message.request, &there, &short_message.of), "MPI_Test of a receive");
  if (there != 0) MPI_Get_count(&short_message.of, MPI_BYTE, &short_message.bytes_here);
  short_message.here = there != 0;
  return short_message.here;
}

/// Each test of what has not come or gone has MPI look at its network, so there are as few as can be: one for
/// the next message, one for all long ones. What is sent short goes by itself meanwhile. A place of the ring
/// that MPI has not posted is the newest when it is: the next one is looked at then.
bool MpiWire::poll(Events& events) {
  ShortMessage& short_message = ring_[next_];
  const bool is_posted = short_message.request != MPI_REQUEST_NULL || short_message.here;
  const bool come = is_posted && has_come(short_message);
  if (come) {
    const int theirs = nodes_of(short_message.of.MPI_SOURCE);
    events.arrived(nodes_.first[number_of(short_message.of.MPI_SOURCE)] + short_message.of.MPI_TAG % theirs,
                   {short_message.bytes.data(), number_of(short_message.bytes_here)});
    ++(short_message.of.MPI_TAG < theirs ? received_ : heard_)[number_of(short_message.of.MPI_SOURCE)];
    short_message.here = false;
  }
  if (come || !is_posted) {
    const auto turn = turns_.take();
    post(short_message);
    next_ = (next_ + 1) % posted;
  }
  if (!long_.empty() || unsent_ >= tested_at_) {
    for (auto message = long_.begin(); message != long_.end(); ++message)
      if (message->unbegun > 0) begin_rest(message);
    test_under_way();
    tested_at_ = std::min(unsent_ + seldom, most_unsent);
    tell_ended(events);
  }
  throw_noted();
  return come || !is_posted;
}

/// Asks MPI which requests have ended: they are no longer under way.
void MpiWire::test_under_way() {
  const std::size_t count = under_way_.size();
  if (count == 0) return;
  ended_.resize(count);
  statuses_.resize(count);
  int there = 0;
  {
    const auto turn = turns_.take();
    const int code =
        MPI_Testsome(static_cast<int>(count), under_way_.data(), &there, ended_.data(), statuses_.data());
    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) note(code, "MPI_Testsome");
    if (there <= 0) return;
    for (std::size_t i = 0; i < number_of(there); ++i) {
      // Only then MPI writes it.
      if (code == MPI_ERR_IN_STATUS && statuses_[i].MPI_ERROR != MPI_ERR_PENDING)
        note(statuses_[i].MPI_ERROR, "MPI_Testsome");
      const Piece& piece = pieces_[number_of(ended_[i])];
      int cancelled = 0;
      MPI_Test_cancelled(&statuses_[i], &cancelled);
      if (piece.short_message == nullptr)
        piece.of_long->cancelled = piece.of_long->cancelled || cancelled != 0;
    }
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < under_way_.size(); ++i) {
    Piece piece = std::move(pieces_[i]);
    if (under_way_[i] != MPI_REQUEST_NULL) {
      under_way_[left] = under_way_[i];
      pieces_[left++] = std::move(piece);
    } else if (piece.short_message != nullptr) {
      spare_.push_back(std::move(piece.short_message));
      --unsent_;
    } else {
      --piece.of_long->pieces;
    }
  }
  under_way_.resize(left);
  pieces_.resize(left);
}

void MpiWire::tell_ended(Events& events) {
  for (auto message = long_.begin(); message != long_.end();) {
    if (message->pieces > 0 || message->unbegun > 0) {
      ++message;
      continue;
    }
    const Long ended = *message;
    message = long_.erase(message);
    events.ended(ended.of, !ended.cancelled);
  }
}

}  // namespace vnode
