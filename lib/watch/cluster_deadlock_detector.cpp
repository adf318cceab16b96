#include "watch/cluster_deadlock_detector.hpp"

#include <algorithm>
#include <cstring>

#include <vnode/error.hpp>

#include "base/message_buffer.hpp"
#include "watch/deadlock_text.hpp"
#include "watch/mismatch.hpp"

namespace vnode {
namespace {

constexpr std::chrono::nanoseconds first_pause = std::chrono::milliseconds(10),
                                   longest_pause = std::chrono::milliseconds(500);

void add_traffic(MessageBuffer& said, const Remote::Traffic& traffic) {
  for (const std::uint64_t count : {traffic.sent, traffic.received, traffic.unended, traffic.unasked})
    said.add(count);
}

Remote::Traffic traffic_of(MessageBuffer& said) {
  Remote::Traffic traffic;
  for (std::uint64_t* count : {&traffic.sent, &traffic.received, &traffic.unended, &traffic.unasked})
    *count = said.number();
  return traffic;
}

}  // namespace

ClusterDeadlockDetector::ClusterDeadlockDetector(Fabric& fabric, Wire& wire)
    : fabric_(fabric),
      detector_(fabric.detector()),
      processes_(*fabric.processes()),
      wire_(wire),
      first_(processes_.first(processes_.here())),
      noted_(static_cast<std::size_t>(processes_.last(processes_.here()) - first_)),
      heard_(static_cast<std::size_t>(processes_.count())),
      reports_(heard_.size()),
      before_(heard_.size()),
      known_(static_cast<std::size_t>(processes_.nodes())),
      pause_(first_pause) {}

void ClusterDeadlockDetector::note(Rank rank, DeadlockDetector::Epoch epoch, const Remote::Traffic& traffic,
                                   std::string remark) {
  const std::lock_guard lock(mutex_);
  at(noted_, rank - first_) = {epoch, traffic, std::move(remark)};
}

void ClusterDeadlockDetector::report(DeadlockDetector::Epoch epoch) {
  const std::lock_guard lock(mutex_);
  // This node has confirmed before all were asked again.
  if (asked_ && static_cast<std::int32_t>(epoch - *asked_) < 0) return;
  for (Rank rank = first_; rank < processes_.last(processes_.here()); ++rank)
    if (!has_left(rank) && at(noted_, rank - first_).epoch != epoch) return;
  look_locked();
  if (!detector_.is_in(epoch)) return;
  report_locked();
}

void ClusterDeadlockDetector::look() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) look_locked();
}

void ClusterDeadlockDetector::look_at_end() {
  const std::lock_guard lock(mutex_);
  look_locked();
  if (const std::string* const verdict = detector_.verdict(); verdict != nullptr && !fabric_.aborted())
    fabric_.abort(first_, std::make_exception_ptr(Deadlock(*verdict)), true);
  if (reported_ == wave_) return;
  reported_ = wave_;
  report_locked();
}

void ClusterDeadlockDetector::end_run() {
  const std::lock_guard lock(mutex_);
  ++run_;
  wave_ = 0;
  asked_.reset();
  reported_.reset();
  unsaid_.clear();
  std::ranges::fill(heard_, std::vector<std::byte>());
  std::ranges::fill(noted_, Noted());
  std::ranges::fill(reports_, std::nullopt);
  std::ranges::fill(before_, std::nullopt);
  told_certain_ = false;
  know_.clear();
  known_to_all_.store(false, std::memory_order_relaxed);  // between runs
  pause_ = first_pause;
}

void ClusterDeadlockDetector::look_locked() {
  while (!unsaid_.empty()) {
    auto& [process, what] = unsaid_.front();
    if (!wire_.tell(process, what, {})) break;
    unsaid_.pop_front();
  }
  while (wire_.poll(*this)) {
  }
  for (std::size_t node = 0; node < remotes_.size(); ++node) {
    if (!has_left(first_ + static_cast<Rank>(node))) continue;
    if (fabric_.aborted())
      static_cast<void>(remotes_[node]->take_in());
    else
      remotes_[node]->poll();
  }
  if (processes_.here() == 0) coordinate();
}

