#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/peer.hpp"

namespace vnode::bench {

/// Names the MPIs that can be measured.
inline constexpr std::array<std::string_view, 2> mpi_names{"openmpi", "mpich"};

/// Names an MPI as Debian installs it beside others.
struct MpiLibrary {
  std::string name;                ///< openmpi, mpich
  std::string compiler, launcher;  ///< paths
};

/// Returns those of mpi_names that are installed.
std::vector<MpiLibrary> mpi_libraries();

/// Says what to install where there is none.
extern const char* const mpi_advice;

/// Returns all configurations that are worth trying, with a core for every process or without.
std::vector<MpiConfiguration> mpi_configurations(const MpiLibrary& library, bool core_each);

/// Holds every MPI that is installed, in every configuration, beside a team. The processes are started once,
/// and sleep between the laps.
class MpiPeers {
 public:
  /// Compiles and starts them all, or only the `asked`, if any are. `core_each` says that every process can
  /// have a core of its own. What does not compile or does not start is left out. Throws SystemError with
  /// advice if no MPI, or none of these, is installed.
  MpiPeers(int nodes, bool core_each, const std::vector<std::string>& asked);
  ~MpiPeers();
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  /// Returns those that have started; there may be none.
  std::vector<std::unique_ptr<MpiPeer>>& all() { return peers_; }
  /// Says why the others do not take part: "left out: openmpi has ended: ...", in their programs' own words.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  void start(const MpiLibrary& library, int nodes, bool core_each);
  void wait_until_ready();

  std::string folder_;  // temporary
  std::vector<std::unique_ptr<MpiPeer>> peers_;
  std::vector<std::string> left_out_;
};

/// The text of peer.c: it is compiled where an MPI is installed, when it is needed.
extern const char* const mpi_program;

}  // namespace vnode::bench
