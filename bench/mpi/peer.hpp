#pragma once

#include <memory>
#include <string>
#include <vector>

#include <vnode/rank.hpp>

#include "measure/stamp.hpp"
#include "mpi/child.hpp"
#include "mpi/installation.hpp"

namespace vnode::bench {

/// The peer program (peer.c) under one configuration of an MPI, with its processes asleep between the laps.
class MpiPeer {
 public:
  /// Begins to start `nodes` processes of `program`, which meet in `folder`.
  MpiPeer(const MpiConfiguration& configuration, int nodes, const std::string& program, std::string folder);
  ~MpiPeer();

  const std::string& name() const { return name_; }
  /// Where its processes look for the data's table and leave their results.
  const std::string& folder() const { return folder_; }
  /// Returns when all processes have started. Throws SystemError, with the launcher's last words, if they
  /// have ended instead.
  void wait_until_ready();
  /// Runs a lap of `iterations` calls. Throws SystemError if the processes have ended.
  Stamps lap(const std::string& command, int iterations);

 private:
  void make_pipes(int nodes);
  void read(void* to, std::size_t bytes);

  const std::string name_, folder_;
  std::vector<int> commands_;  // to each process
  int answer_ = -1;
  std::unique_ptr<Child> launcher_;
};

}  // namespace vnode::bench
