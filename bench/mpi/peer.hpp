#pragma once

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include <vnode/rank.hpp>

#include "timing/series.hpp"

namespace vnode::bench {

/// Holds a program that runs beside this one and writes to a file. It ends with the object.
class Child {
 public:
  /// Starts the program. Throws SystemError if it cannot be started.
  Child(std::vector<std::string> command, std::string log);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits until the program has ended, and tells whether it has succeeded.
  bool wait();
  /// Tells whether it has ended by itself, as far as is known without waiting.
  bool ended();
  /// Returns the last lines that it has written.
  std::string last_words() const;

 private:
  const std::string log_;
  pid_t process_ = 0;
  int status_ = 0;
  bool gone_ = false;
};

/// Says how a library is run: its launcher's options are those that a knowing user would try.
struct MpiConfiguration {
  std::string name;                  ///< library and options, for reports
  std::vector<std::string> command;  ///< the launcher and its options, but for -np
};

/// Holds the peer program (peer.c) under one configuration of an MPI. Its processes sleep between the laps.
class MpiPeer {
 public:
  /// Begins to start `nodes` processes of `program`, which meet in `folder`.
  MpiPeer(const MpiConfiguration& configuration, int nodes, const std::string& program, std::string folder);
  ~MpiPeer();

  const std::string& name() const { return name_; }
  /// Returns the folder where its processes look for the data's table and leave their results.
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
