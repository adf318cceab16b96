#include "communicator/run_faults.hpp"

#include "runtime/mismatch.hpp"

namespace vnode {

RunFaults run_faults(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines,
                     SplitGroups& groups) {
  const GroupFaults of_groups = groups.examine();
  RunFaults faults{difference_text(fabric, fabric.world()), fabric.unreceived()};
  if (faults.differ.empty()) faults.differ = of_groups.differ;
  for (const auto& engine : engines)
    if (faults.undone.empty()) faults.undone = engine->endpoint().unreceived();
  if (faults.undone.empty()) faults.undone = missed_text(fabric, fabric.world());
  if (faults.undone.empty()) faults.undone = of_groups.missed;
  return faults;
}

}  // namespace vnode
