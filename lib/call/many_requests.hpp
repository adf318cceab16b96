#pragma once

#include <cstddef>
#include <optional>

#include <vnode/error.hpp>
#include <vnode/request.hpp>

#include "engine/engine.hpp"
#include "engine/in_flight.hpp"
#include "transport/message_pattern.hpp"

namespace vnode {

/// Waits for or tests several requests, as MPI_Waitsome does. `List` has a size(), and at(i) returns request
/// i, or nullptr for one to skip.
template <class List>
class ManyRequests {
 public:
  explicit ManyRequests(const List& requests) : requests_(requests) {}

  /// Advances calls: with `wait` until a request is complete, else once.
  void progress(bool wait) {
    find_in_flight();
    if (first_ == nullptr) return;
    Engine& engine = *first_->activity_->engine();
    engine.check_thread();
    engine.guarded([&] {
      if (is_one_ready()) return;
      if (wait)
        engine.finish_some([&] { return is_one_ready(); }, [&] { return awaited(); });
      else if (several_)
        engine.poll();
      else
        engine.test(*first_->activity_);
    });
  }
  /// Returns the next request from `begin` on that is complete and has not been returned; it counts as
  /// returned now.
  std::optional<std::size_t> tell(std::size_t begin = 0) {
    for (std::size_t i = begin; i < requests_.size(); ++i)
      if (Request* const request = requests_.at(i); request != nullptr && is_ready(*request)) {
        request->wait();
        return i;
      }
    return {};
  }
  /// Returns a request that is complete, after progress() if there is none yet.
  std::optional<std::size_t> tell_one(bool wait) {
    if (const auto told = tell()) return told;
    progress(wait);
    return tell();
  }
  /// Calls each(i) for all requests that are complete, after progress().
  template <class Each>
  void tell_all(bool wait, Each&& each) {
    progress(wait);
    for (auto next = tell(); next; next = tell(*next + 1)) each(*next);
  }

 private:
  static bool is_ready(const Request& request) {
    return request.activity_ == nullptr ? request.news_ : request.activity_->engine() == nullptr;
  }
  bool is_one_ready() {
    for (std::size_t i = 0; !ready_ && i < requests_.size(); ++i)
      if (const Request* const request = requests_.at(i)) ready_ = is_ready(*request);
    return ready_;
  }
  /// Returns what is waited for. Of several requests it is that of the first, from any source: that one of
  /// them can never complete is no reason to end the run.
  Awaited awaited() const {
    Awaited awaited = first_->activity_->awaited();
    if (!several_) return awaited;
    if (is_message_context(awaited.context)) awaited.call = MessagePattern::any_tag;
    return {nullptr, awaited.context, awaited.call, awaited.round, -1};
  }
  void find_in_flight() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      Request* const request = requests_.at(i);
      if (request == nullptr || request->activity_ == nullptr) continue;
      request->activity_->check_found();
      if (request->activity_->engine() == nullptr) continue;
      if (first_ == nullptr) {
        first_ = request;
        continue;
      }
      several_ = true;
      if (first_->activity_->engine() != request->activity_->engine())
        throw UsageError(
            "requests of different nodes or teams cannot be waited for together: wait for each node's "
            "requests separately");
    }
  }

  List requests_;
  Request* first_ = nullptr;  // the first request in flight
  bool several_ = false;      // whether several are in flight
  bool ready_ = false;        // whether one is complete
};

}  // namespace vnode
