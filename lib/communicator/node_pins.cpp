#include "communicator/node_pins.hpp"

#include <algorithm>
#include <utility>

#include <vnode/error.hpp>

namespace vnode {

NodePins::NodePins(std::vector<int> pus, bool pinning, bool keeps)
    : pus_(std::move(pus)), pinning_(pinning), keeps_(keeps), failures_(pus_.size()), got_(pus_.size(), -1) {}

std::unique_ptr<PinnedThread> NodePins::pin(Rank rank) {
  if (!pinning_) return nullptr;
  const auto at = static_cast<std::size_t>(rank);
  try {
    auto pinned = std::make_unique<PinnedThread>(pus_[at]);
    if (got_[at] < 0) got_[at] = current_pu();
    return pinned;
  } catch (const SystemError& error) {
    failures_[at] = error.what();
    return nullptr;
  }
}

std::unique_ptr<PinnedThread> NodePins::pin_caller() {
  if (!keeps_) return pin(0);
  // The id of a thread that has ended may be another's.
  if (kept_ != nullptr ? kept_->here() : caller_ == std::this_thread::get_id()) return nullptr;
  kept_.reset();
  kept_ = pin(0);
  caller_ = std::this_thread::get_id();
  return nullptr;
}

std::string NodePins::failure() const {
  const auto failed = std::ranges::find_if(failures_, [](const std::string& why) { return !why.empty(); });
  return failed != failures_.end() ? *failed : std::string();
}

}  // namespace vnode
