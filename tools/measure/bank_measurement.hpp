#pragma once

#include <optional>
#include <vector>

#include <vnode/machine.hpp>

namespace vnode {

/// What is read to measure a bank: twice the caches of its NUMA node, but 64 MiB to 1 GiB, and no more than a
/// quarter of the bank.
std::size_t bank_stream_bytes(const Machine& machine, int numa);

/// Bytes per second that a thread on each core near NUMA node i reads from the bank of j, all at once: the
/// median of some passes over memory that threads near j touched first. By the index of i; nothing where no
/// PU is near that the process may use. SystemError if threads cannot be pinned.
std::vector<std::optional<double>> measured_bank(const Machine& machine, int numa);

}  // namespace vnode
