#pragma once

#include <string>
#include <vector>

namespace vnode {

/// Describes a team of another process (or of another version of vnode in this one), as it says itself.
struct HostTeam {
  int process = 0;
  std::string program;
  std::vector<int> pus;  ///< by rank, os indices

  friend bool operator==(const HostTeam&, const HostTeam&) = default;
};

/// Stands for a folder in which the teams of several processes tell each other which PUs they use, and a
/// team's word in it.  Invariant: a team has a file in the folder, and a lock on it (flock) through a
/// descriptor that it keeps. The kernel takes the lock from a process that ends in whatever way, and a file
/// that nobody has locked counts as none: who finds it removes it. Files are made, read and removed by
/// whoever has locked the folder. One thread at a time.
class HostTeams {
 public:
  /// `place` is a folder, or "host", the one of the host's processes of this user: /dev/shm/vnode-UID, which
  /// is there as long as there are such teams. Throws SystemError if there is no such folder, or it may not
  /// be used.
  explicit HostTeams(const std::string& place);
  /// Takes the team's word back.
  ~HostTeams();
  HostTeams(const HostTeams&) = delete;
  HostTeams& operator=(const HostTeams&) = delete;

  const std::string& folder() const { return folder_; }
  /// Returns the teams of others, in the order of their names. They throw SystemError, as the constructor
  /// does.
  std::vector<HostTeam> others();
  /// Says that this team uses `pus`, if the others are still `known`; otherwise returns false.
  bool tell(const std::vector<int>& pus, const std::vector<HostTeam>& known);
  /// Is called in a child of fork(): the word is the parent's.
  void abandon() noexcept;

 private:
  class Descriptor;
  class Locked;
  std::vector<HostTeam> read(const Locked& locked) const;

  std::string folder_;
  bool own_folder_;      ///< made by the first team, removed by the last
  std::string file_;     ///< in the folder; empty: it has not told
  int descriptor_ = -1;  ///< of the file
};

}  // namespace vnode
