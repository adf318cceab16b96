#include "record/run_watch.hpp"

#include <optional>

#include "transport/fabric.hpp"
#include "watch/cluster_deadlock_detector.hpp"
#include "watch/mismatch.hpp"

namespace vnode {
namespace {

class Watch final : public RunWatch {
 public:
  explicit Watch(Fabric& fabric) : fabric_(fabric) {
    if (fabric.transport() != nullptr) detector_.emplace(fabric, fabric.transport()->process_wire());
  }

  std::string mismatch(Rank me, Rank peer, std::uint16_t context, std::uint32_t call) override {
    return mismatch_text(fabric_, me, peer, context, call);
  }
  std::string unreceived(Rank to, Rank from, const Head& head) override {
    return unreceived_text(fabric_, to, from, head);
  }
  std::string status_of_all() override { return vnode::status_of_all(fabric_); }
  void add(Remote& remote) override { detector_->add(remote); }
  void look() override {
    if (detector_) detector_->look();
  }
  ClusterDeadlockDetector* cluster_detector() override { return detector_ ? &*detector_ : nullptr; }

 private:
  Fabric& fabric_;
  std::optional<ClusterDeadlockDetector> detector_;
};

}  // namespace

std::unique_ptr<RunWatch> watch_of(Fabric& fabric) { return std::make_unique<Watch>(fabric); }

}  // namespace vnode
