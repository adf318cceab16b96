#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/lab/machine.hpp>

namespace vnode {

/// What is done to memory.
enum class Streaming { read, write };

/// Bytes per second that a thread on each of these PUs reads or writes, all at once, each its part of the
/// words, which have pages already: the median of some passes. SystemError if threads cannot be pinned.
double streamed(const Machine& machine, const std::vector<int>& pus, std::span<std::uint64_t> words,
                Streaming how);

/// Memory of a bank for streams to go through.
struct StreamedMemory {
  std::size_t bytes = 0;
  bool beyond_caches = true;  ///< it is twice what may hold it
};
/// So much that these PUs, all at once or some of them, read the bank and not what they share of caches:
/// twice these and the cache on the memory's side, at least 64 MiB, but no more than a quarter of the bank.
StreamedMemory streamed_memory(const Machine& machine, int numa, const std::vector<int>& pus);

/// What measured_bank() streams through: beyond the caches of the cores near any one NUMA node.
StreamedMemory measured_memory(const Machine& machine, int numa);

/// Bytes per second that a thread on each core near NUMA node i reads from the bank of j, all at once: the
/// median of some passes over memory that threads near j touched first. By the index of i; nothing where no
/// PU is near that the process may use. SystemError if threads cannot be pinned.
std::vector<std::optional<double>> measured_bank(const Machine& machine, int numa);

/// How fast memory is, from every core. Bytes per second.
struct BandwidthMatrix {
  /// Of a bank that several cores read or write at once.
  struct Curve {
    std::vector<int> pus{};               ///< the cores: the first k of them are k streams, the nearest first
    std::vector<double> read{}, write{};  ///< [k - 1]: all k streams together
  };
  std::vector<int> pus{};            ///< one of each core that the process may use: indices into Machine::pus
  std::vector<int> banks{};          ///< indices into Machine::numas
  std::vector<std::size_t> bytes{};  ///< [bank]: what was streamed through, StreamedMemory
  std::vector<std::vector<double>> read{}, write{};  ///< [core][bank], one core alone
  std::vector<Curve> curves{};                       ///< [bank]
  std::vector<std::string> degraded{};               ///< what the system refused, pages elsewhere, banks
                                                     ///< too small to be read beyond the caches
};

/// Measures it. `progress` is told the share that is done. SystemError if threads cannot be pinned,
/// UsageError if the machine is described, not this one.
BandwidthMatrix bandwidth_matrix(const Machine& machine, const std::function<void(double)>& progress);

}  // namespace vnode
