#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>

namespace vnode {

/// Says what is done to memory.
enum class Streaming { read, write };

/// Returns the bytes per second that threads on these PUs, one on each, read or write all at once, each its
/// part of the words, which have pages already. It is the median of some passes. Throws SystemError if
/// threads cannot be pinned.
double streamed(const Machine& machine, const std::vector<int>& pus, std::span<std::uint64_t> words,
                Streaming how);

/// Describes memory of a bank for streams to go through.
struct StreamedMemory {
  std::size_t bytes = 0;
  bool beyond_caches = true;  ///< it is twice what may hold it
};
/// Returns the bytes of all caches that one of these PUs, indices into Machine::pus, shares, each counted
/// once.
std::uint64_t caches_of(const Machine& machine, const std::vector<int>& pus);
/// Returns so much memory that these PUs, all at once or some of them, read the bank and not the caches that
/// they share: twice these caches and the cache on the memory's side, at least 64 MiB, but no more than a
/// quarter of the bank.
StreamedMemory streamed_memory(const Machine& machine, int numa, const std::vector<int>& pus);

/// Returns the memory that measured_bank() streams through: it is beyond the caches of the cores near any one
/// NUMA node.
StreamedMemory measured_memory(const Machine& machine, int numa);

/// Returns, by the index of each NUMA node i, the bytes per second that threads read from the bank of `numa`
/// all at once, one on each core near i. It is the median of some passes over memory that threads near `numa`
/// touched first; nothing where no PU is near that the process may use. Throws SystemError if threads cannot
/// be pinned.
std::vector<std::optional<double>> measured_bank(const Machine& machine, int numa);

/// Says how fast memory is from every core, in bytes per second.
struct BandwidthMatrix {
  /// Holds the bandwidth of a bank that several cores read or write at once.
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

/// Measures the matrix. Calls `progress` with the share that is done. Throws SystemError if threads cannot be
/// pinned, and UsageError if the machine is described, not this one.
BandwidthMatrix bandwidth_matrix(const Machine& machine, const std::function<void(double)>& progress);

}  // namespace vnode
