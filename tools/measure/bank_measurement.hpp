#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <vnode/machine.hpp>

namespace vnode {

/// What is done to memory.
enum class Streaming { read, write };

/// Bytes per second that a thread on each of these PUs reads or writes, all at once, each its part of the
/// words, which have pages already: the median of some passes. SystemError if threads cannot be pinned.
double streamed(const Machine& machine, const std::vector<int>& pus, std::span<std::uint64_t> words,
                Streaming how);

/// What is read to measure a bank: twice the caches of its NUMA node, but 64 MiB to 1 GiB, and no more than a
/// quarter of the bank.
std::size_t bank_stream_bytes(const Machine& machine, int numa);

/// Bytes per second that a thread on each core near NUMA node i reads from the bank of j, all at once: the
/// median of some passes over memory that threads near j touched first. By the index of i; nothing where no
/// PU is near that the process may use. SystemError if threads cannot be pinned.
std::vector<std::optional<double>> measured_bank(const Machine& machine, int numa);

}  // namespace vnode
