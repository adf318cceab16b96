#include "cluster/mpi_wire.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vnode {
namespace {

std::size_t number_of(int value) { return static_cast<std::size_t>(value); }

}

MpiWire::MpiWire(const NodeTable& nodes, std::vector<NodeCommunicators>& communicators, int process, int node,
                 int most_tag, Turns& turns)
    : nodes_(nodes),
      communicators_(communicators),
      process_(process),
      node_(node),
      most_tag_(most_tag),
      turns_(turns),
      numbers_(nodes.processes.size()),
      sent_(nodes.first.size() - 1),
      received_(sent_.size()),
      ring_(new Brief[posted]) {
  make_room(most_unsent);
  spare_.reserve(most_unsent);
  for (std::size_t i = 0; i < posted; ++i) post(ring_[i]);
}

MpiWire::~MpiWire() {
  int over = 0;
  MPI_Finalized(&over);
  if (over != 0) return;
  for (std::size_t i = 0; i < posted; ++i) {
    if (ring_[i].request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&ring_[i].request);
    MPI_Wait(&ring_[i].request, MPI_STATUS_IGNORE);
  }
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (pieces_[i].brief != nullptr) MPI_Wait(&under_way_[i], MPI_STATUS_IGNORE);
}

MpiWire::Place MpiWire::place_of(Rank rank) const {
  const int process = nodes_.processes[number_of(rank)];
  return {process, rank - nodes_.first[number_of(process)]};
}

void MpiWire::post(Brief& brief) {
  check_mpi(MPI_Irecv(brief.bytes.data(), most_short, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG,
                      communicators_[number_of(node_)].brief, &brief.request),
            "MPI_Irecv");
}

bool MpiWire::send_brief(Rank to, std::span<const std::byte> head, std::span<const std::byte> payload,
                         bool counted) {
  if (unsent_ >= most_unsent) {
    ++refused_;
    return false;
  }
  const Place place = place_of(to);
  make_room(1);
  if (spare_.empty()) spare_.push_back(std::make_unique<Brief>());
  std::unique_ptr<Brief> brief = std::move(spare_.back());
  spare_.pop_back();
  std::memcpy(brief->bytes.data(), head.data(), head.size());
  if (!payload.empty()) std::memcpy(brief->bytes.data() + head.size(), payload.data(), payload.size());
  MPI_Request request = MPI_REQUEST_NULL;
  const auto turn = turns_.take();
  check_mpi(MPI_Isend(brief->bytes.data(), static_cast<int>(head.size() + payload.size()), MPI_BYTE,
                      place.process, counted ? node_ : node_ + nodes_of(process_),
                      communicators_[number_of(place.node)].brief, &request),
            "MPI_Isend");
  if (counted) ++sent_[number_of(place.process)];
  ++unsent_;
  begin(request, {std::move(brief), long_.end()});
  return true;
}

/// Before MPI has the first of them: begin() of that many throws nothing.
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
  const auto made = std::prev(long_.end());
  made->of = of;
  const auto turn = turns_.take();
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(most_piece, payload.size() - at);
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi((awaited ? MPI_Issend : MPI_Isend)(payload.data() + at, static_cast<int>(bytes), MPI_BYTE,
                                                 place.process, static_cast<int>(number),
                                                 communicators_[number_of(place.node)].bulk, &request),
              "MPI_Isend");
    ++made->pieces;
    begin(request, {nullptr, made});
    at += bytes;
  } while (at < payload.size());
}

void MpiWire::receive(Rank from, std::uint32_t number, std::span<std::byte> place, void* of) {
  make_room(pieces(place.size()));
  const auto made = long_.insert(long_.end(), Long{of});
  const auto turn = turns_.take();
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(most_piece, place.size() - at);
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(place.data() + at, static_cast<int>(bytes), MPI_BYTE, place_of(from).process,
                        static_cast<int>(number), communicators_[number_of(node_)].bulk, &request),
              "MPI_Irecv");
    ++made->pieces;
    begin(request, {nullptr, made});
    at += bytes;
  } while (at < place.size());
}

/// Only what is one piece: of several some may have come.
void MpiWire::cancel(void* of) {
  const auto found = std::ranges::find(long_, of, &Long::of);
  if (found == long_.end() || found->pieces != 1) return;
  const auto piece = std::ranges::find(pieces_, found, &Piece::of_long);
  const auto turn = turns_.take();
  check_mpi(MPI_Cancel(&under_way_[number_of(static_cast<int>(piece - pieces_.begin()))]), "MPI_Cancel");
}

bool MpiWire::has_come(Brief& brief) {
  if (brief.here) return true;
  int there = 0;
  const auto turn = turns_.take();
  check_mpi(MPI_Test(&brief.request, &there, &brief.of), "MPI_Test of a receive");
  brief.here = there != 0;
  return brief.here;
}

/// Each test of what has not come or gone has MPI look at its network, so there are as few as can be: one for
/// the next message, one for all long ones. What is sent short goes by itself meanwhile.
bool MpiWire::poll(Events& events) {
  const bool come = has_come(ring_[next_]);
  if (come) {
    Brief& brief = ring_[next_];
    int bytes = 0;
    MPI_Get_count(&brief.of, MPI_BYTE, &bytes);
    const int theirs = nodes_of(brief.of.MPI_SOURCE);
    events.arrived(nodes_.first[number_of(brief.of.MPI_SOURCE)] + brief.of.MPI_TAG % theirs,
                   {brief.bytes.data(), number_of(bytes)});
    if (brief.of.MPI_TAG < theirs) ++received_[number_of(brief.of.MPI_SOURCE)];
    brief.here = false;
    next_ = (next_ + 1) % posted;
    const auto turn = turns_.take();
    post(brief);
  }
  if (!long_.empty() || unsent_ >= tested_at_) test_under_way(events);
  return come;
}

void MpiWire::test_under_way(Events& events) {
  const std::size_t count = under_way_.size();
  ended_.resize(count);
  statuses_.resize(count);
  int there = 0;
  {
    const auto turn = turns_.take();
    check_mpi(
        MPI_Testsome(static_cast<int>(count), under_way_.data(), &there, ended_.data(), statuses_.data()),
        "MPI_Testsome");
  }
  if (there > 0) end_tested(number_of(there), events);
  tested_at_ = std::min(unsent_ + seldom, most_unsent);
}

/// The first `there` of ended_ and statuses_ tell which have ended.
void MpiWire::end_tested(std::size_t there, Events& events) {
  for (std::size_t i = 0; i < there; ++i) {
    const Piece& piece = pieces_[number_of(ended_[i])];
    int cancelled = 0;
    MPI_Test_cancelled(&statuses_[i], &cancelled);
    if (piece.brief == nullptr) piece.of_long->cancelled = piece.of_long->cancelled || cancelled != 0;
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < under_way_.size(); ++i) {
    Piece piece = std::move(pieces_[i]);
    if (under_way_[i] != MPI_REQUEST_NULL) {
      under_way_[left] = under_way_[i];
      pieces_[left++] = std::move(piece);
    } else if (piece.brief != nullptr) {
      spare_.push_back(std::move(piece.brief));
      --unsent_;
    } else {
      --piece.of_long->pieces;
    }
  }
  under_way_.resize(left);
  pieces_.resize(left);
  for (auto message = long_.begin(); message != long_.end();) {
    if (message->pieces > 0) {
      ++message;
      continue;
    }
    const Long ended = *message;
    message = long_.erase(message);
    events.ended(ended.of, !ended.cancelled);
  }
}

}  // namespace vnode
