#pragma once

#include <sys/types.h>

namespace vnode::bench {

/// Holds another process, whose one thread computes without a pause on any of the cores that the calling
/// thread may use. The process ends with the object, and with this process, however that ends.
class BusyProcess {
 public:
  /// Starts the process. Throws SystemError if the system refuses.
  BusyProcess();
  ~BusyProcess();
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;

 private:
  pid_t process_;
};

}  // namespace vnode::bench
