#pragma once

#include <mpi.h>
#include <mutex>
#include <string_view>
#include <utility>

namespace vnode {

/// Throws SystemError, with MPI's own sentence, if a call of MPI has failed.
void check_mpi(int code, std::string_view call);

/// Throws UsageError if the processes have been started by the launcher of another MPI than the program is
/// linked with: then MPI makes each of them alone, and says nothing. Called after MPI_Init_thread.
void check_launcher();

/// Returns whether an unsuccessful test yields the core: Open MPI's does if mpi_yield_when_idle is set, or if
/// it has more processes than cores.
bool mpi_yields();

/// Is a communicator of vnode's own: a duplicate, so that nobody else's messages are in it, whose errors are
/// returned.
class Communicator {
 public:
  explicit Communicator(MPI_Comm of) {
    check_mpi(MPI_Comm_dup(of, &communicator_), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  Communicator(Communicator&& other) noexcept
      : communicator_(std::exchange(other.communicator_, MPI_COMM_NULL)) {}
  Communicator& operator=(Communicator&&) = delete;
  ~Communicator() {
    int over = 0;
    MPI_Finalized(&over);
    if (over == 0 && communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
  }
  operator MPI_Comm() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

/// Makes threads take turns in MPI, where it does not let several in at a time.
class Turns {
 public:
  explicit Turns(bool needed) : needed_(needed) {}
  std::unique_lock<std::mutex> take() {
    return needed_ ? std::unique_lock(mutex_) : std::unique_lock(mutex_, std::defer_lock);
  }

 private:
  bool needed_;
  std::mutex mutex_;
};

}  // namespace vnode
