#include "beside/busy_process.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vnode/error.hpp>

namespace vnode::bench {

BusyProcess::BusyProcess() {
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) throw SystemError{"the system does not let vnode-bench start a second process"};
  if (process_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // the parent was gone before the signal was asked for
  for (volatile unsigned work = 0;;) work = work + 1;
}

BusyProcess::~BusyProcess() {
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

}  // namespace vnode::bench
