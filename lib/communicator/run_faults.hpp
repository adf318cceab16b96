#pragma once

#include <memory>
#include <string>
#include <vector>

#include "communicator/engine.hpp"
#include "communicator/split_groups.hpp"

namespace vnode {

/// What did not match in a run that is over: sentences, or nothing.
struct RunFaults {
  std::string differ;  ///< nodes have made different calls
  std::string undone;  ///< calls or messages that some have made and others have not
};

/// Between runs, before anything of the last one is forgotten. What it has left on boards and in channels the
/// next run would take for its own.
RunFaults run_faults(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines,
                     SplitGroups& groups);

}  // namespace vnode
