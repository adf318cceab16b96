#pragma once

#include <sys/types.h>

namespace vnode::bench {

/// Another process with one thread that never rests, on any of the cores that the calling thread may use. It
/// ends with the object, and with this process, however that ends.
class BusyProcess {
 public:
  /// Throws SystemError if the system refuses.
  BusyProcess();
  ~BusyProcess();
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;
  /// Seconds of a core that it has had so far.
  double processor_seconds() const;

 private:
  pid_t process_;
};

}  // namespace vnode::bench
