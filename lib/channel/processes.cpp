#include "channel/processes.hpp"

#include <fmt/format.h>

namespace vnode {

Processes::Processes(const Transport& transport) : here_(transport.process()) {
  firsts_.push_back(0);
  for (int process = 0; process < transport.processes(); ++process) {
    const int nodes = transport.nodes(process);
    of_.insert(of_.end(), static_cast<std::size_t>(nodes), process);
    firsts_.push_back(firsts_.back() + nodes);
    machines_.push_back(transport.machine(process));
    names_.push_back(transport.machine_name(process));
  }
}

std::string Processes::text(int process) const {
  return fmt::format("process {} on {}", process, machine_name(process));
}

}  // namespace vnode