/// Tells process 0 that all nodes of this one are still; from the second wave on, also where they are.
void ClusterDeadlockDetector::report_locked() {
  if (fabric_.aborted() || detector_.verdict() != nullptr) return;
  Remote::Traffic sum;
  for (std::size_t node = 0; node < remotes_.size(); ++node)
    sum += has_left(first_ + static_cast<Rank>(node)) ? remotes_[node]->traffic() : noted_[node].traffic;
  const auto all_left = [&] {
    for (Rank rank = first_; rank < processes_.last(processes_.here()); ++rank)
      if (!has_left(rank)) return false;
    return true;
  };
  MessageBuffer said;
  said.add(static_cast<std::uint64_t>(Word::still));
  said.add(wave_);
  said.add(std::uint64_t{!all_left()});
  add_traffic(said, sum);
  for (Rank rank = first_; wave_ > 0 && rank < processes_.last(processes_.here()); ++rank) {
    const Journal& journal = fabric_.shared(rank).journal;
    const bool left = has_left(rank);
    said.add(std::uint64_t{left});
    said.add(fabric_.world().member_state(rank).history.load(std::memory_order_relaxed));
    said.add(static_cast<std::uint64_t>(journal.waits_for()));
    said.add(call_text(fabric_, journal.current()));
    said.add(left ? left_behind_text(fabric_, rank) : at(noted_, rank - first_).remark);
  }
  processes_.here() == 0 ? hear(0, said.bytes()) : say(0, said.bytes());
}

void ClusterDeadlockDetector::say(int process, const std::vector<std::byte>& what) {
  constexpr std::size_t room = Wire::most_short - sizeof(Part);
  for (std::size_t begin = 0; begin < what.size(); begin += room) {
    const std::size_t bytes = std::min(room, what.size() - begin);
    const Part part{run_, static_cast<std::uint32_t>(what.size() - begin - bytes)};
    std::vector<std::byte> message(sizeof part + bytes);
    std::memcpy(message.data(), &part, sizeof part);
    std::memcpy(message.data() + sizeof part, what.data() + begin, bytes);
    if (!unsaid_.empty() || !wire_.tell(process, message, {}))
      unsaid_.emplace_back(process, std::move(message));
  }
}

void ClusterDeadlockDetector::say_to_all(const std::vector<std::byte>& what) {
  for (int process = 0; process < processes_.count(); ++process)
    if (process != processes_.here()) say(process, what);
}

void ClusterDeadlockDetector::arrived(Rank process, std::span<const std::byte> message) {
  Part part;
  std::memcpy(&part, message.data(), sizeof part);
  if (part.run != run_) return;
  std::vector<std::byte>& whole = at(heard_, process);
  const std::size_t before = whole.size();
  whole.insert(whole.end(), message.begin() + sizeof part, message.end());
  if (part.bytes_left > 0) return;
  try {
    hear(process, whole);
  } catch (...) {
    whole.resize(before);  // it comes again
    throw;
  }
  whole.clear();
}

void ClusterDeadlockDetector::hear(int process, std::span<const std::byte> what) {
  MessageBuffer said(what);
  switch (static_cast<Word>(said.number())) {
    case Word::still:
      return hear_still(process, said);
    case Word::again:
      return hear_again(said);
    case Word::deadlock:
      return hear_deadlock(said.text());
    case Word::known:
      return hear_known(process);
    case Word::end:
      known_to_all_.store(true, std::memory_order_release);  // (a) the verdict has been pronounced
      return fabric_.ring_all();
  }
}

