#include "communicator/in_flight.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include <vnode/error.hpp>

namespace vnode {

void* CallMemory::take(std::size_t bytes) {
  Piece* piece = kept_;
  if (bytes > usual_bytes) {
    piece = new (::operator new(sizeof(Piece) + bytes)) Piece{this, nullptr};
    piece->next = piece;
  } else if (piece == nullptr) {
    piece = new (::operator new(sizeof(Piece) + usual_bytes)) Piece{this, nullptr};
  } else {
    kept_ = std::exchange(piece->next, nullptr);
    --number_kept_;
  }
  ++taken_;
  return piece + 1;
}

void CallMemory::give_back(void* taken) noexcept {
  Piece* const piece = static_cast<Piece*>(taken) - 1;
  CallMemory& memory = *piece->memory;
  --memory.taken_;
  if (piece->next == nullptr && !memory.left_ && memory.number_kept_ < most_kept) {
    piece->next = std::exchange(memory.kept_, piece);
    ++memory.number_kept_;
    return;
  }
  ::operator delete(piece);
  if (memory.left_ && memory.taken_ == 0) delete &memory;
}

/// Nothing is taken any more.
void CallMemory::leave() noexcept {
  while (kept_ != nullptr) ::operator delete(std::exchange(kept_, kept_->next));
  left_ = true;
  if (taken_ == 0) delete this;
}

void Activity::refuse_lost() const {
  if (lost_in_->in_run() && lost_in_->run() == run_)
    throw Aborted("the run has ended before this call was complete");
  throw UsageError(
      "this call was in flight when its run ended, and is lost: calls are completed within the run in which "
      "they are "
      "started");
}

void InFlight::add(Activity& activity, Engine& engine) {
  if (const auto lane = activity.lane())
    queue_up(activity, *lane);
  else
    enlist(activity);
  ++count_;
  activity.attach(engine);
}

void InFlight::progress(bool all) {
  send();
  if (all || open_.size() <= few) next_ = 0;
  for (std::size_t looks = all ? open_.size() : std::min(open_.size(), few); looks > 0 && !empty(); --looks) {
    if (next_ >= open_.size()) next_ = 0;
    if (Activity* const activity = open_[next_++]) step(*activity);
  }
  receive();
  if (struck_ <= open_.size() / 2) return;
  std::erase(open_, nullptr);
  for (std::size_t place = 0; place < open_.size(); ++place) open_[place]->listed_at = place;
  struck_ = next_ = 0;
}

void InFlight::advance(Activity& activity) {
  if (open_.size() > few && activity.listed_at != Activity::nowhere) step(activity);
}

void InFlight::forget(const std::shared_ptr<const TeamLife>& life) {
  const auto lose = [&](Queue& queue) {
    while (queue.first != nullptr) {
      Activity* const activity = queue.first;
      queue.first = activity->behind;
      activity->lose(life);
    }
  };
  if (starting_ != nullptr) std::exchange(starting_, nullptr)->lose(life);
  for (Activity* const activity : open_)
    if (activity != nullptr) activity->lose(life);
  for (auto& [peer, queue] : outgoing_) lose(queue);
  for (auto& [lane, queue] : posted_) lose(queue);
  open_.clear();
  outgoing_.clear();
  posted_.clear();
  posted_from_.clear();
  count_ = struck_ = next_ = 0;
  endpoint_.note_arrivals(false);
}

bool InFlight::step(Activity& activity) {
  if (!activity.advance()) return false;
  strike(activity);
  if (--count_ == 0) {
    open_.clear();
    struck_ = next_ = 0;
  }
  activity.complete();
  return true;
}

void InFlight::enlist(Activity& activity) {
  open_.push_back(&activity);
  activity.listed_at = open_.size() - 1;
}

void InFlight::strike(Activity& activity) {
  open_[activity.listed_at] = nullptr;
  activity.listed_at = Activity::nowhere;
  ++struck_;
}

void InFlight::queue_up(Activity& activity, const Lane& lane) {
  Queue& queue = lane.inwards ? posted_[lane] : outgoing_[lane.peer];
  if (lane.inwards) {
    if (posted_from_.empty()) endpoint_.note_arrivals(true);
    ++posted_from_[lane.peer];
  }
  activity.behind = nullptr;
  (queue.first == nullptr ? queue.first : queue.last->behind) = &activity;
  queue.last = &activity;
}

/// True if the first of the queue is no longer in it.
bool InFlight::advance_first(Queue& queue) {
  Activity& first = *queue.first;
  const bool complete = first.advance();
  if (!complete) {
    if (first.lane()) return false;
    enlist(first);
  }
  queue.first = first.behind;
  if (!complete) return true;
  --count_;
  first.complete();
  return true;
}

void InFlight::send() {
  for (auto peer = outgoing_.begin(); peer != outgoing_.end();) {
    Queue& queue = peer->second;
    while (queue.first != nullptr && advance_first(queue)) continue;
    peer = queue.first == nullptr ? outgoing_.erase(peer) : std::next(peer);
  }
}

/// Matches what has arrived with the receives that wait for it.
void InFlight::receive() {
  if (posted_from_.empty()) return;
  std::vector<Endpoint::Arrival>& aside = endpoint_.arrivals();
  for (std::size_t i = 0; i < aside.size(); ++i) {
    const Endpoint::Arrival arrival = aside[i];  // there may be more of them afterwards
    receive(arrival.from, arrival.head);
  }
  aside.clear();
  for (auto peer = posted_from_.begin(); peer != posted_from_.end();) {
    const Rank from = peer->first;
    Head head;
    while (peer->second > 0 && endpoint_.front(from, head))
      if (!receive(from, head)) endpoint_.set_aside(from, head);
    peer = peer->second == 0 ? posted_from_.erase(peer) : std::next(peer);
  }
  if (posted_from_.empty()) endpoint_.note_arrivals(false);
}

/// Whether a receive was waiting for a message like this, which has taken the oldest of the lane.
bool InFlight::receive(Rank from, const Head& head) {
  if (!Context::is_messages(head.context) || head.kind == Kind::destination) return false;
  const auto lane = posted_.find(Lane{true, from, head.context, head.call});
  if (lane == posted_.end() || !advance_first(lane->second)) return false;
  --posted_from_[from];
  if (lane->second.first == nullptr) posted_.erase(lane);
  return true;
}

}  // namespace vnode
