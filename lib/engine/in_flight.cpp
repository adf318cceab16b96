#include "engine/in_flight.hpp"

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

/// Frees the memory that is kept, since the owner takes none any more. The last activity frees the rest.
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

std::uint64_t InFlight::progress_made() const {
  // Activities that stand behind others have done nothing yet.
  std::uint64_t made = std::uint64_t{0} - (std::uint64_t{count_} << 40);
  for (const Activity* const activity : open_)
    if (activity != nullptr) made += activity->awaited().progress;
  return made;
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
  open_posted_ = 0;
  count_ = struck_ = next_ = 0;
  endpoint_.note_arrivals(false);
}

bool InFlight::step(Activity& activity) {
  const bool complete = activity.advance();
  if (activity.listed_at == Activity::nowhere) endpoint_.fabric().throw_aborted();  // dropped meanwhile
  if (!complete) return false;
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
    activity.posted = ++posts_;
    if (lane.open()) ++open_posted_;
    everywhere_ = false;
  }
  activity.behind = nullptr;
  (queue.first == nullptr ? queue.first : queue.last->behind) = &activity;
  queue.last = &activity;
}

/// Advances the first of the queue, and returns true if it is no longer in the queue.
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

/// Returns true if no message that was set aside is for this receive. Then it waits, and arriving messages
/// are offered first to receives that were started before it. A message set aside has been offered to those,
/// and is for none of them.
bool InFlight::is_behind_open(Activity& activity, const Lane& lane) {
  offer_arrivals();
  const auto found = endpoint_.find_aside(lane.pattern());
  if (found) activity.bind(found->from, found->head.call);
  return !found;
}

/// Matches what was set aside with the receives that wait for it.
void InFlight::offer_arrivals() {
  std::vector<Endpoint::Arrival>& aside = endpoint_.arrivals();
  for (std::size_t i = 0; i < aside.size(); ++i) {
    const Endpoint::Arrival arrival = aside[i];  // there may be more of them afterwards
    // A message that was set aside may have been received meanwhile.
    if (open_posted_ == 0 || endpoint_.is_aside(arrival)) receive(arrival.from, arrival.head);
  }
  aside.clear();
}

/// Matches what has arrived with the receives that wait for it.
void InFlight::receive() {
  if (posted_from_.empty()) return;
  offer_arrivals();
  for (auto& [from, receives] : posted_from_) {
    if (from == MessagePattern::any_source) {
      receive_from_any();
      continue;
    }
    Head head;
    while (receives > 0 && endpoint_.front(from, head))
      if (!receive(from, head)) endpoint_.set_aside(from, head);
  }
  forget_unposted();
}

/// Matches one message of each source in turn, as long as there are receives from any source.
void InFlight::receive_from_any() {
  const std::size_t& receives = posted_from_.at(MessagePattern::any_source);
  bool more = true;
  while (receives > 0 && std::exchange(more, false))
    endpoint_.each_source(
        [&](Rank from) {
          Head head;
          while (endpoint_.front(from, head)) {
            if (receive(from, head)) {
              more = true;
              break;
            }
            endpoint_.set_aside(from, head);
          }
          return receives == 0;
        },
        everywhere_);
}

/// Returns the lane of the receive that was started first among those that match a message. That receive is
/// the first of its lane.
InFlight::Posted::iterator InFlight::posted_for(Rank from, const Head& head) {
  const Lane exact{true, from, head.context, head.round, head.call};
  auto first = posted_.find(exact);
  if (open_posted_ == 0) return first;
  Lane by_tag = exact, by_source = exact, by_none = exact;
  by_tag.peer = by_none.peer = MessagePattern::any_source;
  by_source.tag = by_none.tag = MessagePattern::any_tag;
  for (const Lane& open : {by_tag, by_source, by_none})
    if (const auto lane = posted_.find(open); lane != posted_.end())
      if (first == posted_.end() || lane->second.first->posted < first->second.first->posted) first = lane;
  return first;
}

/// Tells whether a receive was waiting for a message like this; if so, the oldest of its lane has taken it.
bool InFlight::receive(Rank from, const Head& head) {
  if (!is_message_context(head.context) || head.kind == Kind::destination) return false;
  const auto lane = posted_for(from, head);
  if (lane == posted_.end()) return false;
  lane->second.first->bind(from, head.call);
  if (!advance_first(lane->second)) return false;
  leave_queue(lane);
  return true;
}

/// Updates the counts when a receive of this lane has left the queue.
void InFlight::leave_queue(Posted::iterator posted) {
  --posted_from_[posted->first.peer];
  if (posted->first.open()) --open_posted_;
  if (posted->second.first == nullptr) posted_.erase(posted);
}

void InFlight::forget_unposted() {
  std::erase_if(posted_from_, [](const auto& from) { return from.second == 0; });
  if (posted_from_.empty()) endpoint_.note_arrivals(false);
}

bool InFlight::receives(Rank from, const MessagePattern& sent) const {
  for (const Rank peer : {from, MessagePattern::any_source})
    for (const std::uint32_t tag : {sent.tag, MessagePattern::any_tag})
      if (posted_.contains(Lane{true, peer, sent.context, sent.generation, tag})) return true;
  return false;
}

void InFlight::sift(const MessagePattern& pattern, bool everywhere) {
  offer_arrivals();
  const auto visit = [&](Rank from) {
    Head head;
    while (endpoint_.front(from, head))
      if (!receive(from, head)) {
        endpoint_.set_aside(from, head);
        if (pattern.fits(from, head)) return true;
      }
    return false;
  };
  if (pattern.from == MessagePattern::any_source)
    endpoint_.each_source(visit, everywhere);
  else
    visit(pattern.from);
  forget_unposted();
}

void InFlight::take_out(Queue& queue, Activity& activity) {
  Activity* before = nullptr;
  for (Activity* one = queue.first; one != &activity; one = one->behind) before = one;
  (before == nullptr ? queue.first : before->behind) = activity.behind;
  if (queue.last == &activity) queue.last = before;
}

void InFlight::drop(Activity& activity) {
  if (starting_ == &activity) {
    starting_ = nullptr;
    return;
  }
  if (activity.listed_at != Activity::nowhere) {
    strike(activity);
  } else if (const auto lane = activity.lane(); lane && !lane->inwards) {
    take_out(outgoing_.at(lane->peer), activity);
  } else if (lane) {
    const auto posted = posted_.find(*lane);
    take_out(posted->second, activity);
    leave_queue(posted);
  }
  --count_;
}

bool InFlight::cancel(Activity& activity) {
  const auto lane = activity.lane();
  if (!lane || !lane->inwards) return false;
  const auto posted = posted_.find(*lane);
  take_out(posted->second, activity);
  leave_queue(posted);
  forget_unposted();
  --count_;
  activity.complete();
  return true;
}

}  // namespace vnode
