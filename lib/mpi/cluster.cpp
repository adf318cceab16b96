#include <vnode/cluster.hpp>

#include "mpi/mpi_transport.hpp"

namespace vnode {

struct Cluster::Parts {
  Parts(MPI_Comm processes, int nodes_here, const Shape& shape, const TeamOptions& options)
      : transport(processes, nodes_here), team(transport, shape, options) {}
  MpiTransport transport;
  Team team;
};

Cluster::Cluster(MPI_Comm processes, int nodes_here, const Shape& shape, const TeamOptions& options)
    : parts_(std::make_unique<Parts>(processes, nodes_here, shape, options)) {}

Cluster::~Cluster() = default;

int Cluster::nodes_here() const { return parts_->transport.nodes(process()); }
Rank Cluster::first_here() const { return parts_->transport.first_here(); }
int Cluster::processes() const { return parts_->transport.processes(); }
int Cluster::process() const { return parts_->transport.process(); }
int Cluster::machines() const { return parts_->transport.machines(); }
int Cluster::machine() const { return parts_->transport.machine(process()); }

Team& Cluster::team() const { return parts_->team; }

std::string Cluster::report() const { return team().report() + parts_->transport.report() + '\n'; }

}  // namespace vnode
