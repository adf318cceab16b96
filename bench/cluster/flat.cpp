#include "cluster/flat.hpp"

#include <string>
#include <vector>

#include "data/element.hpp"
#include "mpi/calls.h"

namespace vnode::bench {
namespace {

/// Holds a call, and what it points to.
struct Flat {
  Call call;
  std::string operation;
  std::vector<int> counts, displacements;
  SharedTask task;
};

}  // namespace

Contestant flat_mpi(const Processes& processes, std::string_view operation, const Setting& setting,
                    const SharedTask& task) {
  auto flat = std::make_shared<Flat>();
  flat->operation = operation;
  flat->task = task;
  Call& one = flat->call;
  one.operation = flat->operation.c_str();
  one.type = type_of(std::string{datatypes[moved_by_mpi(setting.datatype)]}.c_str());
  one.op = op_of(std::string{name_of(setting.op)}.c_str());
  one.count = static_cast<int>(setting.bytes / size_of(setting.datatype));
  one.root = setting.root;
  one.shift = setting.shift;
  one.turns = 1;
  one.all = processes.all();
  one.rank = processes.rank();
  one.p = processes.count();
  if (task) {
    one.in = (*task->in)[one.rank];
    one.out = (*task->out)[one.rank];
    for (int i = 0; i < one.p; ++i) flat->displacements.push_back(i * one.count);
    flat->counts.assign(static_cast<std::size_t>(one.p), one.count);
    one.counts = flat->counts.data();
    one.displacements = flat->displacements.data();
  }
  return {.by = "flat", .call = [flat](const Seat&) { call(&flat->call); }};
}

}  // namespace vnode::bench
