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
  unsent_.reserve(most_unsent);
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
  for (const auto& brief : unsent_) MPI_Wait(&brief->request, MPI_STATUS_IGNORE);
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
  if (unsent_.size() >= most_unsent) {
    ++refused_;
    return false;
  }
  const Place place = place_of(to);
  if (spare_.empty()) spare_.push_back(std::make_unique<Brief>());
  std::unique_ptr<Brief> brief = std::move(spare_.back());
  spare_.pop_back();
  std::memcpy(brief->bytes.data(), head.data(), head.size());
  if (!payload.empty()) std::memcpy(brief->bytes.data() + head.size(), payload.data(), payload.size());
  const auto turn = turns_.take();
  check_mpi(MPI_Isend(brief->bytes.data(), static_cast<int>(head.size() + payload.size()), MPI_BYTE,
                      place.process, counted ? node_ : node_ + nodes_of(process_),
                      communicators_[number_of(place.node)].brief, &brief->request),
            "MPI_Isend");
  if (counted) ++sent_[number_of(place.process)];
  unsent_.push_back(std::move(brief));
  return true;
}

/// Nodes of one process that send to the same node take turns among the numbers.
std::uint32_t MpiWire::number(Rank to, std::size_t bytes) {
  if (next_long_.empty()) next_long_.emplace_back();
  next_long_.back().requests.reserve(pieces(bytes));
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
  Long& made = long_.back();
  made.of = of;
  const auto turn = turns_.take();
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(piece, payload.size() - at);
    check_mpi((awaited ? MPI_Issend : MPI_Isend)(payload.data() + at, static_cast<int>(bytes), MPI_BYTE,
                                                 place.process, static_cast<int>(number),
                                                 communicators_[number_of(place.node)].bulk,
                                                 &made.requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
    at += bytes;
  } while (at < payload.size());
}

void MpiWire::receive(Rank from, std::uint32_t number, std::span<std::byte> place, void* of) {
  std::vector<MPI_Request> requests;
  requests.reserve(pieces(place.size()));
  Long& made = long_.emplace_back(Long{of, std::move(requests)});
  const auto turn = turns_.take();
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(piece, place.size() - at);
    check_mpi(MPI_Irecv(place.data() + at, static_cast<int>(bytes), MPI_BYTE, place_of(from).process,
                        static_cast<int>(number), communicators_[number_of(node_)].bulk,
                        &made.requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
    at += bytes;
  } while (at < place.size());
}

/// Only what is one piece: of several some may have come.
void MpiWire::cancel(void* of) {
  const auto found = std::ranges::find(long_, of, &Long::of);
  if (found == long_.end() || found->requests.size() != 1) return;
  const auto turn = turns_.take();
  check_mpi(MPI_Cancel(&found->requests.front()), "MPI_Cancel");
}

bool MpiWire::has_come(Brief& brief) {
  if (brief.here) return true;
  int there = 0;
  const auto turn = turns_.take();
  check_mpi(MPI_Test(&brief.request, &there, &brief.of), "MPI_Test of a receive");
  brief.here = there != 0;
  return brief.here;
}

void MpiWire::poll(Events& events) {
  for (; has_come(ring_[next_]); next_ = (next_ + 1) % posted) {
    Brief& brief = ring_[next_];
    int bytes = 0;
    MPI_Get_count(&brief.of, MPI_BYTE, &bytes);
    const int theirs = nodes_of(brief.of.MPI_SOURCE);
    events.arrived(nodes_.first[number_of(brief.of.MPI_SOURCE)] + brief.of.MPI_TAG % theirs,
                   {brief.bytes.data(), number_of(bytes)});
    if (brief.of.MPI_TAG < theirs) ++received_[number_of(brief.of.MPI_SOURCE)];
    brief.here = false;
    const auto turn = turns_.take();
    post(brief);
  }
  if (!unsent_.empty()) test_sent();
  if (!long_.empty()) test_long(events);
}

void MpiWire::test_sent() {
  const auto turn = turns_.take();
  for (std::size_t i = 0; i < unsent_.size();) {
    int there = 0;
    check_mpi(MPI_Test(&unsent_[i]->request, &there, MPI_STATUS_IGNORE), "MPI_Test of a send");
    if (there == 0) {
      ++i;
      continue;
    }
    spare_.push_back(std::move(unsent_[i]));
    unsent_[i] = std::move(unsent_.back());
    unsent_.pop_back();
  }
}

void MpiWire::test_long(Events& events) {
  for (auto message = long_.begin(); message != long_.end();) {
    {
      const auto turn = turns_.take();
      while (!message->requests.empty()) {
        int there = 0, cancelled = 0;
        MPI_Status status;
        check_mpi(MPI_Test(&message->requests.back(), &there, &status), "MPI_Test of a long message");
        if (there == 0) break;
        MPI_Test_cancelled(&status, &cancelled);
        message->cancelled = message->cancelled || cancelled != 0;
        message->requests.pop_back();
      }
    }
    if (!message->requests.empty()) {
      ++message;
      continue;
    }
    const Long ended = *message;
    message = long_.erase(message);
    events.ended(ended.of, !ended.cancelled);
  }
}

}  // namespace vnode