void ClusterDeadlockDetector::hear_still(int process, MessageBuffer& said) {
  if (said.number() != wave_) return;
  const bool waits = said.number() != 0;
  at(reports_, process) = Report{waits, traffic_of(said)};
  for (Rank rank = processes_.first(process); wave_ > 0 && rank < processes_.last(process); ++rank) {
    at(known_, rank) = {said.number() != 0, said.number()};
    const auto awaited = static_cast<Rank>(said.number());
    std::string status = said.text();
    if (!fabric_.is_here(rank)) {
      fabric_.shared(rank).journal.wait(0, 0, 0, awaited);
      fabric_.note_status(rank, std::move(status));
    }
    detector_.remark(rank, said.text());
  }
}

/// Learns where all nodes are; if the deadlock is certain, they stay there for ever.
void ClusterDeadlockDetector::hear_again(MessageBuffer& said) {
  wave_ = said.number();
  const bool certain = said.number() != 0;
  for (Rank rank = 0; certain && rank < processes_.nodes(); ++rank) {
    const bool left = said.number() != 0;
    const std::uint64_t history = said.number();
    if (fabric_.is_here(rank)) continue;
    fabric_.world().member_state(rank).learn(history);
    // Release, as for a node of this process.
    if (left) fabric_.shared(rank).left.store(1, std::memory_order_release);
  }
  asked_ = detector_.renew();
  fabric_.ring_all();
}

void ClusterDeadlockDetector::hear_deadlock(std::string verdict) {
  if (fabric_.aborted()) return;
  static_cast<void>(fabric_.take_unreported_abort());  // all are told this way
  if (detector_.verdict() == nullptr) detector_.pronounce(std::move(verdict));
  if (processes_.here() == 0) return hear_known(0);
  MessageBuffer said;
  said.add(static_cast<std::uint64_t>(Word::known));
  say(0, said.bytes());
}

void ClusterDeadlockDetector::hear_known(int process) {
  know_.insert(process);
  if (know_.size() < reports_.size()) return;
  MessageBuffer said;
  said.add(static_cast<std::uint64_t>(Word::end));
  say_to_all(said.bytes());
  hear(0, said.bytes());
}

/// Begins the next wave, or ends the run when a deadlock is certain. Before that, nodes that are certainly
/// stuck are told of each other and look once more: one may see that the calls do not match, or that a node
/// that could help has left, which says more. If none sees that, it is a deadlock.
void ClusterDeadlockDetector::coordinate() {
  if (fabric_.aborted() || detector_.verdict() != nullptr) return;
  if (!std::ranges::all_of(reports_, [](const auto& report) { return report.has_value(); })) return;
  // If all have left the run, it ends.
  if (std::ranges::none_of(reports_, [](const auto& report) { return report->waits; })) return;
  Remote::Traffic sum;
  for (const auto& report : reports_) sum += report->traffic;
  const bool balanced = sum.sent == sum.received && sum.unended == sum.unasked;
  const bool certain = balanced && wave_ > 0 && reports_ == before_;
  if (certain && told_certain_) {
    MessageBuffer said;
    said.add(static_cast<std::uint64_t>(Word::deadlock));
    said.add(deadlock_text(fabric_));
    say_to_all(said.bytes());
    return hear(0, said.bytes());
  }
  // If something is on its way to a node that does not take it, nothing may change for long.
  if (!balanced) {
    if (Clock::now() < next_wave_) return;
    next_wave_ = Clock::now() + pause_;
    pause_ = std::min(pause_ * 2, longest_pause);
  }
  ask_again(certain);
}

void ClusterDeadlockDetector::ask_again(bool certain) {
  MessageBuffer said;
  said.add(static_cast<std::uint64_t>(Word::again));
  said.add(wave_ + 1);
  said.add(std::uint64_t{certain});
  for (const Known& node : known_) {
    said.add(std::uint64_t{node.left});
    said.add(node.history);
  }
  say_to_all(said.bytes());
  told_certain_ = certain;
  before_ = std::exchange(reports_, std::vector<std::optional<Report>>(reports_.size()));
  hear(0, said.bytes());
}

}  // namespace vnode
