#include "call/many_requests.hpp"

#include <span>
#include <vector>

namespace vnode {
namespace {

struct InOrder {
  std::span<Request> requests;

  std::size_t size() const { return requests.size(); }
  Request* at(std::size_t i) const { return &requests[i]; }
};

std::vector<std::size_t> all_told(std::span<Request> requests, bool wait) {
  std::vector<std::size_t> told;
  ManyRequests(InOrder{requests}).tell_all(wait, [&](std::size_t i) { told.push_back(i); });
  return told;
}

}  // namespace

void wait_all(std::span<Request> requests) {
  for (Request& request : requests) request.wait();
}

bool test_all(std::span<Request> requests) {
  ManyRequests(InOrder{requests}).progress(false);
  bool all = true;
  for (Request& request : requests) all = request.test() && all;
  return all;
}

std::optional<std::size_t> wait_any(std::span<Request> requests) {
  return ManyRequests(InOrder{requests}).tell_one(true);
}

std::optional<std::size_t> test_any(std::span<Request> requests) {
  return ManyRequests(InOrder{requests}).tell_one(false);
}

std::vector<std::size_t> wait_some(std::span<Request> requests) { return all_told(requests, true); }

std::vector<std::size_t> test_some(std::span<Request> requests) { return all_told(requests, false); }

}  // namespace vnode
