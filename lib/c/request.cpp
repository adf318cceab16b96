#include "c/request.hpp"

#include <algorithm>

#include "c/untyped.hpp"
#include "call/many_requests.hpp"

namespace vnode {
namespace {

/// Runs `look`, which returns whether the call is complete, and ends a request that is complete or lost.
template <class Look>
void look_at(vnode_request** request, vnode_received* received, Look&& look) {
  vnode_request*& handle = needed(request, "the address of the request");
  if (received != nullptr) *received = nothing_received;
  if (handle == nullptr) {
    look(static_cast<Request*>(nullptr));
    return;
  }
  Request& own = at_handle(handle).is;
  try {
    look(&own);
  } catch (...) {
    if (Untyped::engine(own) == nullptr) end_complete(handle, nullptr);
    throw;
  }
  if (Untyped::engine(own) == nullptr) end_complete(handle, received);
}

void waited(Request* call) {
  if (call != nullptr) call->wait();
}
bool tested(Request* call) { return call == nullptr || call->test(); }

/// A list of handles, all of them requests' or NULL.
class Handles {
 public:
  Handles(vnode_request** list, std::size_t count) : list_(list), count_(count) {
    if (count > 0) needed(list, "the list of requests");
    for (std::size_t i = 0; i < count; ++i)
      if (list[i] != nullptr) at_handle(list[i]);
  }
  std::size_t size() const { return count_; }
  Request* at(std::size_t i) const { return list_[i] != nullptr ? &list_[i]->is : nullptr; }
  void end_complete(std::size_t i, vnode_received* received) const {
    vnode::end_complete(list_[i], received);
  }

 private:
  vnode_request** list_;
  std::size_t count_;
};

void tell_one(const Handles& handles, std::size_t* index, vnode_received* received, bool wait) {
  std::size_t& which = needed(index, "index");
  which = handles.size();
  if (received != nullptr) *received = nothing_received;
  const auto told = ManyRequests(handles).tell_one(wait);
  if (!told) return;
  which = *told;
  handles.end_complete(which, received);
}

void tell_some(const Handles& handles, std::size_t* indices, std::size_t* complete, vnode_received* received,
               bool wait) {
  std::size_t& told = needed(complete, "complete");
  told = 0;
  if (handles.size() > 0) needed(indices, "the list of indices");
  ManyRequests(handles).tell_all(wait, [&](std::size_t i) {
    indices[told] = i;
    handles.end_complete(i, received != nullptr ? received + told : nullptr);
    ++told;
  });
}

/// Throws where another thread than its node's ends a call in flight.
template <class Call>
void check_own(const Call& call) {
  if (Engine* const engine = Untyped::engine(call)) engine->check_thread();
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_request_wait(vnode_request** request, vnode_received* received) {
  return entry([&] { look_at(request, received, waited); });
}

int vnode_request_test(vnode_request** request, int* complete, vnode_received* received) {
  return entry([&] {
    int& is_complete = needed(complete, "complete");
    is_complete = 0;
    look_at(request, received, [&](Request* call) { is_complete = tested(call) ? 1 : 0; });
  });
}

int vnode_request_cancel(vnode_request** request, int* cancelled) {
  return entry([&] {
    int& is_cancelled = needed(cancelled, "cancelled");
    is_cancelled = 0;
    vnode_request*& own = needed(request, "the address of the request");
    if (own == nullptr || !at_handle(own).is.cancel()) return;
    is_cancelled = 1;
    end_complete(own, nullptr);
  });
}

int vnode_request_wait_all(vnode_request** requests, size_t count) {
  return entry([&] {
    const Handles handles(requests, count);
    for (size_t i = 0; i < count; ++i) look_at(requests + i, nullptr, waited);
  });
}

int vnode_request_test_all(vnode_request** requests, size_t count, int* complete) {
  return entry([&] {
    int& all = needed(complete, "complete");
    all = 0;
    const Handles handles(requests, count);
    ManyRequests(handles).progress(false);
    for (size_t i = 0; i < count; ++i) look_at(requests + i, nullptr, tested);
    all = std::all_of(requests, requests + count, [](const vnode_request* own) { return own == nullptr; })
              ? 1
              : 0;
  });
}

int vnode_request_wait_any(vnode_request** requests, size_t count, size_t* index, vnode_received* received) {
  return entry([&] { tell_one({requests, count}, index, received, true); });
}

int vnode_request_test_any(vnode_request** requests, size_t count, size_t* index, vnode_received* received) {
  return entry([&] { tell_one({requests, count}, index, received, false); });
}

int vnode_request_wait_some(vnode_request** requests, size_t count, size_t* indices, size_t* complete,
                            vnode_received* received_list) {
  return entry([&] { tell_some({requests, count}, indices, complete, received_list, true); });
}

int vnode_request_test_some(vnode_request** requests, size_t count, size_t* indices, size_t* complete,
                            vnode_received* received_list) {
  return entry([&] { tell_some({requests, count}, indices, complete, received_list, false); });
}

int vnode_request_free(vnode_request** request) {
  return entry([&] {
    vnode_request* const own = needed(request, "the address of the request");
    if (own != nullptr) check_own(at_handle(own).is);
    end_handle(request);
  });
}

int vnode_persistent_start(vnode_persistent* persistent) {
  return entry([&] { at_handle(persistent).is.start(); });
}

int vnode_persistent_wait(vnode_persistent* persistent) {
  return entry([&] { at_handle(persistent).is.wait(); });
}

int vnode_persistent_test(vnode_persistent* persistent, int* complete) {
  return entry([&] { needed(complete, "complete") = at_handle(persistent).is.test() ? 1 : 0; });
}

int vnode_persistent_free(vnode_persistent** persistent) {
  return entry([&] {
    vnode_persistent* const own = needed(persistent, "the address of the handle");
    if (own != nullptr) check_own(at_handle(own).is);
    end_handle(persistent);
  });
}
