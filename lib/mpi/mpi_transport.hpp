#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "channel/wire.hpp"
#include "mpi/mpi.hpp"
#include "mpi/mpi_wire.hpp"

namespace vnode {

/// Is the transport over MPI. All processes of the communicator make it together, and end it.
class MpiTransport final : public Transport {
 public:
  MpiTransport(MPI_Comm processes, int nodes_here);
  /// Receives what other processes have sent by tell() and has not been polled yet: MPI could give it to a
  /// later communicator that has the same number. While an exception unwinds it only tells the others how
  /// much this process has sent, and does not wait: there may be no exception in the others.
  ~MpiTransport() override;

  int processes() const override { return static_cast<int>(machines_.size()); }
  int process() const override { return process_; }
  int nodes(int process) const override;
  int machine(int process) const override { return machines_[static_cast<std::size_t>(process)]; }
  std::string machine_name(int process) const override { return names_[static_cast<std::size_t>(process)]; }
  Wire& wire(int node) override { return *wires_[static_cast<std::size_t>(node)]; }
  Wire& process_wire() override { return *process_wire_; }
  std::vector<std::vector<std::byte>> exchange(std::span<const std::byte> own,
                                               const std::function<void()>& look) override;
  std::string report() const override;

  int first_here() const { return nodes_.first[static_cast<std::size_t>(process_)]; }
  int machines() const;

 private:
  void find_nodes(int nodes_here);
  void find_machines();
  void tell_and_take_in(bool passing);
  void wait(MPI_Request& request, const char* call, const std::function<void()>& look);
  template <class T>
  std::vector<T> of_all(const T& own) const;

  int level_;
  const int exceptions_ = std::uncaught_exceptions();  // that were passing when it was made
  Turns turns_;
  Communicator control_;
  int process_ = 0;
  NodeTable nodes_;
  std::vector<int> machines_;  // by process
  std::vector<std::string> names_;
  std::vector<NodeCommunicators> communicators_;  // by number of a node in its process
  std::vector<std::unique_ptr<MpiWire>> wires_;  // of this process's nodes; they end before the communicators
  NodeTable process_table_;                      // each a node of its own
  std::vector<NodeCommunicators> process_communicators_;
  std::unique_ptr<MpiWire> process_wire_;
};

}  // namespace vnode
